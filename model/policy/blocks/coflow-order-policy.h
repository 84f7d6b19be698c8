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

/// The Varys scheduler (SIGCOMM 2014, section 5) with the order of coflows left open: a
/// derived class gives a key per coflow, smaller is more urgent, ties go to the one that
/// was ready first and then to the smaller id. Rates follow from the order:
///
/// 1. MADD in order on what the more urgent ones left; a coflow that needs an exhausted
///    port is skipped.
/// 2. Backfill in the same order (parameter `backfill`; `pooledLeftovers` is CoflowSim's).
/// 3. The T/delta machine against starvation (parameters `T` and `delta`).
///
/// A decision costs O(flows + coflows log coflows); in between, rates do not change, so a
/// run costs that once per arrival, completion and T.
class OrderPolicy : public ClairvoyantPolicy
{
  public:
    Triggers GetTriggers() const override
    {
        return {m_rescheduleOnFlow, 0};
    }

    bool IsWorkConserving() const override
    {
        return m_backfill && !m_pooledLeftovers;
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) final;

    /// @return parameters that every policy of this family has
    static std::vector<ParameterSpec> Specs();

    /// @return the same with T = 0: for orders under which nobody waits for ever, and for oracles
    static std::vector<ParameterSpec> SpecsWithoutGuard();

  protected:
    /// @param parameters values of Specs()
    explicit OrderPolicy(const Parameters& parameters);

    /// Urgency of all coflows.
    /// @param view the coflows
    /// @param loads their remaining bytes per port
    /// @param budget the ports, all free
    /// @param keys per row: to be filled in; smaller is more urgent
    virtual void Keys(const ClairvoyantView& view,
                      const CoflowLoads& loads,
                      const PortBudget& budget,
                      std::span<double> keys) const = 0;

    /// @param view the coflows
    /// @return when the order may be another one though nothing happens, in nanoseconds; NEVER: not
    ///         before something does
    virtual Nanoseconds NextOrder([[maybe_unused]] const ClairvoyantView& view) const
    {
        return NEVER;
    }

    /// Hands out rates in an order: MADD and backfill unless a policy does otherwise.
    /// @param view the coflows
    /// @param order their rows, most urgent first
    /// @param loads their remaining bytes per port
    /// @param budget what is free of the ports; what is handed out is taken from it
    /// @param rates per flow: to be filled in, in bytes per second
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
        std::uint32_t revision; ///< CoflowRow::revision: another one has flows that were added
    };

    /// Whether the view holds the coflows that the last one held, and no flow was added to any;
    /// remembers the view.
    bool Eventless(const ClairvoyantView& view);

    /// Computes m_loads, m_budget and m_order.
    void Prepare(const ClairvoyantView& view, const PortRates& capacity);

    bool m_backfill;                      ///< hand out what MADD leaves
    bool m_pooledLeftovers;               ///< ... as CoflowSim does
    bool m_rescheduleOnFlow;              ///< decide also when a flow finishes
    StarvationGuard m_guard;              ///< the T/delta machine
    std::vector<Seen> m_seen;             ///< the coflows of the last decision
    std::size_t m_seenFlows{0};           ///< number of its flows
    std::vector<std::uint32_t> m_skipped; ///< working memory: rows that MADD skipped
    CoflowLoads m_loads;                  ///< working memory: loads of all rows
    PortBudget m_budget;                  ///< working memory: what is free
    MaxMinFiller m_filler;                ///< working memory of backfill
    std::vector<double> m_keys;           ///< working memory: key per row
    std::vector<std::uint32_t> m_order;   ///< working memory: rows, most urgent first
};

} // namespace coflow

#endif // COFLOW_ORDER_POLICY_H
