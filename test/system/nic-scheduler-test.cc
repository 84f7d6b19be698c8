/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The order in which a host sends: SendQueues by themselves, and under TCP on both fabrics.
 */

#include "counting-sender.h"

#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::test::CountingSender;

namespace
{

constexpr uint32_t SEGMENT = 1448;

/// Serves segments of flows that always have more.
/// @return bytes by coflow
std::map<::coflow::CoflowId, uint64_t>
Serve(SendQueues& queues, int segments)
{
    std::map<::coflow::CoflowId, uint64_t> served;
    for (int i = 0; i < segments; ++i)
    {
        auto* flow = queues.Next();
        if (!flow)
        {
            break;
        }
        served[SendQueues::GetKey(flow).coflowId] += SEGMENT;
        SendQueues::GetSender(flow).Send();
        queues.Charge(flow, SEGMENT);
        queues.SetReady(flow);
    }
    return served;
}

} // namespace

TEST(SendQueues, ShareByWeight)
{
    SendQueues queues;
    CountingSender sender;
    queues.SetWeights({3, 2, 1}, 0, SEGMENT);
    for (uint32_t k = 0; k < 3; ++k)
    {
        queues.Place(k, {k, 0, k});
        queues.SetReady(queues.Add({k, 0}, sender));
    }
    auto served = Serve(queues, 6000);
    EXPECT_EQ(served[0], 3000U * SEGMENT);
    EXPECT_EQ(served[1], 2000U * SEGMENT);
    EXPECT_EQ(served[2], 1000U * SEGMENT);
    EXPECT_EQ(sender.sent, 6000);
}

TEST(SendQueues, PassOnWhatAnEmptyQueueLeaves)
{
    SendQueues queues;
    CountingSender sender;
    queues.SetWeights({3, 2, 1}, 0, SEGMENT);
    auto* first = queues.Add({0, 0}, sender);
    for (uint32_t k = 1; k < 3; ++k)
    {
        queues.Place(k, {k, 0, k});
        queues.SetReady(queues.Add({k, 0}, sender));
    }
    auto served = Serve(queues, 3000);
    EXPECT_EQ(served[1], 2000U * SEGMENT);
    EXPECT_EQ(served[2], 1000U * SEGMENT);
    // It saved nothing up while it was empty.
    queues.SetReady(first);
    served = Serve(queues, 60);
    EXPECT_NEAR(static_cast<double>(served[0]), 30.0 * SEGMENT, 3 * SEGMENT);
}

TEST(SendQueues, StrictlyTheHigherQueueFirst)
{
    SendQueues queues;
    CountingSender sender;
    queues.SetWeights({3, 2}, 2, SEGMENT);
    queues.Place(1, {1, 0, 1});
    queues.Place(2, {0, 0, 2});
    queues.SetReady(queues.Add({1, 0}, sender));
    auto* high = queues.Add({2, 0}, sender);
    queues.SetReady(high);
    EXPECT_EQ(Serve(queues, 100), (std::map<::coflow::CoflowId, uint64_t>{{2, 100 * SEGMENT}}));
    queues.SetOpen(high, false);
    EXPECT_EQ(Serve(queues, 100), (std::map<::coflow::CoflowId, uint64_t>{{1, 100 * SEGMENT}}));
    queues.SetOpen(high, true);
    EXPECT_EQ(Serve(queues, 100), (std::map<::coflow::CoflowId, uint64_t>{{2, 100 * SEGMENT}}));
}

TEST(SendQueues, ServeCoflowsOfAQueueInOrder)
{
    SendQueues queues;
    CountingSender sender;
    // By key, then order, then id.
    queues.Place(1, {0, 2, 0});
    queues.Place(2, {0, 1, 7});
    queues.Place(3, {0, 1, 5});
    queues.Place(4, {0, 1, 5});
    std::map<::coflow::CoflowId, SendQueues::Flow*> flows;
    for (const ::coflow::CoflowId id : {1, 2, 3, 4})
    {
        flows[id] = queues.Add({id, 9}, sender);
        queues.SetReady(flows[id]);
    }
    for (const ::coflow::CoflowId id : {3, 4, 2, 1})
    {
        const auto* flow = queues.Next();
        EXPECT_EQ(flow, flows[id]);
    }
    EXPECT_EQ(queues.Next(), nullptr);
    // A coflow that moves while it waits goes where it belongs.
    queues.SetReady(flows[1]);
    queues.SetReady(flows[2]);
    queues.Place(1, {0, 0, 0});
    EXPECT_EQ(queues.Next(), flows[1]);
    EXPECT_EQ(queues.GetPlace(2), (SendPlace{0, 1, 7}));
}

TEST(SendQueues, FlowsOfACoflowTakeTurns)
{
    SendQueues queues;
    CountingSender sender;
    std::vector<SendQueues::Flow*> flows;
    for (::coflow::FlowId id = 0; id < 3; ++id)
    {
        flows.push_back(queues.Add({5, id}, sender));
        queues.SetReady(flows.back());
    }
    std::vector<int> count(3);
    for (int i = 0; i < 30; ++i)
    {
        auto* flow = queues.Next();
        ++count[SendQueues::GetKey(flow).flowId];
        queues.SetReady(flow);
    }
    EXPECT_EQ(count, (std::vector<int>{10, 10, 10}));
    // One that is closed, and opened again, has no more turns than the others.
    queues.SetOpen(flows[1], false);
    queues.SetOpen(flows[1], true);
    queues.SetOpen(flows[1], false);
    queues.SetOpen(flows[1], true);
    count = {0, 0, 0};
    for (int i = 0; i < 30; ++i)
    {
        auto* flow = queues.Next();
        ++count[SendQueues::GetKey(flow).flowId];
        queues.SetReady(flow);
    }
    EXPECT_EQ(count, (std::vector<int>{10, 10, 10}));
    queues.Remove(flows[0]);
    queues.Remove(flows[1]);
    EXPECT_EQ(queues.Next(), flows[2]);
    queues.SetReady(flows[2]);
    queues.Remove(flows[2]);
    EXPECT_EQ(queues.Next(), nullptr);
}

namespace
{

/// Hosts around one switch, the first of which has a NicScheduler.
class ScheduledHost
{
  public:
    ScheduledHost(const std::string& fabric,
                  HostId hosts,
                  const std::vector<double>& weights,
                  std::size_t strict,
                  const std::vector<std::pair<std::string, std::string>>& more = {})
        : cluster(MakeConfig(fabric, hosts, more)),
          nic(CreateObject<NicScheduler>())
    {
        nic->SetPort(cluster.GetFabric(), 0, SEGMENT);
        nic->SetWeights(weights, strict);
        cluster.GetHosts()[0].source->SetNicScheduler(nic);
    }

    ~ScheduledHost()
    {
        nic->Dispose();
    }

    void Send(::coflow::CoflowId coflow, ::coflow::FlowId flow, HostId to, uint64_t bytes)
    {
        cluster.GetHosts()[0].source->StartFlow({coflow, flow, Fabric::GetHostAddress(to), bytes});
    }

    void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    PortStatistics Uplink() const
    {
        return cluster.GetFabric()->GetPortStatistics(Topology::GetUplink(0));
    }

    static ExperimentConfig MakeConfig(const std::string& fabric,
                                       HostId hosts,
                                       const std::vector<std::pair<std::string, std::string>>& more)
    {
        ExperimentConfig config;
        config.scheduler = "fair";
        config.topology = "big-switch";
        config.fabric = fabric;
        config.attributes = {{"hosts", std::to_string(hosts)}, {"linkRate", "1Gbps"}};
        config.attributes.insert(config.attributes.end(), more.begin(), more.end());
        return config;
    }

    PacketCluster cluster;
    Ptr<NicScheduler> nic;
};

class NicSchedulerOn : public testing::TestWithParam<std::string>
{
};

INSTANTIATE_TEST_SUITE_P(Fabrics, NicSchedulerOn, testing::Values("express", "nodes"));

} // namespace

TEST_P(NicSchedulerOn, SharesByWeightWithinThreePerCent)
{
    ScheduledHost host(GetParam(), 11, {10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 0);
    for (uint32_t k = 0; k < 10; ++k)
    {
        host.nic->Place(k, {k, 0, k});
        host.Send(k, 0, 1 + k, 100'000'000);
    }
    host.Run(MilliSeconds(20)); // windows have opened
    std::vector<uint64_t> before;
    for (uint32_t k = 0; k < 10; ++k)
    {
        before.push_back(host.nic->GetSent(k));
    }
    host.Run(MilliSeconds(220));
    double total = 0;
    for (uint32_t k = 0; k < 10; ++k)
    {
        total += static_cast<double>(host.nic->GetSent(k) - before[k]);
    }
    for (uint32_t k = 0; k < 10; ++k)
    {
        const double share = static_cast<double>(host.nic->GetSent(k) - before[k]) / total;
        EXPECT_NEAR(share / ((10.0 - k) / 55), 1, 0.03) << "queue " << k;
    }
    // The port was never idle: 1448 bytes of payload in 1502 on the wire.
    EXPECT_NEAR(total / (0.2 * 125e6 * 1448 / 1502), 1, 0.005);
}

TEST_P(NicSchedulerOn, LeavesAtMostTwoSegmentsBelow)
{
    ScheduledHost host(GetParam(), 9, {1}, 1);
    for (uint32_t k = 0; k < 8; ++k)
    {
        host.nic->Place(k, {0, 0, k});
        for (::coflow::FlowId flow = 0; flow < 4; ++flow)
        {
            host.Send(k, flow, 1 + k, 2'000'000);
        }
    }
    host.Run(MilliSeconds(50));
    // One segment waits behind the one on the wire, and perhaps SYNs and acknowledgements.
    EXPECT_LE(host.Uplink().maxQueueBytes, 1500U + 32 * 60);
    host.Run(Seconds(1));
    EXPECT_EQ(host.cluster.GetHosts()[0].source->GetActiveFlows(), 0U);
    EXPECT_EQ(host.Uplink().droppedPackets, 0U);
    for (uint32_t k = 0; k < 8; ++k)
    {
        EXPECT_NEAR(static_cast<double>(host.nic->GetSent(k)), 8e6, 4 * 64) << k;
    }
}

TEST_P(NicSchedulerOn, ADecisionIsInForceAtOnce)
{
    // The window of flow 1 is wide open when coflow 2 becomes more urgent.
    ScheduledHost host(GetParam(), 3, {1}, 1);
    host.nic->Place(1, {0, 0, 1});
    host.nic->Place(2, {0, 0, 2});
    host.Send(1, 0, 1, 100'000'000);
    host.Send(2, 0, 2, 100'000'000);
    host.Run(MilliSeconds(30));
    const auto second = host.nic->GetSent(2);
    host.nic->Place(2, {0, 0, 0});
    const auto first = host.nic->GetSent(1);
    host.Run(MilliSeconds(40));
    EXPECT_EQ(host.nic->GetSent(1), first);
    EXPECT_GT(host.nic->GetSent(2), second + 1'100'000);
    host.nic->SetOpen({2, 0}, false);
    const auto closed = host.nic->GetSent(2);
    host.Run(MilliSeconds(50));
    EXPECT_EQ(host.nic->GetSent(2), closed);
    EXPECT_GT(host.nic->GetSent(1), first + 1'100'000);
}

TEST_P(NicSchedulerOn, AFlowThatWaitsForLeaveHasLostNothing)
{
    ScheduledHost host(GetParam(), 3, {1}, 1);
    host.nic->Place(1, {0, 0, 1});
    host.Send(1, 0, 1, 100'000'000);
    host.Run(MilliSeconds(10));
    host.nic->SetOpen({1, 0}, false);
    const auto sent = host.Uplink().packets;
    host.Run(Seconds(2)); // many timeouts
    EXPECT_EQ(host.Uplink().packets, sent + host.Uplink().queuedPackets);
    host.nic->SetOpen({1, 0}, true);
    const auto before = host.nic->GetSent(1);
    host.Run(MilliSeconds(2010));
    EXPECT_NEAR(static_cast<double>(host.nic->GetSent(1) - before), 10 * 120'500.0, 12'000);
}

TEST_P(NicSchedulerOn, WhatAReceiverDoesNotTakeGoesToOthers)
{
    // Host 2 sends to host 1 too, so that the first coflow gets only a part of that link.
    ScheduledHost host(GetParam(), 4, {2, 1}, 2);
    host.nic->Place(1, {0, 0, 1});
    host.nic->Place(2, {1, 0, 2});
    host.Send(1, 0, 1, 100'000'000);
    host.Send(2, 0, 3, 100'000'000);
    host.cluster.GetHosts()[2].source->StartFlow({9, 0, Fabric::GetHostAddress(1), 100'000'000});
    host.Run(MilliSeconds(200));
    const double line = 0.2 * 125e6 * 1448 / 1502;
    const auto first = static_cast<double>(host.nic->GetSent(1));
    const auto second = static_cast<double>(host.nic->GetSent(2));
    EXPECT_LT(first, 0.95 * line);
    EXPECT_NEAR((first + second) / line, 1, 0.02);
}

TEST_P(NicSchedulerOn, LosesNothingWherePacketsAreLost)
{
    ScheduledHost host(GetParam(),
                       4,
                       {2, 1},
                       0,
                       {{"queueDisc", "ns3::coflow::FifoQueueDisc[MaxSize=10p]"},
                        {"congestionOps", "ns3::TcpNewReno"}});
    for (uint32_t k = 0; k < 2; ++k)
    {
        host.nic->Place(k, {k, 0, k});
        for (::coflow::FlowId flow = 0; flow < 3; ++flow)
        {
            host.Send(k, flow, 1 + flow, 3'000'000);
        }
    }
    for (HostId other = 2; other < 4; ++other)
    {
        host.cluster.GetHosts()[other].source->StartFlow(
            {9, other, Fabric::GetHostAddress(1), 3'000'000});
    }
    host.Run(Seconds(10));
    EXPECT_EQ(host.cluster.GetHosts()[0].source->GetActiveFlows(), 0U);
    EXPECT_GT(host.cluster.GetFabric()->GetTotals().droppedPackets, 0U);
    for (uint32_t k = 0; k < 2; ++k)
    {
        EXPECT_NEAR(static_cast<double>(host.nic->GetSent(k)), 9e6, 4 * 64) << k;
    }
}

TEST_P(NicSchedulerOn, SaysWhenACoflowHasSentSoMuch)
{
    ScheduledHost host(GetParam(), 2, {1}, 1);
    std::vector<uint64_t> alarms;
    host.nic->SetAlarm([&](::coflow::CoflowId coflow) {
        alarms.push_back(host.nic->GetSent(coflow));
        host.nic->SetAlarmAt(coflow, alarms.size() < 2 ? 2'000'000 : UINT64_MAX);
    });
    host.nic->SetAlarmAt(1, 1'000'000);
    host.Send(1, 0, 1, 5'000'000);
    host.Run(MilliSeconds(100));
    ASSERT_EQ(alarms.size(), 2U);
    EXPECT_NEAR(static_cast<double>(alarms[0]), 1e6, SEGMENT);
    EXPECT_NEAR(static_cast<double>(alarms[1]), 2e6, SEGMENT);
    host.nic->Forget(1);
    EXPECT_EQ(host.nic->GetSent(1), 0U);
}
