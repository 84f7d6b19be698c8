/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-baraat.h"

#include "ns3/coflow-baraat-rule.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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
    return Triggers::AddSpecs({BaraatRule::HeavyBytes()});
}

// The margin of 1e-12 is for rounding errors: a task whose bytes reach the limit is heavy.
Baraat::Baraat(const Parameters& parameters)
    : m_heavyBytes(parameters["heavyBytes"] * (1 - 1e-12)),
      m_triggers(Triggers::OfFlows(parameters))
{
}

void
Baraat::Count(const AttainedView& view)
{
    const double seconds = static_cast<double>(view.now - m_counted) * 1e-9;
    m_counted = view.now;
    for (std::uint32_t index : m_present)
    {
        Task& task = m_tasks[index];
        for (const auto& [port, rate] : task.rates)
        {
            task.bytes[port] += rate * seconds;
        }
        task.rates.clear();
        task.present = false;
    }
    std::vector<std::uint32_t> before;
    before.swap(m_present);
    for (const CoflowRow& row : view.coflows)
    {
        m_present.push_back(row.index);
        m_tasks.resize(std::max<std::size_t>(m_tasks.size(), row.index + 1));
        m_tasks[row.index].bytes.resize(m_budget.Ports(), 0.0);
        m_tasks[row.index].present = true;
    }
    for (std::uint32_t index : before)
    {
        if (!m_tasks[index].present)
        {
            m_tasks[index] = Task();
        }
    }
}

void
Baraat::Places(const AttainedView& view)
{
    const std::size_t ports = m_budget.Ports();
    m_place.clear();
    std::vector<BaraatRule::TaskRun> older(ports);
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const Task& task = m_tasks[view.coflows[r].index];
        for (const PortIndex::Node& node : m_index.Of(r).nodes)
        {
            const HostPort port = node.port;
            m_place.push_back(older[port].IsComplete() ? r + 1 : 0);
            const bool heavy = BaraatRule::IsHeavy(task.bytes[port], m_heavyBytes);
            older[port] = older[port] + BaraatRule::TaskRun::Of(heavy);
        }
    }
}

void
Baraat::Serve(const AttainedView& view, std::span<double> rates)
{
    m_classEnd.assign(view.coflows.size() + 2, 0);
    for (std::uint32_t place : m_place)
    {
        ++m_classEnd[place + 1];
    }
    std::partial_sum(m_classEnd.begin(), m_classEnd.end(), m_classEnd.begin());
    m_byClass.resize(m_place.size());
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const auto nodes = static_cast<std::uint32_t>(m_index.Of(r).nodes.size());
        for (std::uint32_t n = 0; n < nodes; ++n)
        {
            m_byClass[m_classEnd[m_place[m_index.FirstNode(r) + n]]++] = {r, n};
        }
    }
    m_filler.Start(view, m_index);
    std::uint32_t next = 0;
    for (std::size_t c = 0; c <= view.coflows.size(); ++c)
    {
        for (; next < m_classEnd[c]; ++next)
        {
            m_filler.Add(m_byClass[next].row, m_byClass[next].node, m_budget);
        }
        m_filler.Fill(m_budget, rates);
    }
}

Nanoseconds
Baraat::Note(const AttainedView& view)
{
    double first = INFINITE_TIME;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        Task& task = m_tasks[view.coflows[r].index];
        const auto& nodes = m_index.Of(r).nodes;
        const auto given = m_filler.NodeRates(r);
        for (std::size_t n = 0; n < nodes.size(); ++n)
        {
            if (given[n] == 0)
            {
                continue;
            }
            const HostPort port = nodes[n].port;
            task.rates.emplace_back(port, given[n]);
            if (!BaraatRule::IsHeavy(task.bytes[port], m_heavyBytes))
            {
                first = std::min(first, (m_heavyBytes - task.bytes[port]) / given[n]);
            }
        }
    }
    return first < 4e9
               ? view.now +
                     std::max<Nanoseconds>(1, static_cast<Nanoseconds>(std::ceil(first * 1e9)))
               : NEVER;
}

Decision
Baraat::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_index.Update(view, capacity.ingress.size());
    Count(view);
    Places(view);
    Serve(view, rates);
    return {Note(view), false};
}

} // namespace coflow
