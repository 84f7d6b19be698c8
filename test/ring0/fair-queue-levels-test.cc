/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Fair queues of coflows at both ends (ps-p with mode=wfq): what they mean, by hand and by the
// definition, and that levels of coflows at ports say the same as an iteration over all flows.

#include "coflow-effort.h"
#include "fluid-test-util.h"

#include "ns3/coflow-fair-queue-levels.h"
#include "ns3/coflow-generator.h"

#include <gtest/gtest.h>
#include <map>

using namespace coflow;
using namespace coflow::test;

namespace
{

const std::vector<std::string> QUEUES{"mode=wfq"};

/// What is not asked for: ports are exhausted to FairQueueLevels::TOLERANCE, and a flow may have a
/// hundredth of its port.
constexpr double NEAR = 100 * FairQueueLevels::TOLERANCE;

/// How many flows have no port that explains their rate: one that is exhausted, where no coflow
/// has more than the flow's own, and no flow of that coflow has more than the flow.
int
Unexplained(const FluidInterval& interval)
{
    const auto hosts = static_cast<std::uint32_t>(interval.capacity.ingress.size());
    std::vector<double> ports(2 * hosts, 0.0);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<double, double>> parts; // sum, most
    const auto ends = [hosts](const FlowState& flow) {
        return std::array<std::uint32_t, 2>{flow.src, hosts + flow.dst};
    };
    for (const FlowState& flow : interval.flows)
    {
        for (const std::uint32_t port : ends(flow))
        {
            ports[port] += flow.rate;
            auto& [sum, most] = parts[{port, flow.coflow}];
            sum += flow.rate;
            most = std::max(most, flow.rate);
        }
    }
    std::vector<double> mostOfPort(2 * hosts, 0.0);
    for (const auto& [key, part] : parts)
    {
        mostOfPort[key.first] = std::max(mostOfPort[key.first], part.first);
    }
    int unexplained = 0;
    for (const FlowState& flow : interval.flows)
    {
        bool explained = false;
        for (const std::uint32_t port : ends(flow))
        {
            const auto& [sum, most] = parts[{port, flow.coflow}];
            explained |= ports[port] > PORT_RATE * (1 - NEAR) &&
                         sum > mostOfPort[port] * (1 - NEAR) && flow.rate > most * (1 - NEAR);
        }
        unexplained += explained ? 0 : 1;
    }
    return unexplained;
}

/// Wide coflows, so that a flow which comes or goes matters little to most ports.
Workload
WideWorkload(unsigned seed)
{
    return Generate("fb-like",
                    {"hosts=20", "coflows=25", "load=0.9", "seed=" + std::to_string(seed)});
}

} // namespace

TEST(FairQueues, SharesAreOfCoflowsFirst)
{
    // Two flows of coflow 1 and one of coflow 2 leave host 0: a half for each coflow. Coflow 3
    // shares the port of host 3 with coflow 2 and takes what that leaves.
    FairQueueLevels levels({6, 6, 6, 6, 6, 6, 6, 6});
    const auto first = levels.AddNode(0);
    const auto second = levels.AddNode(0);
    const auto third = levels.AddNode(1);
    const auto to1 = levels.AddNode(5);
    const auto to2 = levels.AddNode(6);
    const auto of2 = levels.AddNode(7);
    const auto of3 = levels.AddNode(7);
    for (const auto& [a, b] : {std::pair(first, to1), {first, to2}, {second, of2}, {third, of3}})
    {
        levels.ChangeWeight(levels.AddLink(a, b), 1);
    }
    levels.Update();
    const double near = 6 * FairQueueLevels::TOLERANCE;
    EXPECT_NEAR(levels.Level(first), 1.5, near);
    EXPECT_NEAR(levels.Level(second), 3, near);
    EXPECT_NEAR(levels.Level(of3), 3, near);
    EXPECT_EQ(levels.Limit(0), first);
    // One flow of coflow 1 goes: its share is for the other one alone.
    levels.ChangeWeight(1, -1);
    levels.Update();
    EXPECT_NEAR(levels.Level(first), 3, near);
    // Coflow 2 goes: both others have a port for themselves.
    levels.ChangeWeight(2, -1);
    levels.Update();
    EXPECT_NEAR(levels.Level(first), 6, near);
    EXPECT_NEAR(std::min(levels.Level(third), levels.Level(of3)), 6, near);
}

TEST(FairQueues, WhatACoflowCannotUseGoesToTheOthers)
{
    // Three coflows share the port of host 0. The flow of coflow 3 goes on to a port where it is
    // one of six coflows, so that it has 1 of 6 there, and the other two share the 5 that are left.
    FairQueueLevels levels({6, 6, 6, 6, 6, 6, 6, 6});
    const auto first = levels.AddNode(0);
    const auto second = levels.AddNode(0);
    const auto third = levels.AddNode(0);
    levels.ChangeWeight(levels.AddLink(first, levels.AddNode(4)), 1);
    levels.ChangeWeight(levels.AddLink(second, levels.AddNode(5)), 1);
    const auto narrow = levels.AddNode(7);
    levels.ChangeWeight(levels.AddLink(third, narrow), 1);
    for (int other = 0; other < 5; ++other)
    {
        levels.ChangeWeight(levels.AddLink(levels.AddNode(1), levels.AddNode(7)), 1);
        levels.ChangeWeight(levels.AddLink(levels.AddNode(2), levels.AddNode(7)), 0);
    }
    levels.Update();
    const double near = 6 * FairQueueLevels::TOLERANCE;
    EXPECT_NEAR(levels.Level(narrow), 1, near);
    EXPECT_EQ(levels.Level(third), UNLIMITED);
    EXPECT_NEAR(levels.Level(first), 2.5, near);
    EXPECT_NEAR(levels.Level(second), 2.5, near);
}

TEST(FairQueues, EveryRateHasAPortThatExplainsIt)
{
    for (unsigned seed = 0; seed < Effort(12U, 60U); ++seed)
    {
        const Workload workload =
            seed % 3 == 0 ? WideWorkload(seed) : RandomWorkload(seed, Shapes()[seed % 4]);
        std::size_t flows = 0;
        int unexplained = 0;
        RunUnits(workload, "ps-p", QUEUES, Watched([&](const FluidInterval& interval) {
                     flows += interval.flows.size();
                     unexplained += Unexplained(interval);
                 }));
        EXPECT_GT(flows, 0U);
        EXPECT_EQ(unexplained, 0) << "of " << flows << ", seed " << seed;
    }
}

TEST(FairQueues, NoPortGivesMoreThanItHas)
{
    for (unsigned seed = 0; seed < Effort(4U, 20U); ++seed)
    {
        RunUnits(WideWorkload(seed), "ps-p", QUEUES, Watched([&](const FluidInterval& interval) {
                     const std::size_t hosts = interval.capacity.ingress.size();
                     std::vector<double> sums(2 * hosts, 0.0);
                     for (const FlowState& flow : interval.flows)
                     {
                         sums[flow.src] += flow.rate;
                         sums[hosts + flow.dst] += flow.rate;
                     }
                     EXPECT_LE(*std::max_element(sums.begin(), sums.end()), PORT_RATE * (1 + 1e-9))
                         << "seed " << seed;
                 }));
    }
}

TEST(FairQueues, LevelsSayTheSameAsAnIterationOverAllFlows)
{
    for (unsigned seed = 0; seed < Effort(2U, 10U); ++seed)
    {
        const Workload workload = WideWorkload(seed);
        const auto quick = Ccts(RunUnits(workload, "ps-p", QUEUES));
        const auto slow = Ccts(RunUnits(workload, "ps-p", QUEUES, {}, Executor::GENERAL));
        std::vector<double> ratios;
        for (std::size_t c = 0; c < quick.size(); ++c)
        {
            ratios.push_back(slow[c] > 0 ? quick[c] / slow[c] : 1);
        }
        std::sort(ratios.begin(), ratios.end());
        // Where there are several fixed points, a few coflows may differ.
        EXPECT_NEAR(ratios[ratios.size() / 10], 1, 1e-3) << "seed " << seed;
        EXPECT_NEAR(ratios[ratios.size() * 9 / 10], 1, 1e-3) << "seed " << seed;
        EXPECT_NEAR(Mean(quick) / Mean(slow), 1, 0.02) << "seed " << seed;
    }
}
