/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-transport.h"

#include "ns3/coflow-control-ideal.h"
#include "ns3/coflow-control-tcp.h"
#include "ns3/coflow-transport-profile.h"

#include <algorithm>

namespace ns3::coflow
{

std::unique_ptr<ControlTransport>
ControlTransport::Create(ControlEndpoint& endpoint)
{
    if (endpoint.m_transportKind == ControlEndpoint::Transport::IDEAL)
    {
        return std::make_unique<ControlIdeal>(endpoint);
    }
    return std::make_unique<ControlTcp>(endpoint);
}

ControlTransport::ControlTransport(ControlEndpoint& endpoint)
    : m_endpoint(endpoint)
{
}

const TransportProfile&
ControlTransport::GetProfile() const
{
    return *m_endpoint.m_profile;
}

uint8_t
ControlTransport::GetTos() const
{
    return static_cast<uint8_t>(m_endpoint.m_dscp << 2);
}

void
ControlTransport::Classify(const ConnectionName& service) const
{
    const PacketClass packetClass{.priority = {m_endpoint.m_key, m_endpoint.m_band}};
    const auto classifier = GetNode()->GetObject<PacketClassifier>();
    if (classifier && packetClass != PacketClass())
    {
        classifier->Set(service, packetClass);
    }
}

Time
ControlTransport::GetReconnectDelay(uint32_t failures) const
{
    const uint32_t doublings = std::min(failures - 1, 20U);
    const Time longest =
        Max(MilliSeconds(ControlEndpoint::LONGEST_RECONNECT_MS), m_endpoint.m_reconnectDelay);
    return std::min(m_endpoint.m_reconnectDelay * (int64_t{1} << doublings), longest);
}

uint16_t
ControlTransport::TakeLocalPort()
{
    if (m_endpoint.m_firstLocalPort == 0)
    {
        return 0;
    }
    auto& next = m_endpoint.m_nextLocalPort;
    const bool over =
        next < m_endpoint.m_firstLocalPort || next >= ControlEndpoint::LAST_LOCAL_PORT;
    next = over ? m_endpoint.m_firstLocalPort : next + 1;
    return next;
}

ControlTransport::PeerId
ControlTransport::AddPeer(Ipv4Address address)
{
    return m_endpoint.AddPeer(address);
}

void
ControlTransport::NotifyUp(PeerId peer)
{
    m_endpoint.NotifyUp(peer);
}

void
ControlTransport::NotifyDown(PeerId peer, const std::string& reason, bool forget)
{
    m_endpoint.NotifyDown(peer, reason, forget);
}

bool
ControlTransport::Receive(PeerId peer, uint16_t messageType, Ptr<Packet> body)
{
    return m_endpoint.Receive(peer, messageType, body);
}

} // namespace ns3::coflow
