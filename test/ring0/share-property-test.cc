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

std::map<CoflowId, Share>
Shares(const FluidInterval& interval)
{
    const std::size_t hosts = interval.capacity.ingress.size();
    std::map<CoflowId, Share> shares;
    for (const CoflowRow& row : interval.table.Rows())
    {
        std::map<std::size_t, double> load;
        std::map<std::size_t, double> rate;
        double largest = 0;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            for (std::size_t p :
                 {std::size_t(interval.table.Src()[f]), hosts + interval.table.Dst()[f]})
            {
                largest = std::max(largest, load[p] += interval.table.Remaining()[f]);
                rate[p] += interval.table.Rates()[f] / PORT_RATE;
            }
        }
        for (const auto& [p, bytes] : load)
        {
            Share& share = shares[row.id];
            share.progress = std::min(share.progress, rate[p] / (bytes / largest));
            share.largest = std::max(share.largest, rate[p]);
        }
    }
    return shares;
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
                     FlowTable copy = interval.table;
                     PortBudget budget;
                     budget.Reset(interval.capacity);
                     CoflowLoads loads;
                     loads.Compute(copy.Clairvoyant(0), copy.Remaining(), workload.hosts);
                     EqualProgress progress;
                     progress.Compute(copy.Rows().size(), loads, budget);
                     for (const auto& [id, share] : Shares(interval))
                     {
                         EXPECT_LE(share.largest, progress.Progress() * (1 + 1e-6));
                         EXPECT_GE(share.progress, progress.Progress() * (1 - 1e-6));
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
                     for (const CoflowRow& row : interval.table.Rows())
                     {
                         std::map<std::size_t, int> count;
                         int largest = 0;
                         for (std::uint32_t f = row.begin; f < row.end; ++f)
                         {
                             largest = std::max(largest, ++count[interval.table.Src()[f]]);
                             largest = std::max(largest, ++count[1000 + interval.table.Dst()[f]]);
                             EXPECT_EQ(interval.table.Rates()[f],
                                       interval.table.Rates()[row.begin]);
                         }
                         progress.push_back(interval.table.Rates()[row.begin] * largest);
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
            std::map<CoflowId, Nanoseconds> served;
            Nanoseconds longest = 0;
            RunUnits(workload, policy, texts, Watched([&](const FluidInterval& interval) {
                         for (const CoflowRow& row : interval.table.Rows())
                         {
                             auto& last = served.try_emplace(row.id, row.ready).first->second;
                             for (std::uint32_t f = row.begin; f < row.end; ++f)
                             {
                                 if (interval.table.Rates()[f] > 0)
                                 {
                                     longest = std::max(longest, interval.from - last);
                                     last = interval.to;
                                 }
                             }
                         }
                     }));
            EXPECT_LE(longest, 640'000'000) << policy << " seed " << seed;
        }
    }
}
