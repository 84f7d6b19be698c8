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

/// Installs ns-3's TCP/IP stack (IPv4 only) with TopologyRouting, and a PacketClassifier, on hosts.
/// @param hosts nodes without a stack, in the order of their ids
/// @param topology the network
/// @param routes routes by port. Routes of the hosts' ports may be added later
void InstallHostStacks(const NodeContainer& hosts,
                       Ptr<const Topology> topology,
                       Ptr<const PortRoutes> routes);

/// Attaches a host with a stack to the fabric. The host's device gets an interface and the host's
/// address, and the host gets a route through the device.
/// @param host the host
/// @param device a device of its node
/// @param routes routes, which the host's route is added to
/// @return number of the interface
uint32_t ConnectHostDevice(HostId host, Ptr<NetDevice> device, PortRoutes& routes);

} // namespace ns3::coflow

#endif // COFLOW_HOST_STACK_H
