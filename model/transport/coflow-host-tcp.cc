/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-tcp.h"

#include "ns3/coflow-direct-tcp-socket.h"
#include "ns3/coflow-flow-hash.h"
#include "ns3/ipv4-interface.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(HostTcp);

TypeId
HostTcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::HostTcp")
                            .SetParent<TcpL4Protocol>()
                            .SetGroupName("Coflow")
                            .AddConstructor<HostTcp>();
    return tid;
}

HostTcp::HostTcp()
{
}

HostTcp::~HostTcp()
{
}

DirectTcpSocket*
HostTcp::Find(const Packet& packet, const Ipv4Header& header) const
{
    const FlowTuple flow = GetFlowTuple(header, packet);
    const auto connection = m_direct.find({flow.srcAddress, flow.dstPort, flow.srcPort});
    if (connection != m_direct.end() && connection->second->IsAt(header.GetDestination()))
    {
        return connection->second;
    }
    const auto listener = m_listeners.find(flow.dstPort);
    if (listener != m_listeners.end() && listener->second->IsListeningAt(header.GetDestination()))
    {
        return listener->second;
    }
    return nullptr;
}

IpL4Protocol::RxStatus
HostTcp::Receive(Ptr<Packet> packet, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    if (m_direct.empty() && m_listeners.empty())
    {
        return TcpL4Protocol::Receive(packet, header, interface);
    }
    // It may be closed and gone before this returns.
    const Ptr<DirectTcpSocket> socket(Find(*packet, header));
    if (!socket)
    {
        return TcpL4Protocol::Receive(packet, header, interface);
    }
    socket->Receive(packet, header, GetFlowTuple(header, *packet).srcPort, interface);
    return IpL4Protocol::RX_OK;
}

void
HostTcp::Add(const ConnectionName& name, DirectTcpSocket* socket)
{
    m_direct[name] = socket;
}

void
HostTcp::Remove(const ConnectionName& name, const DirectTcpSocket* socket)
{
    const auto found = m_direct.find(name);
    if (found != m_direct.end() && found->second == socket)
    {
        m_direct.erase(found);
    }
}

void
HostTcp::AddListener(uint16_t port, DirectTcpSocket* socket)
{
    m_listeners[port] = socket;
}

void
HostTcp::RemoveListener(uint16_t port, const DirectTcpSocket* socket)
{
    const auto found = m_listeners.find(port);
    if (found != m_listeners.end() && found->second == socket)
    {
        m_listeners.erase(found);
    }
}

} // namespace ns3::coflow
