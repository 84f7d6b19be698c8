/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How far a run of the fluid engine is.

#include "fluid-test-util.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// What a run tells of itself whenever it may, which is at every 64th event.
std::vector<FluidProgress>
Told(const Workload& workload, const std::string& policy, Executor executor)
{
    std::vector<FluidProgress> told;
    FluidOptions options;
    options.progress = [&](const std::function<FluidProgress()>& look) { told.push_back(look()); };
    RunUnits(workload, policy, {}, options, executor);
    return told;
}

} // namespace

TEST(FluidProgress, CountsBytesAlsoOfFlowsThatAreUnderWay)
{
    // Coflow n comes at time n and has its port to itself for one unit of time: when it comes, the
    // one before is through. The last coflow has four flows between other hosts, which are alone
    // there and take 128 units. So at time t, t units have moved between the first two hosts, and
    // 4 t units between the others.
    std::vector<Coflow> coflows;
    for (CoflowId id = 0; id < 100; ++id)
    {
        coflows.push_back(MakeCoflow(id, {{0, 1, 1}}, static_cast<double>(id)));
    }
    coflows.push_back(MakeCoflow(100, {{2, 6, 128}, {3, 7, 128}, {4, 8, 128}, {5, 9, 128}}));
    const auto workload = MakeWorkload(10, coflows);
    // Representatives of the four executors.
    for (const char* policy : {"fair", "varys", "nc-drf", "pfabric"})
    {
        for (const Executor executor : EXECUTORS)
        {
            const auto told = Told(workload, policy, executor);
            ASSERT_FALSE(told.empty()) << policy;
            for (const auto& progress : told)
            {
                const double t = static_cast<double>(progress.now) / UNIT;
                const double through = std::min(100.0, std::floor(t + 1e-6));
                const double moving = t - through > 1e-6 && t < 100 ? t - through : 0;
                EXPECT_NEAR(progress.byteShare, (through + moving + 4 * t) / (100 + 4 * 128), 1e-4)
                    << policy << " at " << t;
                EXPECT_NEAR(static_cast<double>(progress.finishedCoflows), through, 1)
                    << policy << " at " << t;
            }
        }
    }
}

TEST(FluidProgress, CoflowsThatAreRejectedAreNoWork)
{
    // Of every two coflows on the same port, with a deadline that leaves time for one, the second
    // is rejected.
    std::vector<Coflow> coflows;
    for (CoflowId id = 0; id < 200; ++id)
    {
        coflows.push_back(
            WithDeadline(MakeCoflow(id, {{0, 1, 1}}, 2.0 * static_cast<double>(id / 2)), 1.2));
    }
    const auto told = Told(MakeWorkload(2, coflows), "varys-deadline", Executor::CHOSEN);
    ASSERT_GE(told.size(), 3U);
    double before = 0;
    for (const auto& progress : told)
    {
        EXPECT_GE(progress.byteShare, before);
        before = progress.byteShare;
        // One coflow every two units of time, of a hundred; those that have yet to be rejected
        // still count.
        const double t = static_cast<double>(progress.now) / UNIT;
        const double done = std::floor(t / 2) + std::min(1.0, t - 2 * std::floor(t / 2));
        EXPECT_NEAR(progress.byteShare, done / (200 - std::floor(t / 2 + 1)), 0.01) << t;
    }
}
