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

/// The flows of coflows that are too small to wait for a coordinator (Varys, SIGCOMM 2014,
/// section 5.3): nobody limits them, they share ports as TCP does, max-min fair per flow.
///
/// Scheduled flows meet them at the ports with the rates that they were granted: there they
/// are TCP as well, but never take more than their rate. So all flows at such ports share by
/// max-min, a scheduled one with its granted rate as its demand. No port's rate is exceeded,
/// and what scheduled flows lose here nobody makes up for; the policy does not learn of it.
class BypassFlows
{
  public:
    explicit BypassFlows(FluidRun& run)
        : m_run(run)
    {
    }

    /// Starts the flows of a coflow.
    /// @param index its position in the workload
    void Add(std::uint32_t index);

    /// @return the flows, for another who gives them rates
    std::span<FlowState> Flows()
    {
        return m_flows;
    }

    /// Whether there are none.
    bool Empty() const
    {
        return m_flows.empty();
    }

    /// Moves what flows until `to`, and records what finished.
    /// @param from where the last Settle ended
    void Settle(Nanoseconds from, Nanoseconds to);

    /// Gives everybody rates.
    /// @param table scheduled flows with the rates granted to them; lowered to what they get
    void Share(FlowTable& table, Nanoseconds now);

    /// When the rates of Share have to change: a flow of them finishes, or a scheduled one at
    /// a port of theirs; NEVER if there are none.
    Nanoseconds Next() const
    {
        return m_next;
    }

    /// Tells all flows that are unfinished.
    /// @param from where the last Settle ended
    /// @param at the time, before the next Settle
    /// @param flows to be appended to
    void AppendFlows(Nanoseconds from, Nanoseconds at, std::vector<FlowState>& flows) const;

  private:
    FluidRun& m_run;                      ///< workload and records
    std::vector<FlowState> m_flows;       ///< in the order of their start
    Nanoseconds m_next{NEVER};            ///< see Next()
    PortBudget m_budget;                  ///< working memory
    MaxMinFiller m_filler;                ///< working memory
    std::vector<std::uint8_t> m_shared;   ///< working memory: per port, it has such flows
    std::vector<std::uint32_t> m_limited; ///< working memory: scheduled flows at shared ports
    std::vector<double> m_rates;          ///< working memory
};

} // namespace coflow

#endif // COFLOW_BYPASS_FLOWS_H
