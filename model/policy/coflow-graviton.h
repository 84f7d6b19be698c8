/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_GRAVITON_H
#define COFLOW_GRAVITON_H

#include "ns3/coflow-dclas-policy.h"

namespace coflow
{

/// Graviton (HotCloud 2016): Aalo's queues with another order inside, by the number of receivers
/// that still have flows. Queues 0 to K-4: thinnest first; K-3 and K-2: widest first; K-1: first
/// in, first out. With `allOrNone`, a coflow one of whose receivers has no rate left is not served
/// at all; otherwise it is, as far as its other receivers go.
class Graviton : public DclasPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Graviton(const Parameters& parameters)
        : DclasPolicy(parameters),
          m_allOrNone(parameters.Flag("allOrNone"))
    {
    }

    /// Parameters of the family, and `allOrNone`.
    static std::vector<ParameterSpec> Specs();

  protected:
    void Keys(const AttainedView& view,
              std::span<const int> queues,
              const PortIndex& index,
              std::span<double> keys) const override;

    bool AllOrNone() const override
    {
        return m_allOrNone;
    }

  private:
    bool m_allOrNone; ///< all receivers of a coflow, or none
};

} // namespace coflow

#endif // COFLOW_GRAVITON_H
