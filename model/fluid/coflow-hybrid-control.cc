/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-hybrid-control.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace coflow
{

HybridControl::HybridControl(DclasPolicy& policy)
    : m_policy(policy),
      m_triggers(policy.GetTriggers()),
      m_delta(policy.Delta()),
      m_hosts(policy)
{
}

bool
HybridControl::IsTimeToCoordinate(Nanoseconds now) const
{
    if (now % m_delta == 0)
    {
        return m_changed || now >= m_promotion;
    }
    if (!m_changed)
    {
        return false;
    }
    const bool between =
        m_policy.MatchGap() < 1 && (m_coordinated < 0 || now >= m_coordinated + Gap());
    return between || HearsLate(now);
}

bool
HybridControl::Coordinate(const AttainedView& view,
                          const PortIndex& index,
                          const PortRates& capacity,
                          std::span<double> rates)
{
    std::vector<std::optional<int>> queues;
    for (const CoflowRow& row : view.coflows)
    {
        queues.push_back(HasHeardOf(row, view.now) ? std::optional(m_hosts.QueueAtCoordinator(row))
                                                   : std::nullopt);
    }
    m_policy.Coordinate(view, capacity, queues, rates);
    m_promotion = NEVER;
    bool newcomers = false;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        // A promoted coflow is checked at the next time, because it may have been served by then.
        const bool waits = m_policy.Sharing().RowRate(r) <= 0;
        m_promotion = std::min(m_promotion,
                               m_policy.IsPromoted(r) ? view.now + 1
                               : waits                ? m_policy.PromotionTime(view.coflows[r])
                                                      : NEVER);
        if (!queues[r])
        {
            newcomers = true;
            continue;
        }
        m_hosts.TakeDecision(view, index, r, m_policy.IsPromoted(r), m_policy.OpenReceivers(r));
    }
    m_coordinated = view.now;
    // If HearsLate(), the coordinator reassigns receivers at the same calls, and hosts do not.
    m_hosts.EndDecision(view, index, !HearsLate(view.now));
    // The next decision will include these coflows.
    m_changed = newcomers;
    return !newcomers && m_hosts.Agree(view);
}

Decision
HybridControl::Allocate(const AttainedView& view,
                        const PortRates& capacity,
                        std::span<double> rates)
{
    const Nanoseconds moves = m_policy.MoveThresholds(view, capacity);
    const PortIndex& index = m_policy.UpdateIndex(view, capacity.ingress.size());
    for (const CoflowRow& row : view.coflows)
    {
        m_lastReady = std::max(m_lastReady, row.ready);
    }
    const bool fallen = m_hosts.Advance(view, index);
    m_changed = m_changed || fallen || index.Changed();
    const bool decides = IsTimeToCoordinate(view.now);
    if (!decides && index.Changed())
    {
        m_hosts.ReassignReceivers(view, index);
    }
    QueueSharing& sharing = m_policy.Sharing();
    if (!decides || !Coordinate(view, index, capacity, rates))
    {
        std::ranges::fill(rates, 0.0);
        sharing.Start(view, index, capacity);
        m_hosts.AddGroups(view, index, sharing);
        sharing.Serve(rates);
    }
    m_hosts.NoteRates(view, index, sharing);
    return {std::min(moves, NextTime(view)), false};
}

Nanoseconds
HybridControl::NextTime(const AttainedView& view) const
{
    Nanoseconds next = NEVER;
    for (const CoflowRow& row : view.coflows)
    {
        next = std::min(next, m_hosts.NextFall(row, view.now));
    }
    const Nanoseconds tick = (view.now / m_delta + 1) * m_delta;
    if (m_promotion != NEVER)
    {
        next = std::min(next, std::max(tick, (m_promotion + m_delta - 1) / m_delta * m_delta));
    }
    if (m_changed)
    {
        const Nanoseconds between = std::max(m_coordinated + Gap(), view.now + 1);
        next = std::min({next, tick, m_policy.MatchGap() < 1 ? between : tick});
    }
    return next;
}

} // namespace coflow
