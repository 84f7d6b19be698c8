/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-granted-rates.h"

namespace coflow
{

GrantedRates::GrantedRates(const FluidRun& run)
    : m_run(run),
      m_granted(run.FlowCount(), 0.0),
      m_decided(run.FlowCount(), 0.0)
{
}

void
GrantedRates::Decide(const FlowTable& table, std::span<const double> rates)
{
    // Positions in the table change while a decision is in progress. So rates are stored by the
    // number of the flow in the workload.
    for (const CoflowRow& row : table.Rows())
    {
        const std::size_t first = m_run.FirstFlow(row.index);
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            m_decided[first + table.FlowIds()[f]] = rates[f];
        }
    }
}

void
GrantedRates::TakeEffect()
{
    m_granted.swap(m_decided);
    m_inForce = false;
}

void
GrantedRates::PutInForce(FlowTable& table)
{
    if (m_inForce)
    {
        return;
    }
    m_inForce = true;
    const auto rates = table.Rates();
    for (const CoflowRow& row : table.Rows())
    {
        const std::size_t first = m_run.FirstFlow(row.index);
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            rates[f] = m_granted[first + table.FlowIds()[f]];
        }
    }
}

} // namespace coflow
