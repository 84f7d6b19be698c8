/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-progress.h"

#include <algorithm>

namespace coflow
{

void
EqualProgress::Compute(std::size_t rows, const CoflowLoads& loads, const PortBudget& budget)
{
    m_bottleneck.assign(rows, 0.0);
    m_demand.assign(budget.Ports(), 0.0);
    double largest = 0;
    for (std::size_t r = 0; r < rows; ++r)
    {
        m_bottleneck[r] = loads.GammaOf(r);
        for (const PortDemand& d : loads.Of(r))
        {
            m_demand[d.port] += d.load / budget.Capacity(d.port) / m_bottleneck[r];
            largest = std::max(largest, m_demand[d.port]);
        }
    }
    m_progress = largest > 0 ? 1 / largest : 0;
}

} // namespace coflow
