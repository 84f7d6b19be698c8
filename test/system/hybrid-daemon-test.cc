/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How daemons and coordinator of Aalo and Graviton work together.

#include "hybrid-fixture.h"
#include "policy-names.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

/// Two queues with a limit of 10 units.
const Attributes TWO_QUEUES{{"queues", "2"}, {"firstThreshold", UnitsText(10)}};

Attributes
With(Attributes attributes, const Attributes& more)
{
    attributes.insert(attributes.end(), more.begin(), more.end());
    return attributes;
}

} // namespace

TEST(Hybrid, ANewCoflowIsSentAtOnceInTheHighestQueue)
{
    // The next decision is ten units away.
    HybridCluster cluster(
        HybridConfig("aalo",
                     4,
                     {{"delta", "1"}, {"sharing", "strict"}, {"firstThreshold", UnitsText(2)}}));
    cluster.Play(0, 1, {{0, 1, 6}});
    cluster.Play(4, 2, {{0, 2, 1}});
    cluster.Run(9);
    EXPECT_EQ(cluster.GetScheduler()->GetCoordinator()->GetRuns(), 0U);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 1);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(2), 0);
    EXPECT_NEAR(cluster.When(2), 4 + 1 / 0.96, 0.1);
    EXPECT_NEAR(cluster.When(1), 7 / 0.96, 0.2);
    EXPECT_EQ(cluster.CentralDaemon(1)->GetQueue(1), std::nullopt);
}

TEST(Hybrid, DaemonsMoveCoflowsDownByThemselves)
{
    // With the estimate at 10 units, without it when the coordinator says so, at 16.
    for (const bool estimate : {true, false})
    {
        HybridCluster cluster(HybridConfig(
            "aalo",
            4,
            With(TWO_QUEUES, {{"delta", "0.8"}, {"localEstimate", estimate ? "true" : "false"}})));
        std::vector<double> demoted;
        cluster.CentralDaemon(0)->TraceConnectWithoutContext(
            "Demoted",
            Callback<void, ::coflow::CoflowId, int>([&](::coflow::CoflowId, int) {
                demoted.push_back(Simulator::Now().GetSeconds() / 0.1);
            }));
        cluster.Play(0, 1, {{0, 1, 20}});
        cluster.Run(25);
        ASSERT_EQ(demoted.size(), 1U);
        EXPECT_NEAR(demoted[0], estimate ? 10 / 0.964 : 16, 0.05);
    }
}

TEST(Hybrid, WhatAllHostsHaveSentCounts)
{
    // Each of four hosts sends 4 of 16 units: together they cross 10 after 2.5.
    HybridCluster cluster(HybridConfig("aalo", 9, TWO_QUEUES));
    std::map<HostId, double> demoted;
    for (HostId host = 0; host < 4; ++host)
    {
        cluster.CentralDaemon(host)->TraceConnectWithoutContext(
            "Demoted",
            Callback<void, ::coflow::CoflowId, int>([&demoted, host](::coflow::CoflowId, int) {
                demoted[host] = Simulator::Now().GetSeconds() / 0.1;
            }));
    }
    cluster.Play(0, 1, {{0, 4, 4}, {1, 5, 4}, {2, 6, 4}, {3, 7, 4}});
    cluster.Run(10);
    ASSERT_EQ(demoted.size(), 4U);
    for (const auto& [host, at] : demoted)
    {
        EXPECT_NEAR(at, 2.5 / 0.964, 0.03) << host;
    }
}

TEST(Hybrid, WhatAHostHasSentCountsWhenItIsThrough)
{
    // Host 0 sends 8 and is through; host 1 comes later and sends 2 more until the limit.
    HybridCluster cluster(HybridConfig("aalo", 5, TWO_QUEUES));
    cluster.Play(0, 1, {{0, 2, 8}});
    cluster.Run(12);
    ASSERT_GT(cluster.When(1), 0);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 0);
    cluster.Get().GetClient(1)->Put(cluster.handles.at(1),
                                    7,
                                    Fabric::GetHostAddress(3),
                                    5 * UNIT_BYTES);
    cluster.Run(13.5);
    EXPECT_EQ(cluster.CentralDaemon(1)->GetQueue(1), 0);
    cluster.Run(14.5);
    EXPECT_EQ(cluster.CentralDaemon(1)->GetQueue(1), 1);
    const auto* ledger = cluster.GetScheduler()->GetCoordinator()->GetLedger();
    EXPECT_NEAR(static_cast<double>(ledger->SentBy(0, 1)), 8.0 * UNIT_BYTES, 100);
}

TEST(Hybrid, PlacesAreInheritedInADag)
{
    HybridCluster cluster(HybridConfig("aalo", 4));
    cluster.Play(0, 10, {{0, 1, 1}});
    cluster.Play(1, 11, {{0, 1, 1}});
    cluster.Play(2, 12, {{0, 2, 1}}, {10});
    cluster.Play(2.5, 13, {{0, 2, 1}}, {12, 10});
    cluster.Run(2.9);
    using ::coflow::CoflowOrder;
    EXPECT_EQ(CoflowOrder::FromValue(cluster.handles.at(12).order).Internal(), 1U);
    EXPECT_EQ(CoflowOrder::FromValue(cluster.handles.at(13).order).Internal(), 2U);
    EXPECT_EQ(CoflowOrder::FromValue(cluster.handles.at(13).order).External(),
              CoflowOrder::FromValue(cluster.handles.at(10).order).External());
    // The children go before the coflow that came before them.
    EXPECT_EQ(cluster.CentralDaemon(0)->GetOrder(), (std::vector<::coflow::CoflowId>{12, 13, 11}));
    cluster.Run(10);
    EXPECT_EQ(cluster.finished.size(), 4U);
}

TEST(Hybrid, ADagIsInTheQueueOfAllThatItHasSent)
{
    for (const bool dag : {true, false})
    {
        HybridCluster cluster(
            HybridConfig("aalo", 4, With(TWO_QUEUES, {{"dagLevelSize", dag ? "true" : "false"}})));
        cluster.Play(0, 1, {{0, 1, 9}});
        cluster.Play(12, 2, {{2, 3, 5}}, {1});
        cluster.Run(14);
        EXPECT_EQ(cluster.CentralDaemon(2)->GetQueue(2), dag ? 1 : 0);
    }
}

TEST(Hybrid, DaemonsAndCoordinatorAgreeOnTheOrder)
{
    for (const auto& scheduler : ::coflow::test::PolicyNames(::coflow::Control::HYBRID))
    {
        HybridCluster cluster(
            HybridConfig(scheduler,
                         12,
                         {{"firstThreshold", UnitsText(1)}, {"factor", "4"}, {"queues", "5"}}));
        std::vector<::coflow::CoflowId> order;
        cluster.GetScheduler()->GetCoordinator()->TraceConnectWithoutContext(
            "Decision",
            Callback<void, uint64_t, const std::vector<::coflow::CoflowId>&>(
                [&](uint64_t, const std::vector<::coflow::CoflowId>& ids) { order = ids; }));
        for (::coflow::CoflowId id = 1; id <= 6; ++id)
        {
            std::vector<UnitFlow> flows;
            for (HostId to = 0; to < 1 + id * 5 % 7; ++to)
            {
                flows.push_back({0, 1 + to, 1.0});
                flows.push_back({10, 1 + to, 1.0});
            }
            cluster.Play(0.3 * static_cast<double>(id), id, flows);
        }
        for (double at = 3.005; at < 40; at += 1)
        {
            cluster.Run(at);
            for (const HostId host : {0, 10})
            {
                const auto local = cluster.CentralDaemon(host)->GetOrder();
                std::vector<::coflow::CoflowId> expected;
                for (const auto id : order)
                {
                    if (std::find(local.begin(), local.end(), id) != local.end())
                    {
                        expected.push_back(id);
                    }
                }
                EXPECT_EQ(local, expected) << scheduler << " at " << at << " on " << host;
            }
        }
    }
}

TEST(Hybrid, ReceiversThatAreTakenAreNotSentTo)
{
    // Both coflows want to send to host 2, and the second one has another receiver too.
    for (const bool match : {true, false})
    {
        HybridCluster cluster(
            HybridConfig("aalo",
                         4,
                         {{"sharing", "strict"}, {"receiverMatch", match ? "true" : "false"}}));
        cluster.Play(0, 1, {{0, 2, 4}});
        cluster.Play(1, 2, {{1, 2, 4}, {1, 3, 4}});
        cluster.Run(30);
        if (match)
        {
            // The first one is not disturbed, but for the first millisecond. Then the flows of the
            // second one share their sender, of which one has left less than a unit.
            const double first = 4 / 0.964;
            EXPECT_NEAR(cluster.When(1), first, 0.1);
            EXPECT_NEAR(cluster.When(2, 1), first + 2 * (1 + 4 / 0.964 - first), 0.15);
            EXPECT_NEAR(cluster.When(2, 0), 1 + 8 / 0.964, 0.15);
        }
        else
        {
            EXPECT_GT(cluster.When(1), 5.2);
        }
    }
}

TEST(Hybrid, WhereAReceiverBecomesFreeTheNextCoflowMaySendWithoutWaiting)
{
    // Decisions come every 20 units. The second coflow is switched off at 20, and would be until
    // 40 if its daemon did not see at 25 that the first one is through.
    HybridCluster cluster(
        HybridConfig("aalo",
                     4,
                     {{"sharing", "strict"}, {"delta", "2"}, {"firstThreshold", UnitsText(1000)}}));
    cluster.Play(0, 1, {{0, 1, 25}});
    cluster.Play(1, 2, {{0, 1, 5}});
    cluster.Run(50);
    EXPECT_NEAR(cluster.When(1), 25 / 0.964, 0.3);
    EXPECT_NEAR(cluster.When(2), 30 / 0.964, 0.3);
}

TEST(Hybrid, GravitonsAttributesSayWhichQueuesAreOfWhichKind)
{
    // Coflow 1 has two receivers, 2 has three, 3 has one. All are in the first of two queues.
    using Order = std::vector<::coflow::CoflowId>;
    const std::vector<std::tuple<std::string, std::string, Order>> kinds{{"0", "1", {3, 1, 2}},
                                                                         {"1", "1", {2, 1, 3}},
                                                                         {"0", "2", {1, 2, 3}}};
    for (const auto& [wide, fifo, order] : kinds)
    {
        HybridCluster cluster(HybridConfig("graviton",
                                           9,
                                           {{"sharing", "strict"},
                                            {"firstThreshold", UnitsText(100)},
                                            {"queues", "2"},
                                            {"wideQueues", wide},
                                            {"fifoQueues", fifo}}));
        cluster.Play(0, 1, {{0, 1, 1}, {0, 2, 1}});
        cluster.Play(0.02, 2, {{0, 3, 1}, {0, 4, 1}, {0, 5, 1}});
        cluster.Play(0.04, 3, {{0, 6, 1}});
        cluster.Run(0.5);
        EXPECT_EQ(cluster.CentralDaemon(0)->GetOrder(), order)
            << wide << " wide, " << fifo << " fifo";
        cluster.Run(8);
        EXPECT_EQ(cluster.finished.size(), 6U);
        EXPECT_LT(cluster.When(order[0]), cluster.When(order[1]));
        EXPECT_LT(cluster.When(order[1]), cluster.When(order[2]));
    }
}

TEST(Hybrid, WidthFallsAsFlowsFinishElsewhere)
{
    // Coflow 1 has three receivers, 2 has two. What host 1 has of coflow 1 is through at 2: then
    // it has one receiver, and goes before coflow 2 on host 0, which has sent 2 of 10.
    HybridCluster cluster(
        HybridConfig("graviton", 10, {{"sharing", "strict"}, {"firstThreshold", UnitsText(100)}}));
    cluster.Play(0, 1, {{0, 6, 10}, {1, 4, 1}, {1, 5, 1}});
    cluster.Play(0, 2, {{0, 7, 5}, {0, 8, 5}});
    cluster.Run(1.9);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetOrder(), (std::vector<::coflow::CoflowId>{2, 1}));
    cluster.Run(2.2);
    EXPECT_EQ(cluster.CentralDaemon(0)->GetOrder(), (std::vector<::coflow::CoflowId>{1, 2}));
    cluster.Run(30);
    EXPECT_NEAR(cluster.When(1, 0), 12 / 0.964, 0.2);
    EXPECT_NEAR(cluster.When(2, 1), 20 / 0.964, 0.2);
}

TEST(Hybrid, GravitonSwitchesACoflowOffAsAWhole)
{
    // The thin coflow takes host 2, so that the wide one does not send to host 3 either.
    for (const bool all : {true, false})
    {
        HybridCluster cluster(HybridConfig("graviton",
                                           6,
                                           {{"sharing", "strict"},
                                            {"firstThreshold", UnitsText(100)},
                                            {"allOrNone", all ? "true" : "false"}}));
        cluster.Play(0, 1, {{0, 2, 4}});
        cluster.Play(0.5, 2, {{1, 2, 4}, {1, 3, 4}, {4, 5, 4}});
        cluster.Run(30);
        const double free = all ? 4 / 0.964 + 4 / 0.964 : 0.5 + 4 / 0.964;
        EXPECT_NEAR(cluster.When(1), 4 / 0.964, 0.1);
        EXPECT_NEAR(cluster.When(2, 2), free, 0.15);
        EXPECT_LT(cluster.When(2, 0), 13);
    }
}

TEST(Hybrid, AHostHandsReceiversOnToAWholeCoflow)
{
    // Decisions come every 20 units and at no other time. The second coflow is off as a whole from
    // 20 on; at 25 its daemon sees that the first one, which had one of its receivers, is through.
    HybridCluster cluster(HybridConfig("graviton",
                                       4,
                                       {{"sharing", "strict"},
                                        {"delta", "2"},
                                        {"matchGap", "1"},
                                        {"firstThreshold", UnitsText(1000)}}));
    cluster.Play(0, 1, {{0, 1, 25}});
    cluster.Play(1, 2, {{0, 1, 5}, {0, 2, 5}});
    cluster.Run(60);
    EXPECT_NEAR(cluster.When(1), 25 / 0.964, 0.3);
    EXPECT_NEAR(std::max(cluster.When(2, 0), cluster.When(2, 1)), 35 / 0.964, 0.3);
}

TEST(Hybrid, TheCoordinatorSpeaksBetweenTicksWhereReceiversChange)
{
    // Ticks are 20 units apart. With a gap of 2 units the second coflow, which comes at 0.5, is
    // switched off at 2, and on when the first one is through.
    for (const bool between : {true, false})
    {
        HybridCluster cluster(HybridConfig("graviton",
                                           4,
                                           {{"sharing", "strict"},
                                            {"delta", "2"},
                                            {"matchGap", between ? "0.1" : "1"},
                                            {"firstThreshold", UnitsText(1000)}}));
        cluster.Play(0, 1, {{0, 2, 4}});
        cluster.Play(0.5, 2, {{1, 2, 4}});
        cluster.Run(15);
        if (between)
        {
            EXPECT_LT(cluster.When(1), 5.7);
            EXPECT_GT(cluster.GetScheduler()->GetCoordinator()->GetRuns(), 2U);
        }
        else
        {
            EXPECT_GT(cluster.When(1), 6.5);
            EXPECT_EQ(cluster.GetScheduler()->GetCoordinator()->GetRuns(), 0U);
        }
        EXPECT_NEAR(cluster.When(2), 8 / 0.964, 0.4);
    }
}

TEST(Hybrid, GravitonSfServesWhoHasWaitedTooLong)
{
    // Thin coflows keep coming. The wide one waits until the last of them is through, or goes
    // before all whenever it has waited for 2 units, until the coordinator sees that it has sent.
    std::map<std::string, uint64_t> sent;
    for (const std::string scheduler : {"graviton", "graviton-sf"})
    {
        Attributes attributes{{"sharing", "strict"}, {"firstThreshold", UnitsText(100)}};
        if (scheduler == "graviton-sf")
        {
            attributes.emplace_back("waitLimit", "0.2");
        }
        HybridCluster cluster(HybridConfig(scheduler, 5, attributes));
        cluster.Play(0.3, 99, {{0, 1, 0.5}, {0, 2, 0.5}});
        for (::coflow::CoflowId id = 1; id <= 20; ++id)
        {
            cluster.Play(0.9 * static_cast<double>(id - 1), id, {{0, 3, 1}});
        }
        cluster.Run(17);
        sent[scheduler] = cluster.GetScheduler()->GetCoordinator()->GetLedger()->SentBy(0, 99);
        cluster.Run(60);
        EXPECT_EQ(cluster.finished.size(), 22U);
    }
    // What thin ones leave while their windows are small, about two segments of each.
    EXPECT_LT(sent["graviton"], 20 * 4'000U);
    // Seven or eight times, until it has sent a hundredth of what the port moves in 2 units.
    EXPECT_GT(sent["graviton-sf"], 7 * 25'000U);
    EXPECT_LT(sent["graviton-sf"], 8 * 60'000U);
}

TEST(Hybrid, GatingPausesFlowsInPlaceOfSegments)
{
    HybridCluster cluster(
        HybridConfig("aalo", 4, {{"sharing", "strict"}, {"enforcement", "gating"}}));
    EXPECT_EQ(cluster.GetScheduler()->GetNic(0), nullptr);
    cluster.Play(0, 1, {{0, 2, 4}});
    cluster.Play(1, 2, {{1, 2, 4}, {1, 3, 4}});
    cluster.Run(30);
    EXPECT_NEAR(cluster.When(1), 4 / 0.964, 0.15);
    EXPECT_LT(cluster.When(2, 1), 6.4);
    EXPECT_NEAR(cluster.When(2, 0), 1 + 8 / 0.964, 0.3);
}

TEST(Hybrid, ClassesOfServiceServeQueuesStrictlyAndMixCoflowsOfAQueue)
{
    // Weights are lost: a small coflow passes one that is down by a queue as if that were not
    // there. The order in a queue is lost: two coflows that have come one after the other end
    // together.
    HybridCluster cluster(
        HybridConfig("aalo", 6, {{"enforcement", "dscp"}, {"firstThreshold", UnitsText(6)}}));
    EXPECT_EQ(cluster.GetScheduler()->GetNic(0), nullptr);
    cluster.Play(0, 1, {{0, 1, 9}});
    cluster.Play(8, 2, {{0, 2, 2}});
    cluster.Play(20, 3, {{0, 3, 3}});
    cluster.Play(21, 4, {{0, 4, 2}});
    cluster.Run(60);
    EXPECT_NEAR(cluster.When(2), 8 + 2 / 0.964, 0.15);
    EXPECT_NEAR(cluster.When(1), 11 / 0.964, 0.3);
    EXPECT_GT(cluster.When(3), 20 + 3.8 / 0.964);
    EXPECT_LT(cluster.When(4), 20 + 5.2 / 0.964);
}

TEST(Hybrid, MessagesGoBeforeAllClassesOfService)
{
    // Two hosts fill the port of the coordinator's host, and that host fills its own. Messages to
    // it, and from it, are not to wait until that is over.
    HybridCluster cluster(HybridConfig(
        "aalo",
        6,
        {{"enforcement", "dscp"}, {"controlTransport", "tcp"}, {"coordinatorHost", "5"}}));
    int decisions = 0; // that reach a host once the ports are full
    cluster.GetScheduler()->GetControl()->TraceConnectWithoutContext(
        "Received",
        Callback<void, HostId, Ipv4Address, uint16_t, uint32_t>(
            [&decisions](HostId host, Ipv4Address, uint16_t, uint32_t) {
                decisions += host != 5 && Simulator::Now() > Seconds(0.5);
            }));
    cluster.Play(0, 1, {{0, 5, 20}, {1, 5, 20}, {5, 4, 20}});
    cluster.Play(10, 2, {{2, 3, 0.1}});
    cluster.Run(15);
    EXPECT_EQ(cluster.When(1), -1);
    // Behind all data none came, and the answer to a coflow took a hundred times as long.
    EXPECT_GT(decisions, 100);
    EXPECT_LT(cluster.registered.at(2), Seconds(1.001));
    EXPECT_LT(cluster.When(2), 10.2);
    EXPECT_GT(cluster.When(2), 10);
}

TEST(Hybrid, TheCodePresetReportsRarelyAndGates)
{
    HybridCluster cluster(HybridConfig("aalo", 4, {{"preset", "code"}, {"delta", "0.08"}}));
    EXPECT_EQ(cluster.GetScheduler()->GetNic(0), nullptr);
    cluster.Play(0, 1, {{0, 2, 7}});  // 8.75 MB
    cluster.Play(0, 2, {{1, 3, 20}}); // 25 MB
    cluster.Run(15);
    const auto* ledger = cluster.GetScheduler()->GetCoordinator()->GetLedger();
    EXPECT_EQ(ledger->SentBy(0, 1), 0U);
    EXPECT_GE(ledger->SentBy(1, 2), 10'000'000U);
    cluster.Run(40);
    EXPECT_EQ(cluster.finished.size(), 2U);
}

TEST(Hybrid, WhatIsGivenGoesBeforeThePreset)
{
    // With the values of the code hosts gate flows, and report after 10 MB.
    HybridCluster cluster(HybridConfig(
        "aalo",
        4,
        {{"preset", "code"}, {"delta", "0.08"}, {"enforcement", "nic"}, {"minNotify", "1000000"}}));
    EXPECT_NE(cluster.GetScheduler()->GetNic(0), nullptr);
    cluster.Play(0, 1, {{0, 2, 7}}); // 8.75 MB
    cluster.Run(5);
    EXPECT_GE(cluster.GetScheduler()->GetCoordinator()->GetLedger()->SentBy(0, 1), 1'000'000U);
    EXPECT_EQ(PacketCluster(HybridConfig("aalo", 4, {{"preset", "code"}, {"enforcement", "dscp"}}))
                  .GetScheduler()
                  ->GetQueueDisc(),
              "ns3::coflow::StrictPriorityQueueDisc[BandSize=4MiB]");
}

TEST(Hybrid, WhatCannotBeIsRefused)
{
    using ::coflow::InputError;
    EXPECT_THROW(PacketCluster(HybridConfig("aalo", 2, {{"delta", "0"}})), InputError);
    EXPECT_THROW(PacketCluster(HybridConfig("aalo", 2, {{"queues", "64"}})), InputError);
    EXPECT_THROW(PacketCluster(HybridConfig("aalo", 2, {{"coordinatorHost", "2"}})), InputError);
}
