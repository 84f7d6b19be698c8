/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PATH_CHOOSER_H
#define COFLOW_PATH_CHOOSER_H

#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-path-map.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// How the paths of flows are chosen, and when.
enum class PathChoice
{
    FABRIC, ///< the fabric, by a hash
    START,  ///< a coordinator, when a flow has its first rate
    MOVE    ///< as START, and flows also leave links with more granted rates than capacity
};

/// Chooses paths of flows from a coordinator's own state: the rates that it has granted, and the
/// paths that it has chosen. Other traffic and queues are not known.
///
/// The load of a link is the sum of the rates of flows with a path over the link, divided by the
/// link's rate. A flow gets the path on which the largest load, its own rate included, is smallest;
/// among equal paths, the path with the smallest sum of loads, and among these the first path.
class PathChooser
{
  public:
    /// @param paths the paths, which must exist as long as this object
    /// @param choice START or MOVE
    /// @param share share of a link's rate that may be granted to flows, > 0
    PathChooser(const PathMap& paths, PathChoice choice, double share = 1);

    /// Chooses paths for a decision: a flow with a rate and without a path gets a path, and other
    /// flows may move.
    /// @param table the flows, whose paths are set
    /// @param rates decided rates per flow of the table, in bytes per second
    void Choose(FlowTable& table, std::span<const double> rates);

    /// @return number of flows so far whose path has changed
    std::uint64_t GetMoves() const
    {
        return m_moves;
    }

  private:
    /// The load of a path with an additional flow.
    struct Load
    {
        double largest{0}; ///< largest load of a link of the path
        double sum{0};     ///< sum of the loads of its links

        auto operator<=>(const Load&) const = default;
    };

    /// @param path a path
    /// @param rate rate of a flow that is not on the path
    /// @return load of the path with that flow
    Load LoadOf(const FabricPath& path, double rate) const;

    /// Adds a rate to the links of a path.
    void Add(const FabricPath& path, double rate);

    /// @return position of the best path for a flow without a path
    std::size_t FindBest(std::span<const FabricPath> paths, double rate) const;

    const PathMap& m_map;
    const PathChoice m_choice;
    const double m_share;
    std::vector<double> m_granted; ///< per link: sum of granted rates, in bytes per second
    std::uint64_t m_moves{0};      ///< see GetMoves()
};

} // namespace coflow

#endif // COFLOW_PATH_CHOOSER_H
