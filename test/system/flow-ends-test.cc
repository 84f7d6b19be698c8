/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows that end while time is jumped over: their last bytes arrive without packets, when they
// would have arrived with packets.

#include "control-fixture.h"
#include "hosts-with-rates.h"

#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::HostId;
using ::coflow::test::HostsWithRates;
using ns3::coflow::test::MakeRates;
using ns3::coflow::test::MakeSchedule;
using ns3::coflow::test::Process;

namespace
{

constexpr uint64_t MB = 1'000'000;
constexpr uint64_t SIZE = 4'321'987;
constexpr uint16_t MESSAGE_PORT = 5001;

using Options = std::vector<std::pair<std::string, std::string>>;

/// @return what sends and receives messages at a host
std::unique_ptr<Process>
MakeProcess(const HostsWithRates& hosts, HostId host)
{
    PointerValue profile;
    hosts.Get().GetHosts()[0].source->GetAttribute("Profile", profile);
    auto process = std::make_unique<Process>(hosts.Get().GetFabric()->GetHosts().Get(host),
                                             ControlEndpoint::Transport::TCP,
                                             profile.Get<TransportProfile>());
    process->endpoint->Start();
    return process;
}

/// Another flow ends after a fifth of a second, and after that time is jumped over once more.
void
SendAnother(HostsWithRates& hosts)
{
    hosts.Send(9, 2, 3, MB, 40);
}

/// A flow on hosts 0 and 1, and what somebody does to it.
struct Outcome
{
    double finish{0};
    uint64_t received{0};
    uint64_t endsWithoutPackets{0};
    uint64_t messages{0};
};

Outcome
RunAndMeet(double when,
           const std::function<void(HostsWithRates&)>& what,
           const std::string& topology = "big-switch")
{
    HostsWithRates hosts(true, topology);
    hosts.Send(0, 0, 1, SIZE, 20);
    SendAnother(hosts);
    Simulator::Schedule(ns3::Seconds(when), [&] { what(hosts); });
    hosts.Run(4);
    Outcome outcome;
    outcome.finish = hosts.GetFinish(0);
    outcome.received = hosts.Get().GetHosts()[1].sink->GetReceivedBytes({1, 0});
    outcome.endsWithoutPackets = hosts.Get().GetTimeJumper()->GetTotals().endsWithoutPackets;
    EXPECT_EQ(hosts.Get().GetHosts()[0].source->GetActiveFlows(), 0U);
    return outcome;
}

/// Moments around the one at which a flow's last byte arrives, seconds from it.
std::vector<double>
GetMomentsAround()
{
    std::vector<double> moments;
    for (int microseconds = -703; microseconds <= 100; microseconds += 8)
    {
        moments.push_back(microseconds * 1e-6);
    }
    return moments;
}

double
GetUndisturbedFinish()
{
    return RunAndMeet(0.1, [](HostsWithRates&) {}).finish;
}

} // namespace

TEST(FlowEnds, AreWhenTheyAreWithPackets)
{
    // Whatever is left after a jump, and however it is cut: the last write is due when the bucket
    // has had tokens for all bytes. The last segment may be up to 1448 bytes shorter or longer,
    // which is 12 us at each port.
    for (const std::string topology : {"big-switch", "fat-tree"})
    {
        for (const uint64_t bytes : {SIZE, SIZE + 1, 2 * MB, 1448UL * 1000, 1448UL * 1000 - 12})
        {
            for (const uint64_t megabits : {2, 7, 33, 400})
            {
                double finish[2];
                for (const bool jump : {false, true})
                {
                    HostsWithRates hosts(jump, topology);
                    hosts.Send(0, 0, 1, bytes, megabits);
                    SendAnother(hosts);
                    hosts.Run(60);
                    finish[jump] = hosts.GetFinish(0);
                    if (jump && megabits < 400)
                    {
                        EXPECT_GE(hosts.Get().GetTimeJumper()->GetTotals().endsWithoutPackets, 1U);
                    }
                }
                ASSERT_GT(finish[0], 0);
                EXPECT_NEAR(finish[1], finish[0], 4 * 12e-6)
                    << bytes << " at " << megabits << " Mbit/s on " << topology;
            }
        }
    }
}

TEST(FlowEnds, CountPortsToTheByte)
{
    // Payload at every port, to the byte; a packet more or less, as the flow is cut otherwise.
    std::vector<PortStatistics> ports[2];
    for (const bool jump : {false, true})
    {
        HostsWithRates hosts(jump, "fat-tree");
        hosts.Send(0, 0, 15, SIZE, 20);
        hosts.Send(1, 1, 14, SIZE + 5, 30);
        SendAnother(hosts);
        hosts.Run(8);
        const auto fabric = hosts.Get().GetFabric();
        for (LinkPort port = 0; port < fabric->GetTopology()->GetNPorts(); ++port)
        {
            ports[jump].push_back(fabric->GetPortStatistics(port));
        }
        const auto totals = fabric->GetTotals();
        EXPECT_EQ(totals.injectedPackets, totals.deliveredPackets);
        EXPECT_EQ(hosts.Get().GetHosts()[15].sink->GetTotalReceivedBytes(), SIZE);
        if (jump)
        {
            EXPECT_EQ(hosts.Get().GetTimeJumper()->GetTotals().endsWithoutPackets, 3U);
        }
    }
    for (std::size_t port = 0; port < ports[0].size(); ++port)
    {
        const auto payload = [&](bool jump) {
            const auto& seen = ports[jump][port];
            return static_cast<double>(seen.bytes - seen.packets * TransportProfile::HEADER_BYTES);
        };
        EXPECT_NEAR(payload(true), payload(false), 1) << "port " << port;
        EXPECT_NEAR(static_cast<double>(ports[1][port].packets),
                    static_cast<double>(ports[0][port].packets),
                    4)
            << "port " << port;
    }
}

TEST(FlowEnds, CostAsLittleAsAFewEvents)
{
    // 60 flows that end one after the other, 3 ms apart, while another one goes on. With packets a
    // flow takes 138 segments or more, and each segment takes several events.
    HostsWithRates hosts(true);
    SendAnother(hosts);
    for (::coflow::FlowId flow = 10; flow < 70; ++flow)
    {
        hosts.Send(flow, flow % 2, 2 + flow % 2, 200'000 + 750 * flow, 2);
    }
    hosts.Send(0, 0, 1, 100 * MB, 400);
    Simulator::Schedule(ns3::Seconds(0.7), [] {});
    uint64_t before = 0;
    Simulator::Schedule(ns3::Seconds(0.7), [&] { before = Simulator::GetEventCount(); });
    hosts.Run(1.9);
    EXPECT_LT(Simulator::GetEventCount() - before, 60U * 138);
    EXPECT_EQ(hosts.Get().GetHosts()[0].source->GetActiveFlows(), 1U);
    EXPECT_EQ(hosts.Get().GetTimeJumper()->GetTotals().endsWithoutPackets, 61U);
    hosts.Run(3);
    EXPECT_NEAR(hosts.GetFinish(0), 2, 1e-3);
}

TEST(FlowEnds, OfFastFlowsAreWhenTheyAreWithPackets)
{
    // These flows write up to four segments at once: the last segment leaves up to 37 us after the
    // first of its write. Flows with other numbers begin at another moment.
    double latest = 0;
    double earliest = 0;
    for (::coflow::FlowId flow = 0; flow < 16; ++flow)
    {
        double finish[2];
        for (const bool jump : {false, true})
        {
            HostsWithRates hosts(jump);
            hosts.Send(flow, 0, 1, SIZE, 900);
            hosts.Run(1);
            finish[jump] = hosts.GetFinish(flow);
        }
        ASSERT_GT(finish[0], 0);
        latest = std::max(latest, finish[1] - finish[0]);
        earliest = std::min(earliest, finish[1] - finish[0]);
    }
    // A segment takes 12 us.
    EXPECT_LT(latest, 12e-6);
    EXPECT_GT(earliest, -12e-6);
}

TEST(FlowEnds, MayBeAskedAbout)
{
    const double finish = GetUndisturbedFinish();
    for (const double moment : GetMomentsAround())
    {
        const auto outcome = RunAndMeet(finish + moment, [&](HostsWithRates& hosts) {
            const auto& all = hosts.Get().GetHosts();
            const uint64_t received = all[1].sink->GetReceivedBytes({1, 0});
            EXPECT_EQ(received == SIZE, moment >= 0) << moment;
            if (const auto progress = all[0].source->GetProgress({1, 0}))
            {
                EXPECT_LE(progress->acknowledged, received);
                EXPECT_LE(received, progress->written);
                EXPECT_LE(progress->written, SIZE);
            }
        });
        EXPECT_NEAR(outcome.finish, finish, 1e-6) << moment;
        EXPECT_EQ(outcome.received, SIZE);
    }
}

TEST(FlowEnds, AreNotPaused)
{
    // What has left arrives. What has not waits for the end of the pause.
    const double finish = GetUndisturbedFinish();
    bool seen[2]{};
    for (const double moment : GetMomentsAround())
    {
        const auto outcome = RunAndMeet(finish + moment, [&](HostsWithRates& hosts) {
            hosts.Allow(0, 0, RateLimit::Paused());
            Simulator::Schedule(ns3::Seconds(1), [&hosts] {
                hosts.Allow(0, 0, RateLimit::Rate(DataRate("20Mbps")));
            });
        });
        const bool waited = outcome.finish > finish + 0.5;
        seen[waited] = true;
        // A tick of the clock is a segment's: 0.58 ms.
        EXPECT_NEAR(outcome.finish, finish + (waited ? 1 : 0), 0.7e-3) << moment;
        EXPECT_EQ(outcome.received, SIZE);
    }
    EXPECT_TRUE(seen[false]);
    EXPECT_TRUE(seen[true]);
}

TEST(FlowEnds, MayBeCancelled)
{
    const double finish = GetUndisturbedFinish();
    for (const double moment : GetMomentsAround())
    {
        const auto outcome = RunAndMeet(finish + moment, [&](HostsWithRates& hosts) {
            hosts.Get().GetHosts()[0].source->CancelFlow({1, 0});
        });
        EXPECT_LE(outcome.received, SIZE);
        EXPECT_EQ(outcome.received == SIZE, outcome.finish > 0) << moment;
    }
}

TEST(FlowEnds, SurviveALinkThatFails)
{
    const double finish = RunAndMeet(0.1, [](HostsWithRates&) {}, "fat-tree").finish;
    for (const double moment : GetMomentsAround())
    {
        const auto outcome = RunAndMeet(
            finish + moment,
            [&](HostsWithRates& hosts) {
                const auto topology = hosts.Get().GetFabric()->GetTopology();
                const VertexId edge = topology->GetHostSwitch(1);
                topology->FailLink(edge, 1);
                Simulator::Schedule(ns3::Seconds(0.2),
                                    [topology, edge] { topology->RestoreLink(edge, 1); });
            },
            "fat-tree");
        EXPECT_EQ(outcome.received, SIZE);
        EXPECT_GT(outcome.finish, finish - 1e-6);
        EXPECT_LT(outcome.finish, finish + 1);
    }
}

TEST(FlowEnds, OfAFlowThatHasGoneBackToTcp)
{
    // A burst of messages makes acknowledgements late, so that the flow leaves its stateless
    // segments to TCP. For a while time is jumped over still, up to the moment when the flow was to
    // end. There events are so near to each other that nobody looks at flows. The flow is to get
    // what it had left, and no more. Before, five of these flows did not end, and the others were 2
    // ms late.
    for (int i = 0; i < 20; ++i)
    {
        HostsWithRates hosts(true);
        const auto receiver = MakeProcess(hosts, 1);
        receiver->endpoint->Listen(MESSAGE_PORT);
        const uint64_t bytes = 3'750'000 + 130 * static_cast<uint64_t>(i); // 0.2 s
        hosts.Send(0, 0, 1, bytes, 150);
        // All flows are looked at here, and then for a millisecond of packets no longer.
        Simulator::Schedule(MilliSeconds(100), [] { WheelSimulatorImpl::Get()->AddInhibitor(); });
        Simulator::Schedule(MicroSeconds(101'200),
                            [] { WheelSimulatorImpl::Get()->RemoveInhibitor(); });
        std::vector<std::unique_ptr<Process>> senders;
        for (const HostId host : {2, 3})
        {
            senders.push_back(MakeProcess(hosts, host));
            auto& endpoint = *senders.back()->endpoint;
            const auto peer = endpoint.Connect(Fabric::GetHostAddress(1), MESSAGE_PORT);
            Simulator::Schedule(MilliSeconds(195) + NanoSeconds(7770 * i), [&endpoint, peer] {
                endpoint.Send(peer, MakeSchedule(1, MakeRates(1000)));
            });
        }
        for (int event = 0; event < 100; ++event)
        {
            Simulator::Schedule(MilliSeconds(199) + MicroSeconds(30 * event), [] {});
        }
        hosts.Run(4);
        EXPECT_EQ(receiver->rates.size(), 2U);
        EXPECT_NEAR(hosts.GetFinish(0), 0.2, 0.001) << i;
        EXPECT_EQ(hosts.Get().GetHosts()[1].sink->GetReceivedBytes({1, 0}), bytes) << i;
    }
}

TEST(FlowEnds, TheEndOfAConnectionOfMessagesIsNotAwaitedForEver)
{
    // The link of host 1 fails before a connection of messages to it is closed. So the FIN is lost,
    // and is sent again after longer and longer times, in which nothing is on its way.
    HostsWithRates hosts(true, "fat-tree");
    const auto receiver = MakeProcess(hosts, 1);
    receiver->endpoint->Listen(MESSAGE_PORT);
    const auto sender = MakeProcess(hosts, 5);
    const auto peer = sender->endpoint->Connect(Fabric::GetHostAddress(1), MESSAGE_PORT);
    const auto topology = hosts.Get().GetFabric()->GetTopology();
    const VertexId edge = topology->GetHostSwitch(1);
    Simulator::Schedule(MilliSeconds(100), [&] {
        EXPECT_FALSE(WheelSimulatorImpl::Get()->IsInhibited());
        topology->FailLink(edge, 1);
        sender->endpoint->Disconnect(peer);
    });
    Simulator::Schedule(MilliSeconds(101),
                        [] { EXPECT_TRUE(WheelSimulatorImpl::Get()->IsInhibited()); });
    Simulator::Schedule(MilliSeconds(400),
                        [] { EXPECT_FALSE(WheelSimulatorImpl::Get()->IsInhibited()); });
    hosts.Run(1);
}
