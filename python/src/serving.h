/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PYTHON_SERVING_H
#define COFLOW_PYTHON_SERVING_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-order-by.h"
#include "ns3/coflow-view.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("hidden")]] ns3coflow
{

/// The rates of ports of which nothing was taken.
inline ::coflow::PortRates
CapacityOf(const ::coflow::PortBudget& budget)
{
    ::coflow::PortRates capacity;
    for (::coflow::HostId host = 0; host < budget.Hosts(); ++host)
    {
        capacity.ingress.push_back(budget.Capacity(budget.Sending(host)));
        capacity.egress.push_back(budget.Capacity(budget.Receiving(host)));
    }
    return capacity;
}

/// Serves coflows one by one: the flows of each share what is left by max-min fairness. No size is
/// needed for it.
class FairInOrder
{
  public:
    /// @param keys per coflow row: the smallest is served first
    /// @param rates per flow; added to
    void Serve(const ::coflow::StructureView& view,
               const ::coflow::PortRates& capacity,
               std::span<const double> keys,
               std::span<double> rates)
    {
        m_budget.Reset(capacity);
        ::coflow::OrderBy(m_order, keys);
        for (const auto r : m_order)
        {
            for (auto f = view.coflows[r].begin; f < view.coflows[r].end; ++f)
            {
                m_filler.Add(f, view.src[f], view.dst[f], 1.0, m_budget);
            }
            m_filler.Fill(m_budget, rates);
        }
    }

  private:
    std::vector<std::uint32_t> m_order; ///< rows by key
    ::coflow::PortBudget m_budget;
    ::coflow::MaxMinFiller m_filler;
};

} // namespace ns3coflow

#endif // COFLOW_PYTHON_SERVING_H
