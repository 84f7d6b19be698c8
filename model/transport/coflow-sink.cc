/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-sink.h"

#include "ns3/abort.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-rate-table.h"
#include "ns3/coflow-reserved-port.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-socket-connection.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowSink");

NS_OBJECT_ENSURE_REGISTERED(CoflowSink);

TypeId
CoflowSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CoflowSink")
            .SetParent<Application>()
            .SetGroupName("Coflow")
            .AddConstructor<CoflowSink>()
            .AddAttribute("Profile",
                          "Parameters of TCP; none: a TransportProfile with its defaults",
                          PointerValue(),
                          MakePointerAccessor(&CoflowSink::m_profile),
                          MakePointerChecker<TransportProfile>())
            .AddAttribute("Port",
                          "TCP port to listen on",
                          UintegerValue(DEFAULT_PORT),
                          MakeUintegerAccessor(&CoflowSink::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddTraceSource("FlowFinished",
                            "The last byte of a flow was delivered to the application",
                            MakeTraceSourceAccessor(&CoflowSink::m_flowFinishedTrace),
                            "ns3::coflow::CoflowSink::FlowFinishedCallback")
            .AddTraceSource("FlowInterrupted",
                            "A connection ended before the last byte of its flow",
                            MakeTraceSourceAccessor(&CoflowSink::m_flowInterruptedTrace),
                            "ns3::coflow::CoflowSink::FlowInterruptedCallback")
            .AddTraceSource("ProtocolViolation",
                            "A peer sent data that is no record; the connection is closed",
                            MakeTraceSourceAccessor(&CoflowSink::m_violationTrace),
                            "ns3::coflow::CoflowSink::ProtocolViolationCallback");
    return tid;
}

CoflowSink::CoflowSink() = default;

CoflowSink::~CoflowSink() = default;

uint64_t
CoflowSink::GetReceivedBytes(const FlowKey& key) const
{
    const auto flow = m_flows.find(key);
    return flow == m_flows.end() ? 0 : flow->second.received + GetAdvanced(flow->second);
}

uint64_t
CoflowSink::GetAdvanced(const FlowState& flow) const
{
    return flow.row == RateTable::NONE ? flow.advanced : m_rateTable->GetAdvanced(flow.row);
}

Time
CoflowSink::GetLastDelivery(const FlowKey& key) const
{
    const auto flow = m_flows.find(key);
    if (flow == m_flows.end())
    {
        return {};
    }
    const auto& [received, advanced, row, firstByte, latest, finished] = flow->second;
    return row == RateTable::NONE ? latest : std::max(latest, m_rateTable->GetLatest(row));
}

bool
CoflowSink::IsFinished(const FlowKey& key) const
{
    const auto flow = m_flows.find(key);
    return flow != m_flows.end() && flow->second.finished;
}

uint64_t
CoflowSink::GetTotalReceivedBytes() const
{
    uint64_t total = m_totalReceived;
    for (const auto& connection : m_connections.GetOpen())
    {
        total += connection->GetAdvanced();
    }
    return total;
}

void
CoflowSink::DeliverLocal(const FlowKey& key, uint64_t bytes)
{
    auto [entry, isNew] = m_flows.try_emplace(key);
    NS_ABORT_MSG_UNLESS(isNew,
                        "Flow " << key.flowId << " of coflow " << key.coflowId
                                << " was delivered before");
    entry->second.received = bytes;
    entry->second.firstByte = Simulator::Now();
    m_totalReceived += bytes;
    FinishFlow(key, entry->second);
}

void
CoflowSink::SetRateTable(const Ptr<RateTable>& rates)
{
    m_rateTable = rates;
}

void
CoflowSink::FinishFlow(const FlowKey& key, FlowState& flow)
{
    flow.finished = true;
    if (flow.received == 0)
    {
        flow.firstByte = Simulator::Now();
    }
    const uint64_t bytes = flow.received + GetAdvanced(flow);
    NS_LOG_INFO("flow " << key.coflowId << "/" << key.flowId << " finished: " << bytes
                        << " bytes, the first at " << flow.firstByte.As(Time::US));
    m_flowFinishedTrace(key.coflowId, key.flowId, bytes, flow.firstByte);
}

void
CoflowSink::StartApplication()
{
    if (!m_profile)
    {
        m_profile = CreateObject<TransportProfile>();
    }
    if (const auto lean = GetNode()->GetObject<LeanHost>())
    {
        const auto settings = m_profile->GetLeanSettingsOfSinks(GetNode());
        lean->Listen(m_port, settings, [this](const Ptr<LeanConnection>& connection) {
            const InetSocketAddress peer(Ipv4Address(connection->GetName().remoteAddress),
                                         connection->GetName().remotePort);
            m_connections.Add(std::make_unique<SinkConnection>(*this, connection, peer));
        });
        m_reserved =
            std::make_unique<ReservedPort>(GetNode(), m_port, [this] { ListenForPackets(); });
        if (!m_reserved->IsReserved())
        {
            ThrowPortTaken();
        }
    }
    else
    {
        ListenForPackets();
    }
    m_classifier = GetNode()->GetObject<PacketClassifier>();
    if (m_classifier)
    {
        // The SYN-ACKs, which a sink sends before it knows the flow.
        m_classifier->SetAcknowledging(ConnectionName::FromPort(ConnectionName::TCP, m_port),
                                       {PacketClass::NO_COFLOW, 0});
    }
}

void
CoflowSink::ThrowPortTaken() const
{
    throw ::coflow::InputError(
        "TCP port " + std::to_string(m_port) + " of node " + std::to_string(GetNode()->GetId()) +
        " is taken; allowed: one CoflowSink on a host, at a port for flows "
        "(--port) that no other application has, such as the control messages "
        "(--coordinatorPort)");
}

void
CoflowSink::ListenForPackets()
{
    m_listener = m_profile->CreateSocket(GetNode());
    m_listener->SetAttribute("ConnCount", UintegerValue(TransportProfile::MOST_SYNS_OF_SINKS));
    if (m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) != 0)
    {
        ThrowPortTaken();
    }
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&CoflowSink::HandleAccept, this));
    m_listener->Listen();
}

void
CoflowSink::StopApplication()
{
    if (m_listener)
    {
        m_listener->Close();
        m_listener = nullptr;
    }
    m_reserved = nullptr;
    if (const auto lean = GetNode()->GetObject<LeanHost>())
    {
        lean->StopListening(m_port);
    }
    if (m_classifier)
    {
        m_classifier->Remove(ConnectionName::FromPort(ConnectionName::TCP, m_port));
    }
    m_connections.Close();
}

void
CoflowSink::DoDispose()
{
    m_connections.Clear();
    m_rateTable = nullptr;
    m_reserved = nullptr;
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener = nullptr;
    }
    m_profile = nullptr;
    m_classifier = nullptr;
    Application::DoDispose();
}

void
CoflowSink::HandleAccept(Ptr<Socket> socket, const Address& peer)
{
    const auto stream = Create<SocketConnection>(DynamicCast<CoflowTcpSocket>(socket));
    m_connections.Add(std::make_unique<SinkConnection>(*this, stream, peer));
}

} // namespace ns3::coflow
