/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_STACK_H
#define COFLOW_HOST_STACK_H

#include "ns3/coflow-topology.h"
#include "ns3/node-container.h"

namespace ns3::coflow
{

class PortRoutes;

/// Gives hosts ns-3's TCP/IP stack (IPv4 only), routed by TopologyRouting, and a
/// PacketClassifier.
/// @param hosts nodes without a stack, in the order of their ids
/// @param topology the network
/// @param routes its ports; those of the hosts may be added later
void InstallHostStacks(const NodeContainer& hosts,
                       Ptr<const Topology> topology,
                       Ptr<const PortRoutes> routes);

/// Attaches a host with a stack to the fabric: gives its device an interface and the host's
/// address, and the host a route by it.
/// @param host the host
/// @param device a device of its node
/// @param routes where the route is added
/// @return number of the interface
uint32_t ConnectHostDevice(HostId host, Ptr<NetDevice> device, PortRoutes& routes);

} // namespace ns3::coflow

#endif // COFLOW_HOST_STACK_H
