/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-host.h"

#include "ns3/abort.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-lean-ends.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(LeanHost);

TypeId
LeanHost::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::LeanHost")
                            .SetParent<Object>()
                            .SetGroupName("Coflow")
                            .AddConstructor<LeanHost>();
    return tid;
}

LeanHost::LeanHost() = default;

LeanHost::~LeanHost() = default;

void
LeanHost::Attach(const Ptr<Channel>& channel,
                 ::coflow::HostId host,
                 Ipv4Address address,
                 const Ptr<Node>& node)
{
    m_channel = channel;
    m_carrier = dynamic_cast<SegmentCarrier*>(PeekPointer(channel));
    NS_ABORT_MSG_UNLESS(m_carrier, "A LeanHost needs a channel that carries segments");
    m_host = host;
    m_address = address;
    m_ports = HostPorts::Of(node);
    m_context = node->GetId();
    m_carrier->SetReceiver(host, this);
    m_carrier->SetPrefetch(&LeanEnds::Prefetch);
}

void
LeanHost::DoDispose()
{
    if (m_carrier)
    {
        m_carrier->SetReceiver(m_host, nullptr);
        m_carrier = nullptr;
        m_channel = nullptr;
    }
    m_listeners.clear();
    m_datagrams.clear();
    m_connections.clear();
    m_ports = nullptr;
    Object::DoDispose();
}

Ptr<LeanConnection>
LeanHost::Create(std::shared_ptr<const LeanSettings> settings)
{
    return ns3::Create<LeanConnection>(*this, std::move(settings));
}

bool
LeanHost::HasPath(Ipv4Address peer) const
{
    return m_carrier && m_carrier->HasPath(m_host, peer);
}

bool
LeanHost::IsSniffed(Ipv4Address peer) const
{
    return m_carrier->IsSniffed(m_host) ||
           (m_carrier->GetReceiver(peer) && m_carrier->IsSniffed(m_carrier->GetHost(peer)));
}

void
LeanHost::Listen(uint16_t port, std::shared_ptr<const LeanSettings> settings, AcceptCallback accept)
{
    m_listeners[port] = {std::move(settings), std::move(accept), ++m_lastListener};
}

void
LeanHost::StopListening(uint16_t port)
{
    m_listeners.erase(port);
}

uint16_t
LeanHost::TakePort()
{
    return m_ports->Take();
}

bool
LeanHost::TakePort(uint16_t port)
{
    return m_ports->Take(port);
}

void
LeanHost::GivePortBack(uint16_t port)
{
    if (m_ports && port != 0)
    {
        m_ports->GiveBack(port);
    }
}

bool
LeanHost::IsReachable(Ipv4Address address) const
{
    if (!HasPath(address))
    {
        return false;
    }
    if (!m_carrier->GetReceiver(address))
    {
        throw ::coflow::InputError(
            "host " + std::to_string(m_host) + " connects to host " +
            std::to_string(m_carrier->GetHost(address)) +
            ", whose node takes no lean connections; allowed: TransportProfile::Install() on the "
            "nodes of all hosts, or HostStack=ns3");
    }
    return true;
}

void
LeanHost::Enter(LeanConnection& connection)
{
    auto& place = m_connections[connection.GetName()];
    if (place)
    {
        place->SetEntered(false);
    }
    connection.SetEntered(true);
    place = Ptr<LeanConnection>(&connection);
}

void
LeanHost::Leave(LeanConnection& connection)
{
    const auto found = m_connections.find(connection.GetName());
    if (found != m_connections.end() && PeekPointer(found->second) == &connection)
    {
        connection.SetEntered(false);
        m_connections.erase(found);
    }
}

void
LeanHost::NotifyAccepted(LeanConnection& connection, uint32_t listener)
{
    const auto found = m_listeners.find(connection.GetName().localPort);
    if (found != m_listeners.end() && found->second.number == listener)
    {
        const auto accept = found->second.accept;
        accept(Ptr<LeanConnection>(&connection));
        return;
    }
    // The listener that received the SYN has gone, so the connection is reset. A listener that now
    // has the port has not accepted the SYN.
    Simulator::ScheduleNow(&LeanConnection::Abort, Ptr<LeanConnection>(&connection));
}

void
LeanHost::Send(const LeanSegment& segment,
               const ConnectionName& connection,
               uint8_t dsField,
               SegmentRoute& route)
{
    if (m_carrier)
    {
        m_carrier->SendSegment(m_host, segment, connection, dsField, route);
    }
}

void
LeanHost::TakeDatagrams(uint16_t port, DatagramCallback callback)
{
    if (callback)
    {
        m_datagrams[port] = std::move(callback);
    }
    else
    {
        m_datagrams.erase(port);
    }
}

bool
LeanHost::TakesDatagrams(Ipv4Address peer) const
{
    return m_carrier && peer != m_address && m_carrier->GetReceiver(peer) && !IsSniffed(peer);
}

void
LeanHost::SendDatagram(Ptr<Packet> payload, const ConnectionName& connection, SegmentRoute& route)
{
    if (m_carrier)
    {
        m_carrier->SendDatagram(m_host, std::move(payload), connection, route);
    }
}

void
LeanHost::ReceiveDatagram(Ptr<Packet> payload, const ConnectionName& connection)
{
    const auto taker = m_datagrams.find(connection.localPort);
    if (taker != m_datagrams.end())
    {
        taker->second(std::move(payload), Ipv4Address(connection.remoteAddress));
    }
}

void
LeanHost::ReceiveSegment(const LeanSegment& segment,
                         Ipv4Address from,
                         uint8_t ecn,
                         const PacketClass& packetClass,
                         uint32_t end)
{
    const ConnectionName name{from.Get(), segment.destinationPort, segment.sourcePort};
    auto* known = LeanEnds::Get(end);
    if (known && known->IsEnteredAt(*this, name))
    {
        known->Receive(segment, ecn, packetClass);
        return;
    }
    const auto connection = m_connections.find(name);
    if (connection != m_connections.end())
    {
        connection->second->Receive(segment, ecn, packetClass);
        return;
    }
    const auto listener = m_listeners.find(segment.destinationPort);
    if (listener == m_listeners.end())
    {
        Refuse(segment, from);
        return;
    }
    if (listener->second.settings->LosesSegment())
    {
        return;
    }
    const uint8_t kind = segment.flags & ~(LeanSegment::CWR | LeanSegment::ECE);
    if (kind == LeanSegment::SYN)
    {
        // An event accepts the connection, as a listening socket of ns-3 forks in an event.
        const auto accepted = Create(listener->second.settings);
        if (const auto peer = FindPeer(segment, from))
        {
            LeanConnection::ShareStreams(*accepted, *peer);
        }
        const uint32_t number = listener->second.number;
        Simulator::ScheduleNow(&LeanConnection::Accept, accepted, segment, from, number);
    }
}

Ptr<LeanConnection>
LeanHost::FindPeer(const LeanSegment& segment, Ipv4Address from) const
{
    const auto* other = dynamic_cast<const LeanHost*>(m_carrier->GetReceiver(from));
    if (!other)
    {
        return nullptr;
    }
    const auto found =
        other->m_connections.find({m_address.Get(), segment.sourcePort, segment.destinationPort});
    return found == other->m_connections.end() ? nullptr : found->second;
}

void
LeanHost::Refuse(const LeanSegment& segment, Ipv4Address from)
{
    if (segment.Has(LeanSegment::RST))
    {
        return;
    }
    LeanSegment answer;
    answer.window = UINT16_MAX; // the default of ns-3's TcpHeader
    answer.sourcePort = segment.destinationPort;
    answer.destinationPort = segment.sourcePort;
    if (segment.Has(LeanSegment::ACK))
    {
        answer.flags = LeanSegment::RST;
        answer.sequence = segment.acknowledgement;
    }
    else
    {
        answer.flags = LeanSegment::RST | LeanSegment::ACK;
        answer.acknowledgement = segment.sequence + 1;
    }
    SegmentRoute route;
    Send(answer, {from.Get(), answer.sourcePort, answer.destinationPort}, 0, route);
}

} // namespace ns3::coflow
