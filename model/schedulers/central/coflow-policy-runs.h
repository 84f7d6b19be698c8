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

namespace ns3::coflow
{

/// Decides when to ask a coordinator's policy, and with which port capacities. Each run of the
/// policy decides the rates of all flows of a CoflowLedger.
class PolicyRuns
{
  public:
    /// Decides whether a flow that finishes causes a run.
    enum class OnFlow
    {
        POLICY, ///< as the policy wants
        ALWAYS, ///< every flow causes a run
        NEVER   ///< no flow causes a run
    };

    /// The settings of runs.
    struct Settings
    {
        OnFlow onFlow;                   ///< whether a flow that finishes causes a run
        Time computeDelay;               ///< duration of a run
        Time dispatchDelay;              ///< time from the end of a run to the messages to hosts
        Time reportGrace;                ///< longest time for which reports of hosts are under way
        double kappa;                    ///< part of the port capacities that the policy may use
        double leastRate;                ///< least rate of a flow, bytes per second
        ::coflow::PathChoice pathChoice; ///< way in which paths are chosen
        ::coflow::PortRates rates;       ///< rates of the hosts' ports
        /// Paths of the fabric; null: neither coordinator nor policy chooses paths.
        std::shared_ptr<const ::coflow::PathMap> paths;
    };

    /// A run.
    struct Run
    {
        Time event; ///< time of the oldest event that the run considers; Time::Max(): none
        Time begun; ///< time at which the run read the state
    };

    /// Asks the policy whether to serve a waiting coflow, and carries out the answer.
    /// @return whether the coflow is served
    using Admit = std::function<bool(::coflow::CoflowId)>;

    /// A run has put rates into the ledger. Returns the function that sends them to hosts.
    using Prepare = std::function<std::function<void()>(const Run&)>;

    /// Calls a function when all messages to hosts that wait now have been sent.
    using WhenSent = std::function<void(std::function<void()>)>;

    /// @param policy the policy
    /// @param ledger the ledger for which the policy decides; must outlive this object
    /// @param settings the settings
    /// @param admit called to admit a coflow
    /// @param prepare called when a run has decided; the function that it returns is called
    ///        dispatchDelay after the end of the run
    /// @param whenSent the next run begins when the decision of this one has been sent
    PolicyRuns(std::unique_ptr<::coflow::Policy> policy,
               ::coflow::CoflowLedger& ledger,
               const Settings& settings,
               Admit admit,
               Prepare prepare,
               WhenSent whenSent);

    /// Requests a run.
    /// @param event time of the event that causes the request
    /// @param delay the run begins after this time at the latest, unless a run is in progress
    void Request(Time event, Time delay = Time());

    /// Proposes a coflow to be scheduled with the flows that exist. The coflow is admitted at once,
    /// or by the next run if the policy admits coflows when it decides.
    /// @param coflow the coflow
    /// @param event time of the event that causes the call
    void Propose(::coflow::CoflowId coflow, Time event);

    /// @param coflow a coflow that has just become READY
    /// @return the answer of the policy
    ::coflow::Admission Ask(::coflow::CoflowId coflow);

    /// Flows have finished.
    /// @param coflows the coflows of these flows
    /// @param event time of the event that causes the call
    void FlowsDone(const std::set<::coflow::CoflowId>& coflows, Time event);

    /// A host has measured traffic that the scheduler does not control.
    /// @param host the host
    /// @param sent sent traffic, in bytes per second
    /// @param received received traffic, in bytes per second
    void Measure(::coflow::HostId host, double sent, double received);

    /// The share of a host's port that coflows may use has changed.
    /// @param host the host
    /// @param share the share, relative to the initial rate
    void SetShare(::coflow::HostId host, double share);

    /// Coflows may use the whole port of a host, until the next SetShare().
    /// @param host the host
    void ResetShare(::coflow::HostId host);

    /// @return number of changes of a flow's path
    uint64_t GetMoves() const;

  private:
    /// Starts a run: reads the state and decides.
    void Begin();
    /// Ends a run. Hosts get the decision after the dispatch delay.
    void End();
    /// Sends a decision. No run begins until the decision has been sent.
    /// @param send sends the decision
    void Send(const std::function<void()>& send);
    /// Admits coflows that were proposed since the last run.
    void AdmitProposed();

    std::unique_ptr<::coflow::Policy> m_policy;       ///< policy
    ::coflow::CoflowLedger& m_ledger;                 ///< coflows and flows
    Settings m_settings;                              ///< settings of runs
    Admit m_admit;                                    ///< function that admits a coflow
    Prepare m_prepare;                                ///< function that makes the messages to hosts
    WhenSent m_whenSent;                              ///< function that waits for messages
    ::coflow::ResidualCapacity m_residual;            ///< free capacities of ports
    ::coflow::PortRates m_used;                       ///< free capacities at the last run
    std::unique_ptr<::coflow::PathChooser> m_chooser; ///< chooser of paths; or null
    RunQueue m_queue;                                 ///< queue that starts one run at a time
    std::set<::coflow::CoflowId> m_proposed;          ///< coflows proposed since the last run
    std::set<::coflow::CoflowId> m_overdue; ///< coflows that are checked after reportGrace
    Time m_event{Time::Max()};              ///< time of the oldest event since the last run began
    std::function<void()> m_send; ///< function that sends the decision of the run to hosts
    EventGroup m_events;          ///< events of messages to hosts, and of checks of idle coflows
};

} // namespace ns3::coflow

#endif // COFLOW_POLICY_RUNS_H
