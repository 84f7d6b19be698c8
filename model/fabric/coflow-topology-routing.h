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

/// One ns-3 route per port of a topology. All nodes of a fabric share this table.
class PortRoutes : public SimpleRefCount<PortRoutes>
{
  public:
    /// @param port a port of the topology
    /// @param device the device of the port
    /// @param source source address of packets that the port's node sends; any address for a switch
    void Add(LinkPort port, Ptr<NetDevice> device, Ipv4Address source);

    /// @param port a port that was added
    /// @return the route through the port's device
    const Ptr<Ipv4Route>& Get(LinkPort port) const
    {
        return m_routes[port];
    }

  private:
    std::vector<Ptr<Ipv4Route>> m_routes; ///< routes, by port
};

/// Routing in closed form, without a table of destinations and without computation at the start.
/// Topology::NextPort() computes the next port of a packet from the hash of its flow.
///
/// A switch only forwards packets between hosts of the fabric, and has no address. IPv4 drops
/// packets without a path, as with any routing protocol (trace source Drop, DROP_NO_ROUTE). It
/// drops packets whose time to live is over, and sends no message (DROP_ROUTE_ERROR). A socket of a
/// host that sends to an address without a path has the error ERROR_NOROUTETOHOST.
class TopologyRouting : public Ipv4RoutingProtocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param topology the network
    /// @param routes routes by port
    /// @param vertex vertex of this node in the topology
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
    /// @return the hash that chooses the packet's path
    uint64_t GetHash(const Ipv4Header& header, const Packet& payload, HostId dst);

    Ptr<const Topology> m_topology;
    Ptr<const PortRoutes> m_routes;
    VertexId m_vertex{0};
    Ptr<Ipv4> m_ipv4;
    FlowletTable m_flowlets; ///< flowlets of a switch, if the topology uses flowlets
};

} // namespace ns3::coflow

#endif // COFLOW_TOPOLOGY_ROUTING_H
