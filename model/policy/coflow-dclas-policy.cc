/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dclas-policy.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace coflow
{

std::vector<ParameterSpec>
DclasPolicy::Specs(int queues)
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
                       "Aalo, as quoted by Graviton; its code: 10485760"},
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
                       "period of the coordinator; 0: it knows all at once",
                       "Aalo, SIGCOMM 2015; its code: 0.08"},
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
      m_triggers(Triggers::OfFlows(parameters)),
      m_strict(parameters.Is("sharing", "strict"))
{
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

double
DclasPolicy::Threshold(int queue) const
{
    // What has arrived at a threshold to within rounding has arrived.
    return m_firstThreshold * std::pow(m_factor, queue) * (1 - 1e-12);
}

void
DclasPolicy::UpdateQueues(const AttainedView& view)
{
    m_rowQueue.clear();
    const bool tick = m_delta == 0 || view.now % m_delta == 0;
    for (const CoflowRow& row : view.coflows)
    {
        m_queueOf.resize(std::max<std::size_t>(m_queueOf.size(), row.index + 1));
        int queue = m_queueOf[row.index];
        while (tick && queue < m_queues - 1 && row.sent >= Threshold(queue))
        {
            ++queue;
        }
        m_queueOf[row.index] = static_cast<std::uint8_t>(queue);
        m_rowQueue.push_back(queue);
    }
}

Nanoseconds
DclasPolicy::FallTime(const CoflowRow& row, int queue, Nanoseconds now, double rate) const
{
    if (queue >= m_queues - 1)
    {
        return NEVER;
    }
    Nanoseconds time = now + 1;
    if (row.sent < Threshold(queue))
    {
        const double ns = (Threshold(queue) - row.sent) / rate * 1e9;
        if (!(ns < 4e18))
        {
            return NEVER;
        }
        time = now + std::max<Nanoseconds>(1, static_cast<Nanoseconds>(std::ceil(ns)));
    }
    return m_delta > 0 ? (time + m_delta - 1) / m_delta * m_delta : time;
}

void
DclasPolicy::Serve(std::span<const std::uint32_t> rows, PortBudget& budget, std::span<double> rates)
{
    for (std::uint32_t r : rows)
    {
        const auto& nodes = m_index.Of(r).nodes;
        const auto receivers = nodes.begin() + m_index.Of(r).senders;
        const bool open =
            !AllOrNone() || std::none_of(receivers, nodes.end(), [&](const PortIndex::Node& node) {
                return budget.Exhausted(node.port);
            });
        if (open)
        {
            m_filler.FillRow(r, budget, rates);
        }
    }
}

void
DclasPolicy::ServeByWeight(std::span<const std::uint32_t> rows, std::span<double> rates)
{
    const HostId hosts = m_budget.Hosts();
    const auto weight = [this](int queue) { return static_cast<double>(m_queues - queue); };
    // Weights of the queues that are present at each port.
    std::vector<double> total(m_budget.Ports(), 0.0);
    std::vector<int> last(m_budget.Ports(), -1);
    for (std::uint32_t r : rows)
    {
        for (const PortIndex::Node& node : m_index.Of(r).nodes)
        {
            // Rows come by queue, so a queue counts when it is first seen.
            if (last[node.port] != m_rowQueue[r])
            {
                last[node.port] = m_rowQueue[r];
                total[node.port] += weight(m_rowQueue[r]);
            }
        }
    }
    std::vector<double> left(m_budget.Ports(), 0.0);
    PortBudget share;
    for (std::size_t begin = 0; begin < rows.size();)
    {
        const int queue = m_rowQueue[rows[begin]];
        std::size_t end = begin;
        std::vector<std::uint8_t> present(m_budget.Ports(), 0);
        for (; end < rows.size() && m_rowQueue[rows[end]] == queue; ++end)
        {
            for (const PortIndex::Node& node : m_index.Of(rows[end]).nodes)
            {
                present[node.port] = 1;
            }
        }
        PortRates part = PortRates::Uniform(hosts, 0);
        for (PortId p = 0; p < present.size(); ++p)
        {
            if (present[p])
            {
                (p < hosts ? part.ingress[p] : part.egress[p - hosts]) =
                    m_budget.Free(p) * weight(queue) / total[p];
            }
        }
        share.Reset(part);
        Serve(rows.subspan(begin, end - begin), share, rates);
        for (PortId p = 0; p < left.size(); ++p)
        {
            left[p] += share.Free(p);
        }
        begin = end;
    }
    PortRates rest;
    rest.ingress.assign(left.begin(), left.begin() + hosts);
    rest.egress.assign(left.begin() + hosts, left.end());
    // What rounding leaves of a port is not worth a flow: it counts against the whole port.
    for (PortId p = 0; p < left.size(); ++p)
    {
        double& rate = p < hosts ? rest.ingress[p] : rest.egress[p - hosts];
        rate = rate <= 1e-9 * m_budget.Capacity(p) ? 0 : rate;
    }
    share.Reset(rest);
    Serve(rows, share, rates);
}

Decision
DclasPolicy::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_index.Update(view, capacity.ingress.size());
    m_filler.Start(view, m_index);
    UpdateQueues(view);
    m_keys.clear();
    m_promoted.clear();
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        m_keys.push_back(KeyOf(m_rowQueue[r], WidthOfRow(r)));
        m_promoted.push_back(Promoted(view.coflows[r], view.now) ? 1 : 0);
    }
    m_order.resize(view.coflows.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    const auto rank = [this](std::uint32_t r) {
        return m_promoted[r] ? std::tuple(-1, 0.0) : std::tuple(m_rowQueue[r], m_keys[r]);
    };
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return rank(a) < rank(b);
    });
    const std::span<const std::uint32_t> order(m_order);
    const auto promoted =
        static_cast<std::size_t>(std::count(m_promoted.begin(), m_promoted.end(), std::uint8_t{1}));
    Serve(order.first(promoted), m_budget, rates);
    if (m_strict)
    {
        Serve(order.subspan(promoted), m_budget, rates);
    }
    else
    {
        ServeByWeight(order.subspan(promoted), rates);
    }
    Decision decision;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const double rate = m_filler.RowRate(r);
        if (rate > 0)
        {
            decision.askAgain =
                std::min(decision.askAgain, FallTime(row, m_rowQueue[r], view.now, rate));
        }
        else if (!m_promoted[r])
        {
            decision.askAgain = std::min(decision.askAgain, PromotionTime(row));
        }
    }
    return decision;
}

} // namespace coflow
