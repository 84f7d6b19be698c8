/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_FIXTURE_H
#define TOPOLOGY_FIXTURE_H

#include "ns3/coflow-big-switch.h"
#include "ns3/coflow-fat-tree.h"
#include "ns3/coflow-leaf-spine.h"
#include "ns3/coflow-named-type.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// @return a topology with some attributes, built, with fixed salts
template <typename T, typename... Args>
Ptr<T>
Make(Args&&... args)
{
    auto topology = CreateObjectWithAttributes<T>(std::forward<Args>(args)...);
    topology->AssignStreams(7);
    topology->Build();
    return topology;
}

/// @return every registered topology, not built, small, with fixed salts: of the attributes given
/// here
///         those that it has are set
inline std::vector<std::pair<std::string, Ptr<Topology>>>
MakeEveryTopology()
{
    std::vector<std::pair<std::string, Ptr<Topology>>> result;
    for (const NamedType& type : GetNamedTypes(Topology::GetTypeId()))
    {
        const auto topology = CreateByName<Topology>(type.name);
        for (const auto& [name, value] :
             {std::pair("K", 4U), std::pair("Spines", 3U), std::pair("Hosts", 14U)})
        {
            topology->SetAttributeFailSafe(name, UintegerValue(value));
        }
        topology->AssignStreams(7);
        result.emplace_back(type.name, topology);
    }
    return result;
}

/// @return the ports of a path
inline std::vector<LinkPort>
GetPath(const Topology& topology, HostId src, HostId dst, uint64_t hash)
{
    std::array<LinkPort, MAX_PATH_PORTS> path{};
    return {path.begin(), path.begin() + topology.Path(src, dst, hash, path)};
}

/// @return the hash of the i-th flow as ns-3's TCP makes them: consecutive ephemeral ports
inline uint64_t
HashOfFlow(uint32_t i, HostId src = 0, HostId dst = 1)
{
    return GetFlowHash({0x0a000001 + src,
                        0x0a000001 + dst,
                        static_cast<uint16_t>(49153 + i % 10000),
                        static_cast<uint16_t>(9 + i / 10000),
                        6});
}

/// Expects every pair of hosts to be joined by paths that are connected and made of working
/// ports.
/// @return how many pairs have paths of each length
inline std::map<std::size_t, uint32_t>
CountPathLengths(const Topology& topology)
{
    std::map<std::size_t, uint32_t> lengths;
    for (HostId src = 0; src < topology.GetNHosts(); ++src)
    {
        for (HostId dst = 0; dst < topology.GetNHosts(); ++dst)
        {
            const auto path = GetPath(topology, src, dst, HashOfFlow(src + dst, src, dst));
            ++lengths[path.size()];
            VertexId vertex = src;
            for (const LinkPort port : path)
            {
                EXPECT_EQ(topology.GetPort(port).from, vertex);
                EXPECT_TRUE(topology.GetPort(port).up);
                vertex = topology.GetPort(port).to;
            }
            EXPECT_TRUE(path.empty() || vertex == dst) << src << " to " << dst;
        }
    }
    return lengths;
}

} // namespace ns3::coflow

#endif // TOPOLOGY_FIXTURE_H
