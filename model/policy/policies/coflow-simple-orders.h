/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SIMPLE_ORDERS_H
#define COFLOW_SIMPLE_ORDERS_H

#include "ns3/coflow-order-policy.h"

namespace coflow
{

/// An order of coflows by one number of the view. The source file has the table of all such orders:
/// `scf`, `ncf`, `tcf`, `lcf` and `fifo`.
class SimpleOrder : public OrderPolicy
{
  public:
    /// The key of a coflow. Smaller keys are more urgent.
    /// @param view the coflows
    /// @param row the row of the coflow in the view
    using Key = double (*)(const ClairvoyantView& view, std::size_t row);

    /// @param parameters values of OrderPolicy::Specs()
    /// @param key the key by which coflows are ordered
    SimpleOrder(const Parameters& parameters, Key key)
        : OrderPolicy(parameters),
          m_key(key)
    {
    }

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& loads,
              const PortBudget& budget,
              std::span<double> keys) const override;

  private:
    Key m_key; ///< the key of a coflow
};

} // namespace coflow

#endif // COFLOW_SIMPLE_ORDERS_H
