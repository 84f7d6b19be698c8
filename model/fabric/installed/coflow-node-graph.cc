/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-node-graph.h"

#include "ns3/channel.h"
#include "ns3/names.h"
#include "ns3/node.h"

#include <algorithm>
#include <deque>
#include <utility>

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

/// @return ", and 3 more"; empty for one
std::string
AndMore(std::size_t all)
{
    return all > 1 ? ", and " + std::to_string(all - 1) + " more" : "";
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
        // The channel of a bridge consists of the channels of its ports, which are visited
        // themselves.
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
    // By node: devices that may carry packets.
    std::map<uint32_t, std::vector<Ptr<NetDevice>>> devices;
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
    // Nodes with one connected device that are no hosts are dead ends. Their removal may make other
    // nodes dead ends.
    for (bool changed = true; changed;)
    {
        changed = false;
        for (auto& [id, own] : devices)
        {
            const auto before = own.size();
            std::erase_if(own, [&](const auto& device) {
                const auto peers = GetPeers(*device);
                return std::ranges::none_of(peers, [&](const auto& peer) {
                    const auto& others = devices.at(peer->GetNode()->GetId());
                    return std::ranges::find(others, peer) != others.end();
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

bool
NodeGraph::IsAtHost(const NetDevice& device) const
{
    const auto isHost = [this](const NetDevice& end) {
        return m_hosts.count(end.GetNode()->GetId()) > 0;
    };
    const auto peers = GetPeers(device);
    return isHost(device) ||
           std::ranges::any_of(peers, [&](const auto& peer) { return isHost(*peer); });
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

Time
NodeGraph::GetTime(const std::vector<Ptr<NetDevice>>& path, uint32_t bytes)
{
    Time sum;
    for (const auto& device : path)
    {
        TimeValue delay(Time(0));
        device->GetChannel()->GetAttributeFailSafe("Delay", delay);
        const auto rate = GetDeviceRate(*device);
        sum += delay.Get() + (rate.GetBitRate() > 0 ? rate.CalculateBytesTxTime(bytes) : Time());
    }
    return sum;
}

std::vector<std::string>
NodeGraph::GetNotes(const NodeContainer& hosts) const
{
    // By the two nodes of a link.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Ptr<NetDevice>>> links;
    std::map<uint32_t, uint32_t> devicesOf; // by node
    std::vector<Ptr<NetDevice>> shared;
    for (const auto& device : GetDevices())
    {
        const auto channel = device->GetChannel();
        const auto node = device->GetNode()->GetId();
        ++devicesOf[node];
        if (channel->GetInstanceTypeId().GetName() == "ns3::CsmaChannel")
        {
            shared.push_back(device);
        }
        if (channel->GetNDevices() == 2)
        {
            const auto first = channel->GetDevice(0);
            const auto second = channel->GetDevice(1);
            const auto other =
                first == device ? second->GetNode()->GetId() : first->GetNode()->GetId();
            if (node < other)
            {
                links[{node, other}].push_back(device);
            }
        }
    }
    std::vector<std::string> notes;
    if (!shared.empty())
    {
        notes.push_back(NameDevice(*shared.front()) + AndMore(shared.size()) +
                        ": ns-3's CSMA is half duplex and busy for the delay of the channel, too; "
                        "bounds and Gamma take it for full duplex without delay and are too low");
    }
    std::size_t parallel = 0;
    std::string pair;
    for (const auto& [nodes, devices] : links)
    {
        if (devices.size() > 1 && parallel++ == 0)
        {
            const auto channel = devices.front()->GetChannel();
            pair = NameNode(*channel->GetDevice(0)->GetNode()) + " and " +
                   NameNode(*channel->GetDevice(1)->GetNode()) + " have " +
                   std::to_string(devices.size()) + " links between them";
        }
    }
    if (parallel > 0)
    {
        notes.push_back(pair + AndMore(parallel) +
                        ": ns-3's global routing sends all flows over one of these, unless "
                        "Ipv4GlobalRouting::RandomEcmpRouting spreads their packets");
    }
    std::size_t several = 0;
    std::string first;
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        const auto devices = devicesOf[(*host)->GetId()];
        if (devices > 1 && several++ == 0)
        {
            first = NameNode(**host) + " has " + std::to_string(devices) + " devices";
        }
    }
    if (several > 0)
    {
        notes.push_back(first + AndMore(several) +
                        ": what is known of a host's port is that of the device with its address, "
                        "and flows to it go to that address");
    }
    return notes;
}

} // namespace ns3::coflow
