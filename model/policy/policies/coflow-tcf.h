/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TCF_H
#define COFLOW_TCF_H

#include "ns3/coflow-order-policy.h"

namespace coflow
{

/// Smallest total first (Varys, SIGCOMM 2014, section 7.4, reading of its "TCF" as total size): by
/// the size of all flows, as registered.
class TotalCoflowFirst : public OrderPolicy
{
  public:
    /// @param parameters values of OrderPolicy::Specs()
    explicit TotalCoflowFirst(const Parameters& parameters)
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

#endif // COFLOW_TCF_H
