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

/// The paths of a topology for those who choose among them. Link i is the port 2H + i of the
/// topology, where H is the number of hosts.
///
/// A path's label is found by trying: labels 1, 2, 3 and so on are followed until many in a row
/// have led to no new path. So a path is missing where no label leads to it, as all switches choose
/// alike without salts. Paths are sorted by their links. They are looked up when they are asked for
/// first, with the links that are up then. Hosts at one switch have the same paths.
class TopologyPaths : public ::coflow::PathMap
{
  public:
    /// @param topology one that was built
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
    /// Adds the cuts below a tier: those of sets of switches that only switches from the tier on
    /// join.
    void AddCuts(VertexId firstOfTier);

    Ptr<const Topology> m_topology;
    std::vector<double> m_rates;             ///< by link, in bytes per second
    std::vector<::coflow::FabricCut> m_cuts; ///< see Cuts()
    /// By the switches of both hosts; filled as they are asked for.
    mutable std::map<std::pair<VertexId, VertexId>, std::vector<::coflow::FabricPath>> m_paths;
};

} // namespace ns3::coflow

#endif // COFLOW_TOPOLOGY_PATHS_H
