/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-source.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-rate-table.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/enum.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowSource");

NS_OBJECT_ENSURE_REGISTERED(CoflowSource);

TypeId
CoflowSource::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CoflowSource")
            .SetParent<Application>()
            .SetGroupName("Coflow")
            .AddConstructor<CoflowSource>()
            .AddAttribute("Profile",
                          "Parameters of TCP; none: a TransportProfile with its defaults",
                          PointerValue(),
                          MakePointerAccessor(&CoflowSource::m_profile),
                          MakePointerChecker<TransportProfile>())
            .AddAttribute("Port",
                          "TCP port of the sinks",
                          UintegerValue(CoflowSink::DEFAULT_PORT),
                          MakeUintegerAccessor(&CoflowSource::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("UnsentLimit",
                          "Largest number of unsent bytes that a flow has in TCP, at least two "
                          "segments; of a flow with a rate, at most two writes. A flow that is "
                          "paused still sends these bytes, and its congestion window",
                          UintegerValue(1 << 16),
                          MakeUintegerAccessor(&CoflowSource::m_unsentLimit),
                          MakeUintegerChecker<uint32_t>(1 << 12))
            .AddAttribute(
                "RateInterval",
                "Time between two writes of a flow with a rate, or the time of one segment at this "
                "rate if that is longer. A write is a burst. A shorter time makes more events, and "
                "smaller bursts, which ports mark less",
                TimeValue(MicroSeconds(50)),
                MakeTimeAccessor(&CoflowSource::m_rateInterval),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "RatePhase",
                "First write of a flow after it got its first rate. together: when it has earned a "
                "write; flows that get equal rates at the same time then always write at the same "
                "times, and ports mark these bursts. spread: after a part of that time, which "
                "differs from flow to flow, as the clocks of real hosts differ",
                EnumValue(false),
                MakeEnumAccessor<bool>(&CoflowSource::m_spreadRates),
                MakeEnumChecker(false, "together", true, "spread"))
            .AddAttribute("ReconnectDelay",
                          "Time after which a failed connection is opened again",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&CoflowSource::m_reconnectDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("FlowStarted",
                            "A flow was started",
                            MakeTraceSourceAccessor(&CoflowSource::m_flowStartedTrace),
                            "ns3::coflow::CoflowSource::FlowStartedCallback")
            .AddTraceSource("FlowSent",
                            "The last byte of a flow was acknowledged",
                            MakeTraceSourceAccessor(&CoflowSource::m_flowSentTrace),
                            "ns3::coflow::CoflowSource::FlowSentCallback")
            .AddTraceSource("Retransmission",
                            "TCP sent a segment of a flow again",
                            MakeTraceSourceAccessor(&CoflowSource::m_retransmissionTrace),
                            "ns3::coflow::CoflowSource::RetransmissionCallback")
            .AddTraceSource("FlowConnected",
                            "The connection that carries a flow is open",
                            MakeTraceSourceAccessor(&CoflowSource::m_flowConnectedTrace),
                            "ns3::coflow::CoflowSource::FlowConnectedCallback")
            .AddTraceSource("RateEcho",
                            "A request for a rate has come back",
                            MakeTraceSourceAccessor(&CoflowSource::m_rateEchoTrace),
                            "ns3::coflow::CoflowSource::RateEchoCallback")
            .AddTraceSource("ConnectionFailed",
                            "A connection could not be opened, or broke; it is tried again",
                            MakeTraceSourceAccessor(&CoflowSource::m_connectionFailedTrace),
                            "ns3::coflow::CoflowSource::ConnectionFailedCallback");
    return tid;
}

CoflowSource::CoflowSource() = default;

CoflowSource::~CoflowSource() = default;

void
CoflowSource::SetNicScheduler(Ptr<NicScheduler> scheduler)
{
    m_nic = scheduler;
}

void
CoflowSource::SetRateTable(const Ptr<RateTable>& rates)
{
    m_rateTable = rates;
}

void
CoflowSource::StartFlow(const FlowRequest& request)
{
    NS_ABORT_MSG_IF(m_state == State::STOPPED, "A flow is started after its source stopped");
    const FlowKey key{request.coflowId, request.flowId};
    auto [entry, isNew] = m_flows.try_emplace(key, std::make_unique<SourceFlow>());
    NS_ABORT_MSG_UNLESS(isNew,
                        "Flow " << key.flowId << " of coflow " << key.coflowId
                                << " is started while it is in progress");
    auto& flow = *entry->second;
    flow.key = key;
    flow.dst = request.dst;
    flow.bytes = request.bytes.m_bytes;
    flow.rateLimit = request.rateLimit;
    flow.priority = request.priority;
    flow.label = request.label;
    flow.priorityRule = request.priorityRule;
    flow.openingPriority = request.openingPriority;
    if (flow.priorityRule)
    {
        flow.priority = flow.priorityRule(flow.bytes);
    }
    NS_LOG_INFO("flow " << key.coflowId << "/" << key.flowId << " started: " << flow.bytes
                        << " bytes to " << flow.dst << ", " << flow.rateLimit);
    m_flowStartedTrace(key.coflowId, key.flowId, request.dst, flow.bytes);
    if (m_state == State::RUNNING)
    {
        LaunchFlow(flow);
    }
}

void
CoflowSource::LaunchFlow(SourceFlow& flow)
{
    const bool local = GetNode()->GetObject<Ipv4>()->GetInterfaceForAddress(flow.dst) >= 0;
    if (local || flow.bytes == 0)
    {
        Simulator::ScheduleNow(&CoflowSource::DeliverLocally, Ptr<CoflowSource>(this), flow.key);
        return;
    }
    flow.row.Enter(m_rateTable, flow, GetNode()->GetId());
    m_connections.Add(std::make_unique<SourceConnection>(*this, flow)).Open();
}

void
CoflowSource::DeliverLocally(FlowKey key)
{
    auto entry = m_flows.find(key);
    if (entry == m_flows.end())
    {
        return;
    }
    auto node = GetNode();
    for (uint32_t i = 0; i < node->GetNApplications(); ++i)
    {
        if (auto sink = DynamicCast<CoflowSink>(node->GetApplication(i)))
        {
            sink->DeliverLocal(key, entry->second->bytes);
            FinishFlow(*entry->second);
            return;
        }
    }
    NS_ABORT_MSG("Node " << node->GetId() << " has a CoflowSource but no CoflowSink, which flow "
                         << key.flowId << " of coflow " << key.coflowId << " needs");
}

void
CoflowSource::FinishFlow(SourceFlow& flow)
{
    flow.timer.Cancel();
    auto entry = m_flows.extract(flow.key);
    NS_LOG_INFO("flow " << flow.key.coflowId << "/" << flow.key.flowId << " sent: last of "
                        << flow.bytes << " bytes acknowledged, " << flow.retransmissions
                        << " retransmissions");
    m_flowSentTrace(flow.key.coflowId, flow.key.flowId, flow.bytes, flow.retransmissions);
}

void
CoflowSource::SetRateLimit(const FlowKey& key, const RateLimit& rateLimit)
{
    auto entry = m_flows.find(key);
    if (entry == m_flows.end())
    {
        return;
    }
    auto& flow = *entry->second;
    NS_LOG_INFO("flow " << key.coflowId << "/" << key.flowId << " may send: " << rateLimit
                        << ", before: " << flow.rateLimit);
    const bool more = rateLimit.IsMoreThan(flow.rateLimit);
    flow.rateLimit = rateLimit;
    if (flow.connection)
    {
        flow.connection->UpdateRateLimit();
        flow.row.Touch();
        if (more)
        {
            flow.connection->EndBackoff();
        }
    }
}

void
CoflowSource::EndBackoffOf(const FlowKey& key)
{
    const auto entry = m_flows.find(key);
    if (entry != m_flows.end() && entry->second->connection)
    {
        entry->second->connection->EndBackoff();
    }
}

bool
CoflowSource::SendRateRequest(const FlowKey& key, const PacketClass& request)
{
    const auto entry = m_flows.find(key);
    return entry != m_flows.end() && entry->second->connection &&
           entry->second->connection->SendSignal(request);
}

void
CoflowSource::SetPriority(const FlowKey& key, const PacketPriority& priority)
{
    auto entry = m_flows.find(key);
    if (entry == m_flows.end())
    {
        return;
    }
    auto& flow = *entry->second;
    const bool moreUrgent = priority < flow.priority;
    const bool lessUrgent = flow.priority < priority;
    flow.priority = priority;
    if (moreUrgent || lessUrgent)
    {
        flow.row.Touch();
    }
    if (flow.connection)
    {
        flow.connection->UpdatePriority();
        if (moreUrgent)
        {
            flow.connection->EndBackoff();
        }
    }
}

void
CoflowSource::SetLabel(const FlowKey& key, uint32_t label)
{
    auto entry = m_flows.find(key);
    if (entry == m_flows.end() || entry->second->label == label)
    {
        return;
    }
    auto& flow = *entry->second;
    flow.label = label;
    if (flow.connection)
    {
        flow.connection->UpdatePriority();
        flow.row.Touch();
    }
}

void
CoflowSource::CancelFlow(const FlowKey& key)
{
    auto entry = m_flows.extract(key);
    if (!entry.empty())
    {
        NS_LOG_INFO("flow " << key.coflowId << "/" << key.flowId << " cancelled");
    }
    if (!entry.empty() && entry.mapped()->connection)
    {
        entry.mapped()->connection->RemoveFlow();
    }
}

uint64_t
CoflowSource::GetBacklog(OpaqueSize bytes)
{
    return std::min(bytes.m_bytes, MAX_BACKLOG);
}

std::optional<CoflowSource::FlowProgress>
CoflowSource::GetProgress(const FlowKey& key) const
{
    auto entry = m_flows.find(key);
    if (entry == m_flows.end())
    {
        return std::nullopt;
    }
    const auto& flow = *entry->second;
    const uint64_t advanced = flow.row.GetAdvanced();
    const uint64_t backlog = std::min(flow.GetLeft(), MAX_BACKLOG);
    return FlowProgress{backlog,
                        flow.written + advanced,
                        flow.acknowledged + advanced,
                        flow.retransmissions,
                        flow.rateLimit,
                        flow.connection ? flow.connection->GetState() : ConnectionState::OPENING};
}

std::size_t
CoflowSource::GetActiveFlows() const
{
    return m_flows.size();
}

void
CoflowSource::StartApplication()
{
    if (!m_profile)
    {
        m_profile = CreateObject<TransportProfile>();
    }
    m_classifier = GetNode()->GetObject<PacketClassifier>();
    m_state = State::RUNNING;
    for (auto& [key, flow] : m_flows)
    {
        LaunchFlow(*flow);
    }
}

void
CoflowSource::StopApplication()
{
    m_state = State::STOPPED;
    m_connections.Close();
    m_flows.clear();
}

void
CoflowSource::DoDispose()
{
    m_state = State::STOPPED;
    m_connections.Clear();
    m_flows.clear();
    m_rateTable = nullptr;
    m_profile = nullptr;
    m_classifier = nullptr;
    m_nic = nullptr;
    Application::DoDispose();
}

} // namespace ns3::coflow
