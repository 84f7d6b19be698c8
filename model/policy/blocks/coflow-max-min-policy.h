/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAX_MIN_POLICY_H
#define COFLOW_MAX_MIN_POLICY_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

namespace coflow
{

/// Weighted max-min rates of all flows alike, whatever coflow they belong to. Decides whenever a
/// flow comes or goes.
/// @tparam Base what the policy may know: AttainedPolicy or ClairvoyantPolicy
template <typename Base>
class MaxMinPolicy : public Base
{
  public:
    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    bool IsWorkConserving() const override
    {
        return true;
    }

  protected:
    /// Hands out all that ports have.
    /// @param view what moves
    /// @param capacity of the ports
    /// @param rates are set, by flow of the view
    /// @param weight of a flow of the view, above 0
    template <typename View, typename Weight>
    void Share(const View& view,
               const PortRates& capacity,
               std::span<double> rates,
               const Weight& weight)
    {
        m_budget.Reset(capacity);
        view.ForEachFlow([&](std::uint32_t f) {
            m_filler.Add(f, view.src[f], view.dst[f], weight(f), m_budget);
        });
        m_filler.Fill(m_budget, rates);
    }

  private:
    PortBudget m_budget;   ///< working memory
    MaxMinFiller m_filler; ///< working memory
};

} // namespace coflow

#endif // COFLOW_MAX_MIN_POLICY_H
