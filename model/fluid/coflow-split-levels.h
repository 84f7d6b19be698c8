/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SPLIT_LEVELS_H
#define COFLOW_SPLIT_LEVELS_H

#include "ns3/coflow-level-rule.h"

#include <cstdint>
#include <vector>

namespace coflow
{

/// The level of a node is its rate over the weight of its links. The unused rate of links that are
/// limited at their other end stays unused. A change costs O(links of the node).
class SplitLevels final : public LevelRule
{
  public:
    /// Adds a node.
    /// @returns number of the node: 0, 1, 2, ...
    std::uint32_t AddNode(double rate);

    /// Changes the rate of a node. Takes effect with Update().
    void SetRate(std::uint32_t node, double rate);

    /// Sum of the weights of a node's links.
    double Weight(std::uint32_t node) const
    {
        return m_nodes[node].weight;
    }

    std::uint32_t AddLink(std::uint32_t nodeA, std::uint32_t nodeB) override;
    void ChangeWeight(std::uint32_t link, double change) override;
    void Update() override;

    double Level(std::uint32_t node) const override
    {
        return m_nodes[node].level;
    }

    std::span<const std::uint32_t> Recomputed() const override
    {
        return m_recomputed;
    }

    std::span<const std::uint32_t> Moved() const override
    {
        return m_moved;
    }

    std::uint32_t Limit(std::uint32_t link) const override
    {
        return m_links[link].node[m_links[link].limit];
    }

  private:
    /// A node.
    struct Node
    {
        double rate{0};                   ///< to be split
        double weight{0};                 ///< of its links
        double level{UNLIMITED};          ///< rate / weight
        bool dirty{false};                ///< stands in m_dirty
        std::vector<std::uint32_t> links; ///< all its links
    };

    /// Two nodes and the weight between them.
    struct Link
    {
        std::uint32_t node[2]; ///< its ends
        double weight{0};      ///< share
        std::uint8_t limit{0}; ///< which end limits it
    };

    /// Marks a node for Update.
    void Touch(std::uint32_t node);

    std::vector<Node> m_nodes;               ///< all nodes
    std::vector<Link> m_links;               ///< all links
    std::vector<std::uint32_t> m_dirty;      ///< nodes that changed
    std::vector<std::uint32_t> m_recomputed; ///< see Recomputed()
    std::vector<std::uint32_t> m_moved;      ///< see Moved()
};

} // namespace coflow

#endif // COFLOW_SPLIT_LEVELS_H
