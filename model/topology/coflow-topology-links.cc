/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Links of a topology that fail, return and change their rate.

#include "ns3/coflow-error.h"
#include "ns3/coflow-topology.h"
#include "ns3/log.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowTopologyLinks");

LinkPort
Topology::ChooseUsablePort(PortRange ports, VertexId vertex, HostId dst, uint64_t hash) const
{
    uint32_t usable = 0;
    for (uint32_t i = 0; i < ports.count; ++i)
    {
        usable += IsUsable(ports[i], dst);
    }
    if (usable == 0)
    {
        return NO_PORT;
    }
    uint32_t skip = ChooseIndex(usable, vertex, hash);
    for (uint32_t i = 0;; ++i)
    {
        if (IsUsable(ports[i], dst) && skip-- == 0)
        {
            return ports[i];
        }
    }
}

bool
Topology::IsUsable(LinkPort port, HostId dst) const
{
    const TopologyPort& p = m_ports[port];
    return p.up && (p.to == dst || IsReachable(p.to, dst));
}

bool
Topology::IsReachable(VertexId vertex, HostId dst) const
{
    Reachability& known = m_reachability[std::size_t{vertex - m_nHosts} * m_nHosts + dst];
    if (known == Reachability::UNKNOWN)
    {
        // Shortest paths only get shorter from here, so this recursion ends at the host.
        const PortRange ports = GetEqualCostPorts(vertex, dst);
        bool reachable = false;
        for (uint32_t i = 0; i < ports.count && !reachable; ++i)
        {
            reachable = IsUsable(ports[i], dst);
        }
        known = reachable ? Reachability::YES : Reachability::NO;
    }
    return known == Reachability::YES;
}

void
Topology::FailLink(VertexId a, VertexId b)
{
    NS_LOG_FUNCTION(this << a << b);
    SetLinkState(a, b, false);
}

void
Topology::RestoreLink(VertexId a, VertexId b)
{
    NS_LOG_FUNCTION(this << a << b);
    SetLinkState(a, b, true);
}

void
Topology::SetLinkState(VertexId a, VertexId b, bool up)
{
    const LinkPort port = FindPort(a, b);
    if (m_ports[port].up == up)
    {
        return;
    }
    m_ports[port].up = up;
    m_ports[GetReverse(port)].up = up;
    m_nFailedLinks += up ? -1 : 1;
    m_reachability.assign(m_nFailedLinks == 0 ? 0
                                              : std::size_t{GetNVertices() - m_nHosts} * m_nHosts,
                          Reachability::UNKNOWN);
    m_portChangeTrace(port);
    m_portChangeTrace(GetReverse(port));
}

void
Topology::SetLinkRate(VertexId a, VertexId b, DataRate rate)
{
    NS_LOG_FUNCTION(this << a << b << rate);
    const LinkPort port = FindPort(a, b);
    if (rate.GetBitRate() == 0)
    {
        throw ::coflow::InputError("the rate of link '" + GetVertexName(a) + "-" +
                                   GetVertexName(b) + "' is 0; allowed: a rate above 0");
    }
    for (LinkPort p : {port, GetReverse(port)})
    {
        m_ports[p].rate = rate;
        m_portChangeTrace(p);
    }
}

} // namespace ns3::coflow
