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
/// @return how messages name it: its number, and its name where ns3::Names has one
std::string NameNode(const Node& node);

/// @param device a device of a node
/// @return how messages name it: its node, its number there and its class
std::string NameDevice(const NetDevice& device);

/// @param device a device
/// @return the rate at which it sends, as its attribute DataRate or that of its channel says; 0
///         where neither has one
DataRate GetDeviceRate(const NetDevice& device);

/// The nodes that lie between hosts, whatever made them: what channels connect. It knows nothing of
/// routes; paths are those of fewest channels.
class NodeGraph
{
  public:
    /// @param hosts the hosts
    explicit NodeGraph(const NodeContainer& hosts);

    /// @return devices whose packets may be on the way from one host to another, in the order in
    ///         which a search from the first host finds their nodes; those of dead ends are not
    ///         among them
    const std::vector<Ptr<NetDevice>>& GetDevices() const
    {
        return m_devices;
    }

    /// @return whether a channel of a device leads to a host, or the device is one of a host
    bool IsAtHost(const NetDevice& device) const;

    /// @param from a host
    /// @return by number of the node: the devices that send on a shortest path to it. Nodes that
    ///         cannot be reached are missing
    std::map<uint32_t, std::vector<Ptr<NetDevice>>> GetPaths(Ptr<Node> from) const;

    /// @param path devices that send
    /// @param bytes of a packet
    /// @return the time that a packet takes for the path where nothing waits
    static Time GetTime(const std::vector<Ptr<NetDevice>>& path, uint32_t bytes);

    /// @param hosts the hosts
    /// @return what the network has that coflows do not use, or that bounds do not know, in lines:
    ///         CSMA, parallel links, hosts with several devices
    std::vector<std::string> GetNotes(const NodeContainer& hosts) const;

  private:
    /// @return channels of a node's devices that connect something
    static std::vector<Ptr<NetDevice>> GetConnected(const Node& node);

    std::set<uint32_t> m_hosts; ///< numbers of nodes
    std::vector<Ptr<NetDevice>> m_devices;
};

} // namespace ns3::coflow

#endif // COFLOW_NODE_GRAPH_H
