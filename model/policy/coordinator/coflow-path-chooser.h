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

/// Who chooses the paths of flows, and when.
enum class PathChoice
{
    FABRIC, ///< the fabric, by a hash
    START,  ///< a coordinator, when a flow has its first rate
    MOVE    ///< the same, and flows move from links that were promised more than they have
};

/// Gives flows paths by what a coordinator knows itself: the rates that it has granted, and the
/// paths that it has given. What others send, and what queues there are, it does not know.
///
/// The load of a link is the sum of the rates of flows that were given a path over it, divided by
/// the link's rate. A flow gets the path on which the largest load, its own rate included, is
/// smallest; of equals, the one with the smallest sum of loads, and of these the first.
class PathChooser
{
  public:
    /// @param paths has to be there as long as this is
    /// @param choice START or MOVE
    /// @param share of a link's rate that flows may be granted, > 0
    PathChooser(const PathMap& paths, PathChoice choice, double share = 1);

    /// Looks at a decision: flows with a rate that have no path get one, and others may move.
    /// @param table flows; their paths are set
    /// @param rates per flow of the table, as decided, in bytes per second
    void Choose(FlowTable& table, std::span<const double> rates);

    /// @return how many flows were given another path than they had, so far
    std::uint64_t GetMoves() const
    {
        return m_moves;
    }

  private:
    /// How loaded a path would be, with a flow on it.
    struct Load
    {
        double largest{0}; ///< of its links
        double sum{0};     ///< of its links

        auto operator<=>(const Load&) const = default;
    };

    /// @param path a path
    /// @param rate of a flow that is not on it
    /// @return its load with that flow
    Load LoadOf(const FabricPath& path, double rate) const;

    /// Adds a rate to the links of a path.
    void Add(const FabricPath& path, double rate);

    /// @return the place of the best path for a flow that has none
    std::size_t FindBest(std::span<const FabricPath> paths, double rate) const;

    const PathMap& m_map;
    const PathChoice m_choice;
    const double m_share;
    std::vector<double> m_granted; ///< per link: to flows with a path, in bytes per second
    std::uint64_t m_moves{0};      ///< see GetMoves()
};

} // namespace coflow

#endif // COFLOW_PATH_CHOOSER_H
