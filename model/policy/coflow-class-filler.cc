/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-class-filler.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace coflow
{

void
ClassFiller::Start(const StructureView& view, const PortIndex& index)
{
    m_view = &view;
    m_index = &index;
    m_state.assign(index.Nodes(), State::OUT);
    m_count.assign(index.Nodes(), 0);
    m_nodeRate.assign(index.Nodes(), 0.0);
    for (auto& places : m_at)
    {
        places.clear();
    }
    m_new.clear();
}

double
ClassFiller::RowRate(std::size_t row) const
{
    const auto senders = NodeRates(row).first(m_index->Of(row).senders);
    return std::accumulate(senders.begin(), senders.end(), 0.0);
}

void
ClassFiller::Add(std::uint32_t row, std::uint32_t node, const PortBudget& budget)
{
    const PortId port = m_index->Of(row).nodes[node].port;
    if (budget.Exhausted(port))
    {
        return;
    }
    if (m_at.size() < budget.Ports())
    {
        m_at.resize(budget.Ports());
        m_live.resize(budget.Ports(), 0);
    }
    m_state[m_index->FirstNode(row) + node] = State::NEW;
    m_at[port].push_back({row, node});
    m_new.push_back({row, node});
}

void
ClassFiller::AddReceivers(const PortBudget& budget)
{
    for (std::uint32_t r = 0; r < m_view->coflows.size(); ++r)
    {
        const auto nodes = static_cast<std::uint32_t>(m_index->Of(r).nodes.size());
        for (std::uint32_t n = m_index->Of(r).senders; n < nodes; ++n)
        {
            Add(r, n, budget);
        }
    }
}

void
ClassFiller::Count(const Place& place, bool both)
{
    const PortIndex::Part& part = m_index->Of(place.row);
    const std::size_t first = m_index->FirstNode(place.row);
    const State* state = m_state.data() + first;
    std::uint32_t* count = m_count.data() + first;
    std::uint32_t counted = 0;
    for (const PortIndex::Entry& entry : part.At(place.node))
    {
        const State other = state[entry.other];
        const std::uint32_t member = other == State::OLD || (both && other == State::NEW) ? 1 : 0;
        count[entry.other] += member;
        counted += member;
    }
    count[place.node] += counted;
}

void
ClassFiller::EnterRow(std::uint32_t row)
{
    const PortIndex::Part& part = m_index->Of(row);
    const std::size_t first = m_index->FirstNode(row);
    for (std::size_t n = 0; n < part.nodes.size(); ++n)
    {
        if (m_count[first + n] > 0)
        {
            const PortId port = part.nodes[n].port;
            if (m_live[port] == 0)
            {
                m_used.push_back(port);
            }
            m_live[port] += m_count[first + n];
            m_waiting += m_count[first + n];
        }
    }
}

void
ClassFiller::Freeze(PortId port, double level, PortBudget& budget, std::span<double> rates)
{
    for (const Place& place : m_at[port])
    {
        const std::size_t first = m_index->FirstNode(place.row);
        State* state = m_state.data() + first;
        std::uint32_t* count = m_count.data() + first;
        state[place.node] = State::OUT;
        if (count[place.node] == 0)
        {
            continue;
        }
        m_nodeRate[first + place.node] += level * count[place.node];
        m_waiting -= 2 * count[place.node];
        count[place.node] = 0;
        const PortIndex::Part& part = m_index->Of(place.row);
        double* rate = rates.data() + m_view->coflows[place.row].begin;
        for (const PortIndex::Entry& entry : part.At(place.node))
        {
            if (state[entry.other] == State::OUT)
            {
                continue;
            }
            const PortId other = part.nodes[entry.other].port;
            rate[entry.flow] += level;
            --count[entry.other];
            --m_live[other];
            m_nodeRate[first + entry.other] += level;
            budget.Take(other, level);
        }
    }
    m_live[port] = 0;
    m_at[port].clear();
    budget.Take(port, budget.Free(port));
}

void
ClassFiller::Progress(PortBudget& budget, std::span<double> rates)
{
    const auto later = std::greater<Candidate>();
    m_heap.clear();
    for (PortId port : m_used)
    {
        m_heap.emplace_back(budget.Free(port) / m_live[port], port);
    }
    std::make_heap(m_heap.begin(), m_heap.end(), later);
    while (m_waiting > 0)
    {
        const PortId port = m_heap.front().second;
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        m_heap.pop_back();
        if (m_live[port] == 0)
        {
            continue;
        }
        const double level = budget.Free(port) / m_live[port];
        if (m_heap.empty() || level <= m_heap.front().first)
        {
            Freeze(port, level, budget, rates);
            continue;
        }
        m_heap.emplace_back(level, port);
        std::push_heap(m_heap.begin(), m_heap.end(), later);
    }
    // What is left of a port may be nothing without its having been the first to run out.
    for (PortId port : m_used)
    {
        if (budget.Exhausted(port))
        {
            for (const Place& place : m_at[port])
            {
                m_state[m_index->FirstNode(place.row) + place.node] = State::OUT;
            }
            m_at[port].clear();
        }
    }
    m_used.clear();
}

void
ClassFiller::Fill(PortBudget& budget, std::span<double> rates)
{
    if (m_new.empty())
    {
        return;
    }
    for (const Place& place : m_new)
    {
        Count(place, place.node < m_index->Of(place.row).senders);
    }
    // Nodes come by row or by class; a row that comes twice is entered once.
    std::vector<std::uint32_t> rows;
    for (const Place& place : m_new)
    {
        rows.push_back(place.row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (std::uint32_t row : rows)
    {
        EnterRow(row);
    }
    Progress(budget, rates);
    for (const Place& place : m_new)
    {
        State& state = m_state[m_index->FirstNode(place.row) + place.node];
        state = state == State::NEW ? State::OLD : state;
    }
    m_new.clear();
}

void
ClassFiller::FillRow(std::uint32_t row, PortBudget& budget, std::span<double> rates)
{
    const PortIndex::Part& part = m_index->Of(row);
    const auto nodes = static_cast<std::uint32_t>(part.nodes.size());
    const std::size_t first = m_index->FirstNode(row);
    std::uint64_t sending = 0;
    std::uint64_t receiving = 0;
    for (std::uint32_t n = 0; n < nodes; ++n)
    {
        Add(row, n, budget);
        const std::uint32_t flows = m_state[first + n] == State::OUT ? 0 : part.nodes[n].Count();
        (n < part.senders ? sending : receiving) += flows;
    }
    if (sending > 0 && receiving > 0)
    {
        // Every flow is seen from either side; the side with fewer is enough.
        for (const Place& place : m_new)
        {
            if ((place.node < part.senders) == (sending <= receiving))
            {
                Count(place, true);
            }
        }
        EnterRow(row);
        Progress(budget, rates);
    }
    for (const Place& place : m_new)
    {
        m_state[first + place.node] = State::OUT;
        m_at[part.nodes[place.node].port].clear();
    }
    m_new.clear();
}

} // namespace coflow
