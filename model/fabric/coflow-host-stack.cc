/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-stack.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-topology-routing.h"
#include "ns3/icmpv4-l4-protocol.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/packet-socket-factory.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-l4-protocol.h"

namespace ns3::coflow
{

void
InstallHostStacks(const NodeContainer& hosts,
                  Ptr<const Topology> topology,
                  Ptr<const PortRoutes> routes)
{
    for (HostId host = 0; host < hosts.GetN(); ++host)
    {
        // The same objects as InternetStackHelper installs, without IPv6, and with another routing
        // protocol.
        const Ptr<Node> node = hosts.Get(host);
        const auto arp = CreateObject<ArpL3Protocol>();
        node->AggregateObject(arp);
        const auto ipv4 = CreateObject<Ipv4L3Protocol>();
        node->AggregateObject(ipv4);
        node->AggregateObject(CreateObject<Icmpv4L4Protocol>());
        const auto routing = CreateObject<TopologyRouting>();
        routing->SetVertex(topology, routes, host);
        ipv4->SetRoutingProtocol(routing);
        const auto trafficControl = CreateObject<TrafficControlLayer>();
        node->AggregateObject(trafficControl);
        arp->SetTrafficControl(trafficControl);
        node->AggregateObject(CreateObject<UdpL4Protocol>());
        node->AggregateObject(CreateObject<TcpL4Protocol>());
        node->AggregateObject(CreateObject<PacketSocketFactory>());
        node->AggregateObject(CreateObject<PacketClassifier>());
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
