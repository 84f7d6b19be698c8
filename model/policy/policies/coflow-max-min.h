/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAX_MIN_H
#define COFLOW_MAX_MIN_H

#include "ns3/coflow-max-min-policy.h"

namespace coflow
{

/// Per-flow max-min fairness, handed out by a coordinator: of all flows alike, whatever coflow they
/// belong to, nobody's rate can be raised without lowering that of a flow that has no more. Decides
/// whenever a flow comes, and `coalesce` after one has gone: at once by default.
///
/// It is what TCP is taken for when flows are said to share fairly (Fair), without TCP's own way of
/// getting there: the baseline that tells what congestion control costs from what fairness does.
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
