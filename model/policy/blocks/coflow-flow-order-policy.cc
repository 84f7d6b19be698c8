/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-order-policy.h"

#include <algorithm>
#include <tuple>

namespace coflow
{

std::vector<std::uint32_t>
FlowOrderPolicy::Order(const ClairvoyantView& view) const
{
    using Key = std::tuple<Nanoseconds, double, std::uint32_t>;
    std::vector<Key> keys;
    keys.reserve(view.FlowCount());
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const double minor =
                m_form.staticSize ? static_cast<double>(view.bytes[f]) : view.remaining[f];
            keys.emplace_back(m_form.MajorOf(view.dst[f], view.sizes[r].deadline), minor, f);
        }
    }
    std::ranges::sort(keys);
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (const Key& key : keys)
    {
        order.push_back(std::get<2>(key));
    }
    return order;
}

Decision
FlowOrderPolicy::Allocate(const ClairvoyantView& view,
                          const PortRates& capacity,
                          std::span<double> rates)
{
    m_budget.Reset(capacity);
    for (std::uint32_t f : Order(view))
    {
        rates[f] = TakeAll(view.src[f], view.dst[f], m_budget);
    }
    return {};
}

} // namespace coflow
