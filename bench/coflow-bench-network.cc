/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-bench-network.h"

#include "ns3/coflow-named-type.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/nix-vector-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3::coflow
{

namespace
{

/// One of our fabrics.
class FabricNetwork : public BenchNetwork
{
  public:
    FabricNetwork(const std::string& kind, Ptr<Topology> topology, uint16_t mtu)
        : m_fabric(CreateByName<Fabric>(kind))
    {
        m_fabric->SetTopology(topology);
        m_fabric->SetAttribute("Mtu", UintegerValue(mtu));
        m_fabric->Build();
    }

    const NodeContainer& GetHosts() const override
    {
        return m_fabric->GetHosts();
    }

    Ipv4Address GetAddress(HostId host) const override
    {
        return Fabric::GetHostAddress(host);
    }

    uint64_t GetPacketHops() const override
    {
        return m_fabric->GetPacketHops();
    }

  private:
    Ptr<Fabric> m_fabric;
};

/// What a script would build with ns-3 alone.
class VanillaNetwork : public BenchNetwork
{
  public:
    VanillaNetwork(bool nixVector, Ptr<Topology> topology, uint16_t mtu)
    {
        topology->Build();
        NodeContainer nodes;
        nodes.Create(topology->GetNVertices());
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        if (nixVector)
        {
            stack.SetRoutingHelper(Ipv4NixVectorHelper());
        }
        stack.Install(nodes);
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
        for (LinkPort port = 0; port < topology->GetNPorts(); port += 2)
        {
            const TopologyPort& link = topology->GetPort(port);
            PointToPointHelper pointToPoint;
            pointToPoint.SetDeviceAttribute("DataRate", DataRateValue(link.rate));
            pointToPoint.SetDeviceAttribute("Mtu", UintegerValue(mtu));
            pointToPoint.SetChannelAttribute("Delay", TimeValue(link.delay));
            const auto devices = pointToPoint.Install(nodes.Get(link.from), nodes.Get(link.to));
            for (uint32_t i = 0; i < devices.GetN(); ++i)
            {
                devices.Get(i)->TraceConnectWithoutContext(
                    "PhyTxBegin",
                    MakeCallback(&VanillaNetwork::CountHop, this));
            }
            const auto interfaces = addresses.Assign(devices);
            addresses.NewNetwork();
            if (topology->IsHost(link.from))
            {
                m_hosts.Add(nodes.Get(link.from));
                m_addresses.push_back(interfaces.GetAddress(0));
            }
        }
        if (!nixVector)
        {
            Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        }
    }

    const NodeContainer& GetHosts() const override
    {
        return m_hosts;
    }

    Ipv4Address GetAddress(HostId host) const override
    {
        return m_addresses[host];
    }

    uint64_t GetPacketHops() const override
    {
        return m_packetHops;
    }

  private:
    void CountHop(Ptr<const Packet>)
    {
        ++m_packetHops;
    }

    NodeContainer m_hosts;
    std::vector<Ipv4Address> m_addresses;
    uint64_t m_packetHops{0};
};

} // namespace

std::unique_ptr<BenchNetwork>
MakeBenchNetwork(const std::string& kind, Ptr<Topology> topology, uint16_t mtu)
{
    if (kind == "vanilla" || kind == "nixvector")
    {
        return std::make_unique<VanillaNetwork>(kind == "nixvector", topology, mtu);
    }
    return std::make_unique<FabricNetwork>(kind, topology, mtu);
}

} // namespace ns3::coflow
