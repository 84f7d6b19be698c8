/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-daemon.h"

#include "ns3/coflow-central-protocol.h"
#include "ns3/coflow-fabric.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::FlowId;

CentralDaemon::CentralDaemon()
    : m_outbox([this](const ControlMessage& message, uint64_t epoch) {
          m_endpoint->Send(m_peer, message, epoch);
      })
{
}

CentralDaemon::~CentralDaemon()
{
}

void
CentralDaemon::SetUp(Ptr<ControlEndpoint> endpoint, Ipv4Address coordinator, uint16_t port)
{
    m_endpoint = endpoint;
    m_coordinator = coordinator;
    m_port = port;
    m_endpoint->SetPeerUpCallback([this](PeerId) { OnPeerUp(); });
    m_endpoint->On<HeartbeatMessage>([this](PeerId,
                                            const HeartbeatMessage& message,
                                            uint64_t epoch) { OnHeartbeat(message, Rest{epoch}); });
    m_endpoint->On<GotFlowDescsMessage>(
        [this](PeerId, const GotFlowDescsMessage&, uint64_t) { NoteCoordinator(); });
    m_endpoint->On<RegisteredCoflowMessage>(
        [this](PeerId, const auto& message, uint64_t) { OnRegistered(message); });
    m_endpoint->On<UpdatedRatesMessage>(
        [this](PeerId, const auto& message, uint64_t epoch) { OnRates(message, epoch); });
    m_endpoint->On<RejectedCoflowMessage>(
        [this](PeerId, const auto& message, uint64_t verdict) { OnRejected(message, verdict); });
    GetSource().TraceConnectWithoutContext("FlowSent",
                                           MakeCallback(&CentralDaemon::OnFlowSent, this));
    GetSink().TraceConnectWithoutContext("FlowFinished",
                                         MakeCallback(&CentralDaemon::OnFlowReceived, this));
}

void
CentralDaemon::StartApplication()
{
    Recover();
}

void
CentralDaemon::StopApplication()
{
    Fail();
}

void
CentralDaemon::Recover()
{
    if (m_alive)
    {
        return;
    }
    m_alive = true;
    m_dead = false;
    m_outbox.SetInterval(m_batchInterval);
    m_endpoint->Start();
    m_peer = m_endpoint->Connect(m_coordinator, m_port);
    m_lastHeard = Simulator::Now();
    m_check = Simulator::Schedule(m_masterTimeout, &CentralDaemon::CheckCoordinator, this);
    // Heartbeats of different hosts come at different times.
    constexpr double GOLDEN_RATIO = 0.6180339887498949;
    const double phase = std::fmod((GetHost() + 1) * GOLDEN_RATIO, 1.0);
    m_nextHeartbeat =
        Simulator::Schedule(m_heartbeat * (0.5 + phase / 2), &CentralDaemon::SendHeartbeat, this);
}

void
CentralDaemon::Fail()
{
    if (!m_alive)
    {
        return;
    }
    m_alive = false;
    m_resting = false;
    m_idleBeats = 0;
    m_dead = true;
    m_failedOpen = false;
    m_endpoint->Stop();
    m_outbox.Clear();
    m_check.Cancel();
    m_nextHeartbeat.Cancel();
    LiftLimits();
}

void
CentralDaemon::DoDispose()
{
    m_outbox.Clear();
    m_check.Cancel();
    m_nextHeartbeat.Cancel();
    m_endpoint = nullptr;
    m_driven.clear();
    HostAgent::DoDispose();
}

bool
CentralDaemon::HasFailedOpen() const
{
    return m_failedOpen;
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
    if (Bypasses(options) || m_dead || m_failedOpen)
    {
        registered({id, false});
        return id;
    }
    EndRest();
    auto& driven = m_driven[id];
    driven = {numFlows, options, Simulator::Now(), std::move(registered), false};
    if (m_endpoint->IsUp(m_peer))
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
    m_endpoint->Send(m_peer, message, EventStamp{driven.begun}.Encode());
}

void
CentralDaemon::Unregister(const CoflowHandle& coflow)
{
    if (m_driven.erase(coflow.id) > 0 && m_endpoint->IsUp(m_peer))
    {
        m_outbox.Flush(); // what is held back may be about it
        UnregisterCoflowMessage message;
        message.id = coflow.id;
        m_endpoint->Send(m_peer, message, EventStamp{Simulator::Now()}.Encode());
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
    const bool local = flow.dst == Fabric::GetHostAddress(GetHost());
    const bool done = local || flow.bytes.IsZero(); // at once, without the network
    if (coflow.scheduled)
    {
        auto put = MakePut(flow);
        put.done = done;
        m_memory.NotePut(put);
        if (m_alive)
        {
            m_outbox.AddPut(put, again);
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
        GetSource().StartFlow(unlimited);
    }
    else
    {
        auto& sending = m_sending[key];
        sending.request = flow;
        if (m_dead || m_failedOpen || m_atReceiver)
        {
            Unleash(sending);
        }
    }
}

PutRecord
CentralDaemon::MakePut(const CoflowSource::FlowRequest& flow) const
{
    PutRecord put;
    put.key = {flow.coflowId, flow.flowId};
    put.src = GetHost();
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
    if (m_atReceiver)
    {
        const bool limited = coflow.scheduled && !m_dead && !m_failedOpen;
        GetSink().SetAllowance(key, limited ? Allowance::Paused() : Allowance::Unlimited());
    }
    if (!coflow.scheduled)
    {
        m_meter.AddReceived(key);
        return;
    }
    const GetRecord get{key, GetHost(), {}};
    m_memory.NoteGet(get);
    m_getting.insert(key);
    if (m_alive)
    {
        m_outbox.AddGet(get);
    }
}

void
CentralDaemon::ReportProgress()
{
    if (m_atReceiver)
    {
        ReportReading();
        return;
    }
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
CentralDaemon::SendHeartbeat()
{
    const auto reading = m_meter.Read(GetSource(), GetSink());
    HeartbeatMessage message;
    message.host = GetHost();
    message.rxBitsPerSecond = reading.rxBitsPerSecond;
    message.txBitsPerSecond = reading.txBitsPerSecond;
    m_endpoint->Send(m_peer, message);
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
    m_lastHeard = Simulator::Now();
    m_failedOpen = false;
}

void
CentralDaemon::CheckCoordinator()
{
    const auto left = m_lastHeard + m_masterTimeout - Simulator::Now();
    m_check = Simulator::Schedule(left.IsStrictlyPositive() ? left : m_masterTimeout,
                                  &CentralDaemon::CheckCoordinator,
                                  this);
    if (!left.IsStrictlyPositive() && !m_failedOpen)
    {
        m_failedOpen = true;
        LiftLimits();
    }
}

void
CentralDaemon::LiftLimits()
{
    for (auto& [key, sending] : m_sending)
    {
        Unleash(sending);
    }
    if (m_atReceiver)
    {
        UnleashReading();
    }
    std::vector<std::pair<CoflowId, RegisteredCallback>> waiting;
    for (auto& [id, driven] : m_driven)
    {
        if (driven.registered)
        {
            waiting.emplace_back(id, std::move(driven.registered));
        }
    }
    for (const auto& [id, registered] : waiting)
    {
        Unregister({id}); // in case that only the answer is late
        registered({id, false});
    }
}

void
CentralDaemon::Enforce(Sending& flow, uint64_t bitsPerSecond)
{
    if (flow.rate == bitsPerSecond)
    {
        return;
    }
    flow.rate = bitsPerSecond;
    const auto allowance = Allowance::Rate(DataRate(bitsPerSecond)); // paused where it is 0
    if (flow.started)
    {
        GetSource().SetAllowance({flow.request.coflowId, flow.request.flowId}, allowance);
    }
    else if (bitsPerSecond > 0)
    {
        flow.started = true;
        flow.request.allowance = allowance;
        GetSource().StartFlow(flow.request);
    }
}

void
CentralDaemon::Unleash(Sending& flow)
{
    flow.rate.reset();
    if (flow.started)
    {
        GetSource().SetAllowance({flow.request.coflowId, flow.request.flowId},
                                 Allowance::Unlimited());
        return;
    }
    flow.started = true;
    flow.request.allowance = Allowance::Unlimited();
    GetSource().StartFlow(flow.request);
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
    if (m_alive && !m_atReceiver)
    {
        m_outbox.AddProgress({key, bytes - sending->second.reported, true});
    }
    if (!m_atReceiver)
    {
        m_memory.NoteDone(key,
                          bytes); // otherwise the receiver says so, who may not have read it yet
    }
    m_sending.erase(sending);
}

} // namespace ns3::coflow
