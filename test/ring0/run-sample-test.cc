/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Samples of a run over time: utilisation, progress and its disparity.

#include "fluid-test-util.h"
#include "policy-names.h"

#include "ns3/coflow-run-sample.h"
#include "ns3/coflow-run-sampler.h"

#include <cmath>
#include <gtest/gtest.h>
#include <variant>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// A sample with two coflows of these progresses.
RunSample
Sample(double smallest, double largest)
{
    return {0, 2, 2, 0.5, smallest, largest};
}

/// Runs with samples so far apart.
FluidResult
RunSampled(const Workload& workload,
           const std::string& policy,
           double units,
           FluidOptions options = {},
           Executor executor = Executor::CHOSEN)
{
    options.sampleInterval = static_cast<Nanoseconds>(units * UNIT);
    return RunUnits(workload, policy, {}, options, executor);
}

} // namespace

TEST(RunSample, DisparityIsLargestOverSmallestProgress)
{
    EXPECT_EQ(Sample(0.25, 0.75).Disparity(), 3);
    EXPECT_TRUE(std::isinf(Sample(0, 0.75).Disparity()));
    EXPECT_EQ(Sample(0, 0).Disparity(), 1);
}

TEST(RunSample, CsvLeavesUndefinedEmptyAndSaysInf)
{
    EXPECT_EQ(ToCsv({RunSample{0, 1, 3, 0.5, 0.25, 0.5},
                     RunSample{1'500'000'000, 2, 4, 1, 0, 1},
                     RunSample{3'000'000'000, 0, 0, 0, 0, 0}}),
              "time_s,coflows,flows,utilisation,progress_min,progress_max,disparity,"
              "queue_bytes,largest_queue_bytes,control_wire_bytes\n"
              "0.000000000,1,3,0.5,0.25,0.5,2,,,\n"
              "1.500000000,2,4,1,0,1,inf,,,\n"
              "3.000000000,0,0,0,,,,,,\n");
    const std::vector<RunSample> packets{{0, 2, 3, 0.5, 0.5, 1, NetworkSample{3000, 1500, 52}}};
    EXPECT_TRUE(ToCsv(packets).ends_with("\n0.000000000,2,3,0.5,0.5,1,2,3000,1500,52\n"));
}

TEST(DisparitySummary, CountsInfiniteApart)
{
    std::vector<RunSample> samples(60, Sample(0.5, 0.5));
    samples.insert(samples.end(), 30, Sample(0.25, 0.5));
    samples.insert(samples.end(), 10, Sample(0, 0.5));
    samples.push_back(RunSample());
    const DisparitySummary summary = DisparitySummary::Of(samples).value();
    EXPECT_EQ(summary.samples, 100U) << "the last has no coflow";
    EXPECT_EQ(summary.median, 1);
    EXPECT_TRUE(std::isinf(summary.p95));
    EXPECT_EQ(summary.largestFinite, 2);
    EXPECT_DOUBLE_EQ(summary.infinite, 0.1);
    EXPECT_FALSE(DisparitySummary::Of({}));
    EXPECT_NE(summary.ToJson().ToString().find("\"p95\": null"), std::string::npos);
}

TEST(RunSampler, E1ByHand)
{
    // C1 (demands 1/4, 1/2, 1) has 1/2, 1/2 and 1: progress 1 at the tightest port. C2 has half of
    // both its ports. Three of twenty senders are busy. At 3, C1's third flow and C2's first and
    // second are left: at port 1 C2 has been alone since 2.
    const Workload workload = MakeWorkload(20,
                                           {MakeCoflow(1, {{1, 11, 1}, {2, 12, 2}, {3, 13, 4}}),
                                            MakeCoflow(2, {{1, 11, 2}, {2, 12, 2}})});
    for (const Executor executor : EXECUTORS)
    {
        const auto samples = RunSampled(workload, "fair", 1.5, {}, executor).samples;
        ASSERT_EQ(samples.size(), 3U) << "0, 1.5 and 3; all is over at 4";
        EXPECT_EQ(samples[0].coflows, 2U);
        EXPECT_EQ(samples[0].flows, 5U);
        EXPECT_DOUBLE_EQ(samples[0].utilisation, 3.0 / 20);
        EXPECT_DOUBLE_EQ(samples[0].smallestProgress, 0.5);
        EXPECT_DOUBLE_EQ(samples[0].largestProgress, 1);
        EXPECT_EQ(samples[2].time, 3 * UNIT);
        // C1: 2>12 has 0.5 left of 2 at 3, 3>13 has 1: demands 0.5 and 1, rates 0.5 and 1.
        // C2 ended at 3 at port 1; at port 2 it has 0.5 left and rate 0.5.
        EXPECT_EQ(samples[2].flows, 3U);
        EXPECT_NEAR(samples[2].largestProgress, 1, 1e-9);
        EXPECT_NEAR(samples[2].smallestProgress, 0.5, 1e-9);
        EXPECT_NEAR(samples[2].utilisation, 2.0 / 20, 1e-9);
    }
}

TEST(RunSampler, OfEmptyTimeTheFirstThousandSamplesAndTheLastAreThere)
{
    // A coflow of one unit at 0, and one at a million; samples every unit.
    constexpr Nanoseconds LATE = 1'000'000 * UNIT;
    Workload workload =
        MakeWorkload(20, {MakeCoflow(1, {{1, 11, 1}}), MakeCoflow(2, {{1, 11, 1}})});
    workload.coflows.back().arrival = LATE;
    // Representatives of the executors.
    for (const char* policy : {"fair", "varys", "pfabric", "nc-drf", "aalo"})
    {
        const auto samples = RunSampled(workload, policy, 1).samples;
        ASSERT_EQ(samples.size(), 1 + RunSampler::EMPTY_SAMPLES + 2) << policy;
        EXPECT_EQ(samples[RunSampler::EMPTY_SAMPLES].time,
                  static_cast<Nanoseconds>(RunSampler::EMPTY_SAMPLES) * UNIT);
        EXPECT_EQ(samples[RunSampler::EMPTY_SAMPLES + 1].time, LATE - UNIT) << policy;
        EXPECT_EQ(samples[RunSampler::EMPTY_SAMPLES + 1].flows, 0U) << policy;
        EXPECT_EQ(samples.back().time, LATE) << policy;
        EXPECT_EQ(samples.back().flows, 1U) << policy;
    }
}

TEST(RunSampler, AllExecutorsSayTheSameAndAreNotChanged)
{
    for (const auto& policy : PolicyNames([](const PolicyInfo&, const Policy& made) {
             return !std::holds_alternative<std::monostate>(made.GetForm());
         }))
    {
        for (unsigned seed = 0; seed < 20; ++seed)
        {
            const Workload workload = RandomWorkload(seed);
            const FluidResult slow = RunSampled(workload, policy, 0.7, {}, Executor::GENERAL);
            const FluidResult fast = RunSampled(workload, policy, 0.7);
            EXPECT_EQ(fast.flowFinish, RunUnits(workload, policy).flowFinish);
            EXPECT_EQ(slow.flowFinish,
                      RunUnits(workload, policy, {}, {}, Executor::GENERAL).flowFinish);
            ASSERT_EQ(slow.samples.size(), fast.samples.size());
            for (std::size_t s = 0; s < slow.samples.size(); ++s)
            {
                EXPECT_EQ(slow.samples[s].flows, fast.samples[s].flows) << policy;
                EXPECT_EQ(slow.samples[s].coflows, fast.samples[s].coflows) << policy;
                EXPECT_NEAR(slow.samples[s].utilisation, fast.samples[s].utilisation, 1e-6);
                EXPECT_NEAR(slow.samples[s].smallestProgress,
                            fast.samples[s].smallestProgress,
                            1e-5)
                    << policy << " seed " << seed;
                EXPECT_NEAR(slow.samples[s].largestProgress, fast.samples[s].largestProgress, 1e-5);
            }
        }
    }
}

TEST(RunSampler, DrfHasNoDisparityAndWaitingCoflowsMakeItInfinite)
{
    const Workload workload = RandomWorkload(5);
    for (const RunSample& sample : RunSampled(workload, "drf", 0.3).samples)
    {
        EXPECT_NEAR(sample.Disparity(), 1, 1e-6);
    }
    // C2 waits for its first decision from 1 to 3.
    const Workload two =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 4}}), MakeCoflow(2, {{2, 3, 4}}, 1)});
    FluidOptions options;
    options.control.delay = 2 * UNIT;
    const auto samples = RunSampled(two, "drf", 1, options).samples;
    ASSERT_GE(samples.size(), 6U);
    EXPECT_EQ(samples[1].Disparity(), 1) << "nobody progresses yet";
    EXPECT_EQ(samples[1].coflows, 2U);
    EXPECT_TRUE(std::isinf(samples[3].Disparity()) || samples[2].Disparity() > 1e9);
    EXPECT_DOUBLE_EQ(samples[5].Disparity(), 1);
}
