/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NCF_H
#define COFLOW_NCF_H

#include "ns3/coflow-order-policy.h"

namespace coflow
{

/// Narrowest coflow first (Varys, SIGCOMM 2014, section 7.4): by the number of flows, as
/// registered. A count of unfinished flows would turn the order round in mid-run.
class NarrowestCoflowFirst : public OrderPolicy
{
  public:
    /// @param parameters values of OrderPolicy::Specs()
    explicit NarrowestCoflowFirst(const Parameters& parameters)
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

#endif // COFLOW_NCF_H
