/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAX_MIN_H
#define COFLOW_MAX_MIN_H

#include "ns3/coflow-max-min-policy.h"

namespace coflow
{

/// Per-flow max-min fairness, by a coordinator. All flows are alike, whatever coflow they belong
/// to: no rate can be raised without lowering that of a flow that has no more. Decides whenever a
/// flow comes, and `coalesce` after one has gone: at once by default.
///
/// It has the rates that TCP is said to converge to (Fair), without TCP. So this baseline separates
/// the cost of congestion control from the effect of fairness.
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
    /// @param coalesce how long after the first flow that has finished it decides
    explicit MaxMin(Nanoseconds coalesce)
        : MaxMinPolicy(coalesce)
    {
    }
};

} // namespace coflow

#endif // COFLOW_MAX_MIN_H
