/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WSS_H
#define COFLOW_WSS_H

#include "ns3/coflow-max-min-policy.h"

namespace coflow
{

/// Orchestra's weighted shuffle scheduling (SIGCOMM 2011), fair between coflows: weighted
/// max-min over all flows of all coflows, the weight of a flow being its size as registered.
/// Decides whenever a flow comes or goes.
class Wss : public MaxMinPolicy<ClairvoyantPolicy>
{
  public:
    /// @param parameters none
    explicit Wss(const Parameters& /*parameters*/)
    {
    }

    FluidForm GetForm() const override
    {
        return SharingForm{true, SharingForm::Levels::MAX_MIN};
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;
};

} // namespace coflow

#endif // COFLOW_WSS_H
