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

    void ChangeWeight(std::uint32_t link, double change) override;
    void Update() override;

    std::span<const std::uint32_t> Recomputed() const override
    {
        return m_recomputed;
    }

  private:
    /// A node.
    struct Node
    {
        double rate{0};    ///< to be split
        double weight{0};  ///< of its links
        bool dirty{false}; ///< stands in m_dirty
    };

    /// Marks a node for Update.
    void Touch(std::uint32_t node);

    std::vector<Node> m_nodes;               ///< all nodes
    std::vector<std::uint32_t> m_dirty;      ///< nodes that changed
    std::vector<std::uint32_t> m_recomputed; ///< see Recomputed()
};

} // namespace coflow

#endif // COFLOW_SPLIT_LEVELS_H
