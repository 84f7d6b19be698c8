/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-service-clocks.h"

#include "ns3/coflow-fluid-run.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coflow
{

std::uint32_t
ServiceClocks::AddNode()
{
    m_nodes.emplace_back();
    m_next.push_back(NEVER);
    m_blockNext.resize((m_nodes.size() + BLOCK - 1) / BLOCK, NEVER);
    m_blockDirty.resize(m_blockNext.size(), 0);
    return static_cast<std::uint32_t>(m_nodes.size() - 1);
}

std::uint32_t
ServiceClocks::AddLink()
{
    m_links.emplace_back();
    return static_cast<std::uint32_t>(m_links.size() - 1);
}

void
ServiceClocks::Advance(Node& node, Nanoseconds now)
{
    // A clock without links is set to 0 and stands still. Its level is the level of the last link.
    // At this level, the clock would grow during idle times, and sums with the clock would lose
    // precision.
    node.clock = node.heap.empty()
                     ? 0
                     : node.clock + node.level * (static_cast<double>(now - node.at) * 1e-9);
    node.at = now;
}

void
ServiceClocks::Touch(std::uint32_t node)
{
    if (!m_nodes[node].touched)
    {
        m_nodes[node].touched = true;
        m_touched.push_back(node);
    }
}

void
ServiceClocks::Push(std::uint32_t link)
{
    Link& l = m_links[link];
    auto& heap = m_nodes[l.node].heap;
    heap.push_back({l.flows.front().target - l.offset, link, ++l.version});
    std::push_heap(heap.begin(), heap.end());
    Touch(l.node);
}

void
ServiceClocks::DropOutdated(Node& node)
{
    while (!node.heap.empty() &&
           node.heap.front().version != m_links[node.heap.front().link].version)
    {
        std::pop_heap(node.heap.begin(), node.heap.end());
        node.heap.pop_back();
    }
}

void
ServiceClocks::AddFlow(std::uint32_t link,
                       double amount,
                       std::uint32_t coflow,
                       FlowId flow,
                       Nanoseconds now)
{
    Link& l = m_links[link];
    double service = 0;
    if (l.node != NONE)
    {
        Advance(m_nodes[l.node], now);
        service = m_nodes[l.node].clock + l.offset;
    }
    l.flows.push_back({service + amount, coflow, flow});
    std::push_heap(l.flows.begin(), l.flows.end());
    if (l.node != NONE)
    {
        Push(link);
    }
}

void
ServiceClocks::Bind(std::uint32_t link, std::uint32_t node, Nanoseconds now)
{
    Link& l = m_links[link];
    double service = 0;
    if (l.node != NONE)
    {
        Advance(m_nodes[l.node], now);
        service = m_nodes[l.node].clock + l.offset;
        Touch(l.node);
    }
    Advance(m_nodes[node], now);
    l.node = node;
    l.offset = service - m_nodes[node].clock;
    Push(link);
}

void
ServiceClocks::SetLevel(std::uint32_t node, double level, Nanoseconds now)
{
    Advance(m_nodes[node], now);
    m_nodes[node].level = std::isinf(level) ? 0.0 : level;
    Touch(node);
}

Nanoseconds
ServiceClocks::Next(Nanoseconds now)
{
    for (std::uint32_t n : m_touched)
    {
        Node& node = m_nodes[n];
        node.touched = false;
        Advance(node, now);
        DropOutdated(node);
        if (node.heap.empty())
        {
            // A clock that starts at 0 has the best precision.
            node.clock = 0;
            m_next[n] = NEVER;
        }
        else
        {
            m_next[n] = TimeAfter(now, node.heap.front().key - node.clock, node.level);
        }
        m_blockDirty[n / BLOCK] = 1;
    }
    m_touched.clear();
    Nanoseconds next = NEVER;
    for (std::size_t b = 0; b < m_blockNext.size(); ++b)
    {
        if (m_blockDirty[b])
        {
            m_blockDirty[b] = 0;
            const auto first = m_next.begin() + static_cast<std::ptrdiff_t>(b * BLOCK);
            const auto size = std::min(BLOCK, m_next.size() - b * BLOCK);
            m_blockNext[b] = *std::min_element(first, first + static_cast<std::ptrdiff_t>(size));
        }
        next = std::min(next, m_blockNext[b]);
    }
    return next;
}

void
ServiceClocks::TakeFinished(Nanoseconds now, std::vector<Finished>& finished)
{
    for (std::size_t b = 0; b < m_blockNext.size(); ++b)
    {
        if (m_blockNext[b] > now)
        {
            continue;
        }
        const std::size_t end = std::min((b + 1) * BLOCK, m_nodes.size());
        for (std::size_t n = b * BLOCK; n < end; ++n)
        {
            if (m_next[n] > now)
            {
                continue;
            }
            Node& node = m_nodes[n];
            Touch(static_cast<std::uint32_t>(n));
            Advance(node, now);
            // A key counts as reached where it is later than the clock by at most the rounding of
            // m_next, or by the precision of the clock. The slack must be larger than the rounding
            // of m_next; otherwise the same event would repeat for ever.
            constexpr double SLACK_S = 1.25e-9 * ROUNDING_NS;
            constexpr double DIGITS = 8 * std::numeric_limits<double>::epsilon();
            const double reached = node.clock * (1 + DIGITS) + node.level * SLACK_S;
            while (DropOutdated(node), !node.heap.empty() && node.heap.front().key <= reached)
            {
                const std::uint32_t l = node.heap.front().link;
                Link& link = m_links[l];
                finished.push_back({l, link.flows.front().coflow, link.flows.front().flow});
                std::pop_heap(link.flows.begin(), link.flows.end());
                link.flows.pop_back();
                ++link.version;
                if (link.flows.empty())
                {
                    link.node = NONE;
                }
                else
                {
                    Push(l);
                }
            }
        }
    }
}

} // namespace coflow
