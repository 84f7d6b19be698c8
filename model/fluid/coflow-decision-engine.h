/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DECISION_ENGINE_H
#define COFLOW_DECISION_ENGINE_H

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
/// A ControlLoop says when decisions are made and when they take effect. The policy does not
/// see a coflow before the first decision after its arrival, and may then refuse it. Coflows
/// with a small bottleneck are never shown to it where they bypass the coordinator.
///
/// Nothing happens to a flow between decisions: how much it moved and when it finished is
/// worked out at the next one, in one pass over contiguous arrays. A run so costs
/// O(decisions x flows present), however many flows finish in between.
class DecisionEngine final : public FluidExecutor
{
  public:
    /// @param run workload and records
    /// @param policy who decides
    /// @param control what decisions cost
    /// @param bypass coflows with a smaller bottleneck run without the policy
    DecisionEngine(FluidRun& run, Policy& policy, const ControlModel& control, Bytes bypass);

  private:
    Nanoseconds Next() override;
    void Settle(Nanoseconds time) override;
    void Arrive(std::uint32_t index, Nanoseconds ready) override;
    void Decide() override;
    void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const override;

    void End(Nanoseconds time) override
    {
        Settle(time);
    }

    /// Lets the coflows wait again that are to be put forward again by now.
    void TakeRetries();

    /// Shows the coflows that wait to the policy, which may refuse them.
    void Admit();

    /// Asks the policy for rates.
    void AskPolicy();

    /// Puts the rates last decided in force.
    void TakeEffect();

    /// Lets scheduled flows and those that bypass the policy share the ports, and links that limit.
    void Share();

    /// Works out when flows and coflows will finish at the rates in force.
    void Foresee();

    /// When a coflow was ready, and its position in the workload.
    using Waiting = std::pair<Nanoseconds, std::uint32_t>;

    /// When the flows of a row finish.
    struct Outlook
    {
        Nanoseconds first{NEVER}; ///< the first of them
        Nanoseconds last{NEVER};  ///< the last of them
        double rate{0};           ///< sum of their rates
    };

    /// When a flow finishes at the rates in force.
    Nanoseconds FinishOf(std::uint32_t flow) const
    {
        return TimeAfter(m_now, m_table.Remaining()[flow], m_table.Rates()[flow]);
    }

    Policy& m_policy;                     ///< who decides
    const Triggers m_triggers;            ///< when it wants to be asked
    const Bytes m_bypassBytes;            ///< coflows with a smaller bottleneck bypass it
    ControlLoop m_loop;                   ///< when it decides
    BypassFlows m_bypass;                 ///< flows that it does not see
    FlowTable m_table;                    ///< what is unfinished
    Nanoseconds m_lastArrival{0};         ///< of a coflow that the policy was shown
    Nanoseconds m_completion{NEVER};      ///< next completion that causes a decision
    std::vector<Outlook> m_outlook;       ///< per row
    std::vector<std::uint8_t> m_finished; ///< per flow: it has finished; 0 outside of Settle
    std::vector<double> m_rates;          ///< what the policy answers
    std::vector<Waiting> m_waiting;       ///< coflows that it has not been shown yet
    /// What it granted, where that is not what is in force; none: it is.
    std::optional<GrantedRates> m_grants;
    std::optional<LinkShare> m_links;     ///< links inside the fabric; none: they do not limit
    std::optional<PathChooser> m_chooser; ///< gives flows paths; none: others do
    /// How many bytes of what finished flows leave idle the policy may yet hear of late; at most
    /// the share of what coflows present have sent, so that nobody pays for what was saved before
    /// it came. Below 0 it hears at once.
    double m_idleBudget{0};
    bool m_heard{false};    ///< something finished that the policy wants to hear of
    bool m_unchanged{true}; ///< the last decision changed nothing
    /// Coflows to be put forward again, the first on top.
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> m_retries;
};

} // namespace coflow

#endif // COFLOW_DECISION_ENGINE_H
