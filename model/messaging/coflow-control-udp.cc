/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-udp.h"

#include "ns3/abort.h"
#include "ns3/coflow-control-udp-connection.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

ControlUdp::ControlUdp(ControlEndpoint& endpoint)
    : ControlTransport(endpoint)
{
}

ControlUdp::~ControlUdp()
{
    for (auto& listener : m_listeners)
    {
        listener->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    }
}

Ptr<Socket>
ControlUdp::CreateSocket(uint16_t port) const
{
    auto socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    // A burst of messages must not be lost between IP and the process.
    socket->SetAttribute("RcvBufSize", UintegerValue(1 << 24));
    socket->SetIpTos(GetTos());
    NS_ABORT_MSG_IF(socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) != 0,
                    "Node " << GetNode()->GetId() << ": UDP port " << port << " is taken");
    socket->SetRecvCallback(MakeCallback(&ControlUdp::HandleRead, const_cast<ControlUdp*>(this)));
    return socket;
}

void
ControlUdp::SendDatagram(const Ptr<Socket>& socket,
                         const Address& to,
                         const DatagramHeader& header,
                         Ptr<const Packet> frame) const
{
    auto packet = frame ? frame->Copy() : ns3::Create<Packet>();
    packet->AddHeader(header);
    // One that has no route is lost like one that meets a full queue.
    socket->SendTo(packet, 0, to);
}

void
ControlUdp::HandleRead(Ptr<Socket> socket)
{
    Address from;
    while (!m_closed)
    {
        auto packet = socket->RecvFrom(from);
        if (!packet)
        {
            return;
        }
        if (GetLossRate() == 0 || GetLossVariable()->GetValue() >= GetLossRate())
        {
            HandleDatagram(socket, from, packet);
        }
    }
}

void
ControlUdp::HandleDatagram(const Ptr<Socket>& socket, const Address& from, Ptr<Packet> packet)
{
    DatagramHeader header;
    packet->RemoveHeader(header);
    if (!header.IsValid())
    {
        return;
    }
    const auto found = m_byPorts.find({socket, from});
    if (found != m_byPorts.end())
    {
        found->second.lock()->Handle(header, packet);
        return;
    }
    if (header.GetKind() == DatagramHeader::Kind::HELLO)
    {
        const auto peer = AddPeer(InetSocketAddress::ConvertFrom(from).GetIpv4());
        const auto connection = std::make_shared<Connection>(*this, peer, from);
        m_connections[peer] = connection;
        connection->Adopt(socket);
        connection->Handle(header, packet);
        NotifyUp(peer);
    }
    else if (header.GetKind() != DatagramHeader::Kind::GOODBYE)
    {
        SendDatagram(socket, from, DatagramHeader(DatagramHeader::Kind::GOODBYE));
    }
}

void
ControlUdp::Listen(uint16_t port)
{
    Classify(ConnectionName::FromPort(ConnectionName::UDP, port));
    m_listeners.push_back(CreateSocket(port));
}

void
ControlUdp::Connect(PeerId peer, Ipv4Address address, uint16_t port)
{
    Classify(ConnectionName::ToPort(ConnectionName::UDP, port));
    const auto connection =
        std::make_shared<Connection>(*this, peer, InetSocketAddress(address, port));
    m_connections[peer] = connection;
    OpenInEvent(connection);
}

void
ControlUdp::Disconnect(PeerId peer)
{
    const auto found = m_connections.extract(peer);
    if (!found.empty())
    {
        found.mapped()->Close(true);
    }
}

uint32_t
ControlUdp::Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body)
{
    return m_connections.at(peer)->Send(message.GetMessageType(), body, message.Renews());
}

bool
ControlUdp::IsBehind(PeerId peer, uint16_t messageType) const
{
    return m_connections.at(peer)->IsBehind(messageType);
}

bool
ControlUdp::HasAll(PeerId peer) const
{
    return m_connections.at(peer)->HasAll();
}

void
ControlUdp::Close()
{
    m_closed = true;
    for (auto& [peer, connection] : m_connections)
    {
        connection->Close(false);
    }
    m_connections.clear();
    for (auto& listener : m_listeners)
    {
        listener->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        listener->Close();
    }
    m_listeners.clear();
}

} // namespace ns3::coflow
