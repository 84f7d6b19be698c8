/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TOPOLOGY_ROUTING_H
#define COFLOW_TOPOLOGY_ROUTING_H

#include "ns3/coflow-flowlet-table.h"
#include "ns3/coflow-topology.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/simple-ref-count.h"

#include <vector>

namespace ns3::coflow
{

/// The ports of a topology as ns-3 routes: one table for all nodes of a fabric.
class PortRoutes : public SimpleRefCount<PortRoutes>
{
  public:
    /// @param port a port of the topology
    /// @param device the device that sends for it
    /// @param source address that packets sent by the port's node have; any for a switch
    void Add(LinkPort port, Ptr<NetDevice> device, Ipv4Address source);

    /// @param port a port that was added
    /// @return the route: straight on through the port's device
    const Ptr<Ipv4Route>& Get(LinkPort port) const
    {
        return m_routes[port];
    }

  private:
    std::vector<Ptr<Ipv4Route>> m_routes; ///< by port
};

/// Routing in closed form: no table of destinations, nothing computed at the start. A packet's
/// way on is what Topology::NextPort() says for the hash of its flow.
///
/// A switch only forwards between hosts of the fabric, and has no address. Packets for which
/// there is no path are dropped by IPv4, as with any routing protocol (trace source Drop,
/// DROP_NO_ROUTE); those whose time to live is over, silently (DROP_ROUTE_ERROR). At a host, a
/// socket that sends to where no path leads sees ERROR_NOROUTETOHOST.
class TopologyRouting : public Ipv4RoutingProtocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param topology the network
    /// @param routes its ports
    /// @param vertex the vertex of the topology that this node is
    void SetVertex(Ptr<const Topology> topology, Ptr<const PortRoutes> routes, VertexId vertex);

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> p,
                               const Ipv4Header& header,
                               Ptr<NetDevice> oif,
                               Socket::SocketErrno& sockerr) override;
    bool RouteInput(Ptr<const Packet> p,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> idev,
                    const UnicastForwardCallback& ucb,
                    const MulticastForwardCallback& mcb,
                    const LocalDeliverCallback& lcb,
                    const ErrorCallback& ecb) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address) override;

    void SetIpv4(Ptr<Ipv4> ipv4) override
    {
        m_ipv4 = ipv4;
    }

    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream,
                           Time::Unit unit = Time::S) const override;

  protected:
    void DoDispose() override;

  private:
    /// @param dst the host that the packet is for
    /// @return the hash by which a packet's path is chosen
    uint64_t GetHash(const Ipv4Header& header, const Packet& payload, HostId dst);

    Ptr<const Topology> m_topology;
    Ptr<const PortRoutes> m_routes;
    VertexId m_vertex{0};
    Ptr<Ipv4> m_ipv4;
    FlowletTable m_flowlets; ///< of a switch, where there are flowlets
};

} // namespace ns3::coflow

#endif // COFLOW_TOPOLOGY_ROUTING_H
