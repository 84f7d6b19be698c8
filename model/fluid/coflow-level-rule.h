/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEVEL_RULE_H
#define COFLOW_LEVEL_RULE_H

#include "ns3/coflow-level-links.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace coflow
{

/// Level of a node at which no flow is limited.
inline constexpr double UNLIMITED = std::numeric_limits<double>::infinity();

/// Rates of links of the form weight x min(level of one end, level of the other end). A link
/// connects two nodes, which are ports or other limits of flows. Derived classes compute the
/// levels.
class LevelRule
{
  public:
    virtual ~LevelRule() = default;

    /// Adds a link with no weight.
    /// @param nodeA first end of the link. A node is either the first end of all its links, such as
    ///        a sending port, or the second end of all its links
    /// @param nodeB second end of the link
    /// @returns number of the link: 0, 1, 2, ...
    std::uint32_t AddLink(std::uint32_t nodeA, std::uint32_t nodeB)
    {
        return m_links.AddLink(nodeA, nodeB);
    }

    /// Changes the weight of a link. Takes effect with Update().
    /// @param link the link
    /// @param change added to the weight; an integer, so that sums are exact
    virtual void ChangeWeight(std::uint32_t link, double change) = 0;

    /// Recomputes the levels.
    virtual void Update() = 0;

    /// Level of a node.
    double Level(std::uint32_t node) const
    {
        return m_level[node];
    }

    /// Nodes whose level may have changed in Update().
    virtual std::span<const std::uint32_t> Recomputed() const = 0;

    /// Links that are limited at another node than before Update().
    const std::vector<std::uint32_t>& Moved() const
    {
        return m_moved;
    }

    /// The node that limits a link with weight.
    std::uint32_t Limit(std::uint32_t link) const
    {
        return m_links[link].node[m_links[link].limit];
    }

  protected:
    /// @param nodes number of nodes
    explicit LevelRule(std::size_t nodes = 0)
        : m_level(nodes, UNLIMITED),
          m_links(nodes)
    {
    }

    /// Adds a node.
    /// @return number of the node: 0, 1, 2, ...
    std::uint32_t AddNode()
    {
        m_level.push_back(UNLIMITED);
        return m_links.AddNode();
    }

    std::vector<double> m_level;        ///< per node
    LevelLinks m_links;                 ///< between nodes
    std::vector<std::uint32_t> m_moved; ///< see Moved()
};

} // namespace coflow

#endif // COFLOW_LEVEL_RULE_H
