/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SCF_H
#define COFLOW_SCF_H

#include "ns3/coflow-order-policy.h"

namespace coflow
{

/// Shortest coflow first (Varys, SIGCOMM 2014, section 7.4): by the size of the largest flow,
/// as registered.
class ShortestCoflowFirst : public OrderPolicy
{
  public:
    /// @param parameters values of OrderPolicy::Specs()
    explicit ShortestCoflowFirst(const Parameters& parameters)
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

#endif // COFLOW_SCF_H
