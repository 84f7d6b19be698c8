/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BYPASS_FLOWS_H
#define COFLOW_BYPASS_FLOWS_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-fluid-options.h"
#include "ns3/coflow-fluid-run.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// The flows of coflows that are too small to wait for a coordinator (Varys, SIGCOMM 2014, section
/// 5.3). These flows have no rate limit, and share ports as TCP does: max-min fair per flow.
///
/// At ports with such flows, scheduled flows also share by max-min fairness, with their granted
/// rate as their demand. No port's rate is exceeded. Scheduled flows may have less than their
/// granted rate there. Nothing compensates for this, and the policy is not informed.
class BypassFlows
{
  public:
    explicit BypassFlows(FluidRun& run)
        : m_run(run)
    {
    }

    /// Starts the flows of a coflow.
    /// @param index position of the coflow in the workload
    void Add(std::uint32_t index);

    /// @return the flows, for a caller that sets their rates
    std::span<FlowState> Flows()
    {
        return m_flows;
    }

    /// Whether there are no such flows.
    bool Empty() const
    {
        return m_flows.empty();
    }

    /// Advances the flows to the time `to`, and records the flows that finish.
    /// @param from end of the last Settle()
    void Settle(Nanoseconds from, Nanoseconds to);

    /// Sets the rates of all flows.
    /// @param table scheduled flows with their granted rates, which are lowered where ports are
    ///        shared
    void Share(FlowTable& table, Nanoseconds now);

    /// Time at which the rates of Share() change: one of these flows finishes, or a scheduled flow
    /// at one of their ports; NEVER without such flows.
    Nanoseconds Next() const
    {
        return m_next;
    }

    /// Appends the state of all unfinished flows.
    /// @param from end of the last Settle()
    /// @param at the time, before the next Settle()
    /// @param flows the list, which is appended to
    void AppendFlows(Nanoseconds from, Nanoseconds at, std::vector<FlowState>& flows) const;

  private:
    FluidRun& m_run;                      ///< workload and records of the run
    std::vector<FlowState> m_flows;       ///< in the order of their start
    Nanoseconds m_next{NEVER};            ///< see Next()
    PortBudget m_budget;                  ///< working memory
    MaxMinFiller m_filler;                ///< working memory
    std::vector<std::uint8_t> m_shared;   ///< working memory: per port, 1 where the port has such
                                          ///< flows
    std::vector<std::uint32_t> m_limited; ///< working memory: scheduled flows at shared ports
    std::vector<double> m_rates;          ///< working memory
};

} // namespace coflow

#endif // COFLOW_BYPASS_FLOWS_H
