/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAX_MIN_POLICY_H
#define COFLOW_MAX_MIN_POLICY_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

namespace coflow
{

/// Weighted max-min rates of all flows, independent of coflows. The policy decides when a flow
/// arrives, and `coalesce` after the first flow has finished.
/// @tparam Base AttainedPolicy or ClairvoyantPolicy
template <typename Base>
class MaxMinPolicy : public Base
{
  public:
    /// @param coalesce delay of a decision after the first flow that has finished
    explicit MaxMinPolicy(Nanoseconds coalesce = 0)
        : m_coalesce(coalesce)
    {
    }

    Triggers GetTriggers() const override
    {
        return {true, m_coalesce};
    }

  protected:
    /// @param sizeWeights whether weights are sizes
    /// @return the form of the policy for faster executors; none if `coalesce` is not 0
    FluidForm FormOf(bool sizeWeights) const
    {
        return m_coalesce > 0 ? FluidForm()
                              : SharingForm{sizeWeights, SharingForm::Levels::MAX_MIN};
    }

    /// Gives all capacity of the ports to flows.
    /// @param view the coflows
    /// @param capacity capacity of the ports
    /// @param rates rates by flow of the view, which are set
    /// @param weight function from a flow of the view to the weight of the flow, above 0
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
    Nanoseconds m_coalesce;
    PortBudget m_budget;   ///< working memory
    MaxMinFiller m_filler; ///< working memory
};

} // namespace coflow

#endif // COFLOW_MAX_MIN_POLICY_H
