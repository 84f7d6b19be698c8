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
/// The daemon reports the coflows and flows that applications of its host register, put and get. It
/// applies the coordinator's rates to the flows that its host sends. A flow without a rate waits.
///
/// This class does not know sizes. ClairvoyantDaemon knows them, for schedulers that may know them.
///
/// When the coordinator has been silent for MasterTimeout, the daemon *fails open*: it sends all
/// flows without a limit, also new flows. Over every new connection the daemon repeats all puts and
/// gets of coflows that are not over, and the progress of their flows.
///
/// Every coflow of its host goes through the states of coflow-daemon-life.h.
class CentralDaemon : public Daemon
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CentralDaemon();

    /// Makes ports enforce the order. Flows have no rates. The daemon maps the coordinator's order
    /// to priority classes of packets. TCP starts a flow at its put. Must be called before the
    /// start.
    /// @param classes number of classes, 1 to PacketPriority::BANDS - 1; control has the most
    ///        urgent band
    void EnforceInNetwork(uint32_t classes);

    /// Makes the daemon report the progress of flows once per period. The daemon holds no message
    /// back for longer than a period. Must be called before the start.
    /// @param period the period, > 0
    void SetReportPeriod(Time period);

    /// @param options properties of a coflow, from its driver
    /// @return whether the coflow is so small that plain TCP sends it
    virtual bool Bypasses(const CoflowOptions& options) const;

    /// @return number of puts and gets that the daemon remembers, of coflows that are not over
    std::size_t GetMemorySize() const;

    ::coflow::CoflowId Register(uint32_t numFlows,
                                const CoflowOptions& options,
                                RegisteredCallback registered) override;
    void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override;
    void PutAgain(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override;
    void Get(const CoflowHandle& coflow, ::coflow::FlowId flow) override;
    void Unregister(const CoflowHandle& coflow) override;

    /// Makes the daemon check the port of its host with every heartbeat, and report changes to the
    /// coordinator.
    /// @param share returns the share of the port's rate that coflows may use now, as
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
        ::coflow::DaemonLifeState life{}; ///< state of its life on this host
        uint32_t numFlows{0};             ///< number of its flows
        CoflowOptions options{};          ///< properties from its driver
        Time begun{};                     ///< time of its registration
    };

    /// A flow that this host sends or will send under the scheduler.
    struct ScheduledFlow
    {
        /// The request to the source until the flow gets its first rate; then null.
        std::unique_ptr<CoflowSource::FlowRequest> waiting;
        PacketPriority priority{}; ///< priority of its packets
        uint32_t label{0};         ///< label of its packets; 0: none
        /// Rate in bits per second; 0: the flow waits; none: no limit.
        std::optional<uint64_t> rate{0};
        uint64_t reported{0}; ///< number of bytes reported to the coordinator
    };

    void SetHandlers() override;
    void Begin() override;
    void End() override;
    void ReportAll() override;
    /// Removes the limits of all flows.
    void FailOpen() override;

    /// @param size size of a flow
    /// @return the size for the coordinator; none where the coordinator must not know the size
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
    /// Applies an event to the life of a coflow, and carries out the step that follows.
    void Advance(::coflow::CoflowId id, ::coflow::DaemonLifeEvent event);
    /// Registers a coflow with the coordinator.
    void SendRegistration(::coflow::CoflowId id, const LocalCoflow& coflow);
    /// Reports the bytes that flows have moved since the last report.
    void ReportProgress();
    /// Gives all flows their classes.
    void Classify();
    /// Sends a report. Schedules the next one while there are flows.
    void SendReport();
    void SendHeartbeat();
    /// The coordinator has answered a heartbeat, or has called.
    /// @param allowed whether the daemon may become idle. An idle daemon sends no heartbeats, and
    ///        expects none, until it has work or the coordinator calls
    void ConsiderIdling(bool allowed);
    /// @return whether the daemon has no work for any coflow
    bool IsIdle() const;
    /// Ends idling, if the daemon is idle: it sends heartbeats again.
    void EndIdling();
    /// Checks whether the coordinator has been silent for too long.
    void CheckCoordinator();
    /// Applies a rate and a path to a flow; with rate 0 the flow is not sent.
    void Enforce(const FlowKey& key, ScheduledFlow& flow, const DaemonRates::Granted& granted);
    /// Removes the rate limit of a flow.
    void RemoveLimit(const FlowKey& key, ScheduledFlow& flow);
    /// Gives a flow that waits to the source.
    void Start(ScheduledFlow& flow, const RateLimit& rateLimit);
    /// Removes the limits of the flows of a coflow, and forgets the flows.
    void Forget(::coflow::CoflowId coflow);
    /// Cancels the flows of a coflow, and forgets the flows.
    void Cancel(::coflow::CoflowId coflow);

    PortReporter m_port;   ///< reporter of the port share, see WatchPort()
    Time m_batchInterval;  ///< attribute ControlBatch
    Time m_heartbeat;      ///< attribute Heartbeat
    bool m_reportProgress; ///< attribute ReportProgress
    Time m_masterTimeout;  ///< attribute MasterTimeout

    bool m_idling{false};    ///< the daemon sends no heartbeats
    uint32_t m_idleBeats{0}; ///< number of heartbeats without work in a row
    uint64_t m_schedule{0};  ///< number of the schedule in force
    std::map<::coflow::CoflowId, LocalCoflow> m_coflows; ///< coflows that are not UNKNOWN
    DaemonRates m_granted;                               ///< rates in force
    /// m_sending may differ from m_granted, so the next message must be applied to all flows.
    bool m_mustEnforceAll{false};
    std::map<FlowKey, ScheduledFlow> m_sending; ///< flows that this host sends
    FlowMemory m_memory;          ///< puts and gets to be repeated over a new connection
    std::set<FlowKey> m_got;      ///< flows that were ever got on this host
    PortClasses m_classes;        ///< classes of coflows, see EnforceInNetwork()
    CentralDaemonOutbox m_outbox; ///< reports that are held back
    TrafficMeter m_meter;         ///< meter of flows that are not scheduled
    EventId m_nextHeartbeat;      ///< next SendHeartbeat()
    EventId m_check;              ///< next CheckCoordinator()
    ReportTimer m_reportTimer;    ///< next SendReport()

    TracedCallback<uint64_t> m_scheduleAppliedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_DAEMON_H
