/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SINCRONIA_H
#define COFLOW_SINCRONIA_H

#include "ns3/coflow-order-policy.h"

#include <cstdint>

namespace coflow
{

/// The ordering of Sincronia (SIGCOMM 2018) as an oracle: BSSI over the remaining bytes, done
/// again whenever a coflow comes or goes. With all coflows at time 0 its first order is the
/// offline one, within 4 times the optimum.
///
/// `rates` = madd serves the order as Varys does; `rates` = greedy gives each flow, coflow by
/// coflow, all that both its ports have left; `rates` = classes is what strict priority queues do
/// that have one of `levels` classes for each of the first coflows and the last for all others,
/// flows in a class sharing by max-min. Both decide when flows finish too, which makes a decision
/// of O(flows) per flow.
class Sincronia : public OrderPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Sincronia(const Parameters& parameters);

    /// Parameters of the family, `rates` and `levels`; T is 0.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override;

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& loads,
              const PortBudget& budget,
              std::span<double> keys) const override;

    void Serve(const ClairvoyantView& view,
               std::span<const std::uint32_t> order,
               const CoflowLoads& loads,
               PortBudget& budget,
               std::span<double> rates) override;

  private:
    bool m_madd;            ///< rates: MADD
    bool m_greedy;          ///< rates: greedy
    std::uint64_t m_levels; ///< number of classes
    MaxMinFiller m_filler;  ///< working memory
};

} // namespace coflow

#endif // COFLOW_SINCRONIA_H
