/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-plane.h"

#include "ns3/coflow-transport-profile.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowControlPlane");
NS_OBJECT_ENSURE_REGISTERED(ControlPlane);

TypeId
ControlPlane::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::ControlPlane")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<ControlPlane>()
            .AddAttribute("ControlTransport",
                          "How control messages travel: tcp, over connections in the network; "
                          "ideal, without the network",
                          EnumValue(ControlEndpoint::Transport::TCP),
                          MakeEnumAccessor<ControlEndpoint::Transport>(&ControlPlane::m_transport),
                          ControlEndpoint::MakeTransportChecker())
            .AddAttribute("ControlLossRate",
                          "Probability that a control packet is lost on arrival, in addition to "
                          "drops by queues",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ControlPlane::m_lossRate),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("ControlDscp",
                          "DSCP of control packets, 0 to 63: 0 is best effort, 56 (CS7) the first "
                          "band of StrictPriorityQueueDisc. If hosts put data into classes "
                          "(Enforcement=dscp, EnforceAt=network), 0 means the first class",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ControlPlane::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("ControlMessageDelay",
                          "With ControlTransport=ideal: time from sending a message to its arrival",
                          TimeValue(Time()),
                          MakeTimeAccessor(&ControlPlane::m_messageDelay),
                          MakeTimeChecker(Time()))
            .AddTraceSource("Sent",
                            "A message of one of its endpoints was given to the transport",
                            MakeTraceSourceAccessor(&ControlPlane::m_sentTrace),
                            "ns3::coflow::ControlPlane::SentCallback")
            .AddTraceSource("Received",
                            "A message has reached one of its endpoints",
                            MakeTraceSourceAccessor(&ControlPlane::m_receivedTrace),
                            "ns3::coflow::ControlPlane::ReceivedCallback");
    return tid;
}

void
ControlPlane::Build(Ptr<HostNetwork> network, Ptr<TransportProfile> profile)
{
    m_network = network;
    m_profile = profile;
}

void
ControlPlane::SetHighestPriority()
{
    if (m_dscp == 0)
    {
        SetPriority({PacketPriority::LEAST_URGENT, 0});
    }
}

Ptr<ControlEndpoint>
ControlPlane::MakeEndpoint(HostId host)
{
    auto endpoint = CreateObject<ControlEndpoint>();
    endpoint->SetAttribute("Transport", EnumValue(m_transport));
    endpoint->SetAttribute("Profile", PointerValue(m_profile));
    endpoint->SetAttribute("MessageDelay", TimeValue(m_messageDelay));
    endpoint->SetAttribute("LossRate", DoubleValue(m_lossRate));
    endpoint->SetAttribute("Dscp", UintegerValue(m_dscp));
    endpoint->SetAttribute("Band", UintegerValue(m_priority.band));
    endpoint->SetAttribute("Key", UintegerValue(m_priority.key));
    endpoint->SetNode(m_network->GetHosts().Get(host));
    const auto number = m_endpoints.size();
    endpoint->TraceConnectWithoutContext(
        "Received",
        Callback<void, uint32_t, uint16_t, uint32_t>(
            [this, number, host, receiver = PeekPointer(endpoint)](uint32_t peer,
                                                                   uint16_t messageType,
                                                                   uint32_t bytes) {
                CountReceived(number);
                m_receivedTrace(host, receiver->GetAddress(peer), messageType, bytes);
            }));
    endpoint->TraceConnectWithoutContext(
        "Sent",
        Callback<void, uint32_t, uint16_t, uint32_t>(
            [this, host, sender = PeekPointer(endpoint)](uint32_t peer,
                                                         uint16_t messageType,
                                                         uint32_t bytes) {
                const auto to = sender->GetAddress(peer);
                NS_LOG_LOGIC("host " << host << " sends " << ControlMessage::GetName(messageType)
                                     << " to " << to << ", " << bytes << " bytes");
                m_sentTrace(host, to, messageType, bytes);
            }));
    m_endpoints.push_back(endpoint);
    m_seconds.emplace_back();
    return endpoint;
}

Ipv4Address
ControlPlane::GetAddress(HostId host) const
{
    return m_network->GetAddress(host);
}

HostId
ControlPlane::GetHost(Ipv4Address address) const
{
    return m_network->GetHostWithAddress(address);
}

void
ControlPlane::CountReceived(std::size_t endpoint)
{
    const auto number = Simulator::Now().GetNanoSeconds() / 1'000'000'000;
    auto& second = m_seconds[endpoint];
    if (second.number != number)
    {
        second = {number, 0};
    }
    m_peakReceived = std::max(m_peakReceived, ++second.messages);
}

WireCount
ControlPlane::GetWire() const
{
    WireCount sum;
    for (const auto& endpoint : m_endpoints)
    {
        sum += endpoint->GetWire();
    }
    return sum;
}

ControlCounts
ControlPlane::GetSent() const
{
    ControlCounts sum;
    for (const auto& endpoint : m_endpoints)
    {
        for (const auto& [type, count] : endpoint->GetSent())
        {
            sum[type] += count;
        }
    }
    return sum;
}

void
ControlPlane::DoDispose()
{
    for (auto& endpoint : m_endpoints)
    {
        endpoint->Dispose();
    }
    m_endpoints.clear();
    m_network = nullptr;
    m_profile = nullptr;
    Object::DoDispose();
}

} // namespace ns3::coflow
