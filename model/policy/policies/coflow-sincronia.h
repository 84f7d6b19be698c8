/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SINCRONIA_H
#define COFLOW_SINCRONIA_H

#include "ns3/coflow-order-policy.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// Sincronia (SIGCOMM 2018): BSSI over the remaining bytes, done again whenever a coflow comes or
/// goes. With all coflows at time 0 its first order is the offline one, within 4 times the optimum.
///
/// `rates` = greedy gives each flow, coflow by coflow, all that both its ports have left, so that
/// no port idles that a flow could use. `rates` = classes is what strict priority queues do
/// that have one of `levels` classes for each of the first coflows and the last for all others,
/// flows in a class sharing by max-min. Both serve the order again when flows finish. `rates` =
/// madd serves it as Varys does, with rates that stay until a coflow comes or goes.
///
/// With `epoch` the order is made at multiples of `epoch` only. In between, coflows that came
/// since are behind all others, first in, first out; rates follow the order as it is.
class Sincronia : public OrderPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Sincronia(const Parameters& parameters);

    /// Parameters of the family, `rates` and `levels`; T is 0.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override;

    FluidForm GetForm() const override;

    bool DecidesOrder() const override
    {
        return true;
    }

    bool PrefersOrder() const override
    {
        return !m_madd;
    }

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& loads,
              const PortBudget& budget,
              std::span<double> keys) const override;

    Nanoseconds NextOrder(const ClairvoyantView& view) const override;

    void Serve(const ClairvoyantView& view,
               std::span<const std::uint32_t> order,
               const CoflowLoads& loads,
               PortBudget& budget,
               std::span<double> rates) override;

  private:
    /// @return these rows, as if they were all that there is, most urgent first
    static std::vector<std::uint32_t> Order(std::span<const std::uint32_t> rows,
                                            const CoflowLoads& loads,
                                            const PortBudget& budget);

    /// Whether the coflows are those of the order that is in force, and have no other flows.
    bool IsOrdered(const ClairvoyantView& view) const;

    /// Whether a coflow is in the order that is in force.
    bool HasPlace(const CoflowRow& row) const
    {
        return row.index < m_places.size() && m_places[row.index] > 0;
    }

    bool m_madd;                        ///< rates: MADD
    bool m_greedy;                      ///< rates: greedy
    std::uint64_t m_levels;             ///< number of classes
    Nanoseconds m_epoch;                ///< 0: the order is made whenever a coflow comes or goes
    bool m_rescues;                     ///< coflows that starve are served for a while
    std::vector<std::uint32_t> m_flows; ///< working memory: flows of a coflow
    MaxMinFiller m_filler;              ///< working memory

    /// Beginning of the epoch of the order that is in force.
    mutable Nanoseconds m_ordered{-1};
    /// By coflow index: its place in that order, from 1 on; 0: it came since.
    mutable std::vector<std::size_t> m_places;
    /// Index and revision of the coflows that were ordered.
    mutable std::vector<std::pair<std::uint32_t, std::uint32_t>> m_members;
};

} // namespace coflow

#endif // COFLOW_SINCRONIA_H
