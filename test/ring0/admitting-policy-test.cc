/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// DCoflow, WDCoflow and CS-MHA as policies: when they choose, whom they serve, what they keep.

#include "fluid-test-util.h"
#include "policy-names.h"

#include <gtest/gtest.h>
#include <map>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// Representatives of policies that admit coflows and order them together: all AdmittingPolicy.
const std::string ADMITTING[] = {"dcoflow", "wdcoflow", "cs-mha"};

/// One coflow to four receivers and one more to each of them, all of size and deadline 1.
Workload
WideAndNarrow()
{
    std::vector<Coflow> coflows{
        WithDeadline(MakeCoflow(1, {{4, 0, 1}, {5, 1, 1}, {6, 2, 1}, {7, 3, 1}}), 1)};
    for (HostId h = 0; h < 4; ++h)
    {
        coflows.push_back(WithDeadline(MakeCoflow(2 + h, {{8 + h, h, 1}}), 1));
    }
    return MakeWorkload(12, coflows);
}

/// Random coflows with deadlines in which every flow has a sender of its own, so that the times of
/// an open shop are those of the ports.
Workload
OwnSenders(unsigned seed)
{
    Workload workload = RandomWorkload(seed, {5, 20, 6, 4 * UNIT_BYTES, 20 * UNIT, 1.0 + seed % 3});
    HostId sender = workload.hosts;
    for (Coflow& coflow : workload.coflows)
    {
        for (Flow& flow : coflow.flows)
        {
            flow.src = sender++;
        }
    }
    workload.hosts = sender;
    return workload;
}

} // namespace

// The wide coflow is first in the table. Beside it the second coflow is as good, psi = -1 each, and
// the first one goes. All others find their port free then. The wide one comes behind.
// C2 is ready when C1 has finished, at 10, and then needs 1. Its deadline is 5 after that.
TEST(DeadlineOfAChild, CountsFromTheEndOfTheParents)
{
    Coflow child = MakeCoflow(2, {{2, 3, 1}});
    child.parents = {1};
    child.deadline = 5 * UNIT;
    const Workload workload = MakeWorkload(4, {MakeCoflow(1, {{0, 1, 10}}), child});
    for (const auto& policy : PolicyNames([](const auto&, const auto&) { return true; }))
    {
        const FluidResult result = RunUnits(workload, policy);
        EXPECT_TRUE(result.coflows[1].admitted) << policy;
        EXPECT_LE(result.coflows[1].finish, 15 * UNIT) << policy;
    }
    // C3 arrives at 10 with a deadline of 13, which is before that of C2.
    Coflow urgent = MakeCoflow(3, {{2, 3, 1}}, 10);
    urgent.deadline = 3 * UNIT;
    const FluidResult result =
        RunUnits(MakeWorkload(4, {MakeCoflow(1, {{0, 1, 10}}), child, urgent}), "edf");
    EXPECT_EQ(result.coflows[1].finish, 12 * UNIT);
    EXPECT_EQ(result.coflows[2].finish, 11 * UNIT);
}

TEST(Admitting, DCoflowDisplacesTheWideOne)
{
    const Workload workload = WideAndNarrow();
    EXPECT_EQ(Ccts(RunUnits(workload, "dcoflow")), (Times{2, 1, 1, 1, 1}));
    EXPECT_EQ(Ccts(RunUnits(workload, "dcoflow", {"displace=false"})), (Times{1, -1, -1, -1, -1}));
    EXPECT_EQ(Ccts(RunUnits(workload, "cs-mha")), (Times{1, -1, -1, -1, -1}));
    EXPECT_EQ(Ccts(RunUnits(workload, "cs-mha", {"bestEffort=true"})), (Times{1, 2, 2, 2, 2}));
}

TEST(Admitting, AWeightDecides)
{
    Workload workload = WideAndNarrow();
    workload.coflows[0].attributes.weight = 10;
    EXPECT_EQ(Ccts(RunUnits(workload, "wdcoflow")), (Times{1, -1, -1, -1, -1}));
    EXPECT_EQ(Ccts(RunUnits(workload, "dcoflow")), (Times{2, 1, 1, 1, 1}))
        << "weights do not count";
}

TEST(Admitting, EqualWeightsAreDCoflow)
{
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        Workload workload =
            RandomWorkload(seed, {5, 20, 6, 4 * UNIT_BYTES, 10 * UNIT, 1.0 + seed % 3});
        const Times plain = Ccts(RunUnits(workload, "dcoflow"));
        for (const std::uint32_t weight : {1U, 8U})
        {
            for (Coflow& coflow : workload.coflows)
            {
                coflow.attributes.weight = weight;
            }
            EXPECT_EQ(Ccts(RunUnits(workload, "wdcoflow", {"candidates=all"})), plain);
        }
    }
}

// A new coflow that cannot be in time leaves the order as it was, and is not sent: C1 is sent 0..4.
// C2 would be through at 8, after 7. C3 is through at 8, before 9.
TEST(Admitting, ARejectedCoflowChangesNothing)
{
    const Workload workload = MakeWorkload(2,
                                           {WithDeadline(MakeCoflow(1, {{0, 1, 4}}), 4),
                                            WithDeadline(MakeCoflow(2, {{0, 1, 4}}), 7),
                                            WithDeadline(MakeCoflow(3, {{0, 1, 4}}), 9)});
    for (const std::string& name : ADMITTING)
    {
        EXPECT_EQ(Ccts(RunUnits(workload, name, {"displace=false"})), (Times{4, -1, 8})) << name;
    }
    // One comes for the other: psi of C1 is 4 x (4 - 8), of C2 4 x (7 - 8).
    EXPECT_EQ(Ccts(RunUnits(workload, "dcoflow")), (Times{12, 4, 8}));
    EXPECT_EQ(Ccts(RunUnits(workload, "cs-mha")), (Times{4, -1, 8}));
}

TEST(Admitting, ARejectedCoflowComesAgain)
{
    for (const std::string& name : ADMITTING)
    {
        int once = 0;
        int again = 0;
        for (unsigned seed = 0; seed < 40; ++seed)
        {
            const Workload workload =
                RandomWorkload(seed, {5, 20, 6, 4 * UNIT_BYTES, 20 * UNIT, 3.0});
            for (const CoflowOutcome& coflow : RunUnits(workload, name).coflows)
            {
                once += coflow.admitted;
            }
            for (const CoflowOutcome& coflow : RunUnits(workload, name, {"retryAfter=0.1"}).coflows)
            {
                again += coflow.admitted;
            }
        }
        EXPECT_GT(again, once) << name;
    }
}

// Asked by hand: what is late, what is left out, and what has no deadline.
TEST(Admitting, WhoIsLateGoesBehind)
{
    for (const std::string& name : ADMITTING)
    {
        const auto policy = MakePolicy(name);
        const auto capacity = PortRates::Uniform(2, PORT_RATE);
        FlowTable table;
        table.Add(WithDeadline(MakeCoflow(1, {{0, 1, 4}}), 5), 0, 0);
        EXPECT_TRUE(policy->Admit(table, 0, 0, capacity).admitted);
        table.Add(MakeCoflow(2, {{0, 1, 4}}), 1, 0);
        EXPECT_TRUE(policy->Admit(table, 1, 0, capacity).admitted);
        std::vector<double> rates(2);
        const Decision first = policy->Decide(table, 0, capacity, rates);
        EXPECT_EQ(first.askAgain, 5 * UNIT);
        EXPECT_EQ(rates, (Times{PORT_RATE, 0}));
        rates = {0, 0};
        const Decision late = policy->Decide(table, 5 * UNIT, capacity, rates);
        EXPECT_EQ(late.askAgain, NEVER);
        EXPECT_EQ(rates, (Times{0, PORT_RATE}));
        EXPECT_EQ(std::vector(late.order.begin(), late.order.end()),
                  (std::vector<std::uint32_t>{1, 0}));
    }
}

// A coordinator that was started again is shown coflows that it was never asked to admit.
TEST(Admitting, CoflowsOfAnotherCoordinatorAreChosenFrom)
{
    for (const std::string& name : ADMITTING)
    {
        const auto policy = MakePolicy(name);
        const auto capacity = PortRates::Uniform(2, PORT_RATE);
        FlowTable table;
        table.Add(WithDeadline(MakeCoflow(1, {{0, 1, 4}}), 9), 0, 0);
        table.Add(WithDeadline(MakeCoflow(2, {{0, 1, 3}}), 4), 1, 0);
        std::vector<double> rates(2);
        policy->Decide(table, 0, capacity, rates);
        EXPECT_EQ(rates, (Times{0, PORT_RATE})) << name << ": both are in time, the second first";
    }
}

TEST(Admitting, WhatIsAdmittedIsInTimeWhereNoFlowWaitsForTwoPorts)
{
    for (const std::string& name : ADMITTING)
    {
        int admitted = 0;
        int rejected = 0;
        for (unsigned seed = 0; seed < 40; ++seed)
        {
            const Workload workload = OwnSenders(seed);
            const FluidResult result = RunUnits(workload, name, {"displace=false"});
            for (std::size_t c = 0; c < workload.coflows.size(); ++c)
            {
                if (result.coflows[c].admitted)
                {
                    // Every flow may end a nanosecond late, and there are at most 120.
                    ++admitted;
                    EXPECT_LE(result.coflows[c].finish,
                              workload.coflows[c].arrival + *workload.coflows[c].deadline + 120)
                        << name << " seed " << seed << " coflow " << c;
                }
                rejected += !result.coflows[c].admitted;
            }
        }
        EXPECT_GT(admitted, 300) << name;
        EXPECT_GT(rejected, 100) << name;
    }
}

TEST(Admitting, MoreAreInTimeThanWithoutAdmission)
{
    int edf = 0;
    std::map<std::string, int> met;
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, {5, 30, 6, 4 * UNIT_BYTES, 20 * UNIT, 1.0});
        edf += Met(workload, RunUnits(workload, "edf"));
        for (const std::string& name : ADMITTING)
        {
            met[name] += Met(workload, RunUnits(workload, name));
        }
    }
    for (const std::string& name : ADMITTING)
    {
        EXPECT_GT(met[name], edf) << name;
    }
}

// Coflows of one time are put forward by deadline, so that ids do not matter.
TEST(Admitting, TheOrderInWhichCoflowsOfOneTimeAreWrittenDownDoesNotMatter)
{
    for (const std::string& policy : ADMITTING)
    {
        for (unsigned seed = 0; seed < 30; ++seed)
        {
            Workload workload = OwnSenders(seed);
            for (std::size_t c = 0; c < workload.coflows.size(); ++c)
            {
                // All at once, no two with one deadline.
                Coflow& coflow = workload.coflows[c];
                coflow.id = c + 1;
                coflow.arrival = 0;
                coflow.parents.clear();
                coflow.deadline = static_cast<Nanoseconds>((2 + (7 * c + seed) % 31) * UNIT + c);
            }
            Workload other = workload;
            std::reverse(other.coflows.begin(), other.coflows.end());
            for (std::size_t c = 0; c < other.coflows.size(); ++c)
            {
                other.coflows[c].id = workload.coflows[c].id;
            }
            const FluidResult result = RunUnits(workload, policy);
            const FluidResult reversed = RunUnits(other, policy);
            const std::size_t count = workload.coflows.size();
            for (std::size_t c = 0; c < count; ++c)
            {
                EXPECT_EQ(result.coflows[c].admitted, reversed.coflows[count - 1 - c].admitted)
                    << policy << ", seed " << seed;
            }
        }
    }
}
