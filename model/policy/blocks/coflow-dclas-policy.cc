/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dclas-policy.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-order-by.h"

#include <algorithm>
#include <cmath>
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
                       "period of the coordinator; 0 (fluid engine only): the coordinator and all "
                       "hosts know everything at once",
                       "Aalo, SIGCOMM 2015; its code: 0.08",
                       Scaling::WORKLOAD}
             .AsControlPeriod(),
         ParameterSpec{
             "matchGap",
             Unit::NUMBER,
             matchGap,
             0.001,
             1,
             "when flows end, the coordinator decides on receivers between two periods, but not "
             "before this part of a period after its last decision; 1: only at multiples of delta",
             "Aalo's code: 1; Graviton, section 4, gives no value: 0.1"},
         ParameterSpec::Flag("receiverMatch",
                             true,
                             "the coordinator decides to which receivers each coflow may send",
                             "Aalo's code"),
         ParameterSpec{"matchFloor",
                       Unit::NUMBER,
                       0.01,
                       0,
                       1,
                       "a coflow may not send to a receiver if less than this part of the "
                       "receiver's link is left",
                       "Aalo's code: 10 Mbps"},
         ParameterSpec::Flag("localEstimate",
                             true,
                             "hosts add the bytes that they send to the coordinator's sums, and "
                             "move coflows down by themselves",
                             "own choice; Aalo's code: false"),
         ParameterSpec::Choice(
             "sharing",
             {"weighted", "strict"},
             "how queues share a port: weighted, queue k has weight K - k; strict, by priority",
             "Aalo, SIGCOMM 2015: weighted; CoflowSim: strict")});
}

DclasPolicy::DclasPolicy(const Parameters& parameters)
    : m_queues(static_cast<int>(parameters["queues"])),
      m_delta(parameters.Time("delta")),
      m_matchGap(parameters["matchGap"]),
      m_receiverMatch(parameters.Flag("receiverMatch")),
      m_matchFloor(parameters["matchFloor"]),
      m_localEstimate(parameters.Flag("localEstimate")),
      m_triggers(Triggers::OfFlows(parameters)),
      m_strict(parameters.Is("sharing", "strict")),
      m_sharing(m_queues, m_strict)
{
    for (int queue = 0; queue < m_queues; ++queue)
    {
        m_thresholds.push_back(parameters["firstThreshold"] *
                               std::pow(parameters["factor"], queue) * ARRIVED);
    }
}

void
DclasPolicy::SetThresholds(std::vector<Bytes> thresholds)
{
    if (thresholds.size() != static_cast<std::size_t>(m_queues - 1) ||
        !std::ranges::is_sorted(thresholds) || (!thresholds.empty() && thresholds.front() < 1))
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

Nanoseconds
DclasPolicy::MoveThresholds(const AttainedView& /*view*/, const PortRates& /*capacity*/)
{
    return NEVER;
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

std::span<const std::uint8_t>
DclasPolicy::OpenReceivers(std::size_t row) const
{
    const PortIndex::Part& part = m_index.Of(row);
    return std::span(m_open).subspan(m_index.FirstNode(row) + part.senders, part.Receivers());
}

Nanoseconds
DclasPolicy::After(Nanoseconds now, double amount, double rate)
{
    const double ns = amount / rate * 1e9;
    if (!(ns < 4e18))
    {
        return NEVER;
    }
    return now + std::max<Nanoseconds>(1, static_cast<Nanoseconds>(std::ceil(ns)));
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
            // The share of a low queue may be below the floor. Then half of this share is enough.
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
                        std::span<const std::optional<int>> queues,
                        std::span<double> rates)
{
    m_sharing.Start(view, m_index, capacity);
    m_leastRate = *std::ranges::min_element(capacity.ingress);
    m_rowQueue.clear();
    m_promoted.clear();
    std::vector<QueueSharing::Rank> ranks;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const int queue = queues[r].value_or(0);
        const bool promoted = Promoted(row, view.now);
        m_rowQueue.push_back(queue);
        m_promoted.push_back(promoted ? 1 : 0);
        ranks.push_back(RankOf(promoted, queue, WidthOfRow(r)));
        if (!queues[r])
        {
            continue;
        }
        m_sharing.AddGroup(ranks.back(), r);
        for (std::uint32_t n = 0; n < m_index.Of(r).nodes.size(); ++n)
        {
            m_sharing.AddNode(n);
        }
    }
    OrderBy(m_order, ranks);
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
}

Nanoseconds
DclasPolicy::NextTime(const AttainedView& view) const
{
    Nanoseconds next = NEVER;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const double rate = m_sharing.RowRate(r);
        if (rate <= 0)
        {
            next = std::min(next, m_promoted[r] ? NEVER : PromotionTime(row));
        }
        else if (!IsLast(m_rowQueue[r]))
        {
            const double left = std::max(0.0, Threshold(m_rowQueue[r]) - row.sent);
            next = std::min(next, After(view.now, left, rate));
        }
    }
    return next;
}

const PortIndex&
DclasPolicy::UpdateIndex(const AttainedView& view, std::size_t hosts)
{
    m_index.Update(view, hosts);
    return m_index;
}

Decision
DclasPolicy::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    const Nanoseconds moves = MoveThresholds(view, capacity);
    UpdateIndex(view, capacity.ingress.size());
    std::vector<std::optional<int>> queues;
    for (const CoflowRow& row : view.coflows)
    {
        m_queueOf.resize(std::max<std::size_t>(m_queueOf.size(), row.index + 1));
        std::uint8_t& queue = m_queueOf[row.index];
        queue = static_cast<std::uint8_t>(QueueAfter(queue, row.sent));
        queues.emplace_back(queue);
    }
    Coordinate(view, capacity, queues, rates);
    return {std::min(moves, NextTime(view)), false};
}

} // namespace coflow
