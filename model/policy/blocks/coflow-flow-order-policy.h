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

/// Flows one by one, whatever their coflow: in a total order, each takes all that both its
/// ports have left. Decides whenever a flow comes or goes. Where ports have different rates, a
/// flow can overtake another between decisions; that is noticed at the next one.
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

    bool IsWorkConserving() const override
    {
        return true;
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
