/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-stack.h"

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-topology-routing.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4.h"

namespace ns3::coflow
{

namespace
{

/// Gives InternetStackHelper our routing for hosts.
class HostRoutingHelper : public Ipv4RoutingHelper
{
  public:
    HostRoutingHelper* Copy() const override
    {
        return new HostRoutingHelper(*this);
    }

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node>) const override
    {
        return CreateObject<TopologyRouting>();
    }
};

} // namespace

void
InstallHostStacks(const NodeContainer& hosts,
                  Ptr<const Topology> topology,
                  Ptr<const PortRoutes> routes)
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(HostRoutingHelper());
    for (HostId host = 0; host < hosts.GetN(); ++host)
    {
        const Ptr<Node> node = hosts.Get(host);
        stack.Install(node);
        node->AggregateObject(CreateObject<PacketClassifier>());
        DynamicCast<TopologyRouting>(node->GetObject<Ipv4>()->GetRoutingProtocol())
            ->SetVertex(topology, routes, host);
    }
}

uint32_t
ConnectHostDevice(HostId host, Ptr<NetDevice> device, PortRoutes& routes)
{
    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    const Ipv4Address address = Fabric::GetHostAddress(host);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("255.0.0.0")));
    routes.Add(Topology::GetUplink(host), device, address);
    ipv4->SetUp(interface);
    return interface;
}

} // namespace ns3::coflow
