/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEVEL_RULE_H
#define COFLOW_LEVEL_RULE_H

#include <cstdint>
#include <limits>
#include <span>

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
    virtual std::uint32_t AddLink(std::uint32_t nodeA, std::uint32_t nodeB) = 0;

    /// Changes the weight of a link. Takes effect with Update().
    /// @param link the link
    /// @param change added to the weight; an integer, so that sums are exact
    virtual void ChangeWeight(std::uint32_t link, double change) = 0;

    /// Recomputes the levels.
    virtual void Update() = 0;

    /// Level of a node.
    virtual double Level(std::uint32_t node) const = 0;

    /// Nodes whose level may have changed in Update().
    virtual std::span<const std::uint32_t> Recomputed() const = 0;

    /// Links that are limited at another node than before Update().
    virtual std::span<const std::uint32_t> Moved() const = 0;

    /// The node that limits a link with weight.
    virtual std::uint32_t Limit(std::uint32_t link) const = 0;
};

} // namespace coflow

#endif // COFLOW_LEVEL_RULE_H
