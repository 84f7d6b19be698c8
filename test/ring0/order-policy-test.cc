/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples of the Varys family. Flows i>i of the papers' figures run from host i to
// host 10 + i here: the figures number sending and receiving ports, not hosts.

#include "fluid-test-util.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// E1: Varys, figure 1.
Workload
E1()
{
    return MakeWorkload(20,
                        {MakeCoflow(1, {{1, 11, 1}, {2, 12, 2}, {3, 13, 4}}),
                         MakeCoflow(2, {{1, 11, 2}, {2, 12, 2}})});
}

/// E2: Varys, figure 5.
Workload
E2()
{
    return MakeWorkload(20,
                        {MakeCoflow(1, {{1, 11, 2}, {2, 11, 2}}),
                         MakeCoflow(2, {{1, 11, 3}, {2, 12, 3}, {3, 13, 3}})});
}

using Times = std::vector<double>;

} // namespace

TEST(OrderPolicies, E1FairSharing)
{
    for (const Executor executor : EXECUTORS)
    {
        const FluidResult result = RunUnits(E1(), "fair", {}, {}, executor);
        EXPECT_EQ(Ccts(result), (Times{4, 4}));
        EXPECT_DOUBLE_EQ(MeanFct(E1(), result), 3.4);
    }
}

TEST(OrderPolicies, E1Varys)
{
    const FluidResult result = RunUnits(E1(), "varys");
    EXPECT_EQ(Ccts(result), (Times{4, 2}));
    EXPECT_DOUBLE_EQ(MeanFct(E1(), result), 3);
}

TEST(OrderPolicies, E1VarysWithoutBackfill)
{
    const FluidResult result = RunUnits(E1(), "varys", {"backfill=false", "T=0"});
    EXPECT_EQ(Mean(Ccts(result)), 4);
    EXPECT_EQ(Ccts(result), (Times{6, 2}));
}

TEST(OrderPolicies, E1Fifo)
{
    EXPECT_EQ(Mean(Ccts(RunUnits(E1(), "fifo"))), 4);
    Workload swapped = E1();
    swapped.coflows[0].id = 3;
    std::swap(swapped.coflows[0], swapped.coflows[1]);
    EXPECT_EQ(Mean(Ccts(RunUnits(swapped, "fifo"))), 3);
}

TEST(OrderPolicies, E2BottleneckFirstBeatsTheOtherKeys)
{
    // Gamma is 4 for C1 and 3 for C2; C1 is shorter, narrower and smaller.
    EXPECT_EQ(Ccts(RunUnits(E2(), "varys")), (Times{7, 3}));
    EXPECT_EQ(Ccts(RunUnits(E2(), "scf")), (Times{4, 7}));
    EXPECT_EQ(Ccts(RunUnits(E2(), "ncf")), (Times{4, 7}));
    EXPECT_EQ(Ccts(RunUnits(E2(), "tcf")), (Times{4, 7}));
    EXPECT_EQ(Ccts(RunUnits(E2(), "lcf")), (Times{4, 7}));
}

TEST(OrderPolicies, KeysOfTheFamilyDiffer)
{
    // Host 0 sends to host 1 only. In bytes: length 3 / 4 / 2, width 1 / 2 / 3, total 3 / 4.5 / 6.
    const Workload workload = MakeWorkload(2,
                                           {MakeCoflow(1, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}),
                                            MakeCoflow(2, {{0, 1, 4}, {0, 1, 0.5}}),
                                            MakeCoflow(3, {{0, 1, 3}})});
    EXPECT_EQ(Ccts(RunUnits(workload, "scf")), (Times{6, 13.5, 9}));
    EXPECT_EQ(Ccts(RunUnits(workload, "ncf")), (Times{13.5, 7.5, 3}));
    EXPECT_EQ(Ccts(RunUnits(workload, "tcf")), (Times{13.5, 7.5, 3}));
    EXPECT_EQ(Ccts(RunUnits(workload, "fifo")), (Times{6, 10.5, 13.5}));
}

TEST(OrderPolicies, LightestCountsWhatIsLeftAndTotalWhatWasRegistered)
{
    // At 5, when the second arrives, the first has 5 of 10 left; the second has 6.
    const Workload workload =
        MakeWorkload(2, {MakeCoflow(1, {{0, 1, 10}}), MakeCoflow(2, {{0, 1, 6}}, 5)});
    EXPECT_EQ(Ccts(RunUnits(workload, "lcf")), (Times{10, 11}));
    EXPECT_EQ(Ccts(RunUnits(workload, "varys")), (Times{10, 11}));
    EXPECT_EQ(Ccts(RunUnits(workload, "tcf")), (Times{16, 6}));
    EXPECT_EQ(Ccts(RunUnits(workload, "varys", {"staticKeys=true"})), (Times{16, 6}));
}

TEST(OrderPolicies, WidthDoesNotShrinkAsFlowsFinish)
{
    // When C2 (two flows) comes, C1 has one of three left.
    const Workload workload = MakeWorkload(9,
                                           {MakeCoflow(1, {{0, 1, 10}, {2, 3, 1}, {4, 5, 1}}),
                                            MakeCoflow(2, {{0, 6, 1}, {7, 8, 1}}, 2)});
    EXPECT_EQ(Ccts(RunUnits(workload, "ncf")), (Times{11, 1}));
}

TEST(OrderPolicies, LeftoversAsCoflowSimSharesThem)
{
    // C1 takes port 0. C2 and C3 need it and are skipped, but share what is free at port 1 with
    // receiver 5: three flows there have a third each. The rest of port 1 and of receiver 6 then
    // goes to C2, which is due first. Backfill gives all of port 1 to the first flow's receiver.
    const Workload workload = MakeWorkload(8,
                                           {MakeCoflow(1, {{0, 4, 1}}),
                                            MakeCoflow(2, {{0, 5, 2}, {1, 5, 2}, {1, 6, 2}}),
                                            MakeCoflow(3, {{0, 5, 6}, {2, 5, 6}})});
    std::vector<double> rates;
    FluidOptions options;
    options.observer = [&](const FluidInterval& interval) {
        if (interval.from == 0)
        {
            for (const FlowState& flow : interval.flows)
            {
                rates.push_back(flow.rate / PORT_RATE);
            }
        }
    };
    RunUnits(workload, "varys", {"pooledLeftovers=true", "T=0"}, options);
    // At receiver 5 there are four pooled flows: a quarter each at most, and none through port 0.
    // Port 1 has two: 1>5 a quarter, 1>6 a half. 2>5 a quarter. Greedily, by Gamma: 1>5 takes what
    // port 1 has left, a quarter; 2>5 what receiver 5 has left.
    ASSERT_EQ(rates.size(), 6U);
    const std::vector<double> expected{1, 0, 0.5, 0.5, 0, 0.5};
    for (std::size_t f = 0; f < 6; ++f)
    {
        EXPECT_NEAR(rates[f], expected[f], 1e-9) << f;
    }
}

TEST(OrderPolicies, RatesChangeWithCoflowsOnlyUnlessFlowsTrigger)
{
    // Backfill gives all of port 0 to C1, whose flow there finishes at 1; C2 was skipped, for
    // C1 needs port 3 until 2. Port 0 is idle in between unless the flow triggers a decision.
    const Workload workload = MakeWorkload(
        6,
        {MakeCoflow(1, {{0, 2, 1}, {1, 3, 2}}), MakeCoflow(2, {{0, 4, 2}, {5, 3, 1}})});
    EXPECT_EQ(Ccts(RunUnits(workload, "fifo")), (Times{2, 4}));
    EXPECT_EQ(Ccts(RunUnits(workload, "fifo", {"rescheduleOnFlow=true"})), (Times{2, 3}));
}

// The small flow of C2 ends in the first T, without a decision. From then on C2 has no rate. T =
// 20, delta = 2 in units of 0.1 s: C2 sends for 2 of 22, from the end of the second T on.
TEST(StarvationGuard, ServesACoflowWhoseFlowsWithRatesHaveEnded)
{
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 100}}), MakeCoflow(2, {{0, 1, 110}, {2, 3, 1}})});
    const FluidResult result = RunUnits(workload, "varys", {"T=2", "delta=0.2"});
    // C1 sends in [0, 40), and after each delta for 20: 40 + 20 + 20 + 20.
    EXPECT_EQ(Ccts(result)[0], 100 + 3 * 2);
    EXPECT_EQ(Ccts(result)[1], 210);
}

// C2 has a rate at ports 2 and 3 all the time, whatever gives it the rate.
TEST(StarvationGuard, DoesNotServeACoflowThatLeftoversServe)
{
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 100}}), MakeCoflow(2, {{0, 1, 110}, {2, 3, 100}})});
    const auto run = [&workload](const char* policy, const char* option, const char* interval) {
        return Ccts(RunUnits(workload, policy, {option, interval, "delta=0.2"}));
    };
    for (const char* interval : {"T=0", "T=2"})
    {
        EXPECT_EQ(run("varys", "backfill=true", interval), (Times{100, 210}));
        EXPECT_EQ(run("varys", "pooledLeftovers=true", interval), (Times{100, 210}));
        EXPECT_EQ(run("sincronia", "rates=greedy", interval), (Times{100, 210}));
        EXPECT_EQ(run("sincronia", "rates=classes", interval), (Times{100, 210}));
    }
}

TEST(StarvationGuard, ServesTheStarvedForDeltaAfterT)
{
    // Without backfill C1 (Gamma 20) waits at port 0 for a stream of smaller ones. Its other
    // flow waits with it. Time unit 0.1 s: T = 20, delta = 2.
    std::vector<Coflow> coflows{MakeCoflow(1, {{0, 2, 10}, {1, 3, 20}})};
    for (int c = 0; c < 30; ++c)
    {
        coflows.push_back(MakeCoflow(2 + c, {{0, 4, 2}}, 2 * c));
    }
    const Workload workload = MakeWorkload(5, coflows);
    const std::vector<std::string> without{"T=0", "backfill=false"};
    const std::vector<std::string> with{"T=2", "delta=0.2", "backfill=false"};
    EXPECT_EQ(Ccts(RunUnits(workload, "varys", without))[0], 80);

    double firstService = -1;
    FluidOptions options;
    options.observer = [&](const FluidInterval& interval) {
        // C1 is the first of the workload.
        const auto isServed = [](const FlowState& flow) {
            return flow.coflow == 0 && flow.rate > 0;
        };
        if (firstService < 0 && std::any_of(interval.flows.begin(), interval.flows.end(), isServed))
        {
            firstService = static_cast<double>(interval.from) / UNIT;
            EXPECT_EQ(interval.to - interval.from, 2 * UNIT) << "delta";
            // MADD for Gamma 20: 10 / 20 and 20 / 20, and nobody else.
            for (const FlowState& flow : interval.flows)
            {
                const double expected = flow.coflow > 0 ? 0 : flow.flow == 0 ? 0.5 : 1;
                EXPECT_DOUBLE_EQ(flow.rate, expected * PORT_RATE);
            }
        }
    };
    const FluidResult result = RunUnits(workload, "varys", with, options);
    EXPECT_EQ(firstService, 20) << "at the end of the first T in which it got nothing";
    EXPECT_EQ(Ccts(result)[0], 80) << "what it was given early it does not need late";
    EXPECT_EQ(result.coflows.back().finish, 64 * UNIT) << "two intervals delta later";
}
