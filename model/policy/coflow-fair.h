/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAIR_H
#define COFLOW_FAIR_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

namespace coflow
{

/// Per-flow fairness: max-min fair rates, what ideal TCP gives to flows that know nothing
/// of each other. Decides whenever a flow comes or goes.
///
/// Parameter `redistribute` = false is an artefact of CoflowSim: a flow gets the smaller of
/// its shares capacity / flows at its two ports, and what a flow limited at its other end
/// leaves is lost. Factors quoted against that baseline are inflated.
class Fair : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Fair(const Parameters& parameters)
        : m_redistribute(parameters.Flag("redistribute"))
    {
    }

    /// The parameter `redistribute`.
    static std::vector<ParameterSpec> Specs();

    Control GetControl() const override
    {
        return Control::LOCAL;
    }

    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    FluidForm GetForm() const override;

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    bool m_redistribute;   ///< max-min; otherwise the artefact
    PortBudget m_budget;   ///< working memory
    MaxMinFiller m_filler; ///< working memory
};

} // namespace coflow

#endif // COFLOW_FAIR_H
