/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fair-queue-levels.h"

#include "ns3/coflow-allocators.h"

#include <algorithm>
#include <cmath>

namespace coflow
{

namespace
{

/// Changes that are less than that of a port's rate do not count.
constexpr double NOTHING = 1e-11;
/// So many ports are solved in an update for changes of less than the tolerance.
constexpr std::size_t SPARE_SOLVES = 16;
/// So often a port is solved exactly in an update. Ports that push each other up and down need
/// more: after that, levels go half of the way.
constexpr std::uint32_t EXACT_SOLVES = 8;
/// So often a port is solved in an update before levels only fall.
constexpr std::uint32_t DAMPED_SOLVES = 200;

} // namespace

FairQueueLevels::FairQueueLevels(std::vector<double> capacity)
    : m_ports(capacity.size())
{
    for (std::size_t p = 0; p < capacity.size(); ++p)
    {
        m_ports[p].capacity = capacity[p] * (1 - TOLERANCE);
    }
}

std::uint32_t
FairQueueLevels::AddNode(std::uint32_t port)
{
    m_parts.push_back({port});
    return LevelRule::AddNode();
}

void
FairQueueLevels::EnterPort(std::uint32_t part)
{
    auto& parts = m_ports[m_parts[part].port].parts;
    m_parts[part].place = static_cast<std::uint32_t>(parts.size());
    parts.push_back(part);
}

void
FairQueueLevels::LeavePort(std::uint32_t part)
{
    const std::uint32_t place = m_parts[part].place;
    auto& parts = m_ports[m_parts[part].port].parts;
    parts[place] = parts.back();
    m_parts[parts.back()].place = place;
    parts.pop_back();
    m_level[part] = UNLIMITED;
}

void
FairQueueLevels::Change(std::uint32_t port, double rate)
{
    Port& p = m_ports[port];
    p.changed += rate;
    if (!p.waits && p.changed > NOTHING * p.capacity)
    {
        p.waits = true;
        m_queue.push_back(port);
    }
}

void
FairQueueLevels::ChangeWeight(std::uint32_t link, double change)
{
    const auto parts = m_links[link].node;
    if (m_links[link].weight == 0)
    {
        for (const std::uint32_t part : parts)
        {
            if (m_links.Of(part).empty())
            {
                EnterPort(part);
            }
        }
        m_links[link].limit = m_level[parts[1]] < m_level[parts[0]] ? 1 : 0;
    }
    m_links.ChangeWeight(link, change);
    for (const std::uint32_t part : parts)
    {
        m_parts[part].weight += change;
        // Whatever the flow had, or will have: the port is solved anew.
        const std::uint32_t port = m_parts[part].port;
        Change(port, m_ports[port].capacity);
        if (m_links.Of(part).empty())
        {
            LeavePort(part);
        }
    }
}

void
FairQueueLevels::SetLevel(std::uint32_t part, double level)
{
    const double before = m_level[part];
    if (level == before)
    {
        return;
    }
    m_level[part] = level;
    Part& own = m_parts[part];
    if (own.update != m_update)
    {
        own.update = m_update;
        m_recomputed.push_back(part);
    }
    const auto& links = m_links.Of(part);
    const int end = m_links[links.front().link].node[0] == part ? 0 : 1;
    for (const auto& n : links)
    {
        const double there = m_level[n.node];
        const double rate = std::min(level, there);
        const double rateBefore = std::min(before, there);
        if (rate != rateBefore)
        {
            const std::uint32_t port = m_parts[n.node].port;
            Change(port,
                   std::isinf(rateBefore) ? m_ports[port].capacity
                                          : n.weight * std::abs(rate - rateBefore));
        }
        // Of two equal levels the first one limits.
        const bool limits = end == 0 ? level <= there : level < there;
        const bool limited = end == 0 ? before <= there : before < there;
        if (limits != limited)
        {
            m_links[n.link].limit = static_cast<std::uint8_t>(limits ? end : 1 - end);
            m_moved.push_back(n.link);
        }
    }
}

double
FairQueueLevels::FillPart(std::uint32_t part, double rate, double guess) const
{
    // What the flows use is concave in the level. A step along the tangent therefore ends below the
    // level that is looked for, or at it, and steps from there on go up, until no flow changes
    // sides.
    const double lowest = rate / m_parts[part].weight;
    double level = std::isinf(guess) ? lowest : std::max(guess, lowest);
    double freeBefore = -1;
    for (int step = 0;; ++step)
    {
        double used = 0;
        double free = 0;
        for (const auto& n : m_links.Of(part))
        {
            const double there = m_level[n.node];
            const bool isFree = there > level;
            used += isFree ? 0.0 : n.weight * there;
            free += isFree ? n.weight : 0.0;
        }
        // Only the first step may go down, and so have more flows free.
        if (free == freeBefore || (step > 1 && free > freeBefore))
        {
            return level;
        }
        freeBefore = free;
        level = free > 0 ? (rate - used) / free : lowest;
    }
}

double
FairQueueLevels::Highest(std::uint32_t part) const
{
    double highest = 0;
    for (const auto& n : m_links.Of(part))
    {
        highest = std::max(highest, m_level[n.node]);
    }
    return highest;
}

void
FairQueueLevels::Approach(std::uint32_t part, double level)
{
    const std::uint32_t port = m_parts[part].port;
    if (m_ports[port].solved > DAMPED_SOLVES)
    {
        // Where levels only fall, no port can be given more than it has, and there is an end.
        SetLevel(part, std::min(level, m_level[part]));
        return;
    }
    // Above the highest level at the other ends all levels are alike.
    const double highest = Highest(part);
    const double from = std::min(m_level[part], highest);
    const double to = std::min(level, highest);
    if (std::isinf(from) || std::isinf(to) || std::abs(to - from) <= NOTHING * to)
    {
        SetLevel(part, level);
        return;
    }
    const double middle = from + (to - from) / 2;
    SetLevel(part, middle);
    Change(port, std::abs(to - middle) * m_parts[part].weight);
}

double
FairQueueLevels::ShareOf(const Port& port, double most)
{
    m_demands.clear();
    for (const std::uint32_t part : port.parts)
    {
        double demand = 0;
        for (const auto& n : m_links.Of(part))
        {
            demand += n.weight * m_level[n.node];
            if (demand > most)
            {
                break;
            }
        }
        m_demands.push_back(demand);
    }
    m_sorted = m_demands;
    return WaterLevel(m_sorted, port.capacity);
}

void
FairQueueLevels::Solve(std::uint32_t port)
{
    Port& p = m_ports[port];
    p.changed = 0;
    ++p.solved;
    // The share is mostly near to the last one.
    double share = ShareOf(p, std::min(2 * p.share, p.capacity));
    if (share > 2 * p.share)
    {
        share = ShareOf(p, p.capacity);
    }
    p.share = share;
    for (std::size_t k = 0; k < p.parts.size(); ++k)
    {
        const std::uint32_t part = p.parts[k];
        const double level =
            m_demands[k] <= share ? UNLIMITED : FillPart(part, share, m_level[part]);
        if (p.solved <= EXACT_SOLVES)
        {
            SetLevel(part, level);
        }
        else
        {
            Approach(part, level);
        }
    }
}

void
FairQueueLevels::Update()
{
    ++m_update;
    m_moved.clear();
    m_recomputed.clear();
    for (Port& port : m_ports)
    {
        port.solved = 0;
    }
    for (std::size_t solved = 0; !m_queue.empty();)
    {
        const std::uint32_t port = m_queue.front();
        m_queue.pop_front();
        Port& p = m_ports[port];
        p.waits = false;
        // A small change is put off: it stays in what has changed.
        if (solved < SPARE_SOLVES || p.changed > TOLERANCE * p.capacity)
        {
            Solve(port);
            ++solved;
        }
    }
}

} // namespace coflow
