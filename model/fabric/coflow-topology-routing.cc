/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-topology-routing.h"

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-packet-class-tag.h"
#include "ns3/log.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowTopologyRouting");
NS_OBJECT_ENSURE_REGISTERED(TopologyRouting);

void
PortRoutes::Add(LinkPort port, Ptr<NetDevice> device, Ipv4Address source)
{
    if (port >= m_routes.size())
    {
        m_routes.resize(port + 1);
    }
    auto route = Create<Ipv4Route>();
    route->SetDestination(Ipv4Address::GetAny());
    route->SetGateway(Ipv4Address::GetAny());
    route->SetSource(source);
    route->SetOutputDevice(device);
    m_routes[port] = route;
}

TypeId
TopologyRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::TopologyRouting")
                            .SetParent<Ipv4RoutingProtocol>()
                            .SetGroupName("Coflow")
                            .AddConstructor<TopologyRouting>();
    return tid;
}

void
TopologyRouting::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_topology = nullptr;
    m_routes = nullptr;
    m_ipv4 = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

void
TopologyRouting::SetVertex(Ptr<const Topology> topology,
                           Ptr<const PortRoutes> routes,
                           VertexId vertex)
{
    m_topology = topology;
    m_routes = routes;
    m_vertex = vertex;
}

uint64_t
TopologyRouting::GetHash(const Ipv4Header& header, const Packet& payload, HostId dst)
{
    PacketClassTag tag;
    if (payload.PeekPacketTag(tag) && tag.GetLabel() != 0)
    {
        return GetLabelHash(tag.GetLabel());
    }
    const uint64_t hash = GetFlowHash(GetFlowTuple(header, payload));
    if (m_topology->IsSprayingPackets())
    {
        return GetPacketHash(hash, header.GetIdentification());
    }
    const Time timeout = m_topology->GetFlowletTimeout();
    if (timeout.IsStrictlyPositive() && m_topology->HasChoice(m_vertex, dst))
    {
        return m_flowlets.GetHash(hash, Simulator::Now().GetTimeStep(), timeout.GetTimeStep());
    }
    return hash;
}

Ptr<Ipv4Route>
TopologyRouting::RouteOutput(Ptr<Packet> p,
                             const Ipv4Header& header,
                             Ptr<NetDevice> oif,
                             Socket::SocketErrno& sockerr)
{
    NS_LOG_FUNCTION(this << p << header.GetDestination() << oif);
    const Ipv4Address destination = header.GetDestination();
    sockerr = Socket::ERROR_NOTERROR;
    if (destination.IsLocalhost())
    {
        auto route = Create<Ipv4Route>();
        route->SetDestination(destination);
        route->SetGateway(Ipv4Address::GetAny());
        route->SetSource(Ipv4Address::GetLoopback());
        route->SetOutputDevice(m_ipv4->GetNetDevice(0));
        return route;
    }
    sockerr = Socket::ERROR_NOROUTETOHOST;
    const uint32_t hosts = m_topology->GetNHosts();
    const HostId dst = Fabric::GetHostByAddress(destination, hosts);
    if (!m_topology->IsHost(m_vertex) || dst == hosts)
    {
        return nullptr;
    }
    // A host has one port. Neither the port nor the existence of a path depends on the hash.
    const bool local = dst == m_vertex;
    const LinkPort port =
        local ? Topology::GetUplink(m_vertex) : m_topology->NextPort(m_vertex, dst, 0);
    if (port == NO_PORT)
    {
        return nullptr;
    }
    const Ptr<Ipv4Route>& route = m_routes->Get(port);
    if (oif && oif != route->GetOutputDevice())
    {
        return nullptr;
    }
    sockerr = Socket::ERROR_NOTERROR;
    return route;
}

bool
TopologyRouting::RouteInput(Ptr<const Packet> p,
                            const Ipv4Header& header,
                            Ptr<const NetDevice> idev,
                            const UnicastForwardCallback& ucb,
                            const MulticastForwardCallback&,
                            const LocalDeliverCallback& lcb,
                            const ErrorCallback& ecb)
{
    NS_LOG_FUNCTION(this << p << header.GetDestination() << idev);
    if (m_topology->IsHost(m_vertex))
    {
        const int32_t interface = m_ipv4->GetInterfaceForDevice(idev);
        if (!m_ipv4->IsDestinationAddress(header.GetDestination(), interface))
        {
            return false;
        }
        lcb(p, header, interface);
        return true;
    }
    const uint32_t hosts = m_topology->GetNHosts();
    const HostId dst = Fabric::GetHostByAddress(header.GetDestination(), hosts);
    if (dst == hosts)
    {
        return false;
    }
    if (header.GetTtl() <= 1)
    {
        // A switch has no address, and so sends no ICMP message.
        ecb(p, header, Socket::ERROR_NOROUTETOHOST);
        return true;
    }
    const LinkPort port = m_topology->NextPort(m_vertex, dst, GetHash(header, *p, dst));
    if (port == NO_PORT)
    {
        return false;
    }
    ucb(m_routes->Get(port), p, header);
    return true;
}

void
TopologyRouting::NotifyInterfaceUp(uint32_t)
{
}

void
TopologyRouting::NotifyInterfaceDown(uint32_t)
{
}

void
TopologyRouting::NotifyAddAddress(uint32_t, Ipv4InterfaceAddress)
{
}

void
TopologyRouting::NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress)
{
}

void
TopologyRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    *stream->GetStream() << "Node " << m_ipv4->GetObject<Node>()->GetId() << ", time "
                         << Simulator::Now().As(unit) << ": " << m_topology->GetVertexName(m_vertex)
                         << " of a " << m_topology->GetInstanceTypeId().GetName()
                         << ", routed in closed form\n";
}

} // namespace ns3::coflow
