/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEVEL_LINKS_H
#define COFLOW_LEVEL_LINKS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coflow
{

/// The links of a LevelRule. Every link is between two nodes. Every node has a list of its links
/// with a weight. The cost of a change of weight does not depend on the number of links.
class LevelLinks
{
  public:
    /// A link.
    struct Link
    {
        std::array<std::uint32_t, 2> node;    ///< nodes at its ends
        std::array<std::uint32_t, 2> place{}; ///< position in the lists of its ends
        double weight{0};                     ///< weight; a link with weight 0 is in no list
        std::uint8_t limit{0};                ///< end that limits the link: 0 or 1
    };

    /// A link in the list of one of its nodes.
    struct Neighbour
    {
        std::uint32_t node; ///< the other end
        std::uint32_t link; ///< the link
        double weight;      ///< its weight
    };

    /// @param nodes number of nodes
    explicit LevelLinks(std::size_t nodes)
        : m_neighbours(nodes)
    {
    }

    /// Adds a node.
    /// @return number of the node: 0, 1, 2, ...
    std::uint32_t AddNode()
    {
        m_neighbours.emplace_back();
        return static_cast<std::uint32_t>(m_neighbours.size() - 1);
    }

    /// See LevelRule::AddLink().
    std::uint32_t AddLink(std::uint32_t nodeA, std::uint32_t nodeB)
    {
        m_links.push_back({{nodeA, nodeB}});
        return static_cast<std::uint32_t>(m_links.size() - 1);
    }

    /// Changes the weight of a link.
    /// @param link the link
    /// @param change added to its weight
    void ChangeWeight(std::uint32_t link, double change);

    /// @param link a link
    /// @return the link, of which Link::limit may be changed
    Link& operator[](std::uint32_t link)
    {
        return m_links[link];
    }

    const Link& operator[](std::uint32_t link) const
    {
        return m_links[link];
    }

    /// @param node a node
    /// @return links of the node with a weight
    const std::vector<Neighbour>& Of(std::uint32_t node) const
    {
        return m_neighbours[node];
    }

  private:
    std::vector<Link> m_links;
    std::vector<std::vector<Neighbour>> m_neighbours; ///< by node
};

} // namespace coflow

#endif // COFLOW_LEVEL_LINKS_H
