/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_NETWORK_H
#define COFLOW_CONTROL_NETWORK_H

#include "ns3/coflow-host-network.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/queue-size.h"

namespace ns3::coflow
{

/// Where control messages travel: through the network of the data, among the data, or on a network
/// of their own: a switch with a link to every host, as clusters have it that keep management
/// apart.
class ControlNetwork : public Object
{
  public:
    /// @return the type with its attributes
    static TypeId GetTypeId();

    ControlNetwork();
    ~ControlNetwork() override;

    /// To be called once, after the network of the data was built and before the simulation runs.
    /// On an isolated network every host gets another device and address.
    /// @param data the network of the data
    void Build(Ptr<HostNetwork> data);

    /// @param host a host
    /// @return the address at which its control endpoints are reached
    Ipv4Address GetAddress(HostId host) const;

    /// @param address an address, such as ControlEndpoint::GetAddress() gives
    /// @return the host that has it on this network, or the number of hosts if there is none
    HostId GetHost(Ipv4Address address) const;

    /// @return the switch of an isolated network, else none
    Ptr<Node> GetSwitch() const;

  protected:
    void DoDispose() override;

  private:
    /// Connects a host to the switch.
    /// @return from the switch to the host
    Ptr<Ipv4Route> Connect(HostId host);

    bool m_isolated;         ///< attribute Isolated
    DataRate m_rate;         ///< attribute Rate
    Time m_delay;            ///< attribute Delay
    QueueSize m_queueSize;   ///< attribute QueueSize
    Ptr<HostNetwork> m_data; ///< the network of the data
    Ptr<Node> m_switch;      ///< of an isolated network
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_NETWORK_H
