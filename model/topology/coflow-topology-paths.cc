/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-topology-paths.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ns3::coflow
{

using ::coflow::FabricCut;
using ::coflow::FabricPath;

namespace
{

double
GetBytesPerSecond(const TopologyPort& port)
{
    return static_cast<double>(port.rate.GetBitRate()) / 8;
}

} // namespace

TopologyPaths::TopologyPaths(Ptr<const Topology> topology)
    : m_topology(topology)
{
    for (LinkPort port = 2 * topology->GetNHosts(); port < topology->GetNPorts(); ++port)
    {
        m_rates.push_back(GetBytesPerSecond(topology->GetPort(port)));
    }
    const auto& tiers = topology->GetTiers();
    for (std::size_t tier = 2; tier < tiers.size(); ++tier)
    {
        AddCuts(tiers[tier].first);
    }
}

void
TopologyPaths::AddCuts(VertexId firstOfTier)
{
    // Union-find over the vertices below the tier: vertices that are connected without the tier are
    // in one set. The root of a set is one of its vertices.
    std::vector<VertexId> set(firstOfTier);
    std::iota(set.begin(), set.end(), 0);
    const auto find = [&set](VertexId vertex) {
        while (set[vertex] != vertex)
        {
            vertex = set[vertex] = set[set[vertex]];
        }
        return vertex;
    };
    for (LinkPort p = 0; p < m_topology->GetNPorts(); p += 2)
    {
        const TopologyPort& port = m_topology->GetPort(p);
        if (port.from < firstOfTier && port.to < firstOfTier)
        {
            set[find(port.from)] = find(port.to);
        }
    }
    std::map<VertexId, FabricCut> cuts;
    for (HostId host = 0; host < m_topology->GetNHosts(); ++host)
    {
        FabricCut& cut = cuts[find(host)];
        cut.inside.resize(m_topology->GetNHosts(), 0);
        cut.inside[host] = 1;
    }
    for (LinkPort p = 0; p < m_topology->GetNPorts(); ++p)
    {
        const TopologyPort& port = m_topology->GetPort(p);
        if (port.from < firstOfTier && port.to >= firstOfTier)
        {
            const auto cut = cuts.find(find(port.from));
            if (cut != cuts.end() && port.up)
            {
                cut->second.out += GetBytesPerSecond(port);
                cut->second.in += GetBytesPerSecond(m_topology->GetPort(Topology::GetReverse(p)));
            }
        }
    }
    for (auto& [name, cut] : cuts)
    {
        m_cuts.push_back(std::move(cut));
    }
}

FabricPath
TopologyPaths::OfHash(HostId src, HostId dst, uint64_t hash) const
{
    std::array<LinkPort, MAX_PATH_PORTS> ports{};
    const uint32_t hops = m_topology->Path(src, dst, hash, ports);
    FabricPath path;
    for (uint32_t i = 1; i + 1 < hops; ++i)
    {
        path.links[path.count++] = ports[i] - 2 * m_topology->GetNHosts();
    }
    return path;
}

std::span<const FabricPath>
TopologyPaths::Between(HostId src, HostId dst) const
{
    auto& paths = m_paths[{m_topology->GetHostSwitch(src), m_topology->GetHostSwitch(dst)}];
    // With n paths, 32 n labels in a row miss a given path with a probability of exp(-32).
    constexpr std::size_t TRIES = 32;
    uint32_t last = 0; // last label with a new path
    for (uint32_t label = 1;
         paths.empty() || (paths.back().count > 0 && last > 0 && label <= MOST_LABEL &&
                           label <= last + TRIES * (paths.size() + 1));
         ++label)
    {
        FabricPath path = OfHash(src, dst, GetLabelHash(label));
        if (path.count > 0)
        {
            path.label = label;
        }
        if (std::ranges::none_of(paths, [&path](const FabricPath& known) {
                return known.SameLinks(path);
            }))
        {
            paths.push_back(path);
            last = label;
        }
    }
    if (last > 0)
    {
        std::ranges::sort(paths, [](const FabricPath& a, const FabricPath& b) {
            return a.links < b.links;
        });
    }
    return paths;
}

} // namespace ns3::coflow
