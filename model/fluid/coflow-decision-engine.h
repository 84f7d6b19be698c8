/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DECISION_ENGINE_H
#define COFLOW_DECISION_ENGINE_H

#include "ns3/coflow-attained-ledger.h"
#include "ns3/coflow-bypass-flows.h"
#include "ns3/coflow-control-model.h"
#include "ns3/coflow-fluid-executor.h"
#include "ns3/coflow-granted-rates.h"
#include "ns3/coflow-link-share.h"
#include "ns3/coflow-path-chooser.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace coflow
{

/// The executor for any policy: rates are constant from one decision to the next.
///
/// A ControlLoop computes when decisions are made and when they take effect. The policy first sees
/// a coflow at the first decision after its arrival, and may then refuse it. The policy never sees
/// coflows that bypass the coordinator.
///
/// There are no events of flows between decisions. The next decision computes the bytes and finish
/// times of all flows, in one pass over contiguous arrays. So a run costs O(decisions x unfinished
/// flows), for any number of flows that finish between decisions.
class DecisionEngine final : public FluidExecutor
{
  public:
    /// @param run workload and records
    /// @param policy the policy
    /// @param control costs of control
    /// @param bypass coflows with a smaller bottleneck run without the policy
    DecisionEngine(FluidRun& run, Policy& policy, const ControlModel& control, Bytes bypass);

  private:
    Nanoseconds Next() override;
    void Settle(Nanoseconds time) override;
    void Start(std::uint32_t index, Nanoseconds ready) override;
    void Arrive(std::uint32_t index, Nanoseconds ready) override;
    void Decide() override;
    void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const override;

    void End(Nanoseconds time) override
    {
        Settle(time);
    }

    /// Adds coflows whose admission is to be requested again by now to the waiting coflows.
    void TakeRetries();

    /// Requests the admission of waiting coflows from the policy, which may refuse them.
    void Admit();

    /// Asks the policy for rates.
    void AskPolicy();

    /// Puts the rates of the last decision in force.
    void TakeEffect();

    /// Computes how scheduled flows and flows that bypass the policy share ports and links.
    void Share();

    /// Computes when flows and coflows will finish at the rates in force.
    void Foresee();

    /// Ready time of a coflow, and its position in the workload.
    using Waiting = std::pair<Nanoseconds, std::uint32_t>;

    /// Finish times of the flows of a row.
    struct Outlook
    {
        Nanoseconds first{NEVER}; ///< finish of the first flow
        Nanoseconds last{NEVER};  ///< finish of the last flow
        double rate{0};           ///< sum of the rates of the flows, in bytes per second
        std::size_t blocks{0};    ///< end of the row's entries in m_blocks
    };

    /// Finish time of a flow at the rates in force.
    Nanoseconds FinishOf(std::uint32_t flow) const
    {
        return TimeAfter(m_now, m_table.Remaining()[flow], m_table.Rates()[flow]);
    }

    Policy& m_policy;                       ///< the policy
    const Triggers m_triggers;              ///< events at which the policy is asked
    const Bytes m_bypassBytes;              ///< coflows with a smaller bottleneck bypass the policy
    ControlLoop m_loop;                     ///< times of decisions and of their effects
    BypassFlows m_bypass;                   ///< flows that the policy does not see
    FlowTable m_table;                      ///< unfinished coflows
    Nanoseconds m_lastArrival{0};           ///< arrival of the last coflow that the policy has seen
    Nanoseconds m_completion{NEVER};        ///< next completion that causes a decision
    std::vector<Outlook> m_outlook;         ///< finish times of flows, per row of m_table
    std::vector<std::uint32_t> m_blocks;    ///< blocks with a rate, row after row, see ExtentOf()
    std::vector<std::uint32_t> m_finished;  ///< working memory: finished flows of a row
    std::vector<double> m_rates;            ///< rates of the last decision, per flow
    std::optional<AttainedLedger> m_places; ///< gives CoflowRow::place; none: all are 0
    std::vector<Waiting> m_waiting;         ///< coflows that the policy has not seen yet
    /// Granted rates, where other rates are in force; none: the granted rates are in force.
    std::optional<GrantedRates> m_grants;
    std::optional<LinkShare> m_links;     ///< links inside the fabric; none: only ports limit
    std::optional<PathChooser> m_chooser; ///< chooses paths; none: the policy or the fabric does
    /// Bytes that finished flows may still leave unused before the policy is asked. The limit is a
    /// share of the bytes that present coflows have sent, so that a coflow does not pay for savings
    /// before its arrival. Below 0, the policy is asked at once.
    double m_idleBudget{0};
    bool m_heard{false};    ///< a flow or coflow has finished that causes a decision
    bool m_unchanged{true}; ///< the last decision changed nothing
    /// Coflows whose admission is to be requested again, the first on top.
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> m_retries;
};

} // namespace coflow

#endif // COFLOW_DECISION_ENGINE_H
