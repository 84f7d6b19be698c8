/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NODE_GRAPH_H
#define COFLOW_NODE_GRAPH_H

#include "ns3/data-rate.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// @param node a node
/// @return the name of the node in messages: its number, and its name where ns3::Names has one
std::string NameNode(const Node& node);

/// @param device a device of a node
/// @return the name of the device in messages: its node, its number at the node and its class
std::string NameDevice(const NetDevice& device);

/// @param device a device
/// @return the device's rate, from its attribute DataRate or that of its channel; 0 where neither
///         has this attribute
DataRate GetDeviceRate(const NetDevice& device);

/// The graph of nodes and channels between hosts. Paths are paths with the fewest channels. The
/// graph does not know routes.
class NodeGraph
{
  public:
    /// @param hosts the hosts
    explicit NodeGraph(const NodeContainer& hosts);

    /// @return the devices on paths between hosts, in the order in which a search from the first
    ///         host finds their nodes. Devices on dead ends are left out
    const std::vector<Ptr<NetDevice>>& GetDevices() const
    {
        return m_devices;
    }

    /// @return whether the device belongs to a host, or its channel leads to a host
    bool IsAtHost(const NetDevice& device) const;

    /// @param from a host
    /// @return the sending devices on a shortest path to each node, by number of the node. Nodes
    ///         that cannot be reached are missing
    std::map<uint32_t, std::vector<Ptr<NetDevice>>> GetPaths(Ptr<Node> from) const;

    /// @param path the sending devices of a path
    /// @param bytes size of a packet
    /// @return the time that a packet takes on the path with empty queues
    static Time GetTime(const std::vector<Ptr<NetDevice>>& path, uint32_t bytes);

    /// @param hosts the hosts
    /// @return lines on parts of the network that coflows do not use, or that bounds do not take
    ///         into account: CSMA, parallel links, hosts with several devices
    std::vector<std::string> GetNotes(const NodeContainer& hosts) const;

  private:
    /// @return devices of a node whose channels connect them to other devices
    static std::vector<Ptr<NetDevice>> GetConnected(const Node& node);

    std::set<uint32_t> m_hosts; ///< numbers of nodes
    std::vector<Ptr<NetDevice>> m_devices;
};

} // namespace ns3::coflow

#endif // COFLOW_NODE_GRAPH_H
