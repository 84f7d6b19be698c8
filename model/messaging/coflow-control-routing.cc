/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-routing.h"

#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/output-stream-wrapper.h"

#include <utility>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(ControlRouting);

TypeId
ControlRouting::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::ControlRouting")
                            .SetParent<Ipv4RoutingProtocol>()
                            .SetGroupName("Coflow")
                            .AddConstructor<ControlRouting>();
    return tid;
}

void
ControlRouting::SetHost(uint32_t hosts, Ptr<Ipv4Route> uplink, Ptr<Ipv4RoutingProtocol> other)
{
    m_hosts = hosts;
    m_uplink = uplink;
    m_other = other;
}

void
ControlRouting::SetSwitch(std::vector<Ptr<Ipv4Route>> downlinks)
{
    m_hosts = downlinks.size();
    m_downlinks = std::move(downlinks);
}

Ptr<Ipv4Route>
ControlRouting::RouteOutput(Ptr<Packet> p,
                            const Ipv4Header& header,
                            Ptr<NetDevice> oif,
                            Socket::SocketErrno& sockerr)
{
    if (m_uplink && GetHost(header.GetDestination(), m_hosts) < m_hosts &&
        (!oif || oif == m_uplink->GetOutputDevice()))
    {
        sockerr = Socket::ERROR_NOTERROR;
        return m_uplink;
    }
    if (m_other)
    {
        return m_other->RouteOutput(p, header, oif, sockerr);
    }
    sockerr = Socket::ERROR_NOROUTETOHOST;
    return nullptr;
}

bool
ControlRouting::RouteInput(Ptr<const Packet> p,
                           const Ipv4Header& header,
                           Ptr<const NetDevice> idev,
                           const UnicastForwardCallback& ucb,
                           const MulticastForwardCallback& mcb,
                           const LocalDeliverCallback& lcb,
                           const ErrorCallback& ecb)
{
    if (m_other)
    {
        // It delivers what is for an address of this host, and forwards nothing of ours.
        return m_other->RouteInput(p, header, idev, ucb, mcb, lcb, ecb);
    }
    const HostId host = GetHost(header.GetDestination(), m_hosts);
    if (host == m_hosts)
    {
        return false;
    }
    ucb(m_downlinks[host], p, header);
    return true;
}

void
ControlRouting::NotifyInterfaceUp(uint32_t interface)
{
    if (m_other)
    {
        m_other->NotifyInterfaceUp(interface);
    }
}

void
ControlRouting::NotifyInterfaceDown(uint32_t interface)
{
    if (m_other)
    {
        m_other->NotifyInterfaceDown(interface);
    }
}

void
ControlRouting::NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    if (m_other)
    {
        m_other->NotifyAddAddress(interface, address);
    }
}

void
ControlRouting::NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address)
{
    if (m_other)
    {
        m_other->NotifyRemoveAddress(interface, address);
    }
}

void
ControlRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    m_ipv4 = ipv4;
}

void
ControlRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const
{
    *stream->GetStream() << "Node " << m_ipv4->GetObject<Node>()->GetId() << ": "
                         << (m_other ? "host" : "switch") << " of a control network of " << m_hosts
                         << " hosts\n";
    if (m_other)
    {
        m_other->PrintRoutingTable(stream, unit);
    }
}

void
ControlRouting::DoDispose()
{
    m_uplink = nullptr;
    m_downlinks.clear();
    if (m_other)
    {
        m_other->Dispose();
        m_other = nullptr;
    }
    m_ipv4 = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

} // namespace ns3::coflow
