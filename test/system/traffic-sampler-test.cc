/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Samples over time of runs at packet level: those of the same workload as a fluid, and all bytes.

#include "central-fixture.h"

#include "ns3/rng-seed-manager.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::RunSample;
using ::coflow::Workload;

namespace
{

/// Two coflows of different shapes, the second one a little later, and one that comes in between
/// and is gone soon.
Workload
Staggered()
{
    return {6,
            {MakeCoflow(1, {{0, 3, 4}, {1, 4, 8}, {2, 5, 16}}),
             MakeCoflow(2, {{0, 3, 8}, {1, 4, 8}}, 0.5),
             MakeCoflow(3, {{2, 4, 0.5}, {2, 2, 1}}, 2.3)}};
}

/// Runs with the same random numbers every time.
ExperimentResult
RunSampled(const Workload& workload, const std::string& scheduler, const std::string& interval)
{
    ns3::RngSeedManager::ResetNextStreamIndex();
    return RunPacketExperiment(
        workload,
        IdealConfig(scheduler, workload.hosts, {{"sampleInterval", interval}}));
}

/// Samples of the fluid of what TCP leaves of the ports, where ports have their whole rate.
std::vector<RunSample>
FluidSamples(const Workload& workload, const std::string& scheduler, double units)
{
    const auto policy = ::coflow::MakePolicy(scheduler, {});
    ::coflow::FluidOptions options;
    options.sampleInterval = static_cast<::coflow::Nanoseconds>(units * UNIT);
    auto samples = ::coflow::RunFluid(workload,
                                      ::coflow::PortRates::Uniform(workload.hosts, KAPPA * 12.5e6),
                                      *policy,
                                      options)
                       .samples;
    for (auto& sample : samples)
    {
        sample.utilisation *= KAPPA;
        sample.smallestProgress *= KAPPA;
        sample.largestProgress *= KAPPA;
    }
    return samples;
}

} // namespace

TEST(TrafficSampler, SeesWhatTheFluidEngineSees)
{
    const auto workload = Staggered();
    // Representatives: shares by size, by count and by weight, and an order.
    for (const char* scheduler : {"drf", "nc-drf", "varys", "wss"})
    {
        // The middle of every fluid interval without an event is what packets had in all of it.
        const auto fluid = FluidSamples(workload, scheduler, 0.25);
        const auto packet = RunSampled(workload, scheduler, "50ms").samples;
        unsigned compared = 0;
        for (std::size_t i = 0; i < packet.size() && 2 * i + 2 < fluid.size(); ++i)
        {
            const auto& start = fluid[2 * i];
            const auto& middle = fluid[2 * i + 1];
            const auto& end = fluid[2 * i + 2];
            EXPECT_EQ(packet[i].time, end.time);
            if (start.flows != end.flows || std::fabs(start.utilisation - end.utilisation) > 1e-3 ||
                std::fabs(start.smallestProgress - end.smallestProgress) > 1e-3)
            {
                continue;
            }
            ++compared;
            EXPECT_EQ(packet[i].coflows, end.coflows) << scheduler << ' ' << i;
            EXPECT_EQ(packet[i].flows, end.flows) << scheduler << ' ' << i;
            EXPECT_NEAR(packet[i].utilisation, middle.utilisation, 0.01) << scheduler << ' ' << i;
            EXPECT_NEAR(packet[i].smallestProgress, middle.smallestProgress, 0.03)
                << scheduler << ' ' << i;
            EXPECT_NEAR(packet[i].largestProgress, middle.largestProgress, 0.03)
                << scheduler << ' ' << i;
        }
        EXPECT_GT(compared, 20U) << scheduler;
    }
}

TEST(TrafficSampler, CountsEveryByteOnceAndChangesNothing)
{
    const auto workload = Staggered();
    const auto sampled = RunSampled(workload, "fair", "70ms");
    const auto plain = RunSampled(workload, "fair", "0s");
    EXPECT_TRUE(plain.samples.empty());
    EXPECT_EQ(sampled.events, plain.events);
    EXPECT_EQ(::coflow::ToCsv(sampled.flows), ::coflow::ToCsv(plain.flows));

    // What was delivered after the last sample is missing.
    const double last = static_cast<double>(sampled.samples.back().time) * 1e-9;
    EXPECT_GT(last, sampled.simulatedSeconds - 0.07);
    double sum = 0;
    for (const auto& sample : sampled.samples)
    {
        EXPECT_LE(sample.utilisation, 1);
        sum += sample.utilisation * 6 * 12.5e6 * 0.07;
    }
    // Its local flow is on no port.
    const double bytes = 44.5 * UNIT_BYTES;
    EXPECT_LE(sum, bytes + 1);
    EXPECT_GT(sum, bytes - 6 * 12.5e6 * (sampled.simulatedSeconds - last) - 1);
}

TEST(TrafficSampler, OneThatWaitsMakesTheDisparityInfinite)
{
    // Under FIFO the second coflow waits until the first is done, after 4 units of goodput.
    const Workload workload{4, {MakeCoflow(1, {{0, 2, 4}}), MakeCoflow(2, {{0, 3, 2}}, 0.2)}};
    const auto samples = RunSampled(workload, "fifo", "100ms").samples;
    ASSERT_EQ(samples.size(), 6U);
    EXPECT_EQ(samples[0].coflows, 2U);
    EXPECT_TRUE(std::isinf(samples[1].Disparity()));
    EXPECT_TRUE(std::isinf(samples[3].Disparity()));
    EXPECT_EQ(samples[5].coflows, 1U);
    EXPECT_DOUBLE_EQ(samples[5].Disparity(), 1);
    EXPECT_NEAR(samples[5].largestProgress, KAPPA, 0.02);
}
