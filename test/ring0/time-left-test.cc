/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long a run goes on, and how far a run of the fluid engine is.

#include "fluid-test-util.h"

#include "ns3/coflow-fluid-forecast.h"
#include "ns3/coflow-time-left.h"

#include <gtest/gtest.h>
#include <limits>

using namespace coflow;
using namespace coflow::test;

TEST(TimeLeft, FollowsFromTheTimeAndTheShareSoFar)
{
    // A tenth in 6 s: nine tenths take 54 s.
    EXPECT_DOUBLE_EQ(EstimateSecondsLeft(6, 0.1).value(), 54);
    EXPECT_DOUBLE_EQ(EstimateSecondsLeft(30, 0.5).value(), 30);
    EXPECT_DOUBLE_EQ(EstimateSecondsLeft(99, 0.99).value(), 1);
    EXPECT_EQ(EstimateSecondsLeft(10, 1), 0);
    EXPECT_EQ(EstimateSecondsLeft(10, 1.5), 0);
    EXPECT_FALSE(EstimateSecondsLeft(10, 0));
    EXPECT_FALSE(EstimateSecondsLeft(10, -1));
    EXPECT_FALSE(EstimateSecondsLeft(0, 0.5));
    EXPECT_FALSE(EstimateSecondsLeft(10, std::numeric_limits<double>::quiet_NaN()));
}

TEST(TimeLeft, IsToldAsClocksDo)
{
    EXPECT_EQ(FormatClock(0), "0:00");
    EXPECT_EQ(FormatClock(59.4), "0:59");
    EXPECT_EQ(FormatClock(59.6), "1:00");
    EXPECT_EQ(FormatClock(3599), "59:59");
    EXPECT_EQ(FormatClock(7209), "2:00:09");
    EXPECT_EQ(FormatTimeLeft(65), "1:05 left");
    EXPECT_EQ(FormatTimeLeft(9.6), "0:10 left");
    EXPECT_EQ(FormatTimeLeft(9.4), "less than 10 s left");
    EXPECT_EQ(FormatTimeLeft(0), "less than 10 s left");
    EXPECT_EQ(FormatTimeLeft(std::nullopt), "time left unknown");
}

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
                EXPECT_NEAR(progress.doneShare, (through + moving + 4 * t) / (100 + 4 * 128), 1e-4)
                    << policy << " at " << t;
                EXPECT_NEAR(static_cast<double>(progress.finishedCoflows), through, 1)
                    << policy << " at " << t;
            }
            EXPECT_GE(told.back().events, 64U);
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
        EXPECT_GE(progress.doneShare, before);
        before = progress.doneShare;
        // One coflow every two units of time, of a hundred; those that have yet to be rejected
        // still count.
        const double t = static_cast<double>(progress.now) / UNIT;
        const double done = std::floor(t / 2) + std::min(1.0, t - 2 * std::floor(t / 2));
        EXPECT_NEAR(progress.doneShare, done / (200 - std::floor(t / 2 + 1)), 0.01) << t;
    }
}

TEST(FluidForecast, SplitsPortsBetweenFlows)
{
    // Coflow 1 has two flows of a unit to one port, coflow 2 one that comes after a unit of time.
    // Of the first two, half is then through. The rest takes 1.5 units of time at a third of the
    // port each, and what is left of the last flow another half: there are 2, 3, 1 and 0 flows.
    const auto workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 3, 1}, {1, 3, 1}}), MakeCoflow(2, {{2, 3, 1}}, 1)});
    const PortRates capacity = PortRates::Uniform(4, PORT_RATE);
    const FluidOptions options;
    FluidRun run(workload, capacity, options);
    FluidForecast forecast(run);
    EXPECT_DOUBLE_EQ(forecast.All().events, 4);
    EXPECT_DOUBLE_EQ(forecast.All().present, 6);
    EXPECT_DOUBLE_EQ(forecast.PaidShare(0, {}, 0.5), 0);
    // Coflow 1 has started; when coflow 2 comes, there are 3, 1 and 0 flows.
    run.TakeReady();
    std::vector<FlowState> flows{{0, 1, 1, 3, 0.5 * UNIT_BYTES, 0},
                                 {0, 0, 0, 3, 0.5 * UNIT_BYTES, 0}};
    const auto left = forecast.Left(UNIT, flows);
    EXPECT_DOUBLE_EQ(left.events, 3);
    EXPECT_DOUBLE_EQ(left.present, 4);
    EXPECT_DOUBLE_EQ(forecast.PaidShare(UNIT, flows, 0), 1 - 3.0 / 4);
    EXPECT_DOUBLE_EQ(forecast.PaidShare(UNIT, flows, 1), 1 - 4.0 / 6);
    // Were coflow 2 rejected, there would have been 2 and 0 flows, and would be.
    run.TakeReady();
    run.Reject(1, false);
    EXPECT_DOUBLE_EQ(forecast.All().present, 2);
    EXPECT_DOUBLE_EQ(forecast.Left(UNIT, flows).present, 2);
    EXPECT_DOUBLE_EQ(forecast.PaidShare(UNIT, {}, 0.5), 1);
}

TEST(FluidForecast, TellsTimeLeftWhereBytesDoNot)
{
    // Nearly all bytes are those of one coflow that comes first, and nearly all events those of
    // small coflows that come when it is through. Each event costs one second.
    std::vector<Coflow> coflows{MakeCoflow(0, {{0, 1, 10'000}})};
    for (CoflowId id = 1; id <= 1000; ++id)
    {
        const double arrival = id < 100 ? 10.0 * id : 10'000 + 2.0 * id;
        coflows.push_back(MakeCoflow(id, {{2, 3, 1}}, arrival));
    }
    const auto workload = MakeWorkload(4, coflows);
    // Representatives of policies without a period of their own.
    for (const char* policy : {"fair", "sincronia", "nc-drf", "pfabric"})
    {
        const auto told = Told(workload, policy, Executor::CHOSEN);
        ASSERT_GT(told.size(), 10U) << policy;
        const auto total = static_cast<double>(RunUnits(workload, policy).counters.events);
        double worstByBytes = 1;
        for (const auto& progress : told)
        {
            const auto seconds = static_cast<double>(progress.events);
            if (seconds < 0.1 * total || seconds > 0.95 * total)
            {
                continue;
            }
            const double really = total - seconds;
            const double left = EstimateSecondsLeft(seconds, progress.paidShare).value();
            EXPECT_GT(left, really / 2) << policy << " after " << seconds;
            EXPECT_LT(left, really * 2) << policy << " after " << seconds;
            const double byBytes = EstimateSecondsLeft(seconds, progress.doneShare).value();
            worstByBytes = std::min(worstByBytes, byBytes / really);
        }
        EXPECT_LT(worstByBytes, 0.5) << policy; // otherwise this test would say nothing
    }
}
