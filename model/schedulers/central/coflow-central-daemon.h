/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_DAEMON_H
#define COFLOW_CENTRAL_DAEMON_H

#include "ns3/coflow-central-daemon-outbox.h"
#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-daemon-life.h"
#include "ns3/coflow-daemon-rates.h"
#include "ns3/coflow-daemon.h"
#include "ns3/coflow-flow-memory.h"
#include "ns3/coflow-port-classes.h"
#include "ns3/coflow-port-reporter.h"
#include "ns3/coflow-report-timer.h"
#include "ns3/coflow-traffic-meter.h"
#include "ns3/event-id.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace ns3::coflow
{

/// The daemon of a central scheduler on a host (Varys, Chowdhury et al., SIGCOMM 2014, section 4).
/// It tells the coordinator what applications of its host register, put and get. It gives the flows
/// that its host sends the rates that the coordinator has decided. A flow without a rate waits.
///
/// It does not know sizes. ClairvoyantDaemon does, for schedulers that may know them.
///
/// When the coordinator has been silent for MasterTimeout, the daemon *fails open*: all flows are
/// sent without a limit, new ones too. With every new connection the daemon tells the coordinator
/// all puts and gets of coflows that are not over, and the progress of their flows.
///
/// Every coflow of its host goes through the states of coflow-daemon-life.h.
class CentralDaemon : public Daemon
{
  public:
    static TypeId GetTypeId();

    CentralDaemon();

    /// No flow has a rate. The coordinator sends an order of coflows. The daemon maps the order to
    /// so many classes of strict priority, in packets. TCP sends a flow from its put on. To be
    /// called before it starts.
    /// @param classes 1 to PacketPriority::BANDS - 1: the most urgent band is that of control
    void EnforceInNetwork(uint32_t classes);

    /// The daemon reports the progress of flows once a period, and holds nothing back for longer.
    /// To be called before it starts.
    /// @param period > 0
    void SetReportPeriod(Time period);

    /// @param options what a driver says of a coflow
    /// @return whether the coflow is so small that it is left to plain TCP
    virtual bool Bypasses(const CoflowOptions& options) const;

    /// @return puts and gets that it remembers: those of coflows that are not over
    std::size_t GetMemorySize() const;

    ::coflow::CoflowId Register(uint32_t numFlows,
                                const CoflowOptions& options,
                                RegisteredCallback registered) override;
    void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override;
    void PutAgain(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override;
    void Get(const CoflowHandle& coflow, ::coflow::FlowId flow) override;
    void Unregister(const CoflowHandle& coflow) override;

    /// Has the daemon look at its host's port with every heartbeat, and report changes to the
    /// coordinator.
    /// @param share returns the share of the port's rate that coflows may have now, as
    ///        HostNetwork::GetPortShare()
    void WatchPort(std::function<double()> share);

    /// The rates of a schedule are in force on this host.
    /// @param schedule number of the schedule
    typedef void (*ScheduleAppliedCallback)(uint64_t schedule);

  protected:
    void DoDispose() override;
    void NoteCoordinator() override;

  private:
    /// A coflow that was registered on this host, or released.
    struct LocalCoflow
    {
        ::coflow::DaemonLifeState life{}; ///< where it is in its life here
        uint32_t numFlows{0};             ///< number of its flows
        CoflowOptions options{};          ///< what the driver said
        Time begun{};                     ///< when it was registered
    };

    /// A flow that this host sends, or is to send, under the scheduler.
    struct ScheduledFlow
    {
        /// What the source is handed when the flow gets its first rate; null from then on.
        std::unique_ptr<CoflowSource::FlowRequest> waiting;
        PacketPriority priority{};       ///< of its packets
        uint32_t label{0};               ///< of its packets; 0: none
        std::optional<uint64_t> rate{0}; ///< bits per second, 0: waits; none: no limit
        uint64_t reported{0};            ///< bytes that the coordinator was told of
    };

    void SetHandlers() override;
    void Begin() override;
    void End() override;
    void ReportAll() override;
    /// Removes the limits of all flows.
    void FailOpen() override;

    /// @return the size of a flow for the coordinator; none where it is not to know sizes
    virtual std::optional<uint64_t> GetSizeToReport(OpaqueSize size) const;

    /// @name Events
    /// @{
    void OnHeartbeat(const HeartbeatMessage& message);
    void OnRegistered(const RegisteredCoflowMessage& message);
    void OnGotFlowDescs(const GotFlowDescsMessage& message);
    void OnRates(const UpdatedRatesMessage& message);
    void OnRejected(const RejectedCoflowMessage& message);
    void OnOrder(const CoflowOrderMessage& message);
    void OnFlowSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t bytes, uint64_t);
    void OnFlowReceived(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t bytes, Time);
    /// @}

    /// Takes a flow that was put.
    void Accept(const CoflowHandle& coflow, const CoflowSource::FlowRequest& flow, bool again);
    /// Takes the step of an event in the life of a coflow, and does what the step says.
    void Advance(::coflow::CoflowId id, ::coflow::DaemonLifeEvent event);
    /// Registers a coflow with the coordinator.
    void SendRegistration(::coflow::CoflowId id, const LocalCoflow& coflow);
    /// Reports the bytes that flows have moved since the last report.
    void ReportProgress();
    /// Gives all flows their classes.
    void Classify();
    /// Reports, and goes on as long as there are flows.
    void SendReport();
    void SendHeartbeat();
    /// The coordinator answers a heartbeat, or calls.
    /// @param allowed whether the daemon may be idle: it sends no heartbeats, and expects none,
    ///        until there is something to do or the coordinator speaks
    void ConsiderIdling(bool allowed);
    /// @return whether it has nothing to do with any coflow
    bool IsIdle() const;
    /// Sends heartbeats again, if it is idle.
    void EndIdling();
    /// Looks whether the coordinator has been silent for too long.
    void CheckCoordinator();
    /// Lets a flow be sent at a rate, 0: not at all, and over a path.
    void Enforce(const FlowKey& key, ScheduledFlow& flow, const DaemonRates::Granted& granted);
    /// Lets a flow be sent as fast as TCP can.
    void RemoveLimit(const FlowKey& key, ScheduledFlow& flow);
    /// Hands a flow that waits to the source.
    void Start(ScheduledFlow& flow, const RateLimit& rateLimit);
    /// Removes the limits of the flows of a coflow, and forgets them.
    void Forget(::coflow::CoflowId coflow);
    /// Cancels the flows of a coflow, and forgets them.
    void Cancel(::coflow::CoflowId coflow);

    PortReporter m_port;   ///< WatchPort()
    Time m_batchInterval;  ///< attribute ControlBatch
    Time m_heartbeat;      ///< attribute Heartbeat
    bool m_reportProgress; ///< attribute ReportProgress
    Time m_masterTimeout;  ///< attribute MasterTimeout

    bool m_idling{false};                                ///< it sends no heartbeats
    uint32_t m_idleBeats{0};                             ///< in a row, up to the last one
    uint64_t m_schedule{0};                              ///< of the rates in force
    std::map<::coflow::CoflowId, LocalCoflow> m_coflows; ///< all that are not UNKNOWN
    DaemonRates m_granted;                               ///< in force
    /// Flows may have other rates than m_granted, beyond those that the next message changes.
    bool m_mustEnforceAll{false};
    std::map<FlowKey, ScheduledFlow> m_sending; ///< flows from here
    FlowMemory m_memory;                        ///< to be told anew if need be
    std::set<FlowKey> m_got;                    ///< flows that were ever got here
    PortClasses m_classes;                      ///< EnforceInNetwork()
    CentralDaemonOutbox m_outbox;               ///< what it holds back
    TrafficMeter m_meter;                       ///< measures flows that are not scheduled
    EventId m_nextHeartbeat;                    ///< next SendHeartbeat()
    EventId m_check;                            ///< next CheckCoordinator()
    ReportTimer m_reportTimer;                  ///< next SendReport()

    TracedCallback<uint64_t> m_scheduleAppliedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_DAEMON_H
