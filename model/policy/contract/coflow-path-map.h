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

/// Index of a directed link inside a fabric, from 0 on. Links of hosts are not included.
using FabricLink = std::uint32_t;

/// The path of a flow between its hosts: 1 + position in PathMap::Between(), or NO_PATH.
using PathNumber = std::uint32_t;

/// The number of no path: the fabric chooses the path of the flow.
inline constexpr PathNumber NO_PATH = 0;

/// A path between two hosts, without the hosts' own ports.
struct FabricPath
{
    static constexpr std::size_t MOST_LINKS = 4; ///< links of the longest path in a fat-tree

    std::uint32_t label{0}; ///< packets with this label take the path; 0: no label
    /// Links, in the order from the sender to the receiver.
    std::array<FabricLink, MOST_LINKS> links{};
    std::uint8_t count{0}; ///< number of links; 0: both hosts are at one switch

    /// @return the links, in order
    std::span<const FabricLink> Links() const
    {
        return std::span(links).first(count);
    }

    /// @param other a path
    /// @return whether the other path has the same links
    bool SameLinks(const FabricPath& other) const
    {
        return count == other.count && links == other.links;
    }
};

/// A set of hosts behind some switches, and the capacity of the links between these switches and
/// all others.
struct FabricCut
{
    std::vector<std::uint8_t> inside; ///< per host: nonzero if the set has the host
    double out{0};                    ///< rate of all links out of the set, in bytes per second
    double in{0};                     ///< rate of all links into the set, in bytes per second
};

/// The view of a fabric for coordinators and policies that choose paths: links, their rates, and
/// the paths between two hosts when a run begins. The view has no queues and no loads.
class PathMap
{
  public:
    virtual ~PathMap() = default;

    /// @return rates of the links, in bytes per second
    virtual std::span<const double> Rates() const = 0;

    /// @param src a host
    /// @param dst another host
    /// @return the paths that a flow may take, at least one, valid as long as the map. Hosts at one
    ///         switch have one path, without links
    virtual std::span<const FabricPath> Between(HostId src, HostId dst) const = 0;

    /// @param src a host
    /// @param dst another host
    /// @param hash hash of a flow
    /// @return the path that the fabric chooses for the flow's packets without a label
    virtual FabricPath OfHash(HostId src, HostId dst, std::uint64_t hash) const = 0;

    /// @return sets of hosts behind the same switches
    virtual const std::vector<FabricCut>& Cuts() const = 0;

    /// @param src a host
    /// @param dst another host
    /// @return rate of the fastest path, in bytes per second; infinite for a path without links
    double BestRate(HostId src, HostId dst) const;
};

} // namespace coflow

#endif // COFLOW_PATH_MAP_H
