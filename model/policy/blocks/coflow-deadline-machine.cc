/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Choices of the jobs of one machine that can be in time.

#include "ns3/coflow-deadline-order.h"
#include "ns3/coflow-order-by.h"

#include <algorithm>

namespace coflow
{

namespace
{

/// Jobs by deadline; ties: by number.
std::vector<std::uint32_t>
ByDeadline(std::span<const MachineJob> jobs)
{
    std::vector<std::uint32_t> order;
    OrderBy(order, jobs, &MachineJob::due);
    return order;
}

} // namespace

std::vector<std::uint8_t>
LargestNumberInTime(std::span<const MachineJob> jobs)
{
    std::vector<std::uint8_t> inTime(jobs.size(), 0);
    std::vector<std::uint32_t> chosen;
    double time = 0;
    for (const std::uint32_t j : ByDeadline(jobs))
    {
        chosen.push_back(j);
        inTime[j] = 1;
        time += jobs[j].seconds;
        if (time > jobs[j].due)
        {
            auto longest = chosen.begin();
            for (auto it = chosen.begin(); it != chosen.end(); ++it)
            {
                longest = jobs[*it].seconds >= jobs[*longest].seconds ? it : longest;
            }
            inTime[*longest] = 0;
            chosen.erase(longest);
            // The sum is computed again, so that the dropped job leaves no rounding error.
            time = 0;
            for (const std::uint32_t k : chosen)
            {
                time += jobs[k].seconds;
            }
        }
    }
    return inTime;
}

std::vector<std::uint8_t>
LargestWeightInTime(std::span<const MachineJob> jobs)
{
    /// A set of jobs that are in time one after the other.
    struct State
    {
        double weight;        ///< sum of the weights of all jobs
        double seconds;       ///< sum of the times of all jobs, in seconds
        std::int64_t before;  ///< index in `all` of the set without its last job; -1: none
        std::uint32_t job{0}; ///< its last job
    };

    // A set with at most the weight and at least the time of another set leads to no better set. So
    // the kept sets have ascending weights and times.
    std::vector<State> all{{0, 0, -1}};
    std::vector<std::size_t> kept{0};
    std::vector<std::size_t> merged;
    for (const std::uint32_t j : ByDeadline(jobs))
    {
        const std::size_t without = kept.size();
        for (std::size_t k = 0; k < without; ++k)
        {
            const State& set = all[kept[k]];
            if (set.seconds + jobs[j].seconds <= jobs[j].due)
            {
                all.push_back({set.weight + jobs[j].weight,
                               set.seconds + jobs[j].seconds,
                               static_cast<std::int64_t>(kept[k]),
                               j});
                kept.push_back(all.size() - 1);
            }
        }
        std::inplace_merge(
            kept.begin(),
            kept.begin() + static_cast<std::ptrdiff_t>(without),
            kept.end(),
            [&all](std::size_t a, std::size_t b) { return all[a].seconds < all[b].seconds; });
        merged.clear();
        for (const std::size_t k : kept)
        {
            if (merged.empty() || all[k].weight > all[merged.back()].weight)
            {
                merged.push_back(k);
            }
        }
        kept.swap(merged);
    }
    std::vector<std::uint8_t> inTime(jobs.size(), 0);
    // The first state is the empty set, which is also the one without a set before.
    for (auto s = static_cast<std::int64_t>(kept.back()); all[s].before >= 0; s = all[s].before)
    {
        inTime[all[s].job] = 1;
    }
    return inTime;
}

} // namespace coflow
