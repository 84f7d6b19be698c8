/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ORDER_POLICY_H
#define COFLOW_ORDER_POLICY_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-starvation-guard.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Base class of policies that serve coflows in an order, as the scheduler Varys does (SIGCOMM
/// 2014, section 5). A derived class computes a key per coflow. Coflows with smaller keys are more
/// urgent. Ties are broken by ready time, then by id. The order determines the rates in three
/// steps:
///
/// 1. MADD serves the coflows in order. Each coflow uses the capacity that more urgent coflows have
///    left. A coflow that needs a port without free capacity is skipped.
///
/// 2. Backfill gives unused capacity to flows in the same order (parameter `backfill`). With the
///    parameter `pooledLeftovers`, backfill works as in CoflowSim.
///
/// 3. After every interval `T`, the coflows that had no rate in the interval share the fabric for
///    the time `delta` (parameters `T` and `delta`); see StarvationGuard.
///
/// A decision costs O(flows + coflows log coflows). Rates do not change between decisions, so there
/// is one decision per arrival, completion and interval T.
class OrderPolicy : public ClairvoyantPolicy
{
  public:
    Triggers GetTriggers() const override
    {
        return {m_rescheduleOnFlow, 0};
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) final;

    /// @return the parameters of all policies of this family
    static std::vector<ParameterSpec> Specs();

    /// @return the same parameters with the default T = 0, which disables the intervals against
    ///         starvation. They are for orders without starvation, and for oracles
    static std::vector<ParameterSpec> SpecsWithoutGuard();

  protected:
    /// @param parameters values of Specs()
    explicit OrderPolicy(const Parameters& parameters);

    /// Computes the keys of all coflows.
    /// @param view the coflows
    /// @param loads remaining bytes of the coflows per port
    /// @param budget the ports, with their full rates
    /// @param keys the result: a key per row; rows with smaller keys are more urgent
    virtual void Keys(const ClairvoyantView& view,
                      const CoflowLoads& loads,
                      const PortBudget& budget,
                      std::span<double> keys) const = 0;

    /// @param view the coflows
    /// @return time at which the order may change without an event, in nanoseconds; NEVER: the
    ///         order changes only with events
    virtual Nanoseconds NextOrder([[maybe_unused]] const ClairvoyantView& view) const
    {
        return NEVER;
    }

    /// Computes rates in an order. The default is MADD and backfill.
    /// @param view the coflows
    /// @param order rows of the coflows, most urgent first
    /// @param loads remaining bytes of the coflows per port
    /// @param budget free rates of the ports, which are reduced by the flows' rates
    /// @param rates the result: a rate per flow, in bytes per second
    virtual void Serve(const ClairvoyantView& view,
                       std::span<const std::uint32_t> order,
                       const CoflowLoads& loads,
                       PortBudget& budget,
                       std::span<double> rates);

  private:
    /// A coflow of the last decision.
    struct Seen
    {
        std::uint32_t index;    ///< CoflowRow::index
        std::uint32_t revision; ///< CoflowRow::revision, which changes with added flows
    };

    /// Whether the view has the same coflows as the last view, without added flows. Stores the
    /// view.
    bool Eventless(const ClairvoyantView& view);

    /// Computes m_loads, m_budget and m_order.
    void Prepare(const ClairvoyantView& view, const PortRates& capacity);

    bool m_backfill;                      ///< give unused capacity to flows after MADD
    bool m_pooledLeftovers;               ///< backfill works as in CoflowSim
    bool m_rescheduleOnFlow;              ///< decide also when a flow finishes
    StarvationGuard m_guard;              ///< the T/delta intervals
    std::vector<Seen> m_seen;             ///< the coflows of the last decision
    std::size_t m_seenFlows{0};           ///< number of flows of the last decision
    std::vector<std::uint32_t> m_skipped; ///< working memory: rows that MADD skipped
    CoflowLoads m_loads;                  ///< working memory: loads of all rows
    PortBudget m_budget;                  ///< working memory: free rates of the ports
    MaxMinFiller m_filler;                ///< working memory of backfill
    std::vector<double> m_keys;           ///< working memory: key per row
    std::vector<std::uint32_t> m_order;   ///< working memory: rows, most urgent first
};

} // namespace coflow

#endif // COFLOW_ORDER_POLICY_H
