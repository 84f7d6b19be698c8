/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pooled-leftovers.h"

#include "ns3/coflow-order-by.h"

#include <algorithm>
#include <vector>

namespace coflow
{

namespace
{

/// Gives every flow of the skipped coflows the smaller of its shares of the free rates at its two
/// ports.
void
SplitWhatIsFree(const ClairvoyantView& view,
                std::span<const std::uint32_t> skipped,
                PortBudget& budget,
                std::span<double> rates)
{
    std::vector<double> part(budget.Ports(), 0.0);
    const auto forEachFlow = [&](auto function) {
        for (std::uint32_t r : skipped)
        {
            for (std::uint32_t f = view.coflows[r].begin; f < view.coflows[r].end; ++f)
            {
                function(f, budget.Sending(view.src[f]), budget.Receiving(view.dst[f]));
            }
        }
    };
    forEachFlow([&](std::uint32_t, HostPort in, HostPort out) {
        ++part[in];
        ++part[out];
    });
    for (HostPort port = 0; port < part.size(); ++port)
    {
        part[port] = part[port] > 0 && !budget.Exhausted(port) ? budget.Free(port) / part[port] : 0;
    }
    forEachFlow([&](std::uint32_t f, HostPort in, HostPort out) {
        const double rate = std::min(part[in], part[out]);
        rates[f] += rate;
        budget.Take(view.src[f], view.dst[f], rate);
    });
}

} // namespace

void
PooledLeftovers(const ClairvoyantView& view,
                std::span<const std::uint32_t> skipped,
                PortBudget& budget,
                std::span<double> rates)
{
    SplitWhatIsFree(view, skipped, budget, rates);
    constexpr double MEAN_FACTOR = 1.5; // mean of 1 + U(0, 1)
    std::vector<double> due(view.coflows.size());
    for (std::size_t r = 0; r < due.size(); ++r)
    {
        const double gamma = static_cast<double>(view.sizes[r].bottleneck) / budget.Capacity(0);
        // The time counts from the first coflow, so that late times do not lose digits.
        const Nanoseconds after = view.coflows[r].ready - view.coflows.front().ready;
        due[r] = static_cast<double>(after) * 1e-9 + MEAN_FACTOR * gamma;
    }
    std::vector<std::uint32_t> order;
    OrderBy(order, due);
    for (std::uint32_t r : order)
    {
        for (std::uint32_t f = view.coflows[r].begin; f < view.coflows[r].end; ++f)
        {
            rates[f] += TakeAll(view.src[f], view.dst[f], budget);
        }
    }
}

} // namespace coflow
