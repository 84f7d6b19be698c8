/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bound-machine.h"

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <functional>

namespace coflow
{

Ticks
ShortestRemaining(const std::vector<BoundJob>& jobs)
{
    // A heap of (time left, release) of the available jobs, the shortest time left on top.
    std::vector<std::pair<Ticks, Ticks>> available;
    std::size_t next = 0;
    Ticks now = 0;
    Ticks sum = 0;
    while (next < jobs.size() || !available.empty())
    {
        if (available.empty())
        {
            now = std::max(now, jobs[next].release);
        }
        for (; next < jobs.size() && jobs[next].release <= now; ++next)
        {
            available.emplace_back(jobs[next].length, jobs[next].release);
            std::ranges::push_heap(available, std::greater<>());
        }
        const Ticks end = now + available.front().first;
        if (next < jobs.size() && jobs[next].release < end)
        {
            // The running job stays on top of the heap.
            now = jobs[next].release;
            available.front().first = end - now;
            continue;
        }
        sum += end - available.front().second;
        std::ranges::pop_heap(available, std::greater<>());
        available.pop_back();
        now = end;
    }
    return sum;
}

double
MeanBusyTimes(BoundMachine& machine, std::span<const double> scale, std::span<double> best)
{
    auto& [jobs, densities, end, last] = machine;
    const auto count = static_cast<std::uint32_t>(jobs.size());
    for (std::uint32_t j = static_cast<std::uint32_t>(densities.size()); j < count; ++j)
    {
        densities.emplace_back(0.0, j);
    }
    for (auto& [density, j] : densities)
    {
        jobs[j].weight *= scale[jobs[j].coflow];
        density = jobs[j].weight / jobs[j].lengthNs;
    }
    boost::sort::pdqsort_branchless(densities.begin(),
                                    densities.end(),
                                    [](const auto& a, const auto& b) { return a.first > b.first; });
    // Every job takes the first free time after its release, the densest job first. Taken times
    // form blocks. A block begins at the release of its first job, and has all jobs that are
    // released up to its end.
    end.resize(count);
    last.resize(count);
    for (std::uint32_t j = count; j-- > 0;)
    {
        end[j] = jobs[j].release;
        last[j] = j + 1 < count && jobs[j + 1].release == end[j] ? last[j + 1] : j;
    }
    const auto blockOf = [&last](std::uint32_t j) {
        while (last[j] != j)
        {
            j = last[j] = last[last[j]];
        }
        return j;
    };
    double sum = 0;
    for (const auto& [density, j] : densities)
    {
        BoundJob& job = jobs[j];
        job.value = job.lengthNs / 2;
        std::uint32_t block = blockOf(j);
        for (Ticks left = job.length; left > 0;)
        {
            const Ticks from = end[block];
            Ticks& to = end[block];
            to += left;
            const std::uint32_t next = block + 1;
            if (next < count && jobs[next].release <= to)
            {
                to = jobs[next].release;
                last[block] = next;
                block = blockOf(next);
            }
            const Ticks until = to;
            left -= until - from;
            // Times count from the release, in integers. So only positive numbers are added, and
            // there is no cancellation at late releases.
            job.value += (ToNs(from - job.release) + ToNs(until - job.release)) / 2 *
                         (ToNs(until - from) / job.lengthNs);
        }
        sum += job.weight * job.value;
        best[job.coflow] = std::max(best[job.coflow], job.value);
    }
    return sum;
}

} // namespace coflow
