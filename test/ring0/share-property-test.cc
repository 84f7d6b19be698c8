/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Who gets how much: equal progress of the DRF family, and nobody starved.

#include "fluid-test-util.h"
#include "policy-names.h"

#include "ns3/coflow-progress.h"

#include <gtest/gtest.h>
#include <map>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Progress of every coflow in an interval, and the largest part of any port it has.
struct Share
{
    double progress{1e300}; ///< min over ports of rate / normalised demand
    double largest{0};      ///< largest fraction of a port
};

/// The flows of an interval by coflow.
std::map<std::uint32_t, std::vector<FlowState>>
ByCoflow(const FluidInterval& interval)
{
    std::map<std::uint32_t, std::vector<FlowState>> coflows;
    for (const FlowState& flow : interval.flows)
    {
        coflows[flow.coflow].push_back(flow);
    }
    return coflows;
}

std::map<std::uint32_t, Share>
Shares(const FluidInterval& interval)
{
    const std::size_t hosts = interval.capacity.ingress.size();
    std::map<std::uint32_t, Share> shares;
    for (const auto& [coflow, flows] : ByCoflow(interval))
    {
        std::map<std::size_t, double> load;
        std::map<std::size_t, double> rate;
        double largest = 0;
        for (const FlowState& flow : flows)
        {
            for (std::size_t p : {std::size_t(flow.src), hosts + flow.dst})
            {
                largest = std::max(largest, load[p] += flow.remaining);
                rate[p] += flow.rate / PORT_RATE;
            }
        }
        for (const auto& [p, bytes] : load)
        {
            Share& share = shares[coflow];
            share.progress = std::min(share.progress, rate[p] / (bytes / largest));
            share.largest = std::max(share.largest, rate[p]);
        }
    }
    return shares;
}

/// The progress that DRF gives to the coflows of an interval.
double
DrfProgress(const FluidInterval& interval)
{
    FlowTable table;
    for (const auto& [coflow, flows] : ByCoflow(interval))
    {
        std::vector<TableFlow> rows;
        for (const FlowState& flow : flows)
        {
            rows.push_back({flow.flow, flow.src, flow.dst, 1, flow.remaining});
        }
        CoflowRow row;
        row.id = coflow;
        row.index = coflow;
        table.Insert(row, {}, rows);
    }
    PortBudget budget;
    budget.Reset(interval.capacity);
    CoflowLoads loads;
    loads.ComputeBytes(table.Clairvoyant(0), interval.capacity);
    EqualProgress progress;
    progress.Compute(table.Rows().size(), loads, budget);
    return progress.Progress();
}

} // namespace

TEST(DrfFamily, DrfGivesEqualProgressAndHugKeepsWithinIt)
{
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % 3]);
        RunUnits(workload, "drf", {}, Watched([&](const FluidInterval& interval) {
                     const auto shares = Shares(interval);
                     for (const auto& [id, share] : shares)
                     {
                         EXPECT_NEAR(share.progress, shares.begin()->second.progress, 1e-6);
                         EXPECT_NEAR(share.largest, share.progress, 1e-6);
                     }
                 }));
        // HUG decides with coflows: its limit is the DRF progress of that moment.
        RunUnits(workload, "hug", {}, Watched([&](const FluidInterval& interval) {
                     const double progress = DrfProgress(interval);
                     for (const auto& [id, share] : Shares(interval))
                     {
                         EXPECT_LE(share.largest, progress * (1 + 1e-6));
                         EXPECT_GE(share.progress, progress * (1 - 1e-6));
                     }
                 }));
    }
}

TEST(DrfFamily, NcDrfGivesEqualProgressInCounts)
{
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % 3]);
        const std::vector<std::string> texts{"backfillRounds=0", "coalesce=0"};
        RunUnits(workload, "nc-drf", texts, Watched([&](const FluidInterval& interval) {
                     std::vector<double> progress;
                     for (const auto& [coflow, flows] : ByCoflow(interval))
                     {
                         std::map<std::size_t, int> count;
                         int largest = 0;
                         for (const FlowState& flow : flows)
                         {
                             largest = std::max(largest, ++count[flow.src]);
                             largest = std::max(largest, ++count[1000 + flow.dst]);
                             EXPECT_EQ(flow.rate, flows.front().rate);
                         }
                         progress.push_back(flows.front().rate * largest);
                     }
                     for (double p : progress)
                     {
                         EXPECT_NEAR(p, progress.front(), 1e-6 * PORT_RATE);
                     }
                 }));
    }
}

TEST(StarvationFreedom, EverybodyGetsSomethingInTwiceTPlusDelta)
{
    for (const auto& policy : PolicyNamesWith("pooledLeftovers"))
    {
        for (unsigned seed = 0; seed < 20; ++seed)
        {
            const Workload workload =
                RandomWorkload(seed, {3, 20, 6, 8 * UNIT_BYTES, 20 * UNIT, 0});
            const std::vector<std::string> texts{"T=0.3", "delta=0.02", "backfill=false"};
            std::map<std::uint32_t, Nanoseconds> served;
            Nanoseconds longest = 0;
            RunUnits(workload, policy, texts, Watched([&](const FluidInterval& interval) {
                         for (const FlowState& flow : interval.flows)
                         {
                             auto& last = served
                                              .try_emplace(flow.coflow,
                                                           workload.coflows[flow.coflow].arrival)
                                              .first->second;
                             if (flow.rate > 0)
                             {
                                 longest = std::max(longest, interval.from - last);
                                 last = interval.to;
                             }
                         }
                     }));
            EXPECT_LE(longest, 640'000'000) << policy << " seed " << seed;
        }
    }
}
