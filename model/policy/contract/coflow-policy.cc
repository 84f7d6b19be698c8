/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-policy.h"

#include "ns3/coflow-least-rate.h"

#include <algorithm>

namespace coflow
{

Decision
Policy::KeepToLeastRate(const StructureView& view,
                        const PortRates& capacity,
                        Decision decision,
                        std::span<double> rates)
{
    if (m_leastRate <= 0 || decision.unchanged)
    {
        return decision;
    }
    m_raised.clear();
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        if (std::any_of(rates.begin() + row.begin, rates.begin() + row.end, [this](double rate) {
                return rate > 0 && rate < m_leastRate;
            }))
        {
            m_raised.push_back(static_cast<std::uint32_t>(r));
        }
    }
    if (!m_raised.empty())
    {
        RaiseToLeastRate(view, capacity, m_leastRate, decision.order, rates);
    }
    decision.raised = m_raised;
    return decision;
}

} // namespace coflow
