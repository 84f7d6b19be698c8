/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TOPOLOGY_PATHS_H
#define COFLOW_TOPOLOGY_PATHS_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-topology.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// The paths of a topology, for coordinators and policies that choose paths. Link i is the port
/// 2H+i of the topology, where H is the number of hosts.
///
/// A search tries the labels 1, 2, 3 and so on, until many labels in a row have led to no new path.
/// A path that no label leads to is missing. So most paths are missing without salts, because all
/// switches then choose alike. Paths are sorted by their links. The search runs at the first call
/// for a pair of switches, with the links that are up at that time. Hosts at one switch have the
/// same paths.
class TopologyPaths : public ::coflow::PathMap
{
  public:
    /// @param topology a topology after Build()
    explicit TopologyPaths(Ptr<const Topology> topology);

    std::span<const double> Rates() const override
    {
        return m_rates;
    }

    std::span<const ::coflow::FabricPath> Between(HostId src, HostId dst) const override;
    ::coflow::FabricPath OfHash(HostId src, HostId dst, uint64_t hash) const override;

    const std::vector<::coflow::FabricCut>& Cuts() const override
    {
        return m_cuts;
    }

  private:
    /// Adds the cuts below a tier: the cuts of sets of switches that are connected only by switches
    /// of this tier and later ones.
    void AddCuts(VertexId firstOfTier);

    Ptr<const Topology> m_topology;
    std::vector<double> m_rates;             ///< by link, in bytes per second
    std::vector<::coflow::FabricCut> m_cuts; ///< see Cuts()
    /// Paths by the switches of both hosts; an entry is filled at the first call for the two
    /// switches.
    mutable std::map<std::pair<VertexId, VertexId>, std::vector<::coflow::FabricPath>> m_paths;
};

} // namespace ns3::coflow

#endif // COFLOW_TOPOLOGY_PATHS_H
