/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fabric-helper.h"

namespace ns3::coflow
{

FabricHelper::FabricHelper(const std::string& topology, const std::string& fabric)
{
    m_topology.SetTypeId(FindNamedType(Topology::GetTypeId(), topology));
    m_fabric.SetTypeId(FindNamedType(Fabric::GetTypeId(), fabric));
}

Ptr<Fabric>
FabricHelper::Create() const
{
    const auto fabric = m_fabric.Create<Fabric>();
    fabric->SetTopology(m_topology.Create<Topology>());
    fabric->Build();
    return fabric;
}

} // namespace ns3::coflow
