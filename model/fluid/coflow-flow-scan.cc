/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-scan.h"

#include "ns3/coflow-view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace coflow
{

namespace
{

/// A SIMD vector, because the compiler makes no vectors of the comparisons in ExtentOf().
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));

constexpr double LEAST = 1e-6; ///< least bytes left of an unfinished flow

} // namespace

FlowExtent
ExtentOf(std::span<const double> remaining,
         std::span<const double> rates,
         std::vector<std::uint32_t>& blocks)
{
    constexpr double GUARD = 1e-15; // larger than the error of three roundings
    const std::size_t flows = remaining.size();
    double shortest = std::numeric_limits<double>::infinity();
    double longest = 0;
    const auto look = [&](std::size_t f) {
        const double duration = std::abs(remaining[f] / rates[f]); // the rate may be -0
        shortest = std::min(shortest, duration);
        longest = std::max(longest, duration);
    };
    Pair sum[2] = {}; // four parts, because four flows are added at a time
    std::size_t f = 0;
    for (; f + FLOW_BLOCK <= flows; f += FLOW_BLOCK)
    {
        if (AllWait(rates.subspan(f, FLOW_BLOCK)))
        {
            longest = std::numeric_limits<double>::infinity();
            continue;
        }
        blocks.push_back(static_cast<std::uint32_t>(f));
        // Products show whether a block may have the first or the last flow to finish. Products are
        // faster than quotients.
        const double low = shortest * (1 + GUARD);
        const double high = longest * (1 - GUARD);
        decltype(Pair() < Pair()) extreme{};
        for (std::size_t g = f; g < f + FLOW_BLOCK; g += 2)
        {
            Pair left;
            Pair rate;
            std::memcpy(&left, &remaining[g], sizeof(left));
            std::memcpy(&rate, &rates[g], sizeof(rate));
            extreme |= (left <= rate * low) | (left >= rate * high);
            sum[g / 2 % 2] += rate;
        }
        const bool any = (extreme[0] | extreme[1]) != 0;
        for (std::size_t g = f; any && g < f + FLOW_BLOCK; ++g)
        {
            look(g);
        }
    }
    if (f < flows)
    {
        blocks.push_back(static_cast<std::uint32_t>(f));
    }
    for (; f < flows; ++f)
    {
        look(f);
        // Flows behind the last full group of four are added to the first part of the sum.
        const std::size_t lane = f / 4 < flows / 4 ? f % 4 : 0;
        sum[lane / 2][lane % 2] += rates[f];
    }
    return {shortest, longest, sum[0][0] + sum[0][1] + sum[1][0] + sum[1][1]};
}

void
MoveFlows(std::span<double> remaining, std::span<const double> rates, double seconds)
{
    for (std::size_t f = 0; f < remaining.size(); ++f)
    {
        remaining[f] = std::max(remaining[f] - rates[f] * seconds, LEAST);
    }
}

bool
AnyThrough(std::span<const double> remaining,
           std::span<const double> rates,
           double seconds,
           double slack)
{
    bool through = false;
    for (std::size_t f = 0; f < remaining.size(); ++f)
    {
        through |= remaining[f] - rates[f] * seconds <= rates[f] * slack;
    }
    return through;
}

} // namespace coflow
