/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows that are partly jumped over and partly simulated packet by packet: each flow, and each port
// of its path, is as without jumps.

#include "hosts-with-rates.h"

#include "ns3/coflow-time-jumper.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::test::HostsWithRates;

namespace
{

constexpr uint64_t MB = 1'000'000;
constexpr double SEGMENT_BITS = 1448 * 8;

/// A flow of 8 MB at 8 Mbit/s: 8 s. From 2 s on another flow without a rate sends for a second, so
/// that this is simulated.
struct Outcome
{
    double finish{0};
    double other{0};
    JumpTotals jumps;
    std::vector<PortStatistics> ports;
};

Outcome
RunSlowFlow(bool jump)
{
    HostsWithRates hosts(jump);
    hosts.Send(0, 0, 1, 8 * MB, 8);
    Simulator::Schedule(ns3::Seconds(2), [&] { hosts.SendUnlimited(1, 2, 3, 100 * MB); });
    hosts.Run(12);
    Outcome outcome;
    outcome.finish = hosts.GetFinish(0);
    outcome.other = hosts.GetFinish(1);
    if (const auto jumper = hosts.Get().GetTimeJumper())
    {
        outcome.jumps = jumper->GetTotals();
    }
    const auto fabric = hosts.Get().GetFabric();
    for (LinkPort port = 0; port < fabric->GetTopology()->GetNPorts(); ++port)
    {
        outcome.ports.push_back(fabric->GetPortStatistics(port));
    }
    const auto totals = fabric->GetTotals();
    EXPECT_EQ(totals.injectedPackets, totals.deliveredPackets + totals.droppedPackets);
    EXPECT_EQ(totals.queuedPackets, 0U);
    return outcome;
}

} // namespace

TEST(JumpedFlows, SendAsManyPacketsAsWithoutJumps)
{
    const Outcome packets = RunSlowFlow(false);
    const Outcome jumped = RunSlowFlow(true);
    // All but the 0.84 s of the other flow: 100 MB with headers over 1 Gbit/s.
    EXPECT_NEAR(jumped.jumps.skippedSeconds, 8 - 0.84, 0.01);
    EXPECT_NEAR(jumped.finish, packets.finish, SEGMENT_BITS / 8e6 + 50e-6);
    EXPECT_EQ(jumped.other, packets.other) << "they share no port";
    ASSERT_EQ(jumped.ports.size(), packets.ports.size());
    for (std::size_t port = 0; port < jumped.ports.size(); ++port)
    {
        // The last bytes may be cut into a segment more or less.
        EXPECT_NEAR(static_cast<double>(jumped.ports[port].packets),
                    static_cast<double>(packets.ports[port].packets),
                    8)
            << "port " << port;
        EXPECT_NEAR(static_cast<double>(jumped.ports[port].bytes),
                    static_cast<double>(packets.ports[port].bytes),
                    5000)
            << "port " << port;
    }
}

TEST(JumpedFlows, AreCountedWhenSomebodyAsks)
{
    // 1000 times in the second that is simulated: what flows know is never more than what was sent.
    const Outcome undisturbed = RunSlowFlow(true);
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 8 * MB, 8);
    Simulator::Schedule(ns3::Seconds(2), [&] { hosts.SendUnlimited(1, 2, 3, 100 * MB); });
    uint64_t last = 0;
    for (int i = 0; i < 1000; ++i)
    {
        Simulator::Schedule(ns3::Seconds(2) + ns3::MicroSeconds(997 * i), [&hosts, &last, i] {
            const auto& all = hosts.Get().GetHosts();
            const auto progress = all[0].source->GetProgress({1, 0});
            ASSERT_TRUE(progress);
            const double expected = (2 + 997e-6 * i) * 1e6;
            EXPECT_NEAR(static_cast<double>(progress->written), expected, 4 * 1448);
            EXPECT_LE(progress->acknowledged, progress->written);
            EXPECT_GE(progress->acknowledged, last);
            last = progress->acknowledged;
            const uint64_t received = all[1].sink->GetReceivedBytes({1, 0});
            EXPECT_LE(progress->acknowledged, received);
            EXPECT_LE(received, progress->written);
        });
    }
    hosts.Run(12);
    EXPECT_NEAR(hosts.GetFinish(0), undisturbed.finish, SEGMENT_BITS / 8e6);
    EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().skippedSeconds, 7);
}

TEST(JumpedFlows, AreCountedAfterEveryJump)
{
    // From 3 s on nothing is simulated but jumps.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 8 * MB, 8);
    Simulator::Schedule(ns3::Seconds(2), [&] { hosts.SendUnlimited(1, 2, 3, 100 * MB); });
    for (int i = 0; i < 40; ++i)
    {
        const double when = 3.5 + 0.1 * i;
        Simulator::Schedule(ns3::Seconds(when), [&hosts, when] {
            const auto& sink = *hosts.Get().GetHosts()[1].sink;
            EXPECT_NEAR(static_cast<double>(sink.GetTotalReceivedBytes()), when * MB, 4 * 1448);
        });
    }
    hosts.Run(12);
    EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().skippedSeconds, 7);
}

TEST(JumpedFlows, FollowRateLimits)
{
    // 8 Mbit/s until 2.2 s, a pause until 2.4 s, and the rest of 8 MB at 40 Mbit/s: 5.8 MB in
    // 1.16 s.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 8 * MB, 8);
    Simulator::Schedule(ns3::Seconds(2), [&] { hosts.SendUnlimited(1, 2, 3, 100 * MB); });
    Simulator::Schedule(ns3::Seconds(2.2), [&] { hosts.Allow(0, 0, RateLimit::Paused()); });
    uint64_t paused = 0;
    Simulator::Schedule(ns3::Seconds(2.21),
                        [&] { paused = hosts.Get().GetHosts()[1].sink->GetReceivedBytes({1, 0}); });
    Simulator::Schedule(ns3::Seconds(2.4), [&] {
        EXPECT_EQ(hosts.Get().GetHosts()[1].sink->GetReceivedBytes({1, 0}), paused);
        hosts.Allow(0, 0, RateLimit::Rate(DataRate("40Mbps")));
    });
    hosts.Run(12);
    EXPECT_NEAR(static_cast<double>(paused), 2.2 * MB, 3 * 1448);
    EXPECT_NEAR(hosts.GetFinish(0), 2.4 + 5.8e6 * 8 / 40e6, 1e-3);
}

TEST(JumpedFlows, FollowRates)
{
    // Another rate each 37 ms, between 2 and 40 Mbit/s, with packets from 2 to 2.84 s and with
    // jumps before and after that. What a flow has saved up for its next segment stays.
    double finish[2];
    uint64_t packets[2];
    for (const bool jump : {false, true})
    {
        HostsWithRates hosts(jump);
        hosts.Send(0, 0, 1, 8 * MB, 8);
        Simulator::Schedule(ns3::Seconds(2), [&] { hosts.SendUnlimited(1, 2, 3, 100 * MB); });
        std::mt19937 random(3);
        double left = 8e6 - 0.5 * 1e6;
        double expected = 0;
        for (int i = 0; i < 200; ++i)
        {
            const uint64_t megabits = 2 + random() % 39;
            Simulator::Schedule(MilliSeconds(500 + 37 * i), [&hosts, megabits] {
                hosts.Allow(0, 0, RateLimit::Rate(DataRate(megabits * 1'000'000)));
            });
            const double takes = left * 8e-6 / static_cast<double>(megabits);
            expected = expected > 0 || takes > 0.037 ? expected : 0.5 + 0.037 * i + takes;
            left -= static_cast<double>(megabits) * 1e6 / 8 * 0.037;
        }
        hosts.Run(12);
        finish[jump] = hosts.GetFinish(0);
        packets[jump] = hosts.Get().GetFabric()->GetPortStatistics(0).packets;
        EXPECT_NEAR(finish[jump], expected, 2 * SEGMENT_BITS / 2e6);
        EXPECT_EQ(hosts.Get().GetHosts()[1].sink->GetReceivedBytes({1, 0}), 8 * MB);
        if (jump)
        {
            EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().skippedSeconds, 2);
        }
    }
    EXPECT_NEAR(finish[1], finish[0], SEGMENT_BITS / 2e6 + 50e-6);
    EXPECT_NEAR(static_cast<double>(packets[1]), static_cast<double>(packets[0]), 8);
}

TEST(JumpedFlows, MayBeCancelled)
{
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 8 * MB, 8);
    hosts.Send(2, 0, 2, 8 * MB, 8);
    Simulator::Schedule(ns3::Seconds(2), [&] { hosts.SendUnlimited(1, 2, 3, 100 * MB); });
    Simulator::Schedule(ns3::Seconds(2.2),
                        [&] { hosts.Get().GetHosts()[0].source->CancelFlow({1, 0}); });
    hosts.Run(12);
    EXPECT_EQ(hosts.GetFinish(0), 0);
    EXPECT_NEAR(hosts.GetFinish(2), 8, 0.01);
    const auto received = hosts.Get().GetHosts()[1].sink->GetReceivedBytes({1, 0});
    EXPECT_NEAR(static_cast<double>(received), 2.2 * MB, 3 * 1448);
}

TEST(JumpedFlows, WaitForALinkThatFails)
{
    // On a fat-tree every host has one link; the receiver's fails for 100 ms, and some of the
    // flow's segments are lost.
    HostsWithRates hosts(true, "fat-tree");
    hosts.Send(0, 0, 15, 8 * MB, 8);
    Simulator::Schedule(ns3::Seconds(2), [&] { hosts.SendUnlimited(1, 4, 8, 100 * MB); });
    int sentAgain = 0;
    hosts.Get().GetHosts()[0].source->TraceConnectWithoutContext(
        "Retransmission",
        Callback<void, ::coflow::CoflowId, ::coflow::FlowId>(
            [&sentAgain](::coflow::CoflowId, ::coflow::FlowId) { ++sentAgain; }));
    const auto topology = hosts.Get().GetFabric()->GetTopology();
    const VertexId edge = topology->GetHostSwitch(15);
    Simulator::Schedule(ns3::Seconds(2.3), [&] { topology->FailLink(edge, 15); });
    Simulator::Schedule(ns3::Seconds(2.4), [&] { topology->RestoreLink(edge, 15); });
    hosts.Run(20);
    EXPECT_GT(sentAgain, 0);
    EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().skippedSeconds, 6);
    // At most: the pause, and a timeout of TCP, which doubles, after it.
    EXPECT_GT(hosts.GetFinish(0), 7.99);
    EXPECT_LT(hosts.GetFinish(0), 8.4);
    EXPECT_EQ(hosts.Get().GetHosts()[15].sink->GetTotalReceivedBytes(), 8 * MB);
}
