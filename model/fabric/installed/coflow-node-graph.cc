/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-node-graph.h"

#include "ns3/channel.h"
#include "ns3/names.h"
#include "ns3/node.h"

#include <algorithm>
#include <deque>

namespace ns3::coflow
{

std::string
NameNode(const Node& node)
{
    const auto name = Names::FindName(Ptr<Node>(const_cast<Node*>(&node)));
    return "node " + std::to_string(node.GetId()) + (name.empty() ? "" : " (" + name + ")");
}

std::string
NameDevice(const NetDevice& device)
{
    return NameNode(*device.GetNode()) + ", device " + std::to_string(device.GetIfIndex()) + " (" +
           device.GetInstanceTypeId().GetName() + ")";
}

DataRate
GetDeviceRate(const NetDevice& device)
{
    DataRateValue rate(DataRate(0));
    if (!device.GetAttributeFailSafe("DataRate", rate) && device.GetChannel())
    {
        device.GetChannel()->GetAttributeFailSafe("DataRate", rate);
    }
    return rate.Get();
}

namespace
{

/// @return the devices at the other ends of a device's channel
std::vector<Ptr<NetDevice>>
GetPeers(const NetDevice& device)
{
    std::vector<Ptr<NetDevice>> peers;
    const auto channel = device.GetChannel();
    for (std::size_t i = 0; i < channel->GetNDevices(); ++i)
    {
        const auto peer = channel->GetDevice(i);
        if (peer && PeekPointer(peer) != &device)
        {
            peers.push_back(peer);
        }
    }
    return peers;
}

} // namespace

std::vector<Ptr<NetDevice>>
NodeGraph::GetConnected(const Node& node)
{
    std::vector<Ptr<NetDevice>> connected;
    for (uint32_t i = 0; i < node.GetNDevices(); ++i)
    {
        const auto device = node.GetDevice(i);
        const auto channel = device->GetChannel();
        // The channel of a bridge is made of those of its ports, which are looked at themselves.
        if (channel && channel->GetInstanceTypeId().GetName() != "ns3::BridgeChannel")
        {
            connected.push_back(device);
        }
    }
    return connected;
}

NodeGraph::NodeGraph(const NodeContainer& hosts)
{
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        m_hosts.insert((*host)->GetId());
    }
    std::vector<Ptr<Node>> found;
    std::map<uint32_t, std::vector<Ptr<NetDevice>>> devices; // by node, what may carry packets
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        if (devices.try_emplace((*host)->GetId(), GetConnected(**host)).second)
        {
            found.push_back(*host);
        }
        for (std::size_t next = 0; next < found.size(); ++next)
        {
            for (const auto& device : GetConnected(*found[next]))
            {
                for (const auto& peer : GetPeers(*device))
                {
                    const auto node = peer->GetNode();
                    if (devices.try_emplace(node->GetId(), GetConnected(*node)).second)
                    {
                        found.push_back(node);
                    }
                }
            }
        }
    }
    // Nodes with one way out that are no hosts are dead ends; without them, others may become some.
    for (bool changed = true; changed;)
    {
        changed = false;
        for (auto& [id, own] : devices)
        {
            const auto before = own.size();
            std::erase_if(own, [&](const auto& device) {
                const auto peers = GetPeers(*device);
                return std::none_of(peers.begin(), peers.end(), [&](const auto& peer) {
                    const auto& others = devices.at(peer->GetNode()->GetId());
                    return std::find(others.begin(), others.end(), peer) != others.end();
                });
            });
            if (own.size() == 1 && m_hosts.count(id) == 0)
            {
                own.clear();
            }
            changed = changed || own.size() != before;
        }
    }
    for (const auto& node : found)
    {
        const auto& own = devices.at(node->GetId());
        m_devices.insert(m_devices.end(), own.begin(), own.end());
    }
}

const std::vector<Ptr<NetDevice>>&
NodeGraph::GetDevices() const
{
    return m_devices;
}

bool
NodeGraph::IsAtHost(const NetDevice& device) const
{
    const auto isHost = [this](const NetDevice& end) {
        return m_hosts.count(end.GetNode()->GetId()) > 0;
    };
    const auto peers = GetPeers(device);
    return isHost(device) ||
           std::any_of(peers.begin(), peers.end(), [&](const auto& peer) { return isHost(*peer); });
}

std::map<uint32_t, std::vector<Ptr<NetDevice>>>
NodeGraph::GetPaths(Ptr<Node> from) const
{
    std::map<uint32_t, std::vector<Ptr<NetDevice>>> paths;
    paths[from->GetId()];
    std::deque<Ptr<Node>> next{from};
    while (!next.empty())
    {
        const auto node = next.front();
        next.pop_front();
        for (const auto& device : GetConnected(*node))
        {
            for (const auto& peer : GetPeers(*device))
            {
                const auto other = peer->GetNode();
                if (paths.count(other->GetId()) == 0)
                {
                    auto path = paths.at(node->GetId());
                    path.push_back(device);
                    paths.emplace(other->GetId(), std::move(path));
                    next.push_back(other);
                }
            }
        }
    }
    return paths;
}

} // namespace ns3::coflow
