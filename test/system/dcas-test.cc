/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// D-CAS's agents among themselves: what they agree on, whom they listen to, and what that costs.

#include "convergence.h"

#include "ns3/coflow-dcas-agent.h"
#include "ns3/coflow-dcas-message.h"
#include "ns3/coflow-dcas-scheduler.h"
#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::DcasKey;
using ::coflow::Workload;

namespace
{

constexpr uint16_t DCAS_PORT = 6001;
constexpr uint64_t TIME_MASK = (uint64_t{1} << 62) - 1;

/// A switch with hosts that run D-CAS.
class Dcas : public testing::Test
{
  protected:
    ~Dcas() override
    {
        for (const auto& socket : m_sockets)
        {
            socket->Close();
        }
        Simulator::Destroy();
    }

    void Build(uint32_t hosts, const Attributes& attributes = {})
    {
        m_scheduler = CreateObject<DcasScheduler>();
        ObjectFactory agents(DcasAgent::GetTypeId().GetName());
        for (const auto& [name, value] : attributes)
        {
            agents.Set(name, StringValue(value));
        }
        m_scheduler->SetPart(agents);
        FabricHelper helper("big-switch", "express");
        helper.SetTopologyAttributes("Hosts", UintegerValue(hosts));
        helper.SetFabricAttributes("QueueDisc", StringValue(m_scheduler->GetQueueDisc()));
        m_fabric = helper.Create();
        const auto profile = CreateObject<TransportProfile>();
        profile->Install(m_fabric->GetHosts());
        ns3::coflow::Scheduler::Cluster cluster{m_fabric, profile, {}};
        for (HostId host = 0; host < hosts; ++host)
        {
            const auto source = CreateObject<CoflowSource>();
            const auto sink = CreateObject<CoflowSink>();
            source->SetAttribute("Profile", PointerValue(profile));
            sink->SetAttribute("Profile", PointerValue(profile));
            m_fabric->GetHosts().Get(host)->AddApplication(source);
            m_fabric->GetHosts().Get(host)->AddApplication(sink);
            sink->TraceConnectWithoutContext("FlowFinished", MakeCallback(&Dcas::Finish, this));
            cluster.hosts.push_back({source, sink});
        }
        for (const auto& agent : m_scheduler->Install(cluster))
        {
            m_agents.push_back(DynamicCast<DcasAgent>(agent));
        }
    }

    void PutAt(Time time, uint64_t coflow, HostId src, HostId dst, uint64_t bytes)
    {
        CoflowSource::FlowRequest request;
        request.coflowId = coflow;
        request.flowId = m_flows++;
        request.dst = Fabric::GetHostAddress(dst);
        request.bytes = bytes;
        request.arrivalNumber = coflow;
        Simulator::ScheduleWithContext(
            m_agents[src]->GetNode()->GetId(),
            time,
            [agent = m_agents[src], request] { agent->Put({request.coflowId}, request); });
    }

    /// Coflow 1: to host 3, four times as much from host 0 as from host 1.
    void PutTwoSenders()
    {
        PutAt(Time(0), 1, 0, 3, 40'000'000);
        PutAt(Time(0), 1, 1, 3, 10'000'000);
    }

    /// Records the key of a coflow at a host.
    void LookAt(Time time, HostId host, uint64_t coflow)
    {
        Simulator::Schedule(time, [this, host, coflow] {
            keys.push_back(m_agents[host]->GetKey(coflow));
        });
    }

    /// @return the time in a key that was agreed, in milliseconds
    static double Agreed(uint64_t key)
    {
        EXPECT_GT(key, DcasKey::Starved().Pack());
        return static_cast<double>(key & TIME_MASK) * 1e-6;
    }

    static void RunFor(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }

    void Finish(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, Time)
    {
        finished[coflow] = Simulator::Now();
        flowFinished[flow] = Simulator::Now();
    }

    /// Sends a message that no agent has sent.
    void ForgeAt(Time time, HostId src, HostId dst, const DcasMessage& message)
    {
        const auto node = m_agents[src]->GetNode();
        Simulator::ScheduleWithContext(node->GetId(), time, [this, node, dst, message] {
            const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
            m_sockets.push_back(socket);
            auto packet = Create<Packet>();
            packet->AddHeader(message);
            socket->SendTo(packet, 0, InetSocketAddress(Fabric::GetHostAddress(dst), DCAS_PORT));
        });
    }

    Ptr<DcasScheduler> m_scheduler;
    Ptr<Fabric> m_fabric;
    std::vector<Ptr<DcasAgent>> m_agents;
    std::vector<Ptr<Socket>> m_sockets;
    ::coflow::FlowId m_flows{0};
    std::vector<uint64_t> keys;
    std::map<uint64_t, Time> finished; ///< by coflow: its last flow so far
    std::map<::coflow::FlowId, Time> flowFinished;
};

const Attributes FAST{{"Delta", "2ms"}, {"Threshold", "20000"}};

} // namespace

TEST_F(Dcas, SendersToOneReceiverAgreeOnTheLargest)
{
    // 40, 20 and 10 MB are 320, 160 and 80 ms.
    Build(4, FAST);
    PutAt(Time(0), 1, 0, 3, 40'000'000);
    PutAt(Time(0), 1, 1, 3, 20'000'000);
    PutAt(Time(0), 1, 2, 3, 10'000'000);
    for (HostId host = 0; host < 3; ++host)
    {
        LookAt(MicroSeconds(1900), host, 1);
        LookAt(MicroSeconds(3900), host, 1);
    }
    RunFor(MilliSeconds(4));
    ASSERT_EQ(keys.size(), 6U);
    EXPECT_NEAR(Agreed(keys[0]), 320, 1) << "before the first round, everybody for himself";
    EXPECT_NEAR(Agreed(keys[1]), 160, 1);
    EXPECT_NEAR(Agreed(keys[2]), 80, 1);
    EXPECT_NEAR(Agreed(keys[3]), 319, 2);
    EXPECT_EQ(keys[4], keys[3]);
    EXPECT_EQ(keys[5], keys[3]);
}

TEST_F(Dcas, TheLargestSpreadsOneHop)
{
    // R1 hears of S1 and S2, R2 of S2 and S3: S3 ends at what S2 wants.
    Build(5, FAST);
    PutTwoSenders();
    PutAt(Time(0), 1, 1, 4, 10'000'000);
    PutAt(Time(0), 1, 2, 4, 10'000'000);
    for (HostId host = 0; host < 3; ++host)
    {
        LookAt(MicroSeconds(3900), host, 1);
    }
    RunFor(MilliSeconds(4));
    EXPECT_NEAR(Agreed(keys.at(0)), 319, 2);
    EXPECT_EQ(keys.at(1), keys.at(0));
    EXPECT_NEAR(Agreed(keys.at(2)), 159, 2);
}

TEST_F(Dcas, WhoHearsNothingWantsItsOwn)
{
    auto attributes = FAST;
    attributes.emplace_back("LossRate", "1");
    Build(4, attributes);
    PutTwoSenders();
    LookAt(MicroSeconds(3900), 0, 1);
    LookAt(MicroSeconds(3900), 1, 1);
    RunFor(MilliSeconds(4));
    EXPECT_NEAR(Agreed(keys.at(0)), 319, 2);
    EXPECT_NEAR(Agreed(keys.at(1)), 79, 2);
    EXPECT_EQ(m_scheduler->GetControlTotals().messages, 2U) << "announcements without an answer";
}

TEST_F(Dcas, SomeLossDoesNotMatterForLong)
{
    auto attributes = FAST;
    attributes.emplace_back("LossRate", "0.3");
    Build(3, attributes);
    PutAt(Time(0), 1, 0, 2, 5'000'000);
    PutAt(Time(0), 1, 1, 2, 2'000'000);
    PutAt(Time(0), 2, 0, 1, 3'000'000);
    RunFor(Seconds(1));
    EXPECT_EQ(finished.size(), 2U);
    EXPECT_LT(finished[1], MilliSeconds(90));
}

TEST_F(Dcas, FeedbackOfAnotherRoundIsIgnored)
{
    Build(3, FAST);
    PutAt(Time(0), 1, 0, 1, 40'000'000);
    DcasMessage forged;
    forged.kind = DcasMessage::Kind::FEEDBACK;
    forged.coflow = 1;
    forged.value = Seconds(9);
    forged.sent = Time(0);
    for (const uint32_t round : {0U, 2U, 77U})
    {
        forged.round = round;
        ForgeAt(MicroSeconds(2100), 2, 0, forged);
    }
    LookAt(MicroSeconds(3900), 0, 1);
    // The same for the present round is believed.
    forged.round = 2;
    forged.sent = MicroSeconds(4100);
    ForgeAt(MicroSeconds(4100), 2, 0, forged);
    LookAt(MicroSeconds(5900), 0, 1);
    RunFor(MilliSeconds(6));
    EXPECT_NEAR(Agreed(keys.at(0)), 319, 2);
    EXPECT_EQ(Agreed(keys.at(1)), 9000);
}

TEST_F(Dcas, WhatIsNotAMessageIsIgnored)
{
    Build(2, FAST);
    for (const std::size_t bytes : {0, 1, 31, 32, 33, 40, 41, 1000})
    {
        Simulator::ScheduleWithContext(
            m_agents[0]->GetNode()->GetId(),
            MicroSeconds(10),
            [this, bytes] {
                const auto socket =
                    Socket::CreateSocket(m_agents[0]->GetNode(), UdpSocketFactory::GetTypeId());
                m_sockets.push_back(socket);
                const std::vector<uint8_t> garbage(bytes, 0xff);
                socket->SendTo(Create<Packet>(garbage.data(), bytes),
                               0,
                               InetSocketAddress(Fabric::GetHostAddress(1), DCAS_PORT));
            });
    }
    RunFor(MilliSeconds(1));
    EXPECT_EQ(m_scheduler->GetControlTotals().messages, 0U);
}

TEST_F(Dcas, SmallOnesGoByArrival)
{
    Build(3, {{"Delta", "2ms"}, {"Threshold", "1000000"}});
    PutAt(Time(0), 7, 0, 2, 900'000);
    PutAt(Time(0), 5, 1, 2, 999'999);
    PutAt(Time(0), 3, 1, 2, 2'000'000);
    LookAt(MicroSeconds(10), 0, 7);
    LookAt(MicroSeconds(10), 1, 5);
    LookAt(MicroSeconds(10), 1, 3);
    LookAt(MicroSeconds(3900), 0, 7);
    RunFor(Seconds(1));
    EXPECT_EQ(keys.at(0), 7U);
    EXPECT_EQ(keys.at(1), 5U);
    EXPECT_NEAR(Agreed(keys.at(2)), 16, 0.1);
    EXPECT_EQ(keys.at(3), 7U);
    EXPECT_LT(finished[5], finished[7]);
    EXPECT_LT(finished[7], finished[3]);
}

TEST_F(Dcas, WhoStarvesForTGoesFirst)
{
    // Coflow 2 waits for coflow 1, which would take 80 ms.
    Build(3, {{"Delta", "2ms"}, {"T", "20ms"}, {"Threshold", "20000"}});
    PutAt(Time(0), 1, 0, 2, 10'000'000);
    PutAt(MicroSeconds(100), 2, 1, 2, 20'000'000);
    LookAt(MilliSeconds(19), 1, 2);
    LookAt(MicroSeconds(24'100), 1, 2);
    uint64_t received = 0;
    Simulator::Schedule(MilliSeconds(40), [&, this] {
        const auto node = m_agents[2]->GetNode();
        for (uint32_t i = 0; i < node->GetNApplications(); ++i)
        {
            if (const auto sink = DynamicCast<CoflowSink>(node->GetApplication(i)))
            {
                received = sink->GetReceivedBytes({2, 1});
            }
        }
    });
    RunFor(Seconds(1));
    EXPECT_NEAR(Agreed(keys.at(0)), 160, 2);
    EXPECT_EQ(keys.at(1), DcasKey::Starved().Pack());
    EXPECT_GT(received, 10'000U);
    EXPECT_EQ(finished.size(), 2U);
}

TEST_F(Dcas, ReceiversForgetWhatIsDoneOrOld)
{
    for (const bool fin : {true, false})
    {
        Build(3,
              {{"Delta", "2ms"},
               {"Threshold", "20000"},
               {"Expiry", "50ms"},
               {"FinAnnouncements", fin ? "true" : "false"}});
        PutAt(Time(0), 1, 0, 2, 1'000'000);
        std::vector<std::size_t> known;
        for (const int64_t milliseconds : {3, 15, 120})
        {
            Simulator::Schedule(MilliSeconds(milliseconds),
                                [&, this] { known.push_back(m_agents[2]->GetNAnnounced(1)); });
        }
        RunFor(MilliSeconds(200));
        EXPECT_EQ(known, (std::vector<std::size_t>{1, fin ? 0U : 1U, 0}));
        m_agents.clear();
        Simulator::Destroy();
        m_scheduler = nullptr;
        m_fabric = nullptr;
    }
}

TEST_F(Dcas, AFlowThatIsPutAgainToAnotherReceiverLeavesTheFirst)
{
    Build(3, FAST);
    PutAt(Time(0), 1, 0, 1, 10'000'000);
    CoflowSource::FlowRequest again;
    again.coflowId = 1;
    again.flowId = 0;
    again.dst = Fabric::GetHostAddress(2);
    again.bytes = 1'000'000;
    again.arrivalNumber = 1;
    const auto agent = m_agents[0];
    Simulator::ScheduleWithContext(agent->GetNode()->GetId(), MilliSeconds(5), [agent, again] {
        agent->PutAgain({again.coflowId}, again);
    });
    std::vector<std::size_t> known; // to the first receiver and to the other one
    for (const int64_t milliseconds : {4, 10, 30})
    {
        Simulator::Schedule(MilliSeconds(milliseconds), [&, this] {
            known.push_back(m_agents[1]->GetNAnnounced(1));
            known.push_back(m_agents[2]->GetNAnnounced(1));
        });
    }
    RunFor(MilliSeconds(40));
    EXPECT_EQ(known, (std::vector<std::size_t>{1, 0, 0, 1, 0, 0}));
    // 1 MB at 1 Gbps.
    EXPECT_NEAR(finished.at(1).GetSeconds(), 0.0135, 0.0005);
}

TEST_F(Dcas, CostsTwoMessagesPerPairAndRound)
{
    // Two senders to two receivers, for five rounds.
    Build(4, FAST);
    for (HostId src = 0; src < 2; ++src)
    {
        for (HostId dst = 2; dst < 4; ++dst)
        {
            PutAt(Time(0), 1, src, dst, 10'000'000);
            PutAt(Time(0), 1, src, dst, 10'000'000);
        }
    }
    RunFor(MilliSeconds(11));
    const auto totals = m_scheduler->GetControlTotals();
    EXPECT_EQ(totals.messages, 5U * 2 * 4);
    EXPECT_EQ(totals.bytes, 5U * 4 * (40 + 32));
}

TEST_F(Dcas, RoundsThatTheSendersPortCannotCarryLeaveRoomForData)
{
    // The announcements of a round are 200 times 68 bytes with headers, 109 us; a round is 10 us.
    // The data are 8 ms. T is far away, so that nobody is served for starving.
    constexpr HostId RECEIVERS = 10;
    constexpr uint64_t COFLOWS = 20;
    Build(RECEIVERS + 1, {{"Delta", "10us"}, {"T", "100s"}, {"Threshold", "0"}});
    for (uint64_t coflow = 1; coflow <= COFLOWS; ++coflow)
    {
        for (HostId dst = 1; dst <= RECEIVERS; ++dst)
        {
            PutAt(Time(0), coflow, 0, dst, 5000);
        }
    }
    RunFor(MilliSeconds(10));
    const double bits = static_cast<double>(m_agents[0]->GetSent().messages) * 8 * 68;
    EXPECT_LT(bits, 0.5 * 10e6 + 110e3) << "half of the port, and one round";
    RunFor(MilliSeconds(190)); // timeouts of connections that wait for others take some of that
    EXPECT_EQ(flowFinished.size(), COFLOWS * RECEIVERS);
}

TEST_F(Dcas, RoundsThatTheReceiversPortCannotCarryLeaveRoomForData)
{
    // A round of 4 us has 100 announcements, which take 54 us at the receiver's port.
    constexpr HostId SENDERS = 20;
    constexpr uint64_t COFLOWS = 5;
    Build(SENDERS + 1, {{"Delta", "4us"}, {"T", "100s"}, {"Threshold", "0"}});
    for (uint64_t coflow = 1; coflow <= COFLOWS; ++coflow)
    {
        for (HostId src = 1; src <= SENDERS; ++src)
        {
            PutAt(Time(0), coflow, src, 0, 10'000);
        }
    }
    RunFor(MilliSeconds(10));
    const double bits = static_cast<double>(m_agents[0]->GetSent().messages) * 8 * 60;
    EXPECT_LT(bits, 0.5 * 10e6 + 1e3) << "answers to announcements";
    RunFor(MilliSeconds(30));
    EXPECT_EQ(flowFinished.size(), COFLOWS * SENDERS);
}

TEST_F(Dcas, FlowsOfOneKeyShareFairly)
{
    // All have one key, which stays as there is no round, so that they share as TCP does.
    Build(2, {{"Delta", "10s"}, {"Threshold", "0"}});
    Workload workload;
    workload.hosts = 2;
    for (const uint32_t units : {1, 3, 2, 4})
    {
        PutAt(MicroSeconds(units), 1, 0, 1, units * UNIT);
        workload.coflows.push_back(
            {workload.coflows.size() + 1, 0, {}, {{0, 0, 1, units * UNIT}}, {}});
    }
    RunFor(Seconds(1));
    ASSERT_EQ(flowFinished.size(), 4U);
    const auto fair = RunOnBigSwitch("fluid", workload, "fair");
    double sum = 0;
    for (::coflow::FlowId flow = 0; flow < 4; ++flow)
    {
        const double ratio =
            flowFinished[flow].GetSeconds() / (static_cast<double>(fair[flow].finish) * 1e-9);
        // One after the other, the smallest would take a fourth of that.
        EXPECT_NEAR(ratio, 1, 0.25) << "flow " << flow;
        sum += ratio;
    }
    EXPECT_NEAR(sum / 4, 1, 0.1);
}

TEST(DcasScheduler, ServesTheShortestCoflowFirst)
{
    // D-CAS, figure 1: A = {1, 3} and B = {2, 4} on one link.
    Workload workload;
    workload.hosts = 2;
    constexpr ::coflow::Bytes SCALE = 2;
    constexpr auto SIZE = SCALE * UNIT;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 1, SIZE}, {1, 0, 1, 3 * SIZE}}, {}});
    workload.coflows.push_back({2, 0, {}, {{0, 0, 1, 2 * SIZE}, {1, 0, 1, 4 * SIZE}}, {}});
    const Attributes scaled{{"delta", "8ms"}, {"threshold", "80000"}};
    ExpectUnits(RunOnBigSwitch("packet", workload, "dcas", scaled), {4, 10}, SCALE);
}

TEST(DcasScheduler, WithBandsServesThemInOrder)
{
    // Bands of times begin at 1.6, 16 and 160 ms.
    Workload workload;
    workload.hosts = 2;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 1, 10 * UNIT}}, {}});
    workload.coflows.push_back({2, 1000, {}, {{0, 0, 1, UNIT / 2}}, {}});
    const Attributes attributes{{"bands", "8"}, {"delta", "2ms"}, {"threshold", "20000"}};
    ExpectUnits(RunOnBigSwitch("packet", workload, "dcas", attributes), {10.5, 0.5});
}

TEST(DcasAgent, BandsAreTheSmallTheStarvedAndThenByTime)
{
    const auto bands = DcasAgent::MakeBands(8, MilliSeconds(8));
    const auto bandOf = [&bands](const DcasKey& key) { return bands.GetBand(key.Pack()); };
    const auto ofTime = [&bandOf](double seconds) {
        return bandOf(DcasKey::Agreed(seconds * 1e9));
    };
    EXPECT_EQ(bandOf(DcasKey::Small(1)), 0);
    EXPECT_EQ(bandOf(DcasKey::Small(1'000'000)), 0);
    EXPECT_EQ(bandOf(DcasKey::Starved()), 1);
    EXPECT_EQ(ofTime(1e-9), 2);
    EXPECT_EQ(ofTime(0.008), 2);
    EXPECT_EQ(ofTime(0.079), 2);
    EXPECT_EQ(ofTime(0.080), 3);
    EXPECT_EQ(ofTime(9), 5);
    EXPECT_EQ(ofTime(100'000), 7);
    EXPECT_EQ(DcasAgent::MakeBands(0, MilliSeconds(8)).GetN(), 1U);
}
