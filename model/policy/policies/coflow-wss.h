/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WSS_H
#define COFLOW_WSS_H

#include "ns3/coflow-max-min-policy.h"

namespace coflow
{

/// Orchestra's weighted shuffle scheduling (SIGCOMM 2011), fair between coflows: weighted max-min
/// fairness over all flows of all coflows. The weight of a flow is its size as registered. The
/// policy decides when a flow arrives, and `coalesce` after a flow has finished. The default of
/// `coalesce` is 0.
class Wss : public MaxMinPolicy<ClairvoyantPolicy>
{
  public:
    /// @param parameters values of Specs()
    explicit Wss(const Parameters& parameters)
        : MaxMinPolicy(parameters.Time("coalesce"))
    {
    }

    /// The parameter `coalesce`.
    static std::vector<ParameterSpec> Specs();

    FluidForm GetForm() const override
    {
        return FormOf(true);
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;
};

} // namespace coflow

#endif // COFLOW_WSS_H
