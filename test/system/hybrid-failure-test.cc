/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What happens to Aalo and Graviton when messages are lost or late, and when processes die.

#include "hybrid-fixture.h"
#include "policy-names.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

/// Control over the network.
ExperimentConfig
RealConfig(const std::string& scheduler, HostId hosts, const Attributes& more = {})
{
    Attributes attributes{{"controlTransport", "tcp"}, {"firstThreshold", UnitsText(1)}};
    attributes.insert(attributes.end(), more.begin(), more.end());
    return HybridConfig(scheduler, hosts, attributes);
}

/// Coflows that contend everywhere, one of which depends on others.
void
PlayMix(HybridCluster& cluster)
{
    for (::coflow::CoflowId id = 1; id <= 8; ++id)
    {
        std::vector<UnitFlow> flows;
        for (HostId i = 0; i < 1 + id % 4; ++i)
        {
            flows.push_back({static_cast<HostId>((id + i) % 5),
                             static_cast<HostId>(5 + (id * 3 + i) % 4),
                             0.5 + static_cast<double>(id % 3)});
        }
        cluster.Play(0.7 * static_cast<double>(id),
                     id,
                     flows,
                     id == 8 ? std::vector<::coflow::CoflowId>{2, 3}
                             : std::vector<::coflow::CoflowId>());
    }
}

constexpr std::size_t FLOWS = 2 + 3 + 4 + 1 + 2 + 3 + 4 + 1;

class EveryHybrid : public testing::TestWithParam<std::string>
{
};

INSTANTIATE_TEST_SUITE_P(Schedulers,
                         EveryHybrid,
                         testing::ValuesIn(::coflow::test::PolicyNames(::coflow::Control::HYBRID)),
                         [](const testing::TestParamInfo<std::string>& test) {
                             return ::coflow::test::NameInTests(test.param);
                         });

} // namespace

TEST_P(EveryHybrid, ServesAllWithNothingFailing)
{
    HybridCluster cluster(RealConfig(GetParam(), 10));
    PlayMix(cluster);
    cluster.Run(60);
    EXPECT_EQ(cluster.finished.size(), FLOWS);
    for (HostId host = 0; host < 10; ++host)
    {
        EXPECT_EQ(cluster.CentralDaemon(host)->GetTimesAlone(), 0U) << host;
    }
    for (const auto& [id, handle] : cluster.handles)
    {
        EXPECT_TRUE(::coflow::CoflowOrder::FromValue(handle.order).IsNumbered()) << id;
    }
}

TEST_P(EveryHybrid, SurvivesLostMessages)
{
    HybridCluster cluster(
        RealConfig(GetParam(), 10, {{"controlLossRate", "0.3"}, {"delta", "0.005"}}));
    PlayMix(cluster);
    cluster.Run(200);
    EXPECT_EQ(cluster.finished.size(), FLOWS);
}

TEST_P(EveryHybrid, GoesOnWithoutACoordinatorFromTheBeginning)
{
    HybridCluster cluster(
        RealConfig(GetParam(), 10, {{"coordinatorFailAt", "1us"}, {"delta", "0.01"}}));
    PlayMix(cluster);
    cluster.Run(100);
    EXPECT_EQ(cluster.finished.size(), FLOWS);
    for (const auto& [id, handle] : cluster.handles)
    {
        EXPECT_FALSE(::coflow::CoflowOrder::FromValue(handle.order).IsNumbered()) << id;
    }
    // Queues go by what the host itself has sent: 2.5 units of coflow 2.
    EXPECT_EQ(cluster.CentralDaemon(2)->GetQueue(2), 1);
}

TEST_P(EveryHybrid, GoesOnWhenTheCoordinatorDiesForGood)
{
    HybridCluster cluster(RealConfig(GetParam(), 10, {{"coordinatorFailAt", "300ms"}}));
    PlayMix(cluster);
    cluster.Run(100);
    EXPECT_EQ(cluster.finished.size(), FLOWS);
    EXPECT_TRUE(::coflow::CoflowOrder::FromValue(cluster.handles.at(1).order).IsNumbered());
    EXPECT_FALSE(::coflow::CoflowOrder::FromValue(cluster.handles.at(7).order).IsNumbered());
}

TEST(HybridFailure, ACoflowIsHandedOutAfterTenPeriodsOfSilence)
{
    HybridCluster cluster(
        RealConfig("aalo", 4, {{"delta", "0.01"}, {"coordinatorFailAt", "50ms"}}));
    cluster.Play(0, 1, {{0, 1, 20}});
    cluster.Play(0.6, 2, {{0, 1, 1}});
    cluster.Run(3);
    const double heard = cluster.registered.at(2).GetSeconds();
    EXPECT_TRUE(cluster.CentralDaemon(0)->IsAlone());
    EXPECT_EQ(cluster.CentralDaemon(0)->GetTimesAlone(), 1U);
    // The last word came at 50 ms at the latest, and 0 s at the earliest.
    EXPECT_GE(heard, 0.1);
    EXPECT_LE(heard, 0.171);
    // It has nothing to say any more, and others had nothing to send.
    EXPECT_FALSE(cluster.CentralDaemon(1)->IsAlone());
}

TEST(HybridFailure, TheCoordinatorDiesAndReturns)
{
    HybridCluster cluster(RealConfig("aalo",
                                     6,
                                     {{"delta", "0.01"},
                                      {"sharing", "strict"},
                                      {"firstThreshold", UnitsText(8)},
                                      {"coordinatorFailAt", "100ms"},
                                      {"coordinatorDownTime", "500ms"}}));
    cluster.Play(0, 1, {{0, 2, 20}, {1, 3, 20}});
    cluster.Play(3, 2, {{0, 2, 3}});
    cluster.Run(5.9);
    // Alone, and what is new has a provisional place; what is known of others stays known.
    EXPECT_TRUE(cluster.CentralDaemon(0)->IsAlone());
    EXPECT_FALSE(::coflow::CoflowOrder::FromValue(cluster.handles.at(2).order).IsNumbered());
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 0);
    cluster.Run(9);
    EXPECT_FALSE(cluster.CentralDaemon(0)->IsAlone());
    EXPECT_FALSE(cluster.CentralDaemon(1)->IsAlone());
    const auto* ledger = cluster.GetScheduler()->GetCoordinator()->GetLedger();
    EXPECT_TRUE(ledger->OrderOf(2).IsNumbered());
    // It was told all that had been sent, and the coflow's place from before.
    EXPECT_GT(ledger->SentOf(1), 10U * UNIT_BYTES);
    EXPECT_EQ(ledger->OrderOf(1).Value(), cluster.handles.at(1).order);
    EXPECT_LT(ledger->OrderOf(1), ledger->OrderOf(2));
    EXPECT_EQ(cluster.CentralDaemon(0)->GetQueue(1), 1);
    EXPECT_EQ(cluster.CentralDaemon(1)->GetQueue(1), 1);
    cluster.Run(60);
    EXPECT_EQ(cluster.finished.size(), 3U);
}

TEST(HybridFailure, AloneADaemonSendsToAllReceivers)
{
    // Coflow 2 is switched off at host 2, which coflow 1 has taken, until nobody says so any more.
    HybridCluster cluster(RealConfig("aalo",
                                     5,
                                     {{"delta", "0.01"},
                                      {"sharing", "strict"},
                                      {"firstThreshold", UnitsText(1000)},
                                      {"coordinatorFailAt", "300ms"}}));
    cluster.Play(0, 1, {{0, 2, 15}});
    cluster.Play(0.5, 2, {{1, 2, 15}});
    cluster.Run(3);
    const auto nic = cluster.GetScheduler()->GetNic(1);
    const auto before = nic->GetSent(2);
    EXPECT_LT(before, UNIT_BYTES);
    cluster.Run(3.4);
    EXPECT_EQ(nic->GetSent(2), before);
    cluster.Run(6);
    EXPECT_GT(nic->GetSent(2), before + UNIT_BYTES / 2);
    cluster.Run(50);
    EXPECT_EQ(cluster.finished.size(), 2U);
}

TEST(HybridFailure, ADaemonDiesAndReturns)
{
    HybridCluster cluster(RealConfig("graviton", 6, {{"delta", "0.01"}}));
    cluster.GetScheduler()->FailDaemon(0, MilliSeconds(100), MilliSeconds(400));
    cluster.Play(0, 1, {{0, 2, 8}, {1, 3, 8}});
    cluster.Play(2, 2, {{0, 4, 1}}); // registered on a host whose daemon is dead
    cluster.Run(4.5);
    const auto* ledger = cluster.GetScheduler()->GetCoordinator()->GetLedger();
    EXPECT_LT(ledger->SentBy(0, 1), 1.2 * UNIT_BYTES);
    EXPECT_GT(cluster.When(2), 0);
    cluster.Run(7);
    EXPECT_GT(ledger->SentBy(0, 1), 3U * UNIT_BYTES);
    cluster.Run(40);
    EXPECT_EQ(cluster.finished.size(), 3U);
}

TEST(HybridFailure, LateReportsOnlyDelayDemotion)
{
    // A report takes half a unit, and so does what the coordinator says then.
    HybridCluster cluster(RealConfig("aalo",
                                     9,
                                     {{"controlTransport", "ideal"},
                                      {"controlMessageDelay", "50ms"},
                                      {"delta", "0.02"},
                                      {"firstThreshold", UnitsText(4)}}));
    double last = 0;
    for (HostId host = 0; host < 4; ++host)
    {
        cluster.CentralDaemon(host)->TraceConnectWithoutContext(
            "Demoted",
            Callback<void, ::coflow::CoflowId, int>(
                [&](::coflow::CoflowId, int) { last = Simulator::Now().GetSeconds() / 0.1; }));
    }
    cluster.Play(0, 1, {{0, 4, 3}, {1, 5, 3}, {2, 6, 3}, {3, 7, 3}});
    cluster.Run(40);
    EXPECT_EQ(cluster.finished.size(), 4U);
    EXPECT_GT(last, 1.3); // not as soon as the limit is crossed
    EXPECT_LT(last, 20);
}
