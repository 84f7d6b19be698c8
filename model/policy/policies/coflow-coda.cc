/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coda.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Coda>("coda",
                         "coflows in queues by what they have sent, flows at the border of two "
                         "coflows with the first of them, small flows first; knows no sizes",
                         Coda::Specs());

/// Limits of queues, without one for the last queue.
std::vector<double>
Limits(std::uint64_t queues, double first, double factor)
{
    std::vector<double> limits;
    for (std::uint64_t queue = 0; queue + 1 < queues; ++queue)
    {
        // What has arrived at a limit to within rounding has arrived.
        limits.push_back(first * std::pow(factor, static_cast<double>(queue)) * (1 - 1e-12));
    }
    return limits;
}

} // namespace

std::vector<ParameterSpec>
Coda::Specs()
{
    return Triggers::AddSpecs(
        {ParameterSpec{"queues",
                       Unit::COUNT,
                       10,
                       1,
                       100,
                       "number of queues of coflows",
                       "as in Aalo, which CODA extends"},
         ParameterSpec{"firstThreshold",
                       Unit::BYTES,
                       10e6,
                       1,
                       1e18,
                       "bytes at which a coflow leaves queue 0",
                       "as in Aalo, which CODA extends",
                       Scaling::WORKLOAD},
         ParameterSpec{"factor",
                       Unit::NUMBER,
                       10,
                       1,
                       1e6,
                       "ratio of the thresholds of consecutive queues, of coflows and of flows",
                       "as in Aalo, which CODA extends"},
         ParameterSpec{"delta",
                       Unit::SECONDS,
                       0.01,
                       0,
                       1e6,
                       "period of the coordinator and of the reports; 0: it knows and decides at "
                       "once",
                       "as in Aalo, which CODA extends",
                       Scaling::WORKLOAD},
         ParameterSpec{
             "diameter",
             Unit::NUMBER,
             0.1,
             0,
             1,
             "a flow with at most this margin between two coflows is served with the one "
             "that is served first; 0: with the one that it is taken for",
             "own choice; CODA extends coflows by a diameter d, in units of its features"},
         ParameterSpec{"flowQueues",
                       Unit::COUNT,
                       10,
                       1,
                       100,
                       "number of queues of flows inside a coflow; 1: all flows alike",
                       "own choice, as for coflows"},
         ParameterSpec{"flowThreshold",
                       Unit::BYTES,
                       10e6,
                       1,
                       1e18,
                       "bytes at which a flow leaves queue 0 of its coflow",
                       "own choice, as for coflows",
                       Scaling::WORKLOAD}});
}

Coda::Coda(const Parameters& parameters)
    : m_triggers(Triggers::OfFlows(parameters)),
      m_delta(parameters.Time("delta")),
      m_diameter(parameters["diameter"]),
      m_limits(
          Limits(parameters.Count("queues"), parameters["firstThreshold"], parameters["factor"])),
      m_flowLimits(
          Limits(parameters.Count("flowQueues"), parameters["flowThreshold"], parameters["factor"]))
{
}

Nanoseconds
Coda::ReportPeriod() const
{
    return std::max<Nanoseconds>(m_delta, 1);
}

Nanoseconds
Coda::TickFrom(Nanoseconds time) const
{
    return m_delta == 0 || time == NEVER ? time : (time + m_delta - 1) / m_delta * m_delta;
}

std::size_t
Coda::QueueOf(std::span<const double> limits, double sent)
{
    return static_cast<std::size_t>(std::upper_bound(limits.begin(), limits.end(), sent) -
                                    limits.begin());
}

void
Coda::Sort(const AttainedView& view)
{
    m_queue.clear();
    m_rows.clear();
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        m_queue.push_back(static_cast<std::uint8_t>(QueueOf(m_limits, row.sent)));
        m_rows.emplace_back(row.id, r);
    }
    std::sort(m_rows.begin(), m_rows.end());
    m_order.resize(view.coflows.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [this](std::uint32_t a, std::uint32_t b) {
        return m_queue[a] < m_queue[b];
    });
    m_place.resize(m_order.size());
    for (std::uint32_t place = 0; place < m_order.size(); ++place)
    {
        m_place[m_order[place]] = place;
    }
}

std::uint32_t
Coda::PlaceOf(std::uint32_t row, const Identification& identified) const
{
    const std::uint32_t place = m_place[row];
    if (m_diameter == 0 || identified.margin > m_diameter)
    {
        return place;
    }
    const auto next = std::lower_bound(m_rows.begin(),
                                       m_rows.end(),
                                       std::pair(identified.next, std::uint32_t{0}));
    return next != m_rows.end() && next->first == identified.next
               ? std::min(place, m_place[next->second])
               : place;
}

void
Coda::Classify(const AttainedView& view)
{
    const auto queues = static_cast<std::uint32_t>(m_flowLimits.size() + 1);
    m_class.resize(view.Positions());
    m_begin.assign(view.coflows.size() * queues + 1, 0);
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const std::span<const FlowNote> notes = view.notes->Of(row.index);
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const FlowNote& note = notes[view.flow[f]];
            m_class[f] = PlaceOf(r, note.identified) * queues +
                         static_cast<std::uint32_t>(QueueOf(m_flowLimits, note.sent));
            ++m_begin[m_class[f] + 1];
        }
    }
    std::partial_sum(m_begin.begin(), m_begin.end(), m_begin.begin());
    std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
    m_flows.resize(m_begin.back());
    view.ForEachFlow([&](std::uint32_t f) { m_flows[next[m_class[f]]++] = f; });
}

Nanoseconds
Coda::NextTime(const AttainedView& view, std::span<const double> rates)
{
    // Per row when it falls; flows may be heard of later, for the sake of speed, as their ends are.
    Nanoseconds next = NEVER;
    double flow = INFINITE_TIME;
    Nanoseconds lastReady = 0;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const std::span<const FlowNote> notes = view.notes->Of(row.index);
        lastReady = std::max(lastReady, row.ready);
        double rate = 0;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (rates[f] <= 0)
            {
                continue;
            }
            rate += rates[f];
            const double sent = notes[view.flow[f]].sent;
            const std::size_t queue = QueueOf(m_flowLimits, sent);
            if (queue < m_flowLimits.size())
            {
                flow = std::min(flow, (m_flowLimits[queue] - sent) / rates[f]);
            }
        }
        if (rate > 0 && m_queue[r] < m_limits.size())
        {
            const double wait = std::ceil((m_limits[m_queue[r]] - row.sent) / rate * 1e9);
            next = std::min(next, view.now + static_cast<Nanoseconds>(std::min(wait, 9e17)));
        }
    }
    if (flow < INFINITE_TIME)
    {
        const double wait = std::min(std::ceil(flow * 1e9), 9e17);
        next =
            std::min(next, m_triggers.After(view.now + static_cast<Nanoseconds>(wait), lastReady));
    }
    return TickFrom(std::max(next, view.now + 1));
}

Decision
Coda::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    // It may be asked late, where an earlier decision was under way when its time came.
    m_due = std::min(m_due, TickFrom(view.now));
    if (view.now < m_due)
    {
        return {m_due, true};
    }
    m_budget.Reset(capacity);
    Sort(view);
    Classify(view);
    for (std::size_t c = 0; c + 1 < m_begin.size(); ++c)
    {
        bool any = false;
        for (std::uint32_t at = m_begin[c]; at < m_begin[c + 1]; ++at)
        {
            const std::uint32_t f = m_flows[at];
            if (m_budget.Open(view.src[f], view.dst[f]))
            {
                m_filler.Add(f, view.src[f], view.dst[f], 1.0, m_budget);
                any = true;
            }
        }
        if (any)
        {
            m_filler.Fill(m_budget, rates);
        }
    }
    m_due = NextTime(view, rates);
    return {m_due, false, m_order};
}

} // namespace coflow
