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
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// The master of a central scheduler (Varys, Chowdhury et al., SIGCOMM 2014, section 4). It knows
/// what daemons tell it and nothing else, keeps that in a CoflowLedger, asks a policy for rates
/// when coflows come and go (PolicyRuns), and tells the daemons.
///
/// A coflow is WAITING from its registration until all its flows have been put and got, then
/// READY, RUNNING from its first rate, FINISHED when its driver unregisters it. An admission
/// control makes it REJECTED, which its driver is told; when the driver has unregistered it, its
/// hosts are. Unregistered too early it is FAILED, and its flows are cancelled.
///
/// When it comes back after a death, the daemons tell it anew all that was put and got of coflows
/// that are not over, what is done included. While a daemon is absent (KnownDaemons), its flows are
/// not waited for longer than RebuildTime: a coflow is then scheduled with the flows that are
/// known. A coflow that still lacks flows after DaemonTimeout is RELEASED: its hosts send the rest
/// of it as plain TCP. A coflow is also RELEASED when its driver's daemon is gone for so long, or
/// when its flows are known and no driver has registered it.
class CentralCoordinator : public Coordinator
{
  public:
    /// Known measurements.
    enum class Preset
    {
        NONE, ///< none
        EC2   ///< delays measured by Varys on EC2 (section 7.2)
    };

    static TypeId GetTypeId();

    /// To be called once, before it starts.
    /// @param makePolicy makes the policy, anew after every death
    /// @param network the hosts, their ports and addresses
    void SetPolicy(std::function<std::unique_ptr<::coflow::Policy>()> makePolicy,
                   Ptr<const HostNetwork> network);

    /// Hosts get an order, which they map to classes, and no rates. To be called once, before it
    /// starts.
    /// @param classes > 0
    void SetOrderClasses(uint32_t classes);

    /// @return who chooses the paths of flows
    ::coflow::PathChoice GetPathChoice() const
    {
        return m_pathChoice;
    }

    /// @return how many flows were given another path than they had, since it started last
    uint64_t GetMoves() const;

    /// @return state of a coflow; none where the coordinator does not know it
    std::optional<::coflow::CoflowState> GetState(::coflow::CoflowId coflow) const;

    /// @return what a coflow waits for as far as the coordinator knows, for a person
    std::string DescribeWait(::coflow::CoflowId coflow) const;

    /// A coflow changed its state.
    /// @param coflow the coflow
    /// @param state its new state
    typedef void (*StateCallback)(::coflow::CoflowId coflow, ::coflow::CoflowState state);

    /// A schedule is being told to daemons.
    /// @param before number that is smaller than those of its parts, and not smaller than any
    ///        told before
    /// @param event when the oldest event happened that it takes account of; Time::Max() where
    ///        nothing but time has passed
    /// @param decided when the state was looked at
    typedef void (*ScheduleCallback)(uint64_t before, Time event, Time decided);

  protected:
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
    /// A host says what a coordinator has said before, perhaps in an earlier life.
    void OnRejected(::coflow::HostId host, const RejectedCoflowMessage& message);
    /// @}

    /// Answers the heartbeat of a daemon that is not idle, hello included.
    void AnswerHeartbeat(::coflow::HostId host);
    /// A daemon has been silent for too long.
    void LoseDaemon(::coflow::HostId host);
    /// The puts that a daemon has told of are void.
    void DropPuts(::coflow::HostId host, bool doneToo);
    /// A daemon is absent: its flows are not waited for for ever.
    void NoteAbsent(::coflow::HostId host);

    /// A host tells of flows of a coflow.
    /// @return false where the coflow is over, which the host is told
    bool AcceptsFlows(::coflow::HostId host, ::coflow::CoflowId coflow);
    /// Tells a host that a coflow is over, if it is.
    /// @return whether it is
    bool AnswerIfOver(::coflow::HostId host, ::coflow::CoflowId coflow);
    /// Takes puts or gets of a host.
    /// @param take tells the ledger of one; returns whether its flow exists since now
    template <class Message, class Take>
    void TakeRecords(::coflow::HostId host, const Message& message, Take take);
    /// Schedules coflows whose last flow exists now, and tells receivers where flows come from.
    /// @param touched coflows of the flows that a host has told of
    /// @param complete those of these flows that exist since now
    void TakeFlows(const std::set<::coflow::CoflowId>& touched,
                   const std::vector<FlowKey>& complete,
                   Time event);

    /// Has a coflow ready, asks the policy whether it is served, and tells who has to know.
    /// @return whether it is
    bool Admit(::coflow::CoflowId coflow);
    /// Calls a function for a coflow after a while.
    void After(Time delay,
               void (CentralCoordinator::*function)(::coflow::CoflowId),
               ::coflow::CoflowId coflow);
    /// Schedules a coflow with the flows that exist if it still waits.
    void StopWaiting(::coflow::CoflowId coflow);
    /// The same, where a daemon that might tell of more flows is absent.
    void StopWaitingForAbsent(::coflow::CoflowId coflow);
    /// Releases a coflow that lacks flows, where a daemon is absent, or that is not registered.
    void ReleaseIfLacking(::coflow::CoflowId coflow);
    /// Has the hosts of a coflow send what is left of it without a limit.
    void Release(::coflow::CoflowId coflow);
    /// The driver has unregistered a coflow, or is gone.
    void Close(::coflow::CoflowId coflow, Time event);
    /// A coflow that is closed reaches a terminal state.
    void Conclude(::coflow::CoflowId coflow);
    /// Tells hosts what becomes of a coflow that is not scheduled.
    void TellOutcome(const std::set<::coflow::HostId>& hosts,
                     ::coflow::CoflowId coflow,
                     Outcome outcome,
                     const std::string& reason);
    /// Fires the trace if a coflow has another state than it had then last.
    void TraceState(::coflow::CoflowId coflow);
    /// Makes what daemons are to be told of a run's decision.
    /// @return the function that tells them
    std::function<void()> PrepareSchedule(const PolicyRuns::Run& run);

    /// What it forgets when it dies.
    struct Memory
    {
        /// @param self the coordinator
        /// @param policy decides
        Memory(CentralCoordinator& self, std::unique_ptr<::coflow::Policy> policy);

        ::coflow::CoflowLedger ledger;           ///< coflows and flows
        RateDispatcher rates;                    ///< tells rates
        OrderDispatcher orders;                  ///< tells places
        KnownDaemons daemons;                    ///< not silent for too long
        PolicyRuns runs;                         ///< ask the policy
        std::set<::coflow::CoflowId> bestEffort; ///< refused, but served
        EventGroup timers;                       ///< of single coflows
        std::set<::coflow::CoflowId> open;       ///< those that are not over, by `traced`
        std::map<::coflow::CoflowId, ::coflow::CoflowState> traced; ///< by TraceState()
    };

    double m_kappa;                               ///< attribute Kappa
    bool m_useMeasuredRem;                        ///< attribute UseMeasuredRem
    ::coflow::CoflowLedger::Estimate m_remaining; ///< attribute Remaining
    PolicyRuns::OnFlow m_rescheduleOnFlow;        ///< attribute RescheduleOnFlow
    Preset m_preset;                              ///< attribute Preset
    Time m_computeDelay;                          ///< attribute ComputeDelay
    Time m_dispatchDelay;                         ///< attribute DispatchDelay
    DataRate m_minFlowRate;                       ///< attribute MinFlowRate
    ::coflow::PathChoice m_pathChoice;            ///< attribute PathChoice
    Time m_readyTimeout;                          ///< attribute ReadyTimeout
    Time m_rebuildTime;                           ///< attribute RebuildTime
    Time m_unregisterGrace;                       ///< attribute UnregisterGrace
    Time m_daemonTimeout;                         ///< attribute DaemonTimeout

    std::function<std::unique_ptr<::coflow::Policy>()> m_makePolicy; ///< makes the policy
    Ptr<const HostNetwork> m_network;                                ///< hosts and their addresses
    ::coflow::PortRates m_portRates;                                 ///< of the hosts' ports
    std::shared_ptr<const ::coflow::PathMap> m_paths; ///< where it chooses paths; or null
    uint32_t m_classes{0};                            ///< SetOrderClasses(); 0: rates
    std::unique_ptr<Memory> m_memory;                 ///< while it is alive

    TracedCallback<::coflow::CoflowId, ::coflow::CoflowState> m_stateTrace;
    TracedCallback<uint64_t, Time, Time> m_scheduleTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_COORDINATOR_H
