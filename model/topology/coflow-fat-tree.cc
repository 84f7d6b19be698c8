/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fat-tree.h"

#include "ns3/coflow-named-type.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

COFLOW_REGISTER(FatTreeTopology, "three tiers of K-port switches, (K/2)^2 paths between two pods");

TypeId
FatTreeTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::FatTreeTopology")
            .SetParent<Topology>()
            .SetGroupName("Coflow")
            .AddConstructor<FatTreeTopology>()
            .AddAttribute("K",
                          "Number of ports of a switch: an even number from 2 to 64",
                          UintegerValue(4),
                          MakeUintegerAccessor(&FatTreeTopology::m_k),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HostsPerEdge",
                          "Largest number of hosts at an edge switch, from 1 to 2048; 0: K/2, the "
                          "number of its links to aggregation switches",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FatTreeTopology::m_hostsPerEdge),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Oversubscription",
                          "Sum of the rates of an edge switch's links to hosts over the sum of "
                          "those to other switches, for the edge switch with the largest value. It "
                          "sets the rate of the links between switches; 0: FabricLinkRate sets it",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FatTreeTopology::m_oversubscription),
                          MakeDoubleChecker<double>())
            .AddAttribute("Hosts",
                          "Number of hosts; 0: as many as fit",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FatTreeTopology::m_hosts),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
FatTreeTopology::DoBuild()
{
    if (m_k < 2 || m_k > 64 || m_k % 2 != 0)
    {
        Reject("K", std::to_string(m_k), "an even number from 2 to 64");
    }
    CheckRange("HostsPerEdge", m_hostsPerEdge, 0, 2048);
    Oversubscribe(m_oversubscription);
    m_half = m_k / 2;
    const uint32_t edges = m_k * m_half;
    const uint32_t room = edges * (m_hostsPerEdge == 0 ? m_half : m_hostsPerEdge);
    CheckRange("Hosts", m_hosts, 0, room);

    AddHosts(m_hosts == 0 ? room : m_hosts);
    m_edge0 = AddSwitches("edge", edges);
    m_agg0 = AddSwitches("agg", edges);
    m_core0 = AddSwitches("core", m_half * m_half);

    AddHostLinks(m_edge0, edges);
    m_edgeAggLinks = GetNPorts() / 2;
    for (uint32_t edge = 0; edge < edges; ++edge)
    {
        for (uint32_t i = 0; i < m_half; ++i)
        {
            AddLink(m_edge0 + edge, m_agg0 + edge / m_half * m_half + i);
        }
    }
    m_aggCoreLinks = GetNPorts() / 2;
    for (uint32_t agg = 0; agg < edges; ++agg)
    {
        for (uint32_t i = 0; i < m_half; ++i)
        {
            AddLink(m_agg0 + agg, m_core0 + agg % m_half * m_half + i);
        }
    }
}

PortRange
FatTreeTopology::DoGetEqualCostPorts(VertexId vertex, HostId dst) const
{
    const uint32_t dstEdge = GetHostSwitch(dst) - m_edge0;
    const uint32_t dstPod = dstEdge / m_half;
    if (vertex < m_agg0) // up, to any aggregation switch of the pod
    {
        return {2 * (m_edgeAggLinks + (vertex - m_edge0) * m_half), m_half};
    }
    if (vertex < m_core0)
    {
        const uint32_t agg = vertex - m_agg0;
        if (agg / m_half == dstPod) // down
        {
            return {2 * (m_edgeAggLinks + dstEdge * m_half + agg % m_half) + 1, 1};
        }
        return {2 * (m_aggCoreLinks + agg * m_half), m_half}; // up, to any connected core switch
    }
    const uint32_t core = vertex - m_core0; // down, by the only link to the pod
    const uint32_t dstAgg = dstPod * m_half + core / m_half;
    return {2 * (m_aggCoreLinks + dstAgg * m_half + core % m_half) + 1, 1};
}

} // namespace ns3::coflow
