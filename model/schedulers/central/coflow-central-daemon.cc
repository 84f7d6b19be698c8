/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-daemon.h"

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-control-parameters.h"
#include "ns3/coflow-host-phase.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::DaemonLifeAction;
using ::coflow::DaemonLifeEvent;
using ::coflow::DaemonLifeState;
using ::coflow::FlowId;
using ::coflow::Scaling;
using ::coflow::Unit;

NS_LOG_COMPONENT_DEFINE("CoflowCentralDaemon");

NS_OBJECT_ENSURE_REGISTERED(CentralDaemon);

TypeId
CentralDaemon::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CentralDaemon")
            .SetParent<Daemon>()
            .SetGroupName("Coflow")
            .AddConstructor<CentralDaemon>()
            .AddAttribute("ControlBatch",
                          ::coflow::ControlBatchSpec().help,
                          TimeValue(Seconds(::coflow::ControlBatchSpec().defaultValue)),
                          MakeTimeAccessor(&CentralDaemon::m_batchInterval),
                          Declared(MakeTimeChecker(Time()), ::coflow::ControlBatchSpec()))
            .AddAttribute(
                "Heartbeat",
                "Time between two heartbeats of a daemon",
                TimeValue(Seconds(1)),
                MakeTimeAccessor(&CentralDaemon::m_heartbeat),
                Declared(MakeTimeChecker(MicroSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddAttribute("ReportProgress",
                          "Whether daemons report the progress of flows with every heartbeat; "
                          "otherwise they report only finished flows",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CentralDaemon::m_reportProgress),
                          MakeBooleanChecker())
            .AddAttribute(
                "MasterTimeout",
                "Silence of the coordinator after which daemons take it for dead and send flows "
                "without limits. It has to be longer than Heartbeat, which the coordinator answers",
                TimeValue(Seconds(3)),
                MakeTimeAccessor(&CentralDaemon::m_masterTimeout),
                Declared(MakeTimeChecker(MicroSeconds(1)), Unit::SECONDS, Scaling::WORKLOAD))
            .AddTraceSource("ScheduleApplied",
                            "The rates of a schedule are in force on this host",
                            MakeTraceSourceAccessor(&CentralDaemon::m_scheduleAppliedTrace),
                            "ns3::coflow::CentralDaemon::ScheduleAppliedCallback");
    return tid;
}

CentralDaemon::CentralDaemon()
    : m_outbox([this](const ControlMessage& message) { Send(message); }),
      m_reportTimer([this] { SendReport(); })
{
}

void
CentralDaemon::SetHandlers()
{
    // Without On(): ConsiderIdling() decides whether a heartbeat calls NoteCoordinator().
    GetEndpoint().On<HeartbeatMessage>(
        [this](ControlEndpoint::PeerId, const auto& message) { OnHeartbeat(message); });
    On(&CentralDaemon::OnGotFlowDescs);
    On(&CentralDaemon::OnRegistered);
    On(&CentralDaemon::OnRates);
    On(&CentralDaemon::OnRejected);
    On(&CentralDaemon::OnOrder);
    GetSource().TraceConnectWithoutContext("FlowSent",
                                           MakeCallback(&CentralDaemon::OnFlowSent, this));
    GetSink().TraceConnectWithoutContext("FlowFinished",
                                         MakeCallback(&CentralDaemon::OnFlowReceived, this));
}

void
CentralDaemon::Begin()
{
    m_outbox.SetInterval(Min(m_batchInterval, m_reportTimer.GetPeriod()));
    m_reportTimer.Expect(GetHost());
    const auto classifier = GetNode()->GetObject<PacketClassifier>();
    if (m_classes.AreUsed() && classifier)
    {
        // Acknowledgements go before all classes, like control messages.
        classifier->SetAcknowledgementPriority({PacketPriority::LEAST_URGENT, 0});
    }
    m_check = Simulator::Schedule(m_masterTimeout, &CentralDaemon::CheckCoordinator, this);
    m_nextHeartbeat = Simulator::Schedule(m_heartbeat * GetHostPhase(GetHost()),
                                          &CentralDaemon::SendHeartbeat,
                                          this);
}

void
CentralDaemon::End()
{
    m_idling = false;
    m_idleBeats = 0;
    m_outbox.Clear();
    m_check.Cancel();
    m_nextHeartbeat.Cancel();
    m_reportTimer.Cancel();
}

void
CentralDaemon::DoDispose()
{
    m_port.Watch(nullptr);
    Daemon::DoDispose();
    m_coflows.clear();
}

std::size_t
CentralDaemon::GetMemorySize() const
{
    return m_memory.GetSize();
}

CoflowId
CentralDaemon::Register(uint32_t numFlows,
                        const CoflowOptions& options,
                        RegisteredCallback registered)
{
    const auto id = ChooseId(options);
    if (Bypasses(options) || IsAlone())
    {
        NS_LOG_INFO("host " << GetHost() << ": coflow " << id << " bypasses the scheduler");
        registered({id, false});
        return id;
    }
    NS_LOG_INFO("host " << GetHost() << ": coflow " << id << " of " << numFlows
                        << " flows is registered");
    EndIdling();
    GetPending().Add(id, std::move(registered));
    auto& coflow = m_coflows[id];
    coflow.numFlows = numFlows;
    coflow.options = options;
    coflow.begun = Simulator::Now();
    Advance(id, DaemonLifeEvent::REGISTERED);
    return id;
}

void
CentralDaemon::Advance(CoflowId id, DaemonLifeEvent event)
{
    auto& coflow = m_coflows[id];
    const auto step = ::coflow::GetDaemonLifeStep(coflow.life, event);
    coflow.life = step.next;
    if (step.next == DaemonLifeState::UNKNOWN)
    {
        m_coflows.erase(id);
    }
    switch (step.action)
    {
    case DaemonLifeAction::NONE:
        break;
    case DaemonLifeAction::REGISTER:
        SendRegistration(id, coflow);
        break;
    case DaemonLifeAction::ANSWER:
        GetPending().Answer({id, true});
        break;
    case DaemonLifeAction::BYPASS:
        m_outbox.Flush(); // records in the outbox may be about the coflow
        SendUnregistration(id);
        GetPending().Answer({id, false});
        break;
    case DaemonLifeAction::WITHDRAW:
        GetPending().Remove(id);
        m_outbox.Flush();
        SendUnregistration(id);
        break;
    case DaemonLifeAction::NOTIFY:
        GetPending().Answer({id, true});
        m_coflowRejectedTrace(id, true);
        break;
    case DaemonLifeAction::FORGET:
        Forget(id);
        break;
    case DaemonLifeAction::RELEASE:
        Forget(id);
        GetPending().Answer({id, false});
        break;
    case DaemonLifeAction::CANCEL:
        Cancel(id);
        break;
    case DaemonLifeAction::REFUSE:
        Cancel(id);
        GetPending().Remove(id);
        SendUnregistration(id);
        m_coflowRejectedTrace(id, false);
        break;
    }
}

void
CentralDaemon::SendRegistration(CoflowId id, const LocalCoflow& coflow)
{
    RegisterCoflowMessage message;
    message.id = id;
    message.numFlows = coflow.numFlows;
    message.deadline = coflow.options.deadline;
    message.attributes = coflow.options.attributes;
    message.happened = coflow.begun;
    Send(message);
}

void
CentralDaemon::Unregister(const CoflowHandle& coflow)
{
    Advance(coflow.id, DaemonLifeEvent::LEFT);
}

void
CentralDaemon::Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow)
{
    if (NotePut({flow.coflowId, flow.flowId}))
    {
        Accept(coflow, flow, false);
    }
}

void
CentralDaemon::PutAgain(const CoflowHandle& coflow, CoflowSource::FlowRequest flow)
{
    const FlowKey key{flow.coflowId, flow.flowId};
    NotePut(key);
    m_sending.erase(key);
    GetSource().CancelFlow(key);
    Accept(coflow, flow, true);
}

void
CentralDaemon::Accept(const CoflowHandle& coflow, const CoflowSource::FlowRequest& flow, bool again)
{
    EndIdling();
    const FlowKey key{flow.coflowId, flow.flowId};
    const bool local = IsOwnAddress(flow.dst);
    const bool done = local || flow.bytes.IsZero(); // no bytes for the network
    if (coflow.scheduled)
    {
        PutRecord put;
        put.key = key;
        put.bytes = GetSizeToReport(flow.bytes);
        put.done = done;
        m_memory.NotePut(put);
        if (IsAlive())
        {
            put.again = again;
            m_outbox.AddPut(put);
        }
    }
    if (!coflow.scheduled || done)
    {
        if (!coflow.scheduled && !local)
        {
            m_meter.AddSent(key);
        }
        auto unlimited = flow;
        unlimited.rateLimit = RateLimit::Unlimited();
        if (m_classes.AreUsed())
        {
            // Coflows that bypass the scheduler are mostly small, and get the most urgent class.
            unlimited.priority = {PacketPriority::LEAST_URGENT, 1};
        }
        GetSource().StartFlow(unlimited);
    }
    else
    {
        auto& sending = m_sending[key];
        sending.waiting = std::make_unique<CoflowSource::FlowRequest>(flow);
        sending.label = flow.label;
        sending.priority = m_classes.PriorityOf(key.coflowId);
        if (IsAlive())
        {
            m_reportTimer.Expect(GetHost());
        }
        // The coordinator may have granted the flow a rate before this put.
        m_mustEnforceAll = m_mustEnforceAll || m_granted.Get(key).bitsPerSecond > 0;
        if (IsAlone() || m_classes.AreUsed())
        {
            RemoveLimit(key, sending);
        }
    }
}

void
CentralDaemon::Get(const CoflowHandle& coflow, FlowId flow)
{
    EndIdling();
    const FlowKey key{coflow.id, flow};
    if (!m_got.insert(key).second)
    {
        return;
    }
    if (!coflow.scheduled)
    {
        m_meter.AddReceived(key);
        return;
    }
    const GetRecord get{key};
    m_memory.NoteGet(get);
    if (IsAlive())
    {
        m_reportTimer.Expect(GetHost());
        m_outbox.AddGet(get);
    }
}

void
CentralDaemon::SendHeartbeat()
{
    const auto reading = m_meter.Read(GetSource(), GetSink());
    HeartbeatMessage message;
    message.host = GetHost();
    message.rxBitsPerSecond = reading.rxBitsPerSecond;
    message.txBitsPerSecond = reading.txBitsPerSecond;
    Send(message);
    m_port.Report(GetHost(), [this](const ControlMessage& share) { return Send(share); });
    m_idleBeats = IsIdle() ? m_idleBeats + 1 : 0;
    if (m_reportProgress)
    {
        ReportProgress();
    }
    m_nextHeartbeat = Simulator::Schedule(m_heartbeat, &CentralDaemon::SendHeartbeat, this);
}

void
CentralDaemon::NoteCoordinator()
{
    EndIdling();
    Daemon::NoteCoordinator();
}

void
CentralDaemon::CheckCoordinator()
{
    const auto left = GetLastHeard() + m_masterTimeout - Simulator::Now();
    m_check = Simulator::Schedule(left.IsStrictlyPositive() ? left : m_masterTimeout,
                                  &CentralDaemon::CheckCoordinator,
                                  this);
    if (!left.IsStrictlyPositive() && !IsAlone())
    {
        BeginAlone();
    }
}

void
CentralDaemon::FailOpen()
{
    for (auto& [key, sending] : m_sending)
    {
        RemoveLimit(key, sending);
    }
    for (const auto id : GetPending().GetAll())
    {
        Advance(id, DaemonLifeEvent::ALONE);
    }
}

void
CentralDaemon::Enforce(const FlowKey& key, ScheduledFlow& flow, const DaemonRates::Granted& granted)
{
    const uint64_t bitsPerSecond = granted.bitsPerSecond;
    if (bitsPerSecond > 0 && flow.label != granted.label)
    {
        flow.label = granted.label;
        GetSource().SetLabel(key, granted.label);
    }
    if (flow.rate == bitsPerSecond)
    {
        return;
    }
    NS_LOG_LOGIC("host " << GetHost() << ": flow " << key.flowId << " of coflow " << key.coflowId
                         << " gets " << bitsPerSecond << " bit/s");
    flow.rate = bitsPerSecond;
    const auto rateLimit = RateLimit::Rate(DataRate(bitsPerSecond)); // rate 0: paused
    if (!flow.waiting)
    {
        GetSource().SetRateLimit(key, rateLimit);
    }
    else if (bitsPerSecond > 0)
    {
        Start(flow, rateLimit);
    }
}

void
CentralDaemon::RemoveLimit(const FlowKey& key, ScheduledFlow& flow)
{
    m_mustEnforceAll = true; // at the next message with rates
    flow.rate.reset();
    if (!flow.waiting)
    {
        GetSource().SetRateLimit(key, RateLimit::Unlimited());
        return;
    }
    Start(flow, RateLimit::Unlimited());
}

void
CentralDaemon::Start(ScheduledFlow& flow, const RateLimit& rateLimit)
{
    // A request takes 200 bytes, and there are hundreds of thousands of flows, so the request is
    // deleted when the source has it.
    const auto request = std::move(flow.waiting);
    request->rateLimit = rateLimit;
    request->priority = flow.priority;
    request->label = flow.label;
    GetSource().StartFlow(*request);
}

void
CentralDaemon::OnFlowSent(CoflowId coflow, FlowId flow, uint64_t bytes, uint64_t)
{
    const FlowKey key{coflow, flow};
    const auto sending = m_sending.find(key);
    if (sending == m_sending.end())
    {
        m_meter.FinishSent(key, bytes);
        return;
    }
    if (IsAlive())
    {
        m_outbox.AddProgress({key, bytes - sending->second.reported, true});
    }
    m_memory.NoteDone(key, bytes);
    m_granted.Erase(key); // the coordinator does the same when the report arrives
    m_sending.erase(sending);
}

void
CentralDaemon::OnFlowReceived(CoflowId coflow, FlowId flow, uint64_t bytes, Time)
{
    m_meter.FinishReceived({coflow, flow}, bytes);
}

bool
CentralDaemon::Bypasses(const CoflowOptions&) const
{
    return false;
}

std::optional<uint64_t>
CentralDaemon::GetSizeToReport(OpaqueSize) const
{
    return std::nullopt;
}

void
CentralDaemon::ReportAll()
{
    m_port.Reset();
    m_port.Report(GetHost(), [this](const ControlMessage& share) { return Send(share); });
    // Hosts do not report flows of a released coflow any more. A coordinator that has lost its
    // state may get reports on the coflow from a host that does not know of the release. Without
    // this message, the coordinator would wait for the flows of all other hosts.
    for (const auto& [id, coflow] : m_coflows)
    {
        if (coflow.life == DaemonLifeState::RELEASED)
        {
            RejectedCoflowMessage message;
            message.id = id;
            message.outcome = Outcome::RELEASED;
            Send(message);
        }
    }
    for (const auto& [id, coflow] : m_coflows)
    {
        if (::coflow::IsRegisteredHere(coflow.life))
        {
            SendRegistration(id, coflow);
        }
    }
    // The following records include the records in the outbox. Records that were sent may be lost,
    // or the coordinator may have lost its state.
    m_outbox.Clear();
    for (const auto& [key, put] : m_memory.GetPuts())
    {
        m_outbox.AddPut(put);
    }
    for (const auto& [key, get] : m_memory.GetGets())
    {
        m_outbox.AddGet(get);
    }
    for (auto& [key, sending] : m_sending)
    {
        sending.reported = 0;
    }
    m_classes.Clear(); // a restarted coordinator does not name coflows that come last
    Classify();
    ReportProgress();
    m_outbox.Flush();
}

void
CentralDaemon::OnHeartbeat(const HeartbeatMessage& message)
{
    for (const auto coflow : message.over)
    {
        Advance(coflow, DaemonLifeEvent::OVER); // mostly, no flow of the coflow is left
    }
    ConsiderIdling(message.idle);
}

void
CentralDaemon::Forget(CoflowId coflow)
{
    const auto begin = m_sending.lower_bound({coflow, 0});
    auto end = begin;
    for (; end != m_sending.end() && end->first.coflowId == coflow; ++end)
    {
        RemoveLimit(end->first, end->second);
        const auto progress = GetSource().GetProgress(end->first);
        m_meter.AddSent(end->first, progress ? progress->acknowledged : 0);
    }
    m_sending.erase(begin, end);
    m_memory.Forget(coflow);
}

void
CentralDaemon::Cancel(CoflowId coflow)
{
    const auto begin = m_sending.lower_bound({coflow, 0});
    auto end = begin;
    for (; end != m_sending.end() && end->first.coflowId == coflow; ++end)
    {
        GetSource().CancelFlow(end->first);
    }
    m_sending.erase(begin, end);
    m_memory.Forget(coflow);
}

void
CentralDaemon::OnRegistered(const RegisteredCoflowMessage& message)
{
    Advance(message.id, DaemonLifeEvent::ACCEPTED);
}

void
CentralDaemon::OnGotFlowDescs(const GotFlowDescsMessage&)
{
    // Receivers do not fetch data: senders push.
}

void
CentralDaemon::OnRates(const UpdatedRatesMessage& message)
{
    // Changes relative to another schedule were sent before the coordinator knew of the daemon's
    // new connection. The coordinator sends all rates next.
    if (message.schedule <= m_schedule || (message.since > 0 && message.since != m_schedule))
    {
        return;
    }
    m_schedule = message.schedule;
    const auto changed = m_granted.Take(message);
    if (std::exchange(m_mustEnforceAll, false))
    {
        for (auto& [key, sending] : m_sending)
        {
            Enforce(key, sending, m_granted.Get(key));
        }
    }
    else
    {
        // A host has thousands of flows, and most messages change the rates of few flows.
        for (const auto& key : changed)
        {
            const auto sending = m_sending.find(key);
            if (sending != m_sending.end())
            {
                Enforce(key, sending->second, m_granted.Get(key));
            }
        }
    }
    m_scheduleAppliedTrace(m_schedule);
}

void
CentralDaemon::OnRejected(const RejectedCoflowMessage& message)
{
    switch (message.outcome)
    {
    case Outcome::RELEASED:
        Advance(message.id, DaemonLifeEvent::RELEASED);
        break;
    case Outcome::BEST_EFFORT:
        Advance(message.id, DaemonLifeEvent::BEST_EFFORT);
        break;
    case Outcome::DROPPED:
        Advance(message.id, DaemonLifeEvent::DROPPED);
        break;
    }
}

void
CentralDaemon::SetReportPeriod(Time period)
{
    m_reportTimer.SetPeriod(period);
}

void
CentralDaemon::ReportProgress()
{
    for (auto& [key, sending] : m_sending)
    {
        const auto progress = GetSource().GetProgress(key);
        if (progress && progress->acknowledged > sending.reported)
        {
            m_outbox.AddProgress({key, progress->acknowledged - sending.reported, false});
            sending.reported = progress->acknowledged;
        }
    }
}

void
CentralDaemon::SendReport()
{
    ReportProgress();
    m_outbox.Flush();
    if (!m_sending.empty())
    {
        m_reportTimer.Expect(GetHost());
    }
}

bool
CentralDaemon::IsIdle() const
{
    // The coordinator has not reported the end of the coflows in m_memory yet.
    return m_sending.empty() && m_memory.GetSize() == 0 && m_meter.IsIdle() &&
           std::ranges::none_of(m_coflows, [](const auto& coflow) {
               return ::coflow::IsRegisteredHere(coflow.second.life);
           });
}

void
CentralDaemon::ConsiderIdling(bool allowed)
{
    // After this number of heartbeats without traffic, the coordinator's average of the host's
    // traffic is almost 0.
    constexpr uint32_t LEAST_IDLE_BEATS = 60;
    if (!allowed)
    {
        NoteCoordinator();
    }
    else if (!m_idling)
    {
        NoteCoordinator();
        if (m_idleBeats >= LEAST_IDLE_BEATS && IsIdle())
        {
            m_idling = true;
            m_nextHeartbeat.Cancel();
            m_check.Cancel();
            HeartbeatMessage message;
            message.host = GetHost();
            message.idle = true;
            Send(message);
        }
    }
}

void
CentralDaemon::EndIdling()
{
    if (!m_idling)
    {
        return;
    }
    m_idling = false;
    m_idleBeats = 0;
    ExpectCoordinator();
    m_check = Simulator::Schedule(m_masterTimeout, &CentralDaemon::CheckCoordinator, this);
    SendHeartbeat();
}

void
CentralDaemon::EnforceInNetwork(uint32_t classes)
{
    m_classes.SetNumber(classes);
}

void
CentralDaemon::Classify()
{
    for (auto& [key, sending] : m_sending)
    {
        const auto priority = m_classes.PriorityOf(key.coflowId);
        if (sending.priority != priority)
        {
            sending.priority = priority;
            GetSource().SetPriority(key, priority);
        }
    }
}

void
CentralDaemon::OnOrder(const CoflowOrderMessage& message)
{
    if (!m_classes.AreUsed() || message.schedule <= m_schedule)
    {
        return;
    }
    m_schedule = message.schedule;
    m_classes.Take(message);
    Classify();
    m_scheduleAppliedTrace(m_schedule);
}

void
CentralDaemon::WatchPort(std::function<double()> share)
{
    m_port.Watch(std::move(share));
}

} // namespace ns3::coflow
