/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples and properties of the policies that know deadlines.

#include "fluid-test-util.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// E1 with a deadline of 2 for both coflows.
Workload
E1Deadline()
{
    return MakeWorkload(20,
                        {WithDeadline(MakeCoflow(1, {{1, 11, 1}, {2, 12, 2}, {3, 13, 4}}), 2),
                         WithDeadline(MakeCoflow(2, {{1, 11, 2}, {2, 12, 2}}), 2)});
}

} // namespace

TEST(Deadlines, E1)
{
    const Workload e1 = E1Deadline();
    EXPECT_EQ(Met(e1, RunUnits(e1, "fair")), 0);
    EXPECT_EQ(Met(e1, RunUnits(e1, "wss")), 0);
    const FluidResult varys = RunUnits(e1, "varys-deadline");
    EXPECT_FALSE(varys.coflows[0].admitted) << "its Gamma is 4";
    EXPECT_TRUE(varys.coflows[1].admitted);
    EXPECT_EQ(Ccts(varys), (Times{-1, 2}));
    EXPECT_EQ(varys.coflows[1].finish, 2 * UNIT) << "exactly";
}

// With one flow of C1 and one of C2 at each of two ports and equal deadlines, EDF lets the smaller
// go first, ties by id: C2 meets its deadline only if it wins at both ports. With random ties at
// equal sizes that is one case of four.
TEST(Deadlines, E1EdfMeetsOnlyIfItWinsBothTies)
{
    int met = 0;
    for (const double first : {1.9, 2.1})
    {
        for (const double second : {1.9, 2.1})
        {
            const Workload workload =
                MakeWorkload(20,
                             {WithDeadline(MakeCoflow(1, {{1, 11, first}, {2, 12, second}}), 2),
                              WithDeadline(MakeCoflow(2, {{1, 11, 2}, {2, 12, 2}}), 2)});
            met += RunUnits(workload, "edf").coflows[1].finish <= 2 * UNIT;
        }
    }
    EXPECT_EQ(met, 1);
}

TEST(Deadlines, EdfGoesByDeadlineThenSize)
{
    const Workload workload = MakeWorkload(2,
                                           {WithDeadline(MakeCoflow(1, {{0, 1, 1}}), 9),
                                            WithDeadline(MakeCoflow(2, {{0, 1, 4}}), 5),
                                            MakeCoflow(3, {{0, 1, 0.5}}),
                                            WithDeadline(MakeCoflow(4, {{0, 1, 3}}), 5)});
    EXPECT_EQ(Ccts(RunUnits(workload, "edf")), (Times{8, 7, 8.5, 3}));
}

TEST(Deadlines, MinimumRatesCountFromNow)
{
    // C1 has 4 to send by 8. Alone it is backfilled to full rate, so at 2 it has 2 left for 6:
    // it needs a third of the port, and C2 with 4 for 6 fits just so.
    const Workload workload = MakeWorkload(2,
                                           {WithDeadline(MakeCoflow(1, {{0, 1, 4}}), 8),
                                            WithDeadline(MakeCoflow(2, {{0, 1, 4}}, 2), 6)});
    const FluidResult result = RunUnits(workload, "varys-deadline");
    EXPECT_TRUE(result.coflows[1].admitted);
    EXPECT_EQ(Met(workload, result), 2);
    const FluidResult padded = RunUnits(workload, "varys-deadline", {"pad=0.1"});
    EXPECT_FALSE(padded.coflows[1].admitted);
    EXPECT_EQ(Ccts(padded)[0], 4);
    EXPECT_FALSE(RunUnits(workload, "varys-deadline", {"minimum=0.7"}).coflows[1].admitted);
}

TEST(Deadlines, ARejectedCoflowComesAgain)
{
    // C1 is sent at full rate 0..4. C2 (4 by 9) does not fit beside 4 by 4 at 0, nor at 3; at 4.5
    // the port is free and 4.5 are left.
    const Workload workload = MakeWorkload(
        2,
        {WithDeadline(MakeCoflow(1, {{0, 1, 4}}), 4), WithDeadline(MakeCoflow(2, {{0, 1, 4}}), 9)});
    EXPECT_EQ(Ccts(RunUnits(workload, "varys-deadline")), (Times{4, -1}));
    const FluidResult again = RunUnits(workload, "varys-deadline", {"retryAfter=0.15"});
    EXPECT_EQ(Ccts(again), (Times{4, 8.5}));
    EXPECT_TRUE(again.coflows[1].admitted);
    // At 6 there are 3 left: too late. Nor is it put forward after its deadline.
    const FluidResult late = RunUnits(workload, "varys-deadline", {"retryAfter=0.6"});
    EXPECT_FALSE(late.coflows[1].admitted);
    EXPECT_EQ(late.coflows[1].finish, NEVER);
}

TEST(Deadlines, BestEffortGetsWhatTheAdmittedLeave)
{
    // C1 needs more than there is and is rejected; C2 has 2 by 4 and is backfilled to full rate,
    // C3 has no deadline. C1 starts when both are done, though its deadline is the first.
    const Workload workload = MakeWorkload(2,
                                           {WithDeadline(MakeCoflow(1, {{0, 1, 3}}), 2),
                                            WithDeadline(MakeCoflow(2, {{0, 1, 2}}), 4),
                                            MakeCoflow(3, {{0, 1, 1}})});
    EXPECT_EQ(Ccts(RunUnits(workload, "varys-deadline")), (Times{-1, 2, 3}));
    const FluidResult result = RunUnits(workload, "varys-deadline", {"bestEffort=true"});
    EXPECT_EQ(Ccts(result), (Times{6, 2, 3}));
    EXPECT_FALSE(result.coflows[0].admitted) << "it counts as rejected";
}

TEST(Deadlines, WhatIsAdmittedIsMetBesideBestEffortAndRetries)
{
    int admitted = 0;
    int later = 0;
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        const Workload workload =
            RandomWorkload(seed, {5, 20, 6, 4 * UNIT_BYTES, 20 * UNIT, 1.0 + seed % 3});
        const FluidResult never = RunUnits(workload, "varys-deadline");
        const FluidResult result =
            RunUnits(workload, "varys-deadline", {"bestEffort=true", "retryAfter=0.05"});
        for (std::size_t c = 0; c < workload.coflows.size(); ++c)
        {
            const Coflow& coflow = workload.coflows[c];
            EXPECT_NE(result.coflows[c].finish, NEVER) << "everything is sent";
            if (result.coflows[c].admitted)
            {
                ++admitted;
                later += !never.coflows[c].admitted;
                EXPECT_LE(result.coflows[c].finish, coflow.arrival + *coflow.deadline)
                    << "seed " << seed << " coflow " << coflow.id;
            }
        }
    }
    EXPECT_GT(admitted, 500);
    EXPECT_GT(later, 10);
}

// E11: both have deadline 16. The first coflow loads port 1 with 2 and port 2 with 8. Varys holds
// 1/8 and 1/2 of them, a virtual cluster 1/2 of both; the second coflow needs 9/16 of port 1.
TEST(Deadlines, E11VirtualClusterRejectsWhatVarysAdmits)
{
    const Workload workload = MakeWorkload(8,
                                           {WithDeadline(MakeCoflow(1, {{1, 3, 2}, {2, 4, 8}}), 16),
                                            WithDeadline(MakeCoflow(2, {{1, 5, 9}}), 16)});
    const FluidResult varys = RunUnits(workload, "varys-deadline");
    EXPECT_TRUE(varys.coflows[0].admitted);
    EXPECT_TRUE(varys.coflows[1].admitted);
    EXPECT_EQ(Met(workload, varys), 2);
    const FluidResult vc = RunUnits(workload, "vc", {"setup=0"});
    EXPECT_TRUE(vc.coflows[0].admitted);
    EXPECT_FALSE(vc.coflows[1].admitted);
    EXPECT_EQ(Ccts(vc)[0], 16) << "it gets what it reserved and no more";
}

TEST(Deadlines, VirtualClusterKeepsTimeForTheSetUp)
{
    // A unit is 0.1 s. 6 units of bytes in 10 less 2: finished at 8; with 5 less, too late.
    const Workload workload = MakeWorkload(2, {WithDeadline(MakeCoflow(1, {{0, 1, 6}}), 10)});
    EXPECT_EQ(Ccts(RunUnits(workload, "vc", {"setup=0.2"})), (Times{8}));
    EXPECT_FALSE(RunUnits(workload, "vc", {"setup=0.5"}).coflows[0].admitted);
    EXPECT_EQ(Ccts(RunUnits(workload, "vc")), (Times{9.99})) << "1 ms of 1 s";
}

// Asked by hand, as a coordinator does that has lost time: a fluid in time is never late.
TEST(Deadlines, AReservationEndsAtTheDeadlineAndThenIsLast)
{
    const auto policy = MakePolicy("vc", {"setup=0"});
    const auto capacity = PortRates::Uniform(2, PORT_RATE);
    FlowTable table;
    table.Add(WithDeadline(MakeCoflow(1, {{0, 1, 4}}), 8), 0, 0);
    EXPECT_TRUE(policy->Admit(table, 0, 0, capacity).admitted);
    table.Add(MakeCoflow(2, {{0, 1, 4}}), 1, 0);
    EXPECT_TRUE(policy->Admit(table, 1, 0, capacity).admitted);
    std::vector<double> rates(2);
    const Decision first = policy->Decide(table, 0, capacity, rates);
    EXPECT_EQ(first.askAgain, 8 * UNIT);
    EXPECT_EQ(rates, (std::vector<double>{PORT_RATE / 2, PORT_RATE / 2}));
    EXPECT_EQ(std::vector(first.order.begin(), first.order.end()),
              (std::vector<std::uint32_t>{0, 1}));
    rates = {0, 0};
    const Decision late = policy->Decide(table, 8 * UNIT, capacity, rates);
    EXPECT_EQ(late.askAgain, NEVER);
    EXPECT_EQ(rates, (std::vector<double>{0, PORT_RATE})) << "what is late comes last";
    EXPECT_EQ(std::vector(late.order.begin(), late.order.end()),
              (std::vector<std::uint32_t>{1, 0}));
}

TEST(Deadlines, WhatMissedItsDeadlineComesLast)
{
    // At 3, C1 has missed its deadline of 2, C2 has 1 left by 5, C3 has no deadline. C2 is owed
    // half of the port, and what is left is for it, then C3, then C1: all goes to C2. At port 1,
    // where C2 has nothing, C3 comes before C1.
    const auto policy = MakePolicy("varys-deadline");
    const auto capacity = PortRates::Uniform(4, PORT_RATE);
    FlowTable table;
    table.Add(WithDeadline(MakeCoflow(1, {{0, 2, 1}, {1, 3, 1}}), 2), 0, 0);
    table.Add(WithDeadline(MakeCoflow(2, {{0, 2, 1}}), 5), 1, 0);
    table.Add(MakeCoflow(3, {{1, 3, 1}}), 2, 0);
    std::vector<double> rates(4);
    const Decision decision = policy->Decide(table, 3 * UNIT, capacity, rates);
    EXPECT_EQ(rates, (std::vector<double>{0, 0, PORT_RATE, PORT_RATE}));
    EXPECT_EQ(std::vector(decision.order.begin(), decision.order.end()),
              (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(Deadlines, DescendantsOfARejectedCoflowAreRejected)
{
    // C1 needs 4 by 2. C2 waits for it, C3 for C2 and for C4, C5 for C4 alone.
    std::vector<Coflow> coflows{WithDeadline(MakeCoflow(1, {{0, 1, 4}}), 2),
                                MakeCoflow(2, {{0, 1, 1}}),
                                MakeCoflow(3, {{0, 1, 1}}),
                                MakeCoflow(4, {{0, 1, 1}}),
                                MakeCoflow(5, {{0, 1, 1}})};
    coflows[1].parents = {1};
    coflows[2].parents = {2, 4};
    coflows[4].parents = {4};
    const Workload workload = MakeWorkload(2, coflows);
    const FluidResult result = RunUnits(workload, "varys-deadline");
    for (std::size_t c = 0; c < 5; ++c)
    {
        EXPECT_EQ(result.coflows[c].admitted, c >= 3) << "coflow " << c + 1;
    }
    EXPECT_EQ(Ccts(result), (Times{-1, -1, -1, 1, 2}));
    // One that is sent all the same finishes, and releases its children.
    const FluidResult sent = RunUnits(workload, "varys-deadline", {"bestEffort=true"});
    EXPECT_FALSE(sent.coflows[0].admitted);
    EXPECT_TRUE(sent.coflows[1].admitted);
    EXPECT_NE(sent.coflows[2].finish, NEVER);
}

TEST(Deadlines, VirtualClusterReservesBothDirectionsIfToldTo)
{
    const Workload workload = MakeWorkload(4,
                                           {WithDeadline(MakeCoflow(1, {{0, 1, 6}}), 10),
                                            WithDeadline(MakeCoflow(2, {{1, 2, 6}}), 10)});
    EXPECT_TRUE(RunUnits(workload, "vc").coflows[1].admitted);
    EXPECT_FALSE(RunUnits(workload, "vc", {"bidirectional=true"}).coflows[1].admitted);
}

TEST(Deadlines, WhatIsAdmittedIsMet)
{
    int admitted = 0;
    int rejected = 0;
    for (unsigned seed = 0; seed < 100; ++seed)
    {
        const Workload workload =
            RandomWorkload(seed, {5, 20, 6, 4 * UNIT_BYTES, 20 * UNIT, 1.0 + seed % 3});
        for (const char* policy : {"varys-deadline", "vc"})
        {
            const FluidResult result = RunUnits(workload, policy);
            for (std::size_t c = 0; c < workload.coflows.size(); ++c)
            {
                const Coflow& coflow = workload.coflows[c];
                if (result.coflows[c].admitted)
                {
                    ++admitted;
                    EXPECT_LE(result.coflows[c].finish, coflow.arrival + *coflow.deadline)
                        << policy << " seed " << seed << " coflow " << coflow.id;
                }
                rejected += !result.coflows[c].admitted;
            }
        }
    }
    EXPECT_GT(admitted, 1000);
    EXPECT_GT(rejected, 100);
}
