/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_ROUTING_H
#define COFLOW_CONTROL_ROUTING_H

#include "ns3/coflow-topology.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"

#include <vector>

namespace ns3::coflow
{

/// Routing of the isolated control network, on its switch and on the hosts. Its hosts have the
/// addresses 172.16.0.1, 172.16.0.2, ... in the order of their ids; a host leaves all others to
/// the routing that it had before.
class ControlRouting : public Ipv4RoutingProtocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param host a host
    /// @return its address on the control network
    static Ipv4Address GetAddress(HostId host)
    {
        return Ipv4Address(FIRST_ADDRESS + host);
    }

    /// @param address any address
    /// @param hosts number of hosts
    /// @return the host that has the address, or hosts where there is none
    static HostId GetHost(Ipv4Address address, uint32_t hosts)
    {
        return address.Get() - FIRST_ADDRESS < hosts ? address.Get() - FIRST_ADDRESS : hosts;
    }

    /// Of a host.
    /// @param hosts number of hosts
    /// @param uplink to the switch
    /// @param other routing of all other addresses
    void SetHost(uint32_t hosts, Ptr<Ipv4Route> uplink, Ptr<Ipv4RoutingProtocol> other);

    /// Of the switch.
    /// @param downlinks by host
    void SetSwitch(std::vector<Ptr<Ipv4Route>> downlinks);

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
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream,
                           Time::Unit unit = Time::S) const override;

  protected:
    void DoDispose() override;

  private:
    static constexpr uint32_t FIRST_ADDRESS = 0xac100001; ///< 172.16.0.1

    uint32_t m_hosts{0};                     ///< number of hosts
    Ptr<Ipv4Route> m_uplink;                 ///< of a host
    Ptr<Ipv4RoutingProtocol> m_other;        ///< of a host
    std::vector<Ptr<Ipv4Route>> m_downlinks; ///< of the switch
    Ptr<Ipv4> m_ipv4;                        ///< of the node
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_ROUTING_H
