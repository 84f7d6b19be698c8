/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sincronia's order, and the ways to serve it.

#include "fluid-test-util.h"

#include "ns3/coflow-bssi.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// Coflow 1 is first. Port 0 is free from 1 on, and port 3 from 20 on.
Workload
Hand()
{
    return MakeWorkload(
        6,
        {MakeCoflow(1, {{0, 2, 1}, {1, 3, 20}}), MakeCoflow(2, {{0, 4, 60}, {5, 3, 45}})});
}

/// Sees that no flow waits while both its ports have something left.
/// @param capacity rates of the ports
FluidOptions
WatchedForIdlePorts(const PortRates& capacity, std::uint64_t& intervals)
{
    FluidOptions options;
    options.observer = [&capacity, &intervals](const FluidInterval& interval) {
        ++intervals;
        std::vector<double> sending(capacity.ingress.size(), 0.0);
        std::vector<double> receiving(capacity.egress.size(), 0.0);
        for (const FlowState& flow : interval.flows)
        {
            sending[flow.src] += flow.rate;
            receiving[flow.dst] += flow.rate;
        }
        for (const FlowState& flow : interval.flows)
        {
            const double left = std::min(capacity.ingress[flow.src] - sending[flow.src],
                                         capacity.egress[flow.dst] - receiving[flow.dst]);
            EXPECT_LE(left, 1e-6 * capacity.ingress[flow.src])
                << "from " << interval.from << " on, host " << flow.src << " to " << flow.dst;
        }
    };
    return options;
}

} // namespace

TEST(Sincronia, ServesTheOrderWithoutLeavingAPortIdle)
{
    // Coflow 2 ends at max(1 + 60, 20 + 45). With MADD its first flow waits for the second.
    for (const Executor executor : EXECUTORS)
    {
        EXPECT_EQ(Ccts(RunUnits(Hand(), "sincronia", {}, {}, executor)), (Times{20, 65}));
    }
    EXPECT_EQ(Ccts(RunUnits(Hand(), "sincronia", {"rates=classes"})), (Times{20, 65}));
    EXPECT_EQ(Ccts(RunUnits(Hand(), "sincronia", {"rates=madd"})), (Times{20, 80}));
}

TEST(Sincronia, NoPortIdlesWhileAFlowAtItHasAnIdleOtherEnd)
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        PortRates capacity = PortRates::Uniform(workload.hosts, PORT_RATE);
        if (seed % 3 == 0)
        {
            for (std::size_t h = 0; h < capacity.ingress.size(); ++h)
            {
                capacity.ingress[h] /= static_cast<double>(1 + h % 3);
                capacity.egress[h] /= static_cast<double>(1 + h % 2);
            }
        }
        for (const auto& parameters :
             {std::vector<std::string>{}, {"epoch=0.3"}, {"rates=classes"}})
        {
            for (const Executor executor : EXECUTORS)
            {
                std::uint64_t intervals = 0;
                const auto options = WatchedForIdlePorts(capacity, intervals);
                const auto policy = MakePolicy("sincronia", parameters);
                executor == Executor::GENERAL ? RunGeneral(workload, capacity, *policy, options)
                                              : RunFluid(workload, capacity, *policy, options);
                EXPECT_GT(intervals, 0U) << "seed " << seed;
            }
        }
    }
}

TEST(Bssi, OfEqualCoflowsTheFirstIsPlacedLast)
{
    const std::vector<std::vector<PortDemand>> loads(3, {{0, 2.0}});
    const std::vector<std::span<const PortDemand>> spans(loads.begin(), loads.end());
    EXPECT_EQ(BssiOrder(spans, 1, std::vector<double>(3, 1)),
              (std::vector<std::uint32_t>{2, 1, 0}));
}
