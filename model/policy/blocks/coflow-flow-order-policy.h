/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_ORDER_POLICY_H
#define COFLOW_FLOW_ORDER_POLICY_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Serves flows one by one in a total order, independent of coflows. Each flow takes the free rate
/// of both its ports. The policy decides when a flow arrives or finishes. If ports have different
/// rates, the order of two flows may change between decisions. The change takes effect at the next
/// decision.
class FlowOrderPolicy : public ClairvoyantPolicy
{
  public:
    Control GetControl() const override
    {
        return Control::LOCAL;
    }

    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    FluidForm GetForm() const override
    {
        return m_form;
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

    /// @returns flows of the view, most urgent first
    std::vector<std::uint32_t> Order(const ClairvoyantView& view) const;

  protected:
    /// @param form the order
    explicit FlowOrderPolicy(const PriorityForm& form)
        : m_form(form)
    {
    }

  private:
    PriorityForm m_form; ///< the order
    PortBudget m_budget; ///< working memory
};

} // namespace coflow

#endif // COFLOW_FLOW_ORDER_POLICY_H
