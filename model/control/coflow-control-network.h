/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_NETWORK_H
#define COFLOW_CONTROL_NETWORK_H

#include "ns3/coflow-fabric.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::coflow
{

/// Where control messages travel: through the fabric, among the data, or on a network of their
/// own, a switch with a link to every host, as on clusters that have a management network.
class ControlNetwork : public Object
{
  public:
    /// @return the type with its attributes
    static TypeId GetTypeId();

    ControlNetwork();
    ~ControlNetwork() override;

    /// To be called once, after the fabric was built. On an isolated network every host gets
    /// another device and address.
    /// @param fabric the network of the data
    void Build(Ptr<Fabric> fabric);

    /// @param host a host of the fabric
    /// @return the address at which its control endpoints are reached
    Ipv4Address GetAddress(HostId host) const;

    /// @param address an address, such as ControlEndpoint::GetAddress() gives
    /// @return the host that has it on this network, or the number of hosts if there is none
    HostId GetHost(Ipv4Address address) const;

  protected:
    void DoDispose() override;

  private:
    bool m_isolated;      ///< attribute Isolated
    DataRate m_rate;      ///< attribute Rate
    Time m_delay;         ///< attribute Delay
    Ptr<Fabric> m_fabric; ///< the network of the data
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_NETWORK_H
