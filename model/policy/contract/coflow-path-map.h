/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PATH_MAP_H
#define COFLOW_PATH_MAP_H

#include "ns3/coflow-units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Index of a directed link inside a fabric, from 0 on. The ports of hosts are none of them.
using FabricLink = std::uint32_t;

/// Which path between two hosts a flow has: place in PathMap::Between() plus one, or NO_PATH.
using PathNumber = std::uint32_t;

/// The fabric chooses.
inline constexpr PathNumber NO_PATH = 0;

/// A path between two hosts, without the hosts' own ports.
struct FabricPath
{
    static constexpr std::size_t MOST_LINKS = 4; ///< of a fat-tree

    std::uint32_t label{0};                     ///< leads packets that carry it here; 0: none does
    std::array<FabricLink, MOST_LINKS> links{}; ///< in order
    std::uint8_t count{0};                      ///< number of links; 0: one switch joins the hosts

    /// @return the links, in order
    std::span<const FabricLink> Links() const
    {
        return std::span(links).first(count);
    }

    /// @param other a path
    /// @return whether it leads over the same links
    bool SameLinks(const FabricPath& other) const
    {
        return count == other.count && links == other.links;
    }
};

/// Hosts that are behind the same switches, and what leads out of these and into them.
struct FabricCut
{
    std::vector<std::uint8_t> inside; ///< per host: nonzero if it is one of them
    double out{0};                    ///< rate of all links that lead out, in bytes per second
    double in{0};                     ///< rate of all links that lead in, in bytes per second
};

/// All that a fabric shows of itself to those who choose paths: links, their rates, and the paths
/// between two hosts, as they are when a run begins. There are no queues in it and no loads.
class PathMap
{
  public:
    virtual ~PathMap() = default;

    /// @return rates of the links, in bytes per second
    virtual std::span<const double> Rates() const = 0;

    /// @param src a host
    /// @param dst another host
    /// @return the paths that a flow may be given, at least one, valid as long as the map is. Hosts
    ///         at one switch have one path, without links
    virtual std::span<const FabricPath> Between(HostId src, HostId dst) const = 0;

    /// @param src a host
    /// @param dst another host
    /// @param hash of a flow
    /// @return the path that the fabric takes for the flow, if it has no label
    virtual FabricPath OfHash(HostId src, HostId dst, std::uint64_t hash) const = 0;

    /// @return sets of hosts behind the same switches
    virtual const std::vector<FabricCut>& Cuts() const = 0;

    /// @param src a host
    /// @param dst another host
    /// @return rate of the fastest path, in bytes per second; infinite where it has no links
    double BestRate(HostId src, HostId dst) const;
};

} // namespace coflow

#endif // COFLOW_PATH_MAP_H
