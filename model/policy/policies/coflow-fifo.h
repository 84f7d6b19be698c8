/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_H
#define COFLOW_FIFO_H

#include "ns3/coflow-order-policy.h"

namespace coflow
{

/// Orchestra's FIFO between coflows (SIGCOMM 2011, as Varys section 7.4 compares with it):
/// by the time when a coflow became ready. Nobody overtakes for ever, so there is no T/delta.
class Fifo : public OrderPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Fifo(const Parameters& parameters)
        : OrderPolicy(parameters)
    {
    }

    /// Parameters of the family; T is 0.
    static std::vector<ParameterSpec> Specs();

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& loads,
              const PortBudget& budget,
              std::span<double> keys) const override;
};

} // namespace coflow

#endif // COFLOW_FIFO_H
