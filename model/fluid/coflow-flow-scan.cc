/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-scan.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

namespace coflow
{

namespace
{

/// A SIMD vector of two doubles. A comparison gives a PairMask: all bits of an element are 1 or 0.
typedef double Pair __attribute__((vector_size(16)));
using PairMask = decltype(Pair() < Pair());

constexpr double LEAST = 1e-6;    ///< least bytes left of an unfinished flow
constexpr std::size_t BLOCK = 16; ///< number of flows of a block

Pair
Load(const double* from)
{
    Pair pair;
    std::memcpy(&pair, from, sizeof(pair));
    return pair;
}

bool
Any(PairMask mask)
{
    return (mask[0] | mask[1]) != 0;
}

/// Whether no flow of a block has a rate. Under most policies, most flows wait.
bool
AllWait(const double* rates)
{
    PairMask any{};
    for (std::size_t f = 0; f < BLOCK; f += 2)
    {
        any |= Load(rates + f) != Pair{0, 0};
    }
    return !Any(any);
}

} // namespace

FlowExtent
ExtentOf(std::span<const double> remaining, std::span<const double> rates)
{
    constexpr double GUARD = 1e-15; // larger than the error of three roundings
    const std::size_t flows = remaining.size();
    double shortest = std::numeric_limits<double>::infinity();
    double longest = 0;
    const auto look = [&](std::size_t f) {
        const double duration = remaining[f] / rates[f];
        shortest = std::min(shortest, duration);
        longest = std::max(longest, duration);
    };
    // The sum has four parts, because four flows are added at a time.
    Pair sum[2] = {Pair{0, 0}, Pair{0, 0}};
    std::size_t f = 0;
    for (; f + BLOCK <= flows; f += BLOCK)
    {
        if (AllWait(&rates[f]))
        {
            longest = std::numeric_limits<double>::infinity();
            continue;
        }
        // Products show whether a block may have the first or the last flow to finish. Products are
        // faster than quotients.
        const double low = shortest * (1 + GUARD);
        const double high = longest * (1 - GUARD);
        PairMask extreme{};
        for (std::size_t g = f; g < f + BLOCK; g += 4)
        {
            const Pair left[2] = {Load(&remaining[g]), Load(&remaining[g + 2])};
            const Pair rate[2] = {Load(&rates[g]), Load(&rates[g + 2])};
            extreme |= (left[0] <= rate[0] * low) | (left[0] >= rate[0] * high);
            extreme |= (left[1] <= rate[1] * low) | (left[1] >= rate[1] * high);
            sum[0] += rate[0];
            sum[1] += rate[1];
        }
        if (Any(extreme))
        {
            for (std::size_t g = f; g < f + BLOCK; ++g)
            {
                look(g);
            }
        }
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
    const std::size_t flows = remaining.size();
    const auto move = [&](std::size_t f, std::size_t end) {
        for (; f + 2 <= end; f += 2)
        {
            const Pair left = Load(&remaining[f]) - Load(&rates[f]) * seconds;
            const Pair least = {LEAST, LEAST};
            const Pair kept = left < least ? least : left;
            std::memcpy(&remaining[f], &kept, sizeof(kept));
        }
        for (; f < end; ++f)
        {
            remaining[f] = std::max(remaining[f] - rates[f] * seconds, LEAST);
        }
    };
    std::size_t f = 0;
    for (; f + BLOCK <= flows; f += BLOCK)
    {
        if (!AllWait(&rates[f]))
        {
            move(f, f + BLOCK);
        }
    }
    move(f, flows);
}

bool
AnyThrough(std::span<const double> remaining,
           std::span<const double> rates,
           double seconds,
           double slack)
{
    const std::size_t flows = remaining.size();
    if (flows == BLOCK && AllWait(rates.data()))
    {
        return false;
    }
    PairMask through{};
    std::size_t f = 0;
    for (; f + 2 <= flows; f += 2)
    {
        const Pair rate = Load(&rates[f]);
        through |= Load(&remaining[f]) - rate * seconds <= rate * slack;
    }
    return Any(through) || (f < flows && remaining[f] - rates[f] * seconds <= rates[f] * slack);
}

} // namespace coflow
