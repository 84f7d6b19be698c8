/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-baraat.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Baraat>(
    "baraat",
    "FIFO with limited multiplexing: tasks by arrival, heavy ones share with the next",
    Baraat::Specs());

} // namespace

std::vector<ParameterSpec>
Baraat::Specs()
{
    return {ParameterSpec{"heavyBytes",
                          Unit::BYTES,
                          837e6,
                          1,
                          1e18,
                          "bytes at a port that make a task heavy there",
                          "D-CAS uses the 80th percentile of task sizes, which is this on "
                          "the Facebook trace"},
            ParameterSpec{"coalesce",
                          Unit::SECONDS,
                          0.1,
                          0,
                          1e6,
                          "so long after a flow has finished its rate is handed on",
                          "own choice: shorter costs more time than it changes results"}};
}

Baraat::Baraat(const Parameters& parameters)
    : m_heavyBytes(parameters["heavyBytes"] * (1 - 1e-12)),
      m_coalesce(parameters.Time("coalesce"))
{
}

void
Baraat::Count(const AttainedView& view)
{
    const double seconds = static_cast<double>(view.now - m_counted) * 1e-9;
    m_counted = view.now;
    std::set<std::uint32_t> present;
    for (const CoflowRow& row : view.coflows)
    {
        present.insert(row.index);
        Task& task = m_tasks[row.index];
        task.bytes.resize(m_budget.Ports(), 0.0);
        task.rate.resize(m_budget.Ports(), 0.0);
    }
    for (auto place = m_tasks.begin(); place != m_tasks.end();)
    {
        if (present.count(place->first) == 0)
        {
            place = m_tasks.erase(place);
            continue;
        }
        Task& task = place->second;
        for (std::size_t p = 0; p < task.bytes.size(); ++p)
        {
            task.bytes[p] += task.rate[p] * seconds;
            task.rate[p] = 0;
        }
        ++place;
    }
}

void
Baraat::Places(const AttainedView& view)
{
    const std::size_t ports = m_budget.Ports();
    m_place.assign(view.coflows.size() * ports, 0);
    std::vector<std::uint32_t> classStart(ports, UINT32_MAX); // UINT32_MAX: no task yet
    std::vector<std::uint8_t> closed(ports, 0);
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const Task& task = m_tasks.at(view.coflows[r].index);
        for (const PortDemand& d : m_counts.Of(r))
        {
            classStart[d.port] = std::min(classStart[d.port], r);
            m_place[r * ports + d.port] = closed[d.port] ? r : classStart[d.port];
            closed[d.port] = closed[d.port] || task.bytes[d.port] < m_heavyBytes;
        }
    }
}

Nanoseconds
Baraat::NextHeavy(Nanoseconds now) const
{
    double first = INFINITE_TIME;
    for (const auto& [index, task] : m_tasks)
    {
        for (std::size_t p = 0; p < task.bytes.size(); ++p)
        {
            if (task.rate[p] > 0 && task.bytes[p] < m_heavyBytes)
            {
                first = std::min(first, (m_heavyBytes - task.bytes[p]) / task.rate[p]);
            }
        }
    }
    return first < 4e9
               ? now + std::max<Nanoseconds>(1, static_cast<Nanoseconds>(std::ceil(first * 1e9)))
               : NEVER;
}

Decision
Baraat::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_counts.ComputeCounts(view, capacity.ingress.size());
    Count(view);
    Places(view);
    const std::size_t ports = m_budget.Ports();
    m_classOf.resize(view.Positions());
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        for (std::uint32_t f = view.coflows[r].begin; f < view.coflows[r].end; ++f)
        {
            m_classOf[f] = std::max(m_place[r * ports + m_budget.Sending(view.src[f])],
                                    m_place[r * ports + m_budget.Receiving(view.dst[f])]);
        }
    }
    ServeClasses(view, m_classOf, view.coflows.size(), m_budget, m_filler, rates);
    for (const CoflowRow& row : view.coflows)
    {
        Task& task = m_tasks.at(row.index);
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            task.rate[m_budget.Sending(view.src[f])] += rates[f];
            task.rate[m_budget.Receiving(view.dst[f])] += rates[f];
        }
    }
    return {NextHeavy(view.now), false};
}

} // namespace coflow
