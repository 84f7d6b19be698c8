/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-split-levels.h"

#include <utility>

namespace coflow
{

std::uint32_t
SplitLevels::AddNode(double rate)
{
    m_nodes.push_back({rate});
    return LevelRule::AddNode();
}

void
SplitLevels::Touch(std::uint32_t node)
{
    if (!m_nodes[node].dirty)
    {
        m_nodes[node].dirty = true;
        m_dirty.push_back(node);
    }
}

void
SplitLevels::SetRate(std::uint32_t node, double rate)
{
    m_nodes[node].rate = rate;
    Touch(node);
}

void
SplitLevels::ChangeWeight(std::uint32_t link, double change)
{
    m_links.ChangeWeight(link, change);
    for (std::uint32_t node : m_links[link].node)
    {
        m_nodes[node].weight += change;
        Touch(node);
    }
}

void
SplitLevels::Update()
{
    m_moved.clear();
    m_recomputed.clear();
    std::swap(m_recomputed, m_dirty);
    for (std::uint32_t n : m_recomputed)
    {
        Node& node = m_nodes[n];
        node.dirty = false;
        m_level[n] = node.weight > 0 ? node.rate / node.weight : UNLIMITED;
    }
    for (std::uint32_t n : m_recomputed)
    {
        for (const auto& neighbour : m_links.Of(n))
        {
            auto& link = m_links[neighbour.link];
            const std::uint8_t limit = m_level[link.node[1]] < m_level[link.node[0]] ? 1 : 0;
            if (link.limit != limit)
            {
                link.limit = limit;
                m_moved.push_back(neighbour.link);
            }
        }
    }
}

} // namespace coflow
