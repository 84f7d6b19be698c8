/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fabric-helper.h"

#include "ns3/coflow-fabric-net-device.h"
#include "ns3/trace-helper.h"

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

void
FabricHelper::EnablePcap(const std::string& prefix, const Fabric& fabric, HostId host)
{
    // Link-layer header types of pcap as numbers, because the names in ns-3 differ between
    // releases.
    constexpr auto RAW_IP = static_cast<PcapHelper::DataLinkType>(101);
    constexpr auto PPP = static_cast<PcapHelper::DataLinkType>(9);
    const auto device = fabric.GetHostDevice(host);
    PcapHelper pcap;
    const auto file =
        pcap.CreateFile(prefix + "-" + fabric.GetTopology()->GetVertexName(host) + ".pcap",
                        std::ios::out,
                        DynamicCast<FabricNetDevice>(device) ? RAW_IP : PPP);
    pcap.HookDefaultSink<NetDevice>(device, "PromiscSniffer", file);
}

} // namespace ns3::coflow
