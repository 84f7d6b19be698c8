/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_VARYS_H
#define COFLOW_VARYS_H

#include "ns3/coflow-order-policy.h"

namespace coflow
{

/// Varys (SIGCOMM 2014): smallest effective bottleneck first. The key of a coflow is Gamma of its
/// remaining bytes with the full rates of the ports, and not with the rates that others leave.
class Varys : public OrderPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Varys(const Parameters& parameters)
        : OrderPolicy(parameters),
          m_staticKeys(parameters.Flag("staticKeys"))
    {
    }

    /// Parameters of the family, and `staticKeys`.
    static std::vector<ParameterSpec> Specs();

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& loads,
              const PortBudget& budget,
              std::span<double> keys) const override;

  private:
    bool m_staticKeys; ///< key: bottleneck bytes as registered
};

} // namespace coflow

#endif // COFLOW_VARYS_H
