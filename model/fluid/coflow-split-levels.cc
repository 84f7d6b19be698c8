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
    m_nodes.emplace_back();
    m_nodes.back().rate = rate;
    return static_cast<std::uint32_t>(m_nodes.size() - 1);
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

std::uint32_t
SplitLevels::AddLink(std::uint32_t nodeA, std::uint32_t nodeB)
{
    const auto link = static_cast<std::uint32_t>(m_links.size());
    m_links.push_back({{nodeA, nodeB}, 0.0, 0});
    m_nodes[nodeA].links.push_back(link);
    m_nodes[nodeB].links.push_back(link);
    return link;
}

void
SplitLevels::ChangeWeight(std::uint32_t link, double change)
{
    m_links[link].weight += change;
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
        node.level = node.weight > 0 ? node.rate / node.weight : UNLIMITED;
    }
    for (std::uint32_t n : m_recomputed)
    {
        for (std::uint32_t l : m_nodes[n].links)
        {
            Link& link = m_links[l];
            const std::uint8_t limit =
                m_nodes[link.node[1]].level < m_nodes[link.node[0]].level ? 1 : 0;
            if (link.weight > 0 && link.limit != limit)
            {
                link.limit = limit;
                m_moved.push_back(l);
            }
        }
    }
}

} // namespace coflow
