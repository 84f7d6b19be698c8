/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dclas-policy.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace coflow
{

std::vector<ParameterSpec>
DclasPolicy::Specs(int queues, double matchGap)
{
    return Triggers::AddSpecs(
        {ParameterSpec{"queues",
                       Unit::COUNT,
                       static_cast<double>(queues),
                       1,
                       100,
                       "number of queues K",
                       "Graviton"},
         ParameterSpec{"firstThreshold",
                       Unit::BYTES,
                       10e6,
                       1,
                       1e18,
                       "bytes at which a coflow leaves queue 0",
                       "Aalo, as quoted by Graviton; its code: 10485760",
                       Scaling::WORKLOAD},
         ParameterSpec{"factor",
                       Unit::NUMBER,
                       10,
                       1,
                       1e6,
                       "ratio of the thresholds of consecutive queues",
                       "Aalo, as quoted by Graviton"},
         ParameterSpec{"delta",
                       Unit::SECONDS,
                       0.01,
                       0,
                       1e6,
                       "period of the coordinator; 0: it and all hosts know all at once",
                       "Aalo, SIGCOMM 2015; its code: 0.08",
                       Scaling::WORKLOAD}
             .AsControlPeriod(),
         ParameterSpec{"matchGap",
                       Unit::NUMBER,
                       matchGap,
                       0.001,
                       1,
                       "where flows are over, the coordinator decides on receivers in between, so "
                       "many periods after it last did or later; 1: only at multiples of delta",
                       "Aalo's code: 1; Graviton, section 4: receivers notify, no value: 0.1"},
         ParameterSpec::Flag("receiverMatch",
                             true,
                             "the coordinator says to which receivers coflows may send",
                             "Aalo's code"),
         ParameterSpec{"matchFloor",
                       Unit::NUMBER,
                       0.01,
                       0,
                       1,
                       "least part of a receiver's link for which a coflow may send there",
                       "Aalo's code: 10 Mbps"},
         ParameterSpec::Flag("localEstimate",
                             true,
                             "hosts add what they send to what they were told, and move coflows "
                             "down by themselves",
                             "own choice; Aalo's code: false"),
         ParameterSpec::Choice("sharing",
                               {"weighted", "strict"},
                               "how queues share a port: by weight K - k, or strictly",
                               "Aalo, SIGCOMM 2015: weighted; CoflowSim: strict")});
}

DclasPolicy::DclasPolicy(const Parameters& parameters)
    : m_queues(static_cast<int>(parameters["queues"])),
      m_firstThreshold(parameters["firstThreshold"]),
      m_factor(parameters["factor"]),
      m_delta(parameters.Time("delta")),
      m_matchGap(parameters["matchGap"]),
      m_receiverMatch(parameters.Flag("receiverMatch")),
      m_matchFloor(parameters["matchFloor"]),
      m_localEstimate(parameters.Flag("localEstimate")),
      m_triggers(Triggers::OfFlows(parameters)),
      m_strict(parameters.Is("sharing", "strict")),
      m_hosts(*this),
      m_sharing(m_queues, m_strict)
{
    for (int queue = 0; queue < m_queues; ++queue)
    {
        m_thresholds.push_back(m_firstThreshold * std::pow(m_factor, queue) * ARRIVED);
    }
}

void
DclasPolicy::SetThresholds(std::vector<Bytes> thresholds)
{
    if (thresholds.size() != static_cast<std::size_t>(m_queues - 1) ||
        !std::is_sorted(thresholds.begin(), thresholds.end()) ||
        (!thresholds.empty() && thresholds.front() < 1))
    {
        throw InputError("the thresholds of " + std::to_string(m_queues) +
                         " queues are not as they have to be; allowed: " +
                         std::to_string(m_queues - 1) + ", at least 1 byte, ascending");
    }
    std::transform(thresholds.begin(), thresholds.end(), m_thresholds.begin(), [](Bytes limit) {
        return static_cast<double>(limit) * ARRIVED;
    });
    m_moved = std::move(thresholds);
}

double
DclasPolicy::KeyOf(int /*queue*/, std::uint32_t /*width*/) const
{
    return 0;
}

bool
DclasPolicy::Promoted(const CoflowRow& /*row*/, Nanoseconds /*now*/)
{
    return false;
}

Nanoseconds
DclasPolicy::PromotionTime(const CoflowRow& /*row*/) const
{
    return NEVER;
}

bool
DclasPolicy::MaySend(std::size_t row, HostId receiver) const
{
    const PortIndex::Part& part = m_index.Of(row);
    const auto port = static_cast<HostPort>(m_index.Hosts() + receiver);
    const auto found = std::lower_bound(
        part.nodes.begin() + part.senders,
        part.nodes.end(),
        port,
        [](const PortIndex::Node& node, HostPort wanted) { return node.port < wanted; });
    return found != part.nodes.end() && found->port == port &&
           m_open[m_index.FirstNode(row) + (found - part.nodes.begin())] != 0;
}

void
DclasPolicy::UpdateQueues(const AttainedView& view)
{
    for (const CoflowRow& row : view.coflows)
    {
        m_queueOf.resize(std::max<std::size_t>(m_queueOf.size(), row.index + 1));
        std::uint8_t& queue = m_queueOf[row.index];
        queue = static_cast<std::uint8_t>(QueueAfter(queue, row.sent));
    }
}

Nanoseconds
DclasPolicy::FallTime(const CoflowRow& row, int queue, Nanoseconds now, double rate) const
{
    if (IsLast(queue))
    {
        return NEVER;
    }
    return DclasHosts::After(now, std::max(0.0, Threshold(queue) - row.sent), rate);
}

std::span<const std::uint32_t>
DclasPolicy::TakeTurn(const QueueSharing::Group& group,
                      std::span<const std::uint32_t> nodes,
                      const PortBudget& budget,
                      bool leftovers)
{
    const PortIndex::Part& part = m_index.Of(group.row);
    const std::size_t first = m_index.FirstNode(group.row);
    m_turn.clear();
    for (const std::uint32_t n : nodes)
    {
        if (n >= part.senders)
        {
            // A share that is small only because the queue is a low one is worth it.
            const HostPort port = part.nodes[n].port;
            const double floor = m_matchFloor * m_sharing.Capacity(port);
            const double least = leftovers ? floor : std::min(floor, 0.5 * budget.Capacity(port));
            if (budget.Exhausted(port) || budget.Free(port) < least)
            {
                continue;
            }
        }
        m_turn.push_back(n);
    }
    if (AllOrNone() && m_turn.size() < nodes.size())
    {
        return {};
    }
    for (const std::uint32_t n : m_turn)
    {
        m_open[first + n] = 1;
    }
    return m_turn;
}

void
DclasPolicy::Coordinate(const AttainedView& view,
                        const PortRates& capacity,
                        std::span<double> rates)
{
    m_sharing.Start(view, m_index, capacity);
    m_leastRate = *std::min_element(capacity.ingress.begin(), capacity.ingress.end());
    m_rowQueue.clear();
    m_promoted.clear();
    std::vector<QueueSharing::Rank> ranks;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const int queue = m_delta > 0 ? m_hosts.ToldQueue(row) : m_queueOf[row.index];
        const bool promoted = Promoted(row, view.now);
        m_rowQueue.push_back(queue);
        m_promoted.push_back(promoted ? 1 : 0);
        ranks.push_back(RankOf(promoted, queue, WidthOfRow(r)));
        if (!HasHeardOf(row, view.now))
        {
            continue;
        }
        m_sharing.AddGroup(ranks.back(), r);
        for (std::uint32_t n = 0; n < m_index.Of(r).nodes.size(); ++n)
        {
            m_sharing.AddNode(n);
        }
    }
    m_order.resize(view.coflows.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return ranks[a] < ranks[b];
    });
    m_open.assign(m_index.Nodes(), m_receiverMatch ? 0 : 1);
    if (m_receiverMatch)
    {
        m_sharing.Serve(rates,
                        [this](const auto& group, auto nodes, const auto& budget, bool leftovers) {
                            return TakeTurn(group, nodes, budget, leftovers);
                        });
    }
    else
    {
        m_sharing.Serve(rates);
    }
    m_promotion = NEVER;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        // Who has been promoted is looked at again: it may have been served meanwhile.
        const bool waits = m_sharing.RowRate(r) <= 0;
        m_promotion = std::min(m_promotion,
                               m_promoted[r] ? view.now + 1
                               : waits       ? PromotionTime(view.coflows[r])
                                             : NEVER);
    }
    m_coordinated = view.now;
    m_changed = false;
}

bool
DclasPolicy::IsTimeToCoordinate(Nanoseconds now) const
{
    if (now % m_delta == 0)
    {
        return m_changed || now >= m_promotion;
    }
    if (!m_changed)
    {
        return false;
    }
    const auto gap = static_cast<Nanoseconds>(m_matchGap * static_cast<double>(m_delta));
    const bool between = m_matchGap < 1 && (m_coordinated < 0 || now >= m_coordinated + gap);
    return between || HearsLate(now);
}

void
DclasPolicy::LetHostsDecide(const AttainedView& view,
                            const PortRates& capacity,
                            std::span<double> rates)
{
    for (const CoflowRow& row : view.coflows)
    {
        m_lastReady = std::max(m_lastReady, row.ready);
    }
    const bool fallen = m_hosts.Advance(view, m_index, m_delta);
    m_changed = m_changed || fallen || m_index.Changed();
    if (IsTimeToCoordinate(view.now))
    {
        Coordinate(view, capacity, rates);
        bool newcomers = false;
        for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
        {
            if (!HasHeardOf(view.coflows[r], view.now))
            {
                newcomers = true;
                continue;
            }
            const PortIndex::Part& part = m_index.Of(r);
            const std::span<const std::uint8_t> open(m_open);
            m_hosts.Tell(view,
                         m_index,
                         r,
                         m_promoted[r] != 0,
                         open.subspan(m_index.FirstNode(r) + part.senders, part.Receivers()));
        }
        // Where flows are heard of late, the coordinator reassigns receivers as soon as hosts do.
        m_hosts.EndTelling(view, m_index, !HearsLate(view.now));
        // Of these the next word will be.
        m_changed = newcomers;
        if (!newcomers && m_hosts.Agree(view))
        {
            // What the coordinator has worked out is what hosts do.
            m_hosts.NoteRates(view, m_index, m_sharing);
            return;
        }
        std::fill(rates.begin(), rates.end(), 0.0);
    }
    else if (m_index.Changed())
    {
        m_hosts.ReassignReceivers(view, m_index);
    }
    m_sharing.Start(view, m_index, capacity);
    m_hosts.AddGroups(view, m_index, m_sharing);
    m_sharing.Serve(rates);
    m_hosts.NoteRates(view, m_index, m_sharing);
}

Nanoseconds
DclasPolicy::NextTime(const AttainedView& view)
{
    Nanoseconds next = NEVER;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const double rate = m_sharing.RowRate(r);
        if (m_delta > 0)
        {
            next = std::min(next, m_hosts.NextFall(row, view.now, m_delta));
        }
        else if (rate > 0)
        {
            next = std::min(next, FallTime(row, m_rowQueue[r], view.now, rate));
        }
        else if (!m_promoted[r])
        {
            next = std::min(next, PromotionTime(row));
        }
    }
    if (m_delta == 0)
    {
        return next;
    }
    const Nanoseconds tick = (view.now / m_delta + 1) * m_delta;
    if (m_promotion != NEVER)
    {
        next = std::min(next, std::max(tick, (m_promotion + m_delta - 1) / m_delta * m_delta));
    }
    if (m_changed)
    {
        const auto gap = static_cast<Nanoseconds>(m_matchGap * static_cast<double>(m_delta));
        const Nanoseconds between = std::max(m_coordinated + gap, view.now + 1);
        next = std::min({next, tick, m_matchGap < 1 ? between : tick});
    }
    return next;
}

Decision
DclasPolicy::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_index.Update(view, capacity.ingress.size());
    if (m_delta == 0)
    {
        UpdateQueues(view);
        Coordinate(view, capacity, rates);
    }
    else
    {
        LetHostsDecide(view, capacity, rates);
    }
    return {NextTime(view), false};
}

} // namespace coflow
