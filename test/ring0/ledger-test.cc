/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a coordinator concludes from what it is told. Two hosts, ports of 100 bytes per second
// unless said otherwise; rates and sizes are worked out by hand.

#include "ledger-fixture.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <vector>

using namespace coflow;

TEST(Ledger, ACoflowIsReadyWhenSoManyFlowsAreKnownAtBothEndsInAnyOrder)
{
    auto ledger = Clairvoyant();
    EXPECT_TRUE(ledger.Register(7, {0, 2}));
    EXPECT_EQ(ledger.StateOf(7), CoflowState::WAITING);
    EXPECT_FALSE(ledger.Put(7, 0, 0, MB));
    EXPECT_TRUE(ledger.Get(7, 0, 1)) << "both ends are known";
    EXPECT_FALSE(ledger.IsComplete(7));
    EXPECT_FALSE(ledger.Get(7, 1, 2)) << "the get may come first";
    EXPECT_TRUE(ledger.Put(7, 1, 0, MB));
    EXPECT_TRUE(ledger.IsComplete(7));
    EXPECT_TRUE(ledger.MakeReady(7, 5));
    EXPECT_EQ(ledger.StateOf(7), CoflowState::READY);
    EXPECT_FALSE(ledger.IsComplete(7)) << "it waits no more";
    ASSERT_EQ(ledger.Table().Rows().size(), 1U);
    EXPECT_EQ(ledger.Table().Rows()[0].width, 2U);
    Schedule(ledger, "varys", 6);
    EXPECT_EQ(ledger.StateOf(7), CoflowState::RUNNING);
    EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 0), RATE / 2);
}

TEST(Ledger, FlowsMayBeToldOfBeforeTheirCoflow)
{
    auto ledger = Clairvoyant();
    Tell(ledger, 7, 0, 0, 1, MB);
    EXPECT_FALSE(ledger.StateOf(7));
    EXPECT_TRUE(ledger.Register(7, {0, 1}));
    EXPECT_TRUE(ledger.IsComplete(7));
}

TEST(Ledger, WhatIsToldTwiceCountsOnce)
{
    auto ledger = Clairvoyant();
    EXPECT_TRUE(ledger.Register(7, {0, 2}));
    EXPECT_FALSE(ledger.Register(7, {0, 1}));
    Tell(ledger, 7, 0, 0, 1, MB);
    EXPECT_FALSE(ledger.Put(7, 0, 0, MB));
    EXPECT_FALSE(ledger.Put(7, 0, 0, 5 * MB));
    EXPECT_FALSE(ledger.Get(7, 0, 3));
    EXPECT_FALSE(ledger.IsComplete(7));
    EXPECT_EQ(ledger.Describe(7, 0), (Flow{0, 0, 1, MB})) << "the first word counts";
    Tell(ledger, 7, 1, 0, 1, MB);
    ledger.MakeReady(7, 0);
    ledger.Progress(7, 0, MB, true);
    ledger.Progress(7, 0, MB, true);
    ledger.Progress(7, 9, MB, true);
    ledger.Progress(9, 0, MB, true);
    EXPECT_DOUBLE_EQ(ledger.Table().Rows()[0].sent, MB);
    EXPECT_EQ(ledger.Table().FlowIds()[ledger.Table().Rows()[0].begin], 1U);
}

TEST(Ledger, LocalAndEmptyFlowsCountButAreNotScheduled)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 3});
    Tell(ledger, 7, 0, 2, 2, MB);
    Tell(ledger, 7, 1, 0, 1, 0);
    Tell(ledger, 7, 2, 0, 1, MB);
    ASSERT_TRUE(ledger.IsComplete(7));
    EXPECT_TRUE(ledger.MakeReady(7, 0));
    EXPECT_EQ(ledger.Table().Rows()[0].Count(), 1U);
    EXPECT_FALSE(ledger.IsDone(7));
    ledger.Progress(7, 2, MB, true);
    EXPECT_TRUE(ledger.IsDone(7));
    EXPECT_TRUE(ledger.Table().Rows().empty());
}

TEST(Ledger, ACoflowWithNothingToSendIsFinishedAtOnce)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 0});
    ASSERT_TRUE(ledger.IsComplete(7));
    EXPECT_FALSE(ledger.MakeReady(7, 0));
    EXPECT_EQ(ledger.StateOf(7), CoflowState::FINISHED);
    ledger.Register(8, {0, 1});
    Tell(ledger, 8, 0, 1, 1, MB);
    EXPECT_FALSE(ledger.MakeReady(8, 0));
    EXPECT_EQ(ledger.StateOf(8), CoflowState::FINISHED);
    EXPECT_TRUE(ledger.Table().Rows().empty());
}

TEST(Ledger, MoreFlowsThanRegisteredAreAppendedById)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 2});
    Tell(ledger, 7, 1, 0, 1, MB);
    Tell(ledger, 7, 4, 0, 1, 2 * MB);
    ledger.MakeReady(7, 0);
    Schedule(ledger, "varys", 0);
    const auto revision = ledger.Table().Rows()[0].revision;
    Tell(ledger, 7, 2, 2, 1, 3 * MB);
    const auto& table = ledger.Table();
    const auto& row = table.Rows()[0];
    EXPECT_GT(row.revision, revision);
    const std::vector<FlowId> flows(table.FlowIds().begin() + row.begin,
                                    table.FlowIds().begin() + row.end);
    EXPECT_EQ(flows, (std::vector<FlowId>{1, 2, 4}));
    EXPECT_EQ(table.Sizes()[0].total, 6 * MB);
    EXPECT_EQ(table.Sizes()[0].bottleneck, 6 * MB);
    EXPECT_GT(RateOf(ledger, 7, 1), 0) << "what had a rate keeps it";
    EXPECT_EQ(RateOf(ledger, 7, 2), 0);
    Schedule(ledger, "varys", 1);
    EXPECT_NEAR(RateOf(ledger, 7, 2), RATE / 2, 1);
}

TEST(Ledger, AFlowThatComesWhenAllOthersAreDoneIsScheduledToo)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 1});
    Tell(ledger, 7, 0, 0, 1, MB);
    ledger.MakeReady(7, 3);
    ledger.Progress(7, 0, MB, true);
    EXPECT_TRUE(ledger.Table().Rows().empty());
    Tell(ledger, 7, 1, 0, 1, MB);
    ASSERT_EQ(ledger.Table().Rows().size(), 1U);
    EXPECT_EQ(ledger.Table().Rows()[0].ready, 3);
    EXPECT_DOUBLE_EQ(ledger.Table().Rows()[0].sent, MB);
}

TEST(Ledger, ARestartedTaskSendsItsFlowsAgainAndNoOthers)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 2});
    Tell(ledger, 7, 0, 0, 1, 2 * MB);
    Tell(ledger, 7, 1, 2, 1, 2 * MB);
    ledger.MakeReady(7, 0);
    ledger.Progress(7, 0, MB, false);
    ledger.Progress(7, 1, 2 * MB, true);
    EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 0), MB);
    EXPECT_TRUE(ledger.Put(7, 0, 3, 2 * MB, true)) << "elsewhere";
    EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 0), 2 * MB);
    EXPECT_EQ(ledger.Describe(7, 0)->src, 3U);
    EXPECT_EQ(LeftOf(ledger, 7, 1), -1);
    EXPECT_DOUBLE_EQ(ledger.Table().Rows()[0].sent, 2 * MB);
    EXPECT_TRUE(ledger.Put(7, 1, 2, 2 * MB, true)) << "its output was lost";
    EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 1), 2 * MB);
    EXPECT_FALSE(ledger.IsDone(7));
}

TEST(Ledger, UnregisteredCoflowsAreFinishedOrFailed)
{
    auto ledger = Clairvoyant();
    for (CoflowId id = 1; id <= 3; ++id)
    {
        ledger.Register(id, {0, 1});
    }
    Tell(ledger, 1, 0, 0, 1, MB);
    Tell(ledger, 2, 0, 0, 1, MB);
    ledger.MakeReady(1, 0);
    ledger.MakeReady(2, 0);
    EXPECT_TRUE(ledger.Close(1));
    EXPECT_FALSE(ledger.Close(1));
    EXPECT_FALSE(ledger.Close(99));
    EXPECT_EQ(LeftOf(ledger, 1, 0), -1) << "its rates are free at once";
    ledger.Progress(1, 0, MB, true); // was under way
    ledger.Conclude(1);
    EXPECT_EQ(ledger.StateOf(1), CoflowState::FINISHED);
    ledger.Close(2);
    EXPECT_EQ(ledger.HostsOf(2, CoflowLedger::FlowsOf::UNDONE), (std::set<HostId>{0, 1}));
    ledger.Conclude(2);
    EXPECT_EQ(ledger.StateOf(2), CoflowState::FAILED);
    ledger.Close(3);
    ledger.Conclude(3);
    EXPECT_EQ(ledger.StateOf(3), CoflowState::FAILED) << "its flow never came";
    Tell(ledger, 2, 5, 0, 1, MB);
    EXPECT_TRUE(ledger.Table().Rows().empty()) << "what is over stays over";
}

TEST(Ledger, WithoutSizesThePolicyIsAskedAllTheSame)
{
    CoflowLedger ledger(Knowledge::ATTAINED, Estimate::INTEGRATED);
    ledger.Register(7, {0, 2});
    ledger.Put(7, 0, 0, MB); // said by mistake
    ledger.Put(7, 1, 0, std::nullopt);
    ledger.Get(7, 0, 1);
    ledger.Get(7, 1, 2);
    ledger.MakeReady(7, 0);
    EXPECT_EQ(ledger.Describe(7, 0)->bytes, -1) << "it does not remember";
    Schedule(ledger, "nc-drf", 0);
    EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 0), RATE / 2);
    EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 1), RATE / 2);
    Schedule(ledger, "nc-drf", 100 * SECOND);
    ledger.Progress(7, 0, MB, true);
    Schedule(ledger, "nc-drf", 101 * SECOND);
    EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 1), RATE);
    EXPECT_DOUBLE_EQ(ledger.Table().Rows()[0].sent, MB);
}

TEST(Ledger, WhatIsLeftIsIntegratedReportedOrWhole)
{
    for (const auto estimate :
         {Estimate::INTEGRATED, Estimate::REPORTED, Estimate::COMPLETION_ONLY})
    {
        auto ledger = Clairvoyant(estimate);
        ledger.Register(7, {0, 1});
        Tell(ledger, 7, 0, 0, 1, 10 * MB);
        ledger.MakeReady(7, 0);
        Schedule(ledger, "varys", 0);          // 1 MB/s from now on
        Schedule(ledger, "varys", 4 * SECOND); // 4 MB by the rate
        const bool integrated = estimate == Estimate::INTEGRATED;
        EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 0), integrated ? 6e6 : 10e6);
        ledger.Progress(7, 0, 3 * MB, false);
        EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 0), estimate == Estimate::COMPLETION_ONLY ? 10e6 : 7e6);
        Schedule(ledger, "varys", 100 * SECOND);
        EXPECT_GT(LeftOf(ledger, 7, 0), 0) << "it was not said to be done";
        EXPECT_GT(RateOf(ledger, 7, 0), 0);
    }
}

namespace
{

/// Coflow 6 leaves 1000 B/s of the uplink of host 2 and of the downlink of host 0. Coflow 7, behind
/// it, has a flow 0 from host 3 to 2 that runs, and a flow 1 of 1000 bytes from host 2 to 0. That
/// is granted 5 B/s, cannot have the least rate of 12500 B/s, and waits.
CoflowLedger
WithAFlowThatWaits()
{
    auto ledger = Clairvoyant();
    ledger.Register(6, {0, 3});
    Tell(ledger, 6, 0, 1, 0, 99'900'000);
    Tell(ledger, 6, 1, 2, 3, 99'900'000);
    Tell(ledger, 6, 2, 4, 5, 100 * MB);
    ledger.MakeReady(6, 0);
    ledger.Register(7, {0, 2});
    Tell(ledger, 7, 0, 3, 2, 200 * MB);
    Tell(ledger, 7, 1, 2, 0, 1000);
    ledger.MakeReady(7, 0);
    return ledger;
}

} // namespace

TEST(Ledger, ACoflowOfWhichNothingRunsIsStalled)
{
    auto ledger = WithAFlowThatWaits();
    EXPECT_FALSE(ledger.IsStalled(99));
    const auto policy = MakePolicy("varys", {"backfill=false"});
    policy->SetLeastRate(12500);
    ledger.Schedule(*policy, 0, PortRates::Uniform(6, RATE));
    EXPECT_EQ(RateOf(ledger, 7, 1), 0);
    EXPECT_FALSE(ledger.IsStalled(7));
    ledger.Progress(7, 0, 200 * MB, true);
    EXPECT_TRUE(ledger.IsStalled(7));
    ledger.Schedule(*policy, SECOND, PortRates::Uniform(6, RATE));
    EXPECT_FALSE(ledger.IsStalled(7));
    ledger.Progress(7, 1, 1000, true);
    EXPECT_FALSE(ledger.IsStalled(7)) << "nothing is left to run";
}

// Two flows of 0.8 s each. One is reported done, and the other one is not.
TEST(Ledger, ACoflowIsOverdueWhenItsFlowsShouldBeDoneByTheirRates)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 3});
    Tell(ledger, 7, 0, 0, 1, 100 * MB);
    Tell(ledger, 7, 1, 2, 3, 100 * MB);
    Tell(ledger, 7, 2, 4, 5, 1000);
    ledger.MakeReady(7, 0);
    EXPECT_FALSE(ledger.IsOverdue(7, 0)) << "no flow has a rate";
    Schedule(ledger, "varys", 0, 6);
    const auto done = static_cast<Nanoseconds>(100e6 / RateOf(ledger, 7, 1) * 1e9);
    EXPECT_FALSE(ledger.IsOverdue(7, done / 2));
    EXPECT_FALSE(ledger.IsOverdue(7, done)) << "nobody knows of the smallest flow";
    ledger.Progress(7, 2, 1000, true);
    EXPECT_TRUE(ledger.IsOverdue(7, done));
    ledger.Progress(7, 0, 100 * MB, true);
    EXPECT_TRUE(ledger.IsOverdue(7, done));
    EXPECT_FALSE(ledger.IsOverdue(99, done));
    ledger.Progress(7, 1, 100 * MB, true);
    EXPECT_FALSE(ledger.IsOverdue(7, done)) << "all are done";
}

TEST(Ledger, ACoflowThatMayGetMoreFlowsIsIdleMeanwhile)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 1});
    EXPECT_FALSE(ledger.IsIdle(7)) << "it waits for its flow";
    Tell(ledger, 7, 0, 0, 1, MB);
    ledger.MakeReady(7, 0);
    EXPECT_FALSE(ledger.IsIdle(7));
    ledger.Progress(7, 0, MB, true);
    EXPECT_TRUE(ledger.IsIdle(7));
    EXPECT_TRUE(ledger.Table().Rows().empty());
    Tell(ledger, 7, 1, 2, 3, MB);
    EXPECT_FALSE(ledger.IsIdle(7)) << "a flow has come late";
    ledger.Progress(7, 1, MB, true);
    ledger.Close(7);
    EXPECT_FALSE(ledger.IsIdle(7)) << "it is over";
    EXPECT_FALSE(ledger.IsIdle(99));
}

// When T is over and nothing has happened, Varys keeps its rates. That nothing runs has happened.
TEST(Ledger, AStalledCoflowHasARateAlsoWhenAnIntervalIsOver)
{
    auto ledger = WithAFlowThatWaits();
    const auto policy = MakePolicy("varys", {"backfill=false", "T=2", "delta=0.2"});
    policy->SetLeastRate(12500);
    ledger.Schedule(*policy, 0, PortRates::Uniform(6, RATE));
    ASSERT_EQ(RateOf(ledger, 7, 1), 0);
    ledger.Progress(7, 0, 200 * MB, true);
    ASSERT_TRUE(ledger.IsStalled(7));
    ledger.Schedule(*policy, 3 * SECOND, PortRates::Uniform(6, RATE));
    EXPECT_GT(RateOf(ledger, 7, 1), 0);
}

// The same where nobody asks whether the coflow is stalled: the flow with a rate is taken back.
TEST(Ledger, RatesUnderWhichNothingRunsAreNotKept)
{
    auto ledger = WithAFlowThatWaits();
    const auto policy = MakePolicy("varys", {"backfill=false", "T=2", "delta=0.2"});
    policy->SetLeastRate(12500);
    ledger.Schedule(*policy, 0, PortRates::Uniform(6, RATE));
    ASSERT_GT(RateOf(ledger, 7, 0), 0);
    ASSERT_EQ(RateOf(ledger, 7, 1), 0);
    for (const FlowId flow : {0, 1, 2})
    {
        ledger.Progress(6, flow, 100 * MB, true);
    }
    ledger.DropPuts(3, false);
    ledger.Schedule(*policy, 3 * SECOND, PortRates::Uniform(6, RATE));
    EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 1), RATE);
}

TEST(Ledger, ACoflowThatWaitsForItsTurnIsNotStalled)
{
    // Under FIFO the first coflow has the port 0>1; of the second, one flow has to wait for it.
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 1});
    Tell(ledger, 7, 0, 0, 1, 100 * MB);
    ledger.MakeReady(7, 0);
    ledger.Register(8, {0, 2});
    Tell(ledger, 8, 0, 0, 1, 100 * MB);
    Tell(ledger, 8, 1, 2, 3, MB);
    ledger.MakeReady(8, 1);
    Schedule(ledger, "fifo", 1);
    EXPECT_GT(RateOf(ledger, 8, 1), 0);
    ledger.Progress(8, 1, MB, true);
    EXPECT_FALSE(ledger.IsStalled(8)) << "as FIFO wants it";
    ledger.Progress(7, 0, 100 * MB, true);
    EXPECT_TRUE(ledger.IsStalled(8)) << "nobody else runs";
}

TEST(Ledger, ARejectedCoflowLeavesForGoodOrWaits)
{
    auto ledger = Clairvoyant();
    const auto policy = MakePolicy("varys-deadline");
    const auto capacity = PortRates::Uniform(4, RATE);
    ledger.Register(7, {0, 1, 2 * SECOND});
    Tell(ledger, 7, 0, 0, 1, 3 * MB);
    ledger.MakeReady(7, 0);
    EXPECT_FALSE(ledger.Admit(*policy, 7, 0, capacity).served) << "3 s of work in 2 s";
    ledger.Reject(7, false);
    EXPECT_EQ(ledger.StateOf(7), CoflowState::WAITING);
    EXPECT_TRUE(ledger.Table().Rows().empty());
    ledger.MakeReady(7, 1);
    ledger.Reject(7, true);
    EXPECT_EQ(ledger.StateOf(7), CoflowState::REJECTED);
    ledger.Register(8, {0, 1, 4 * SECOND});
    Tell(ledger, 8, 0, 0, 1, 3 * MB);
    ledger.MakeReady(8, 2);
    EXPECT_TRUE(ledger.Admit(*policy, 8, 0, capacity).admitted);
}

// Random stories against a model that keeps everything in maps and rebuilds it each time.
TEST(Ledger, TheTableHoldsWhatAnyOrderOfMessagesImplies)
{
    for (unsigned seed = 1; seed <= 20; ++seed)
    {
        boost::random::mt19937 random(seed);
        const auto draw = [&](int most) {
            return boost::random::uniform_int_distribution<int>(0, most)(random);
        };

        struct Known
        {
            bool put{false};
            bool get{false};
            bool done{false};
        };

        auto ledger = Clairvoyant();
        std::map<CoflowId, std::map<FlowId, Known>> model;
        std::map<CoflowId, bool> ready;
        std::map<CoflowId, bool> closed;
        for (CoflowId id = 0; id < 6; ++id)
        {
            ledger.Register(id, {0, 3});
        }
        for (int step = 0; step < 600; ++step)
        {
            const CoflowId id = static_cast<CoflowId>(draw(5));
            const FlowId flow = static_cast<FlowId>(draw(7));
            auto& known = model[id][flow];
            switch (draw(6))
            {
            case 0:
            case 1:
                ledger.Put(id, flow, flow % 2, MB + flow);
                known.put = true;
                break;
            case 2:
            case 3:
                ledger.Get(id, flow, 2 + flow % 2);
                known.get = true;
                break;
            case 4:
                ledger.Progress(id, flow, MB, true);
                known.done |= known.put || known.get;
                break;
            case 5:
                if (draw(30) == 0)
                {
                    ledger.Close(id);
                    closed[id] = true;
                }
                break;
            default:
                Schedule(ledger, "varys", step);
            }
            if (ledger.IsComplete(id))
            {
                ledger.MakeReady(id, step);
                ready[id] = true;
            }
            std::map<CoflowId, std::vector<FlowId>> expected;
            for (const auto& [c, flows] : model)
            {
                for (const auto& [f, k] : flows)
                {
                    if (ready[c] && !closed[c] && k.put && k.get && !k.done)
                    {
                        expected[c].push_back(f);
                    }
                }
            }
            std::map<CoflowId, std::vector<FlowId>> held;
            const auto& table = ledger.Table();
            for (const auto& row : table.Rows())
            {
                for (auto f = row.begin; f < row.end; ++f)
                {
                    held[row.id].push_back(table.FlowIds()[f]);
                    EXPECT_EQ(table.FlowBytes()[f], MB + table.FlowIds()[f]);
                    EXPECT_EQ(table.Src()[f], table.FlowIds()[f] % 2);
                }
            }
            ASSERT_EQ(held, expected) << "seed " << seed << " step " << step;
            ASSERT_TRUE(std::is_sorted(table.Rows().begin(),
                                       table.Rows().end(),
                                       [](const auto& a, const auto& b) {
                                           return std::pair(a.ready, a.id) <
                                                  std::pair(b.ready, b.id);
                                       }));
        }
    }
}
