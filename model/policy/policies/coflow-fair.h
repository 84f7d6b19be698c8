/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAIR_H
#define COFLOW_FAIR_H

#include "ns3/coflow-max-min.h"

namespace coflow
{

/// Per-flow fairness as it comes about without anybody who decides: the rates of MaxMin, what ideal
/// TCP gives to flows that know nothing of each other.
///
/// Parameter `redistribute` = false is an artefact of CoflowSim: a flow gets the smaller of
/// its shares capacity / flows at its two ports, and what a flow limited at its other end
/// leaves is lost. Factors quoted against that baseline are inflated.
class Fair : public MaxMin
{
  public:
    /// @param parameters values of Specs()
    explicit Fair(const Parameters& parameters)
        : MaxMin(0),
          m_redistribute(parameters.Flag("redistribute"))
    {
    }

    /// The parameter `redistribute`.
    static std::vector<ParameterSpec> Specs();

    Control GetControl() const override
    {
        return Control::LOCAL;
    }

    bool IsWorkConserving() const override
    {
        return m_redistribute;
    }

    FluidForm GetForm() const override;

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    bool m_redistribute; ///< max-min; otherwise the artefact
};

} // namespace coflow

#endif // COFLOW_FAIR_H
