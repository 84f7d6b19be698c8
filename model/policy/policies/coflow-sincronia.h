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

/// Sincronia (SIGCOMM 2018): BSSI over the remaining bytes, again at every arrival and completion
/// of a coflow. Where all coflows arrive at time 0, the first order is the offline order, within 4
/// times the optimum.
///
/// `rates` = greedy gives each flow, coflow by coflow, the free rate of both its ports, so that no
/// port that a flow could use is idle. `rates` = classes has the rates of strict priority queues
/// with `levels` classes: one class for each of the first coflows, and the last class for all
/// others. Flows of a class share by max-min fairness. With greedy and classes, rates are computed
/// again when flows finish. `rates` = madd has the rates of Varys, which stay until a coflow
/// arrives or finishes.
///
/// With `epoch`, the order is computed only at multiples of `epoch`. Coflows that arrive in between
/// come after all others, first in, first out, until the next multiple.
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
    /// @return these rows, most urgent first, without regard to other rows
    static std::vector<std::uint32_t> Order(std::span<const std::uint32_t> rows,
                                            const CoflowLoads& loads,
                                            const PortBudget& budget);

    /// Whether the coflows are those of the order in force, without added flows.
    bool IsOrdered(const ClairvoyantView& view) const;

    /// Whether a coflow is in the order in force.
    bool HasPlace(const CoflowRow& row) const
    {
        return row.index < m_places.size() && m_places[row.index] > 0;
    }

    bool m_madd;            ///< rates: MADD
    bool m_greedy;          ///< rates: greedy
    std::uint64_t m_levels; ///< number of classes
    Nanoseconds m_epoch;    ///< period of orders; 0: a new order at every arrival and finish
    bool m_rescues;         ///< starved coflows are served for some time
    std::vector<std::uint32_t> m_flows; ///< working memory: flows of a coflow
    MaxMinFiller m_filler;              ///< working memory

    /// Begin of the epoch of the order in force.
    mutable Nanoseconds m_ordered{-1};
    /// By coflow index: its position in this order, from 1 on; 0: the coflow has arrived since.
    mutable std::vector<std::size_t> m_places;
    /// Index and revision of the coflows in the order.
    mutable std::vector<std::pair<std::uint32_t, std::uint32_t>> m_members;
};

} // namespace coflow

#endif // COFLOW_SINCRONIA_H
