/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAIR_H
#define COFLOW_FAIR_H

#include "ns3/coflow-max-min.h"

namespace coflow
{

/// Per-flow fairness without a coordinator: the rates of MaxMin, which are those of ideal TCP.
///
/// The parameter `redistribute` = false is an artefact of CoflowSim: a flow gets the smaller of its
/// shares capacity / flows at its two ports, and the unused share of a flow that is limited at its
/// other end is lost. Speed-ups over this baseline are too large.
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

    FluidForm GetForm() const override;

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    bool m_redistribute; ///< max-min; otherwise the artefact
};

} // namespace coflow

#endif // COFLOW_FAIR_H
