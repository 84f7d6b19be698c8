/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-leaf-spine.h"

#include "ns3/coflow-named-type.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::coflow
{

COFLOW_REGISTER(LeafSpineTopology,
                "two tiers, with a link from every leaf switch to every spine switch");

TypeId
LeafSpineTopology::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::LeafSpineTopology")
            .SetParent<Topology>()
            .SetGroupName("Coflow")
            .AddConstructor<LeafSpineTopology>()
            .AddAttribute("Leaves",
                          "Number of leaf switches, from 1 to 4096",
                          UintegerValue(4),
                          MakeUintegerAccessor(&LeafSpineTopology::m_leaves),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Spines",
                          "Number of spine switches, from 1 to 4096",
                          UintegerValue(4),
                          MakeUintegerAccessor(&LeafSpineTopology::m_spines),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HostsPerLeaf",
                          "Largest number of hosts at a leaf switch, from 1 to 4096",
                          UintegerValue(4),
                          MakeUintegerAccessor(&LeafSpineTopology::m_hostsPerLeaf),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Oversubscription",
                          "Sum of the rates of a leaf switch's links to hosts over the sum of "
                          "those to other switches, for the leaf switch with the largest value. It "
                          "sets the rate of the links between switches; 0: FabricLinkRate sets it",
                          DoubleValue(0),
                          MakeDoubleAccessor(&LeafSpineTopology::m_oversubscription),
                          MakeDoubleChecker<double>())
            .AddAttribute("Hosts",
                          "Number of hosts; 0: as many as fit",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LeafSpineTopology::m_hosts),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
LeafSpineTopology::DoBuild()
{
    CheckRange("Leaves", m_leaves, 1, 4096);
    CheckRange("Spines", m_spines, 1, 4096);
    CheckRange("HostsPerLeaf", m_hostsPerLeaf, 1, 4096);
    Oversubscribe(m_oversubscription);
    const uint32_t room = std::min(m_leaves * m_hostsPerLeaf, MAX_HOSTS);
    CheckRange("Hosts", m_hosts, 0, room);

    AddHosts(m_hosts == 0 ? room : m_hosts);
    m_leaf0 = AddSwitches("leaf", m_leaves);
    m_spine0 = AddSwitches("spine", m_spines);
    AddHostLinks(m_leaf0, m_leaves);
    for (uint32_t leaf = 0; leaf < m_leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < m_spines; ++spine)
        {
            AddLink(m_leaf0 + leaf, m_spine0 + spine);
        }
    }
}

PortRange
LeafSpineTopology::DoGetEqualCostPorts(VertexId vertex, HostId dst) const
{
    if (vertex < m_spine0) // up, to any spine
    {
        return {2 * (GetNHosts() + (vertex - m_leaf0) * m_spines), m_spines};
    }
    const uint32_t dstLeaf = GetHostSwitch(dst) - m_leaf0; // down, by the only link to the leaf
    return {2 * (GetNHosts() + dstLeaf * m_spines + (vertex - m_spine0)) + 1, 1};
}

} // namespace ns3::coflow
