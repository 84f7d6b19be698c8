/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-max-min-levels.h"

#include <algorithm>
#include <functional>

namespace coflow
{

MaxMinLevels::MaxMinLevels(std::vector<double> capacity)
    : LevelRule(capacity.size()),
      m_capacity(std::move(capacity)),
      m_weight(m_capacity.size(), 0.0),
      m_used(m_capacity.size(), 0.0),
      m_frozenWeight(m_capacity.size(), 0.0),
      m_isFrozen(m_capacity.size(), 0),
      m_redoFrom(UNLIMITED)
{
}

void
MaxMinLevels::ChangeWeight(std::uint32_t link, double change)
{
    m_links.ChangeWeight(link, change);
    for (const std::uint32_t port : m_links[link].node)
    {
        m_weight[port] += change;
        m_redoFrom = change > 0 ? 0.0 : std::min(m_redoFrom, m_level[port]);
    }
}

void
MaxMinLevels::TakeBack(std::size_t step)
{
    m_restart = step;
    if (step == m_frozen.size())
    {
        return;
    }
    for (std::size_t u = m_undo.size(); u > m_undoBegin[step]; --u)
    {
        const Undo& undo = m_undo[u - 1];
        m_used[undo.port] = undo.used;
        m_frozenWeight[undo.port] = undo.frozenWeight;
    }
    m_undo.resize(m_undoBegin[step]);
    for (std::size_t s = step; s < m_frozen.size(); ++s)
    {
        m_isFrozen[m_frozen[s]] = 0;
    }
    m_frozen.resize(step);
    m_undoBegin.resize(step);
}

void
MaxMinLevels::Freeze(std::uint32_t port, double level)
{
    m_undoBegin.push_back(m_undo.size());
    m_frozen.push_back(port);
    m_isFrozen[port] = 1;
    m_level[port] = level;
    for (const auto& n : m_links.Of(port))
    {
        if (m_isFrozen[n.node])
        {
            continue;
        }
        m_undo.push_back({n.node, m_used[n.node], m_frozenWeight[n.node]});
        m_used[n.node] += n.weight * level;
        m_frozenWeight[n.node] += n.weight;
        auto& link = m_links[n.link];
        if (link.node[link.limit] != port)
        {
            link.limit = 1 - link.limit;
            m_moved.push_back(n.link);
        }
    }
}

void
MaxMinLevels::Update()
{
    m_moved.clear();
    const auto below = [this](std::uint32_t port, double level) { return m_level[port] < level; };
    const auto first = std::ranges::lower_bound(m_frozen, m_redoFrom, below);
    TakeBack(static_cast<std::size_t>(first - m_frozen.begin()));
    m_redoFrom = UNLIMITED;
    const auto later = std::greater<Candidate>();
    m_heap.clear();
    for (std::uint32_t port = 0; port < m_capacity.size(); ++port)
    {
        if (!m_isFrozen[port])
        {
            m_level[port] = UNLIMITED;
            if (m_weight[port] > m_frozenWeight[port])
            {
                m_heap.push_back({Share(port), port});
            }
        }
    }
    std::ranges::make_heap(m_heap, later);
    double level = m_frozen.empty() ? 0.0 : m_level[m_frozen.back()];
    while (!m_heap.empty())
    {
        const auto [known, port] = m_heap.front();
        std::ranges::pop_heap(m_heap, later);
        m_heap.pop_back();
        if (m_weight[port] <= m_frozenWeight[port])
        {
            continue;
        }
        const double share = Share(port);
        if (share > known && !m_heap.empty() && share > m_heap.front().first)
        {
            m_heap.push_back({share, port});
            std::ranges::push_heap(m_heap, later);
            continue;
        }
        // Rounding must not bring the levels out of order.
        level = std::max(level, share);
        Freeze(port, level);
    }
}

} // namespace coflow
