/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_COORDINATOR_H
#define COFLOW_CENTRAL_COORDINATOR_H

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-ledger.h"
#include "ns3/coflow-order-dispatcher.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-rate-dispatcher.h"
#include "ns3/coflow-residual-capacity.h"
#include "ns3/coflow-run-queue.h"
#include "ns3/data-rate.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// The master of a central scheduler (Varys, Chowdhury et al., SIGCOMM 2014, section 4). It knows
/// what daemons tell it and nothing else, keeps that in a CoflowLedger, asks a policy for rates
/// when coflows come and go, and tells the daemons.
///
/// A coflow is WAITING from its registration until all its flows have been put and got, then
/// READY, RUNNING from its first rate, FINISHED when its driver unregisters it. An admission
/// control makes it REJECTED, which its driver is told; when the driver has unregistered it, its
/// hosts are. Unregistered too early it is FAILED, and its flows are cancelled.
///
/// When it comes back after a death, the daemons tell it anew all that was put and got of coflows
/// that are not over, what is done included. A daemon is *absent* while it has no
/// connection, as all are at first. While any is, what it would tell is not waited for longer than
/// RebuildTime: a coflow is then scheduled with the flows that are known. What still lacks flows
/// after DaemonTimeout is RELEASED: its hosts send what is left as plain TCP. So is a coflow whose
/// driver's daemon is gone for so long, and one whose flows are told of and that is not registered.
class CentralCoordinator : public Coordinator
{
  public:
    /// Overrides whether a policy is asked when a flow finishes.
    enum class OnFlow
    {
        POLICY, ///< it is asked if it wants to be
        ALWAYS, ///< it is asked
        NEVER   ///< it is not
    };

    /// Known measurements.
    enum class Preset
    {
        NONE, ///< none
        EC2   ///< delays measured by Varys on EC2 (section 7.2)
    };

    static TypeId GetTypeId();

    CentralCoordinator();
    ~CentralCoordinator() override;

    /// To be called once, before it starts.
    /// @param makePolicy makes the policy, anew after every death
    /// @param network the hosts, their ports and addresses
    void SetPolicy(std::function<std::unique_ptr<::coflow::Policy>()> makePolicy,
                   Ptr<const HostNetwork> network);

    /// Hosts are told an order, which they map to classes, and no rates. To be called once, before
    /// it starts.
    /// @param classes > 0
    void TellOrder(uint32_t classes);

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
    /// Answers the heartbeat of a daemon that does not rest, hello included.
    void AnswerHeartbeat(::coflow::HostId host);
    void Measure(::coflow::HostId host, const HeartbeatMessage& message);
    /// A host's port has changed, or what coflows may have of it.
    void OnPortShare(::coflow::HostId host, const PortShareMessage& message);
    void OnRegister(::coflow::HostId host, const RegisterCoflowMessage& message);
    void OnUnregister(::coflow::HostId host, const UnregisterCoflowMessage& message);
    /// Takes note that a host tells of flows of a coflow.
    /// @return false where the coflow is over
    bool NoteTold(::coflow::HostId host, ::coflow::CoflowId coflow);
    /// Tells a host that a coflow is over, if it is.
    /// @return whether it is
    bool AnswerIfOver(::coflow::HostId host, ::coflow::CoflowId coflow);
    void OnAddFlows(::coflow::HostId host, const AddFlowsMessage& message);
    void OnGetFlows(::coflow::HostId host, const GetFlowsMessage& message);
    void OnFlowProgress(::coflow::HostId host, const FlowProgressMessage& message);
    /// A host tells what a coordinator has told it, perhaps in an earlier life.
    void OnRejected(::coflow::HostId host, const RejectedCoflowMessage& message);
    /// @}

    /// Takes puts or gets of a host.
    /// @param take tells the ledger of one; returns whether its flow exists since now
    template <class Message, class Take>
    void TakeRecords(::coflow::HostId host, const Message& message, Take take);
    /// Takes account of flows that were told of.
    /// @param touched their coflows
    /// @param complete those of them that exist since now
    void TakeFlows(const std::set<::coflow::CoflowId>& touched,
                   const std::vector<FlowKey>& complete,
                   Time event);
    /// Schedules a coflow if all its flows exist.
    void CheckReady(::coflow::CoflowId coflow, Time event);
    /// Schedules a coflow with the flows that exist.
    void MakeReady(::coflow::CoflowId coflow, Time event);
    /// Puts coflows forward that have become ready since the last run.
    void AdmitCandidates();
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
    /// Has a schedule computed without a coflow that still has nothing to send.
    void DoWithoutIdle(::coflow::CoflowId coflow);
    /// Releases a coflow that lacks flows, where a daemon is absent, or that is not registered.
    void ReleaseIfLacking(::coflow::CoflowId coflow);
    /// Has the hosts of a coflow send what is left of it without a limit.
    void Release(::coflow::CoflowId coflow);
    /// The driver is through with a coflow.
    void Close(::coflow::CoflowId coflow, Time event);
    /// A coflow that is closed reaches a terminal state.
    void Conclude(::coflow::CoflowId coflow);
    /// Tells hosts what becomes of a coflow that is not scheduled.
    void TellVerdict(const std::set<::coflow::HostId>& hosts,
                     ::coflow::CoflowId coflow,
                     Verdict verdict,
                     const std::string& reason);
    /// Tells a coflow's driver and hosts what becomes of it.
    void TellRejected(::coflow::CoflowId coflow, Verdict verdict, const std::string& reason);
    /// Tells of a new state.
    void Notify(::coflow::CoflowId coflow);
    /// Asks for a run because of something that happened.
    void RequestRun(Time event, Time delay = Time());
    /// Looks at the state and computes a schedule.
    void BeginRun();
    /// Tells the daemons.
    void EndRun();
    /// Forgets daemons that have been silent for too long.
    void CheckDaemons();
    /// A coflow comes: daemons that rest are to be heard of again.
    void WakeDaemons();
    /// What a daemon has said was put is void.
    void DropPuts(::coflow::HostId host, bool doneToo);
    /// A daemon has become absent.
    void NoteAbsent(::coflow::HostId host);
    /// Sees to it that CheckDaemons() is called.
    void WatchDaemons();

    /// What is known of a daemon.
    struct DaemonState
    {
        Time lastHeard{};                           ///< when it was last heard of
        bool resting{false};                        ///< it has said that it sends no heartbeats
        std::set<::coflow::CoflowId> unconfirmed{}; ///< coflows of an earlier connection
        std::vector<::coflow::CoflowId> over{};     ///< that it is yet to be told are over
    };

    /// What it forgets when it dies.
    struct Memory
    {
        std::unique_ptr<::coflow::Policy> policy;                   ///< decides
        ::coflow::CoflowLedger ledger;                              ///< coflows and flows
        ::coflow::ResidualCapacity residual;                        ///< what ports have left
        std::unique_ptr<::coflow::PathChooser> chooser;             ///< gives paths; or none
        RateDispatcher dispatcher;                                  ///< tells rates
        OrderDispatcher orders;                                     ///< tells places
        std::map<::coflow::HostId, DaemonState> daemons{};          ///< not silent for too long
        std::set<::coflow::HostId> absent{};                        ///< without a connection
        std::set<::coflow::CoflowId> bestEffort{};                  ///< refused, but served
        std::set<::coflow::CoflowId> candidates{};                  ///< to be put forward
        ::coflow::PortRates usedRem{};                              ///< that the last run had
        std::vector<EventId> timers{};                              ///< of single coflows
        std::map<::coflow::CoflowId, ::coflow::CoflowState> told{}; ///< by Notify()
        std::set<::coflow::CoflowId> open{};                        ///< those that are not over
    };

    double m_kappa;                               ///< attribute Kappa
    bool m_useMeasuredRem;                        ///< attribute UseMeasuredRem
    ::coflow::CoflowLedger::Estimate m_remaining; ///< attribute Remaining
    OnFlow m_rescheduleOnFlow;                    ///< attribute RescheduleOnFlow
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
    ::coflow::PortRates m_rates;                                     ///< of the hosts' ports
    std::shared_ptr<const ::coflow::PathMap> m_paths; ///< where it chooses paths; or null
    std::unique_ptr<Memory> m_memory;                 ///< while it is alive
    RunQueue m_runs;                                  ///< when it computes
    EventId m_checkDaemons;                           ///< next CheckDaemons()
    RateMaps m_computed;                              ///< by the run at hand
    PlaceMaps m_computedPlaces;                       ///< likewise, with classes
    uint32_t m_classes{0};                            ///< TellOrder(); 0: rates
    Time m_event{Time::Max()};                        ///< oldest event since the last run began
    Time m_computedEvent{Time::Max()}; ///< oldest event that the run at hand takes account of
    Time m_decided;                    ///< when the run at hand began
    std::vector<EventId> m_dispatches; ///< schedules that wait for DispatchDelay

    TracedCallback<::coflow::CoflowId, ::coflow::CoflowState> m_stateTrace;
    TracedCallback<uint64_t, Time, Time> m_scheduleTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_COORDINATOR_H
