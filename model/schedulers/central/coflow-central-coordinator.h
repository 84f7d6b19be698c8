/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_COORDINATOR_H
#define COFLOW_CENTRAL_COORDINATOR_H

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-event-group.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-known-daemons.h"
#include "ns3/coflow-ledger.h"
#include "ns3/coflow-order-dispatcher.h"
#include "ns3/coflow-policy-runs.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-rate-dispatcher.h"
#include "ns3/data-rate.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// The master of a central scheduler (Varys, Chowdhury et al., SIGCOMM 2014, section 4). It knows
/// only what messages of daemons say, and keeps this in a CoflowLedger. It asks a policy for rates
/// when coflows come and go (PolicyRuns), and sends the rates to the daemons.
///
/// A coflow is WAITING from its registration until all its flows were put and got. Then it is
/// READY, and RUNNING from its first rate. An admission control makes it REJECTED. The coordinator
/// tells the driver at once, and the hosts after the driver has unregistered the coflow.
///
/// When its driver unregisters a coflow, the coordinator checks at once whether all its flows were
/// reported as done. If not, the coordinator waits for late reports for UnregisterGrace. Then the
/// coflow is FINISHED if all its flows were reported as done. Otherwise it is FAILED, and its flows
/// are cancelled.
///
/// After a death of the coordinator, the daemons repeat all puts and gets of coflows that are not
/// over, with the flows that are done. While a daemon is absent (KnownDaemons), the coordinator
/// waits for its flows for RebuildTime at most. Then it schedules the coflow with the flows that
/// are known. A coflow that still lacks flows after DaemonTimeout is RELEASED: its hosts send its
/// remaining bytes as plain TCP. A coflow is also RELEASED when its driver's daemon is absent for
/// this time, or when its flows are known and no driver has registered it.
class CentralCoordinator : public Coordinator
{
  public:
    /// Delays that were measured in a real cluster.
    enum class Preset
    {
        NONE, ///< none
        EC2   ///< delays measured by Varys on EC2 (section 7.2)
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Sets the policy and the network; to be called once, before the application starts.
    /// @param makePolicy function that creates the policy; it is called at the start and after
    ///        every death
    /// @param network the hosts, their ports and addresses
    void SetPolicy(std::function<std::unique_ptr<::coflow::Policy>()> makePolicy,
                   Ptr<const HostNetwork> network);

    /// Hosts get an order of coflows and no rates. They map the order to classes. To be called
    /// once, before the application starts.
    /// @param classes number of classes, > 0
    void SetOrderClasses(uint32_t classes);

    /// @return the attribute PathChoice: the way in which paths are chosen
    ::coflow::PathChoice GetPathChoice() const
    {
        return m_pathChoice;
    }

    /// @return number of changes of a flow's path since the last start of the coordinator
    uint64_t GetMoves() const;

    /// @param coflow the coflow
    /// @return state of the coflow; none where the coordinator does not know it
    std::optional<::coflow::CoflowState> GetState(::coflow::CoflowId coflow) const;

    /// @param coflow the coflow
    /// @return text for a person: the state of the coflow at the coordinator, and the missing flows
    std::string DescribeWait(::coflow::CoflowId coflow) const;

    /// A coflow changed its state.
    /// @param coflow the coflow
    /// @param state its new state
    typedef void (*StateCallback)(::coflow::CoflowId coflow, ::coflow::CoflowState state);

    /// The coordinator sends a schedule to daemons.
    /// @param before a number below the numbers of this schedule's messages, and not below any
    ///        number sent earlier
    /// @param event time of the oldest event that the schedule considers; Time::Max(): none
    /// @param decided time at which the coordinator read the state for the schedule
    typedef void (*ScheduleCallback)(uint64_t before, Time event, Time decided);

  protected:
    void NotifyConstructionCompleted() override;
    void DoDispose() override;

  private:
    void SetHandlers() override;
    void Begin() override;
    void End() override;

    /// @name Messages
    /// @{
    void OnDaemonUp(::coflow::HostId host) override;
    void OnDaemonDown(::coflow::HostId host) override;
    void OnHeartbeat(::coflow::HostId host, const HeartbeatMessage& message) override;
    void OnPortShare(::coflow::HostId host, const PortShareMessage& message);
    void OnRegister(::coflow::HostId host, const RegisterCoflowMessage& message);
    void OnUnregister(::coflow::HostId host, const UnregisterCoflowMessage& message);
    void OnAddFlows(::coflow::HostId host, const AddFlowsMessage& message);
    void OnGetFlows(::coflow::HostId host, const GetFlowsMessage& message);
    void OnFlowProgress(::coflow::HostId host, const FlowProgressMessage& message);
    /// A host repeats an outcome that a coordinator has sent, perhaps before its last death.
    void OnRejected(::coflow::HostId host, const RejectedCoflowMessage& message);
    /// @}

    /// Answers the heartbeat or the hello of a daemon that is not idle.
    void AnswerHeartbeat(::coflow::HostId host);
    /// A daemon has been silent for too long.
    void LoseDaemon(::coflow::HostId host);
    /// The puts of a daemon are void.
    /// @param host the host of the daemon
    /// @param doneToo whether puts of flows that are done are void, too
    void DropPuts(::coflow::HostId host, bool doneToo);
    /// A daemon is absent. Limits the wait for the flows of an absent daemon.
    void NoteAbsent(::coflow::HostId host);

    /// A host reports flows of a coflow.
    /// @return whether the flows count; false: the coflow is over, and the host gets an answer
    bool AcceptsFlows(::coflow::HostId host, ::coflow::CoflowId coflow);
    /// Answers a host where a coflow is over.
    /// @return whether the coflow is over
    bool AnswerIfOver(::coflow::HostId host, ::coflow::CoflowId coflow);
    /// Takes puts or gets of a host.
    /// @param take enters one record in the ledger; returns whether the flow exists now for the
    ///        first time
    template <class Message, class Take>
    void TakeRecords(::coflow::HostId host, const Message& message, Take take);
    /// Schedules coflows whose last flow exists now, and sends descriptions of flows to receivers.
    /// @param touched coflows of the flows that a host has reported
    /// @param complete flows of the report that exist now for the first time
    /// @param event time of the oldest event of the report
    void TakeFlows(const std::set<::coflow::CoflowId>& touched,
                   const std::vector<FlowKey>& complete,
                   Time event);

    /// Makes a coflow READY, asks the policy whether to serve it, and sends the answer to the
    /// driver and the hosts.
    /// @return whether the coflow is served
    bool Admit(::coflow::CoflowId coflow);
    /// Calls a function for a coflow after a delay.
    void After(Time delay,
               void (CentralCoordinator::*function)(::coflow::CoflowId),
               ::coflow::CoflowId coflow);
    /// Schedules a coflow with the flows that exist, if the coflow still waits.
    void StopWaiting(::coflow::CoflowId coflow);
    /// As StopWaiting(), if a daemon is absent that may know more flows.
    void StopWaitingForAbsent(::coflow::CoflowId coflow);
    /// Releases a coflow that lacks flows of an absent daemon, or that is not registered.
    void ReleaseIfLacking(::coflow::CoflowId coflow);
    /// Releases a coflow: its hosts send its remaining bytes without a limit.
    void Release(::coflow::CoflowId coflow);
    /// A driver has unregistered a coflow, or is gone.
    /// @param coflow the coflow
    /// @param event time of the event
    void Close(::coflow::CoflowId coflow, Time event);
    /// A coflow that is closed reaches a terminal state.
    void Conclude(::coflow::CoflowId coflow);
    /// Sends hosts the outcome of a coflow that is not scheduled.
    void SendOutcome(const std::set<::coflow::HostId>& hosts,
                     ::coflow::CoflowId coflow,
                     Outcome outcome,
                     const std::string& reason);
    /// The state of a coflow has changed: updates Memory::open, and fires the trace CoflowState.
    void NoteState(::coflow::CoflowId coflow, ::coflow::CoflowState state);
    /// Makes the messages about a run's decision.
    /// @param run the run
    /// @return function that sends the messages
    std::function<void()> PrepareSchedule(const PolicyRuns::Run& run);

    /// The state that the coordinator loses when it dies.
    struct Memory
    {
        /// @param self the coordinator
        /// @param policy the policy
        Memory(CentralCoordinator& self, std::unique_ptr<::coflow::Policy> policy);

        ::coflow::CoflowLedger ledger;           ///< coflows and flows
        RateDispatcher rates;                    ///< sender of rates
        OrderDispatcher orders;                  ///< sender of places
        KnownDaemons daemons;                    ///< daemons that are known
        PolicyRuns runs;                         ///< runs of the policy
        std::set<::coflow::CoflowId> bestEffort; ///< coflows that are refused and still served
        EventGroup timers;                       ///< timers of single coflows
        std::set<::coflow::CoflowId> open;       ///< coflows that are not over
    };

    double m_kappa;                               ///< attribute Kappa
    bool m_useMeasuredRem;                        ///< attribute UseMeasuredRem
    ::coflow::CoflowLedger::Estimate m_remaining; ///< attribute Remaining
    PolicyRuns::OnFlow m_onFlow;                  ///< attribute OnFlowCompletion
    Preset m_preset;                              ///< attribute Preset
    Time m_computeDelay;                          ///< attribute ComputeDelay
    Time m_dispatchDelay;                         ///< attribute DispatchDelay
    DataRate m_minFlowRate;                       ///< attribute MinFlowRate
    ::coflow::PathChoice m_pathChoice;            ///< attribute PathChoice
    Time m_readyTimeout;                          ///< attribute ReadyTimeout
    Time m_rebuildTime;                           ///< attribute RebuildTime
    Time m_unregisterGrace;                       ///< attribute UnregisterGrace
    Time m_daemonTimeout;                         ///< attribute DaemonTimeout

    /// Function that creates the policy.
    std::function<std::unique_ptr<::coflow::Policy>()> m_makePolicy;
    Ptr<const HostNetwork> m_network; ///< hosts and their addresses
    ::coflow::PortRates m_portRates;  ///< rates of the hosts' ports
    /// Paths, where the coordinator or the policy chooses them; or null.
    std::shared_ptr<const ::coflow::PathMap> m_paths;
    uint32_t m_classes{0}; ///< number of classes, see SetOrderClasses(); 0: hosts get rates
    std::unique_ptr<Memory> m_memory; ///< state of the living coordinator; null: it is dead

    TracedCallback<::coflow::CoflowId, ::coflow::CoflowState> m_stateTrace;
    TracedCallback<uint64_t, Time, Time> m_scheduleTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_COORDINATOR_H
