/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-big-switch.h"

#include "ns3/coflow-named-type.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

COFLOW_REGISTER(BigSwitchTopology, "one switch: only the ports of hosts limit flows");

TypeId
BigSwitchTopology::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::BigSwitchTopology")
                            .SetParent<Topology>()
                            .SetGroupName("Coflow")
                            .AddConstructor<BigSwitchTopology>()
                            .AddAttribute("Hosts",
                                          "Number of hosts, from 1 to 4194304",
                                          UintegerValue(16),
                                          MakeUintegerAccessor(&BigSwitchTopology::m_hosts),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

void
BigSwitchTopology::DoBuild()
{
    CheckRange("Hosts", m_hosts, 1, MAX_HOSTS);
    AddHosts(m_hosts);
    AddHostLinks(AddSwitches("switch", 1), 1);
}

PortRange
BigSwitchTopology::DoGetEqualCostPorts(VertexId, HostId) const
{
    NS_FATAL_ERROR("every host is attached to the one switch");
}

} // namespace ns3::coflow
