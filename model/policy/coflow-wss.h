/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WSS_H
#define COFLOW_WSS_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

namespace coflow
{

/// Orchestra's weighted shuffle scheduling (SIGCOMM 2011), fair between coflows: weighted
/// max-min over all flows of all coflows, the weight of a flow being its size as registered.
/// Decides whenever a flow comes or goes.
class Wss : public ClairvoyantPolicy
{
  public:
    /// @param parameters none
    explicit Wss(const Parameters& /*parameters*/)
    {
    }

    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    FluidForm GetForm() const override
    {
        return SharingForm{true, SharingForm::Levels::MAX_MIN};
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    PortBudget m_budget;   ///< working memory
    MaxMinFiller m_filler; ///< working memory
};

} // namespace coflow

#endif // COFLOW_WSS_H
