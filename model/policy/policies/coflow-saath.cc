/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-saath.h"

#include "ns3/coflow-order-by.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Saath>("saath",
                          "all flows of a coflow or none; queues by the bytes that the longest "
                          "flow has sent, least contention first; does not know sizes",
                          Saath::Specs());

} // namespace

std::vector<ParameterSpec>
Saath::Specs()
{
    return Triggers::AddSpecs(
        {ParameterSpec{"queues",
                       Unit::COUNT,
                       10,
                       1,
                       100,
                       "number of queues K",
                       "as in Aalo, with which Saath compares"},
         ParameterSpec{"firstThreshold",
                       Unit::BYTES,
                       10e6,
                       1,
                       1e18,
                       "a coflow leaves queue 0 when one of its flows has sent this many bytes "
                       "divided by its number of flows",
                       "as in Aalo, with which Saath compares",
                       Scaling::WORKLOAD},
         ParameterSpec{"factor",
                       Unit::NUMBER,
                       10,
                       1,
                       1e6,
                       "ratio of the thresholds of consecutive queues",
                       "as in Aalo, with which Saath compares"},
         ParameterSpec{"delta",
                       Unit::SECONDS,
                       0.008,
                       0,
                       1e6,
                       "period of the coordinator and of the reports; 0 (fluid engine only): the "
                       "coordinator knows and decides at once",
                       "code of Philae, by the same authors: 8 ms",
                       Scaling::WORKLOAD}
             .AsControlPeriod(),
         ParameterSpec{"deadlineFactor",
                       Unit::NUMBER,
                       2,
                       0,
                       1e9,
                       "a coflow goes before all queues after this many times the time that all "
                       "coflows of its queue need to pass through it one by one; 0: never",
                       "Saath, CoNEXT 2017: d"},
         ParameterSpec::Choice(
             "contention",
             {"queue", "all"},
             "coflows that contention counts: queue, those of the same queue; all, all coflows",
             "code of Philae, by the same authors: queue"),
         ParameterSpec::Flag(
             "workConservation",
             true,
             "coflows that could not get a rate for all their flows share the rates that are left",
             "Saath, CoNEXT 2017")});
}

Saath::Saath(const Parameters& parameters)
    : m_triggers(Triggers::OfFlows(parameters)),
      m_delta(parameters.Time("delta")),
      m_deadlineFactor(parameters["deadlineFactor"]),
      m_sameQueue(parameters.Is("contention", "queue")),
      m_workConservation(parameters.Flag("workConservation"))
{
    for (std::uint64_t queue = 0; queue < parameters.Count("queues"); ++queue)
    {
        // The margin of 1e-12 is for rounding errors: a coflow that has sent its limit has reached
        // it.
        m_thresholds.push_back(parameters["firstThreshold"] *
                               std::pow(parameters["factor"], static_cast<double>(queue)) *
                               (1 - 1e-12));
    }
}

Nanoseconds
Saath::ReportPeriod() const
{
    return std::max<Nanoseconds>(m_delta, 1);
}

Nanoseconds
Saath::TickFrom(Nanoseconds time) const
{
    return m_delta == 0 || time == NEVER ? time : (time + m_delta - 1) / m_delta * m_delta;
}

double
Saath::Limit(const CoflowRow& row, int queue) const
{
    return static_cast<std::size_t>(queue) + 1 < m_thresholds.size()
               ? m_thresholds[queue] / std::max(1U, row.width)
               : INFINITE_TIME;
}

void
Saath::EnterQueues(const AttainedView& view, const PortRates& capacity)
{
    m_queue.clear();
    std::vector<std::uint32_t> size(m_thresholds.size(), 0);
    std::vector<std::size_t> entered;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        m_places.resize(std::max<std::size_t>(m_places.size(), row.index + 1));
        Place& place = m_places[row.index];
        const int before = place.queue;
        while (row.longest >= Limit(row, place.queue))
        {
            ++place.queue;
        }
        if (place.deadline == NEVER || place.queue != before)
        {
            entered.push_back(r);
        }
        m_queue.push_back(place.queue);
        ++size[place.queue];
    }
    const double port = std::min(*std::ranges::min_element(capacity.ingress),
                                 *std::ranges::min_element(capacity.egress));
    for (const std::size_t r : entered)
    {
        // The last queue has no limit. Its span ends at the next threshold of the series.
        const int queue = m_queue[r];
        const double span = m_thresholds[queue] - (queue > 0 ? m_thresholds[queue - 1] : 0);
        const double seconds = m_deadlineFactor * size[queue] * span / port;
        // 9e17 ns, about 30 years, stands for never.
        const double wait = std::min(seconds * 1e9, 9e17);
        m_places[view.coflows[r].index].deadline = view.now + static_cast<Nanoseconds>(wait);
    }
}

void
Saath::Sort(const AttainedView& view)
{
    const std::vector<std::uint8_t> together(view.coflows.size(), 0);
    m_contention.Compute(m_loads, m_sameQueue ? m_queue : together);
    using Key = std::tuple<Nanoseconds, int, std::uint32_t>;
    std::vector<Key> keys;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const Nanoseconds deadline = m_places[view.coflows[r].index].deadline;
        const bool late = m_deadlineFactor > 0 && deadline <= view.now;
        keys.push_back(late ? Key{deadline, 0, 0} : Key{NEVER, m_queue[r], m_contention.Of(r)});
    }
    OrderBy(m_order, keys);
}

double
Saath::EqualRate(std::size_t row) const
{
    const double gamma = Gamma(m_loads.Of(row), m_budget);
    return gamma == INFINITE_TIME ? 0 : 1 / gamma;
}

Nanoseconds
Saath::NextTime(const AttainedView& view, std::span<const double> rates) const
{
    Nanoseconds next = NEVER;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const Nanoseconds deadline = m_places[row.index].deadline;
        if (m_deadlineFactor > 0 && deadline > view.now)
        {
            next = std::min(next, deadline);
        }
        const double limit = Limit(row, m_queue[r]);
        const double fastest =
            *std::max_element(rates.begin() + row.begin, rates.begin() + row.end);
        if (limit != INFINITE_TIME && fastest > 0)
        {
            // The fastest flow may not be the longest flow. Then this time is too early, and the
            // coordinator decides once more.
            const double wait = std::ceil((limit - row.longest) / fastest * 1e9);
            next = std::min(next, view.now + static_cast<Nanoseconds>(std::min(wait, 9e17)));
        }
    }
    return TickFrom(std::max(next, view.now + 1));
}

Decision
Saath::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    // The call may come after m_due, because an earlier decision was in progress at m_due. If m_due
    // is before the first coflow of the view was ready, m_due belongs to coflows that have left.
    if (!view.coflows.empty() && m_due < view.coflows.front().ready)
    {
        m_due = NEVER;
    }
    m_due = std::min(m_due, TickFrom(view.now));
    if (view.now < m_due)
    {
        return {m_due, true};
    }
    m_loads.ComputeCounts(view, capacity);
    m_budget.Reset(capacity);
    EnterQueues(view, capacity);
    Sort(view);
    m_missed.clear();
    for (const std::uint32_t r : m_order)
    {
        const double rate = EqualRate(r);
        if (rate <= 0)
        {
            m_missed.push_back(r);
            continue;
        }
        const CoflowRow& row = view.coflows[r];
        std::fill(rates.begin() + row.begin, rates.begin() + row.end, rate);
        for (const PortDemand& d : m_loads.Of(r))
        {
            m_budget.Take(d.port, rate * d.load);
        }
    }
    if (m_workConservation)
    {
        Backfill(view, {}, m_missed, m_loads, m_budget, m_filler, rates);
    }
    m_due = NextTime(view, rates);
    return {m_due, false, m_order};
}

} // namespace coflow
