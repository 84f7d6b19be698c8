/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PYTHON_SERVING_H
#define COFLOW_PYTHON_SERVING_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-view.h"

#include <algorithm>
#include <numeric>
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

/// Rows by key, ties in the order of rows.
inline std::vector<std::uint32_t>
OrderOf(std::span<const double> keys)
{
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&keys](std::uint32_t a, std::uint32_t b) {
        return keys[a] < keys[b];
    });
    return order;
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
        for (const auto r : OrderOf(keys))
        {
            for (auto f = view.coflows[r].begin; f < view.coflows[r].end; ++f)
            {
                m_filler.Add(f, view.src[f], view.dst[f], 1.0, m_budget);
            }
            m_filler.Fill(m_budget, rates);
        }
    }

  private:
    ::coflow::PortBudget m_budget;
    ::coflow::MaxMinFiller m_filler;
};

} // namespace ns3coflow

#endif // COFLOW_PYTHON_SERVING_H
