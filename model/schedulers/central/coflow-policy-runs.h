/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_POLICY_RUNS_H
#define COFLOW_POLICY_RUNS_H

#include "ns3/coflow-event-group.h"
#include "ns3/coflow-ledger.h"
#include "ns3/coflow-path-chooser.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-residual-capacity.h"
#include "ns3/coflow-run-queue.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// The runs of a central coordinator's policy: when the policy is asked, and about what ports have
/// left. Each run decides the rates of all flows of a CoflowLedger.
class PolicyRuns
{
  public:
    /// Overrides whether a policy is asked when a flow finishes.
    enum class OnFlow
    {
        POLICY, ///< it is asked if it wants to be
        ALWAYS, ///< it is asked
        NEVER   ///< it is not
    };

    /// How runs are made.
    struct Settings
    {
        OnFlow onFlow;                                  ///< whether a flow that finishes asks
        Time computeDelay;                              ///< how long a run takes
        Time dispatchDelay;                             ///< from its end until hosts are told
        double kappa;                                   ///< part of ports that is handed out
        double leastRate;                               ///< of a flow, bytes per second
        ::coflow::PathChoice pathChoice;                ///< who chooses paths
        const ::coflow::PortRates& rates;               ///< of the hosts' ports
        std::shared_ptr<const ::coflow::PathMap> paths; ///< null: nobody chooses any
    };

    /// A run.
    struct Run
    {
        Time event; ///< the oldest that it takes account of; Time::Max(): only time has passed
        Time begun; ///< when it looked at the state
    };

    /// Asks whether a coflow that waits is served, and does what follows.
    /// @return whether it is
    using Admit = std::function<bool(::coflow::CoflowId)>;

    /// A run has put rates into the ledger. Returns the function that tells hosts.
    using Prepare = std::function<std::function<void()>(const Run&)>;

    /// @param policy decides
    /// @param ledger what it is asked about; must outlive this object
    PolicyRuns(std::unique_ptr<::coflow::Policy> policy,
               ::coflow::CoflowLedger& ledger,
               const Settings& settings,
               Admit admit,
               Prepare prepare);

    /// Asks for a run.
    /// @param event when that happened because of which it is asked for
    /// @param delay the run may begin so much later
    void Request(Time event, Time delay = Time());

    /// A coflow is to be scheduled with the flows that exist. It is admitted at once, or by the
    /// next run if the policy admits coflows when it decides.
    void Propose(::coflow::CoflowId coflow, Time event);

    /// @return what the policy says of a coflow that was just made ready
    ::coflow::Admission Ask(::coflow::CoflowId coflow);

    /// Flows have finished.
    /// @param coflows whose flows
    void FlowsDone(const std::set<::coflow::CoflowId>& coflows, Time event);

    /// A host measured traffic that the scheduler does not control, in bytes per second.
    void Measure(::coflow::HostId host, double sent, double received);

    /// A host's port has another rate for coflows.
    /// @param share of the rate that it had at first
    void SetShare(::coflow::HostId host, double share);

    /// A host's port has all its rate for coflows, until SetShare() says otherwise.
    void ResetShare(::coflow::HostId host);

    /// Begins no run until Resume() was called as often as Hold().
    void Hold();

    /// Ends one Hold().
    void Resume();

    /// @return how many flows were given another path than they had
    uint64_t GetMoves() const;

  private:
    /// Looks at the state and decides.
    void Begin();
    /// Tells hosts, after a while.
    void End();
    /// Has coflows admitted that were proposed since the last run.
    void AdmitProposed();

    std::unique_ptr<::coflow::Policy> m_policy;       ///< decides
    ::coflow::CoflowLedger& m_ledger;                 ///< coflows and flows
    Settings m_settings;                              ///< how runs are made
    Admit m_admit;                                    ///< asks whether a coflow is served
    Prepare m_prepare;                                ///< makes what hosts are told
    ::coflow::ResidualCapacity m_residual;            ///< what ports have left
    ::coflow::PortRates m_used;                       ///< what they had left at the last run
    std::unique_ptr<::coflow::PathChooser> m_chooser; ///< gives paths; or null
    RunQueue m_queue;                                 ///< one run at a time
    std::set<::coflow::CoflowId> m_proposed;          ///< since the last run
    Time m_event{Time::Max()};                        ///< oldest since the last run began
    std::function<void()> m_tell;                     ///< tells hosts what the run has decided
    EventGroup m_events;                              ///< tell hosts, or look at idle coflows
};

} // namespace ns3::coflow

#endif // COFLOW_POLICY_RUNS_H
