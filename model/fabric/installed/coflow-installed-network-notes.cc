/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a network that a script has made has, and coflows do not use or bounds do not know.

#include "ns3/channel.h"
#include "ns3/coflow-installed-network.h"

#include <map>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// @return ", and 3 more"; empty for one
std::string
AndMore(std::size_t all)
{
    return all > 1 ? ", and " + std::to_string(all - 1) + " more" : "";
}

} // namespace

std::vector<std::string>
InstalledNetwork::GetNotes() const
{
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Ptr<NetDevice>>> links; // by two nodes
    std::map<uint32_t, uint32_t> devicesOf;                                     // by node
    std::vector<Ptr<NetDevice>> shared;
    for (const auto& device : m_graph.GetDevices())
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
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        const auto node = m_hosts.Get(host);
        const auto devices = devicesOf[node->GetId()];
        if (devices > 1 && several++ == 0)
        {
            first = NameNode(*node) + " has " + std::to_string(devices) + " devices";
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
