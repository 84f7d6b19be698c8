/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LCF_H
#define COFLOW_LCF_H

#include "ns3/coflow-order-policy.h"

namespace coflow
{

/// Lightest coflow first: by the bytes that all its flows have left.
class LightestCoflowFirst : public OrderPolicy
{
  public:
    /// @param parameters values of OrderPolicy::Specs()
    explicit LightestCoflowFirst(const Parameters& parameters)
        : OrderPolicy(parameters)
    {
    }

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& loads,
              const PortBudget& budget,
              std::span<double> keys) const override;
};

} // namespace coflow

#endif // COFLOW_LCF_H
