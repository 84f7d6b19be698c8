/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAX_MIN_H
#define COFLOW_MAX_MIN_H

#include "ns3/coflow-max-min-policy.h"

namespace coflow
{

/// Per-flow max-min fairness, by a coordinator. Coflows are ignored. The rate of a flow cannot be
/// raised without lowering the rate of another flow with at most the same rate. The policy decides
/// when a flow arrives, and `coalesce` after a flow has finished. The default of `coalesce` is 0.
///
/// The rates are those of ideal TCP (Fair), without TCP. So this baseline separates the cost of
/// congestion control from the effect of fairness.
class MaxMin : public MaxMinPolicy<AttainedPolicy>
{
  public:
    /// @param parameters values of Specs()
    explicit MaxMin(const Parameters& parameters)
        : MaxMin(parameters.Time("coalesce"))
    {
    }

    /// The parameter `coalesce`.
    static std::vector<ParameterSpec> Specs();

    FluidForm GetForm() const override
    {
        return FormOf(false);
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  protected:
    /// @param coalesce delay from the completion of a flow to the decision, in nanoseconds
    explicit MaxMin(Nanoseconds coalesce)
        : MaxMinPolicy(coalesce)
    {
    }
};

} // namespace coflow

#endif // COFLOW_MAX_MIN_H
