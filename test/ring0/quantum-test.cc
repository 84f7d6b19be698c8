/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs with a step of time, as simulators have that results are compared with.

#include "fluid-test-util.h"

#include "ns3/coflow-statistics.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

TEST(Quantum, ArrivalsMoveDownFinishesUpAndWhatAFlowLeavesIsLost)
{
    // C1 counts from 0 and has 1/4 left at 1, where C2 counts from. Each has half of port 0: C1 is
    // through at 1.5, which counts as 2. Until then C2 has no more than its half. It has 1/2 left
    // at 2, is through at 2.5, and counts as finished at 3.
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 1.25}}, 0.3), MakeCoflow(2, {{0, 2, 1}}, 1.9)});
    FluidOptions options;
    options.quantum = UNIT;
    for (const Executor executor : EXECUTORS)
    {
        const FluidResult result = RunUnits(workload, "fair", {}, options, executor);
        EXPECT_EQ(result.coflows[0].arrival, 0);
        EXPECT_EQ(result.coflows[0].finish, 2 * UNIT);
        EXPECT_EQ(result.coflows[1].arrival, UNIT);
        EXPECT_EQ(result.coflows[1].finish, 3 * UNIT);
    }
}

TEST(Quantum, EverythingHappensAtItsMultiplesUnderEveryPolicy)
{
    constexpr Nanoseconds QUANTUM = UNIT / 8 + 1;
    for (const auto& [name, info] : Policies::All())
    {
        for (unsigned seed = 0; seed < 10; ++seed)
        {
            const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
            const PortRates capacity = PortRates::Uniform(workload.hosts, PORT_RATE);
            FluidOptions options = Watched([&](const FluidInterval& interval) {
                EXPECT_EQ(interval.from % QUANTUM, 0);
                EXPECT_EQ(interval.to % QUANTUM, 0);
            });
            options.quantum = QUANTUM;
            if (seed % 2 == 1)
            {
                options.control.delay = UNIT / 5;
                options.bypass = UNIT_BYTES;
            }
            const FluidResult result = RunUnits(workload, name, {}, options);
            for (std::size_t c = 0; c < workload.coflows.size(); ++c)
            {
                const CoflowOutcome& outcome = result.coflows[c];
                EXPECT_EQ(outcome.arrival, workload.coflows[c].arrival / QUANTUM * QUANTUM);
                EXPECT_EQ(outcome.finish == NEVER, !outcome.admitted) << name << " seed " << seed;
                if (outcome.admitted)
                {
                    EXPECT_EQ(outcome.finish % QUANTUM, 0) << name << " seed " << seed;
                    EXPECT_GE(static_cast<double>(outcome.Cct()) * 1e-9,
                              GammaSeconds(workload.coflows[c], capacity) - 1e-9);
                }
            }
        }
    }
}

TEST(Quantum, OfANanosecondChangesNothing)
{
    for (const auto& [name, info] : Policies::All())
    {
        const Workload workload = RandomWorkload(3);
        FluidOptions options;
        options.quantum = 1;
        EXPECT_EQ(RunUnits(workload, name, {}, options).flowFinish,
                  RunUnits(workload, name).flowFinish)
            << name;
    }
}
