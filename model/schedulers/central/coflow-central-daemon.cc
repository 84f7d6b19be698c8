/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-daemon.h"

#include "ns3/coflow-host-phase.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::FlowId;

NS_LOG_COMPONENT_DEFINE("CoflowCentralDaemon");

CentralDaemon::CentralDaemon()
    : m_outbox([this](const ControlMessage& message) { Send(message); })
{
}

CentralDaemon::~CentralDaemon()
{
}

void
CentralDaemon::SetHandlers()
{
    // What a heartbeat tells of the coordinator, ConsiderRest() says.
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
    m_outbox.SetInterval(Min(m_batchInterval, m_reportPeriod));
    ExpectReports();
    PrepareClasses();
    m_check = Simulator::Schedule(m_masterTimeout, &CentralDaemon::CheckCoordinator, this);
    m_nextHeartbeat = Simulator::Schedule(m_heartbeat * GetHostPhase(GetHost()),
                                          &CentralDaemon::SendHeartbeat,
                                          this);
}

void
CentralDaemon::End()
{
    m_resting = false;
    m_idleBeats = 0;
    m_outbox.Clear();
    m_check.Cancel();
    m_nextHeartbeat.Cancel();
    m_nextReport.Cancel();
}

void
CentralDaemon::DoDispose()
{
    m_portShare = nullptr;
    Daemon::DoDispose();
    m_driven.clear();
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
    EndRest();
    GetPending().Add(id, std::move(registered));
    auto& driven = m_driven[id];
    driven = {.numFlows = numFlows, .options = options, .begun = Simulator::Now()};
    if (IsConnected())
    {
        SendRegistration(id, driven);
    }
    return id;
}

void
CentralDaemon::SendRegistration(CoflowId id, Driven& driven)
{
    RegisterCoflowMessage message;
    message.id = id;
    message.numFlows = driven.numFlows;
    message.deadline = driven.options.deadline;
    message.weight = driven.options.weight;
    message.happened = driven.begun;
    Send(message);
}

void
CentralDaemon::Unregister(const CoflowHandle& coflow)
{
    GetPending().Remove(coflow.id);
    StopDriving(coflow.id);
}

void
CentralDaemon::StopDriving(CoflowId coflow)
{
    if (m_driven.erase(coflow) > 0 && IsConnected())
    {
        m_outbox.Flush(); // what is held back may be about it
        UnregisterCoflowMessage message;
        message.id = coflow;
        message.happened = Simulator::Now();
        Send(message);
    }
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
    EndRest();
    const FlowKey key{flow.coflowId, flow.flowId};
    const bool local = IsOwnAddress(flow.dst);
    const bool done = local || flow.bytes.IsZero(); // at once, without the network
    if (coflow.scheduled)
    {
        auto put = MakePut(flow);
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
        unlimited.allowance = Allowance::Unlimited();
        if (m_classes > 0)
        {
            // What bypasses the scheduler is small: it goes with the most urgent class.
            unlimited.priority = {PacketPriority::LEAST_URGENT, 1};
        }
        GetSource().StartFlow(unlimited);
    }
    else
    {
        auto& sending = m_sending[key];
        sending.waiting = std::make_unique<CoflowSource::FlowRequest>(flow);
        sending.label = flow.label;
        sending.priority = PriorityOf(key.coflowId);
        ExpectReports();
        // It may have been granted a rate before it came.
        m_mustEnforceAll = m_mustEnforceAll || m_rates.count(key) > 0;
        if (IsAlone() || m_classes > 0)
        {
            Unleash(key, sending);
        }
    }
}

PutRecord
CentralDaemon::MakePut(const CoflowSource::FlowRequest& flow) const
{
    PutRecord put;
    put.key = {flow.coflowId, flow.flowId};
    put.bytes = TellSize(flow.bytes);
    return put;
}

void
CentralDaemon::Get(const CoflowHandle& coflow, FlowId flow)
{
    EndRest();
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
    ExpectReports();
    if (IsAlive())
    {
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
    ReportPort();
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
    EndRest();
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
CentralDaemon::GoOnAlone()
{
    for (auto& [key, sending] : m_sending)
    {
        Unleash(key, sending);
    }
    for (const auto id : GetPending().GetAll())
    {
        StopDriving(id); // in case that only the answer is late
        GetPending().Answer({id, false});
    }
}

void
CentralDaemon::Enforce(const FlowKey& key, Sending& flow, const Granted& granted)
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
    const auto allowance = Allowance::Rate(DataRate(bitsPerSecond)); // paused where it is 0
    if (!flow.waiting)
    {
        GetSource().SetAllowance(key, allowance);
    }
    else if (bitsPerSecond > 0)
    {
        Start(flow, allowance);
    }
}

void
CentralDaemon::Unleash(const FlowKey& key, Sending& flow)
{
    m_mustEnforceAll = true; // when there are rates again
    flow.rate.reset();
    if (!flow.waiting)
    {
        GetSource().SetAllowance(key, Allowance::Unlimited());
        return;
    }
    Start(flow, Allowance::Unlimited());
}

void
CentralDaemon::Start(Sending& flow, const Allowance& allowance)
{
    // A request takes 200 bytes, and there are hundreds of thousands of flows: the source has it
    // from now on.
    const auto request = std::move(flow.waiting);
    request->allowance = allowance;
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
    m_rates.erase(key); // as the coordinator does when it hears of the end
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
CentralDaemon::TellSize(SealedBytes) const
{
    return std::nullopt;
}

} // namespace ns3::coflow
