/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-class-filler.h"

#include <algorithm>
#include <limits>
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
    m_old.assign(view.coflows.size(), {});
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

bool
ClassFiller::Enter(const Place& place, State state, const PortBudget& budget)
{
    const HostPort port = m_index->Of(place.row).nodes[place.node].port;
    if (budget.Exhausted(port))
    {
        return false;
    }
    if (m_at.size() < budget.Ports())
    {
        m_at.resize(budget.Ports());
        m_live.resize(budget.Ports(), 0);
    }
    m_state[m_index->FirstNode(place.row) + place.node] = state;
    m_at[port].push_back(place);
    return true;
}

void
ClassFiller::Add(std::uint32_t row, std::uint32_t node, const PortBudget& budget)
{
    if (Enter({row, node}, State::NEW, budget))
    {
        m_new.push_back({row, node});
    }
}

void
ClassFiller::AddReceivers(const PortBudget& budget)
{
    for (std::uint32_t r = 0; r < m_view->coflows.size(); ++r)
    {
        const PortIndex::Part& part = m_index->Of(r);
        const auto nodes = static_cast<std::uint32_t>(part.nodes.size());
        for (std::uint32_t n = part.senders; n < nodes; ++n)
        {
            // A class of receivers alone has no flow.
            if (Enter({r, n}, State::OLD, budget))
            {
                m_old[r].receiving += part.nodes[n].Count();
            }
        }
    }
}

ClassFiller::Ends
ClassFiller::EndsAt(std::span<const Place> places) const
{
    const PortIndex::Part& part = m_index->Of(places.front().row);
    Ends ends;
    for (const Place& place : places)
    {
        (place.node < part.senders ? ends.sending : ends.receiving) +=
            part.nodes[place.node].Count();
    }
    return ends;
}

void
ClassFiller::Forget(const Place& place)
{
    State& state = m_state[m_index->FirstNode(place.row) + place.node];
    if (state == State::OLD)
    {
        const PortIndex::Part& part = m_index->Of(place.row);
        Ends& old = m_old[place.row];
        (place.node < part.senders ? old.sending : old.receiving) -= part.nodes[place.node].Count();
    }
    state = State::OUT;
}

void
ClassFiller::CountNode(const PortIndex::Part& part,
                       std::size_t first,
                       std::uint32_t node,
                       bool both)
{
    const State* state = m_state.data() + first;
    std::uint32_t* count = m_count.data() + first;
    std::uint32_t counted = 0;
    for (std::uint32_t other : part.Others(node))
    {
        const std::uint32_t member =
            state[other] == State::OLD || (both && state[other] == State::NEW) ? 1 : 0;
        count[other] += member;
        counted += member;
    }
    count[node] += counted;
}

void
ClassFiller::CountAllBut(const PortIndex::Part& part, std::size_t first)
{
    const State* state = m_state.data() + first;
    std::uint32_t* count = m_count.data() + first;
    const auto nodes = static_cast<std::uint32_t>(part.nodes.size());
    for (std::uint32_t n = 0; n < nodes; ++n)
    {
        count[n] = part.nodes[n].Count();
    }
    for (std::uint32_t n = 0; n < nodes; ++n)
    {
        if (state[n] == State::OUT)
        {
            for (std::uint32_t other : part.Others(n))
            {
                --count[other];
            }
        }
    }
    for (std::uint32_t n = 0; n < nodes; ++n)
    {
        count[n] = state[n] == State::OUT ? 0 : count[n];
    }
}

void
ClassFiller::EnterRow(std::span<const Place> places)
{
    const std::uint32_t row = places.front().row;
    const PortIndex::Part& part = m_index->Of(row);
    const std::size_t first = m_index->FirstNode(row);
    const Ends fresh = EndsAt(places);
    const Ends old = m_old[row];
    const std::uint32_t sending = fresh.sending + old.sending;
    const std::uint32_t receiving = fresh.receiving + old.receiving;
    const std::uint32_t fromNew =
        (receiving > 0 ? fresh.sending : 0) + (old.sending > 0 ? fresh.receiving : 0);
    if (fromNew == 0)
    {
        return;
    }
    // No flow has two old nodes left, so that flows can be counted from where it costs least.
    const std::uint32_t fromOut = 2 * part.flows - sending - receiving;
    const std::uint32_t fromSide = std::min(sending, receiving);
    if (fromOut <= std::min(fromNew, fromSide))
    {
        CountAllBut(part, first);
    }
    else if (fromNew <= fromSide)
    {
        for (const Place& place : places)
        {
            const bool sends = place.node < part.senders;
            if (sends ? receiving > 0 : old.sending > 0)
            {
                CountNode(part, first, place.node, sends);
            }
        }
    }
    else
    {
        const bool sends = sending <= receiving;
        const auto nodes = static_cast<std::uint32_t>(part.nodes.size());
        for (std::uint32_t n = sends ? 0 : part.senders; n < (sends ? part.senders : nodes); ++n)
        {
            if (m_state[first + n] != State::OUT)
            {
                CountNode(part, first, n, true);
            }
        }
    }
    for (std::size_t n = 0; n < part.nodes.size(); ++n)
    {
        if (m_count[first + n] > 0)
        {
            const HostPort port = part.nodes[n].port;
            if (m_live[port] == 0)
            {
                m_used.push_back(port);
            }
            m_live[port] += m_count[first + n];
            m_waiting += m_count[first + n];
        }
    }
}

template <bool FIRST>
void
ClassFiller::Freeze(HostPort port, double level, PortBudget& budget, std::span<double> rates)
{
    std::uint32_t* live = m_live.data();
    double* free = budget.FreeRates().data();
    for (const Place& place : m_at[port])
    {
        const std::size_t first = m_index->FirstNode(place.row);
        const State* state = m_state.data() + first;
        std::uint32_t* count = m_count.data() + first;
        double* nodeRate = m_nodeRate.data() + first;
        Forget(place);
        std::uint32_t left = count[place.node];
        if (left == 0)
        {
            continue;
        }
        nodeRate[place.node] += level * left;
        m_waiting -= 2 * std::uint64_t{left};
        count[place.node] = 0;
        const PortIndex::Part& part = m_index->Of(place.row);
        const PortIndex::Node* nodes = part.nodes.data();
        double* rate = rates.data() + m_view->coflows[place.row].begin;
        part.ForEachAt(place.node, [=, &left](std::uint32_t other, std::uint32_t flow) {
            if (state[other] == State::OUT)
            {
                return true;
            }
            const HostPort end = nodes[other].port;
            // What is not read need not be waited for.
            rate[flow] = FIRST ? level : rate[flow] + level;
            --count[other];
            --live[end];
            nodeRate[other] += level;
            free[end] = std::max(free[end] - level, 0.0);
            return --left > 0;
        });
    }
    m_live[port] = 0;
    m_at[port].clear();
    budget.Take(port, budget.Free(port));
}

void
ClassFiller::SiftDown(std::size_t place)
{
    const Candidate moved = m_heap[place];
    const std::size_t size = m_heap.size();
    for (std::size_t child = 2 * place + 1; child < size; child = 2 * place + 1)
    {
        // Which child is smaller is anybody's guess: no branch.
        child += child + 1 < size && m_heap[child + 1].Before(m_heap[child]) ? 1 : 0;
        if (!m_heap[child].Before(moved))
        {
            break;
        }
        m_heap[place] = m_heap[child];
        place = child;
    }
    m_heap[place] = moved;
}

template <bool FIRST>
void
ClassFiller::Progress(PortBudget& budget, std::span<double> rates)
{
    m_heap.clear();
    for (HostPort port : m_used)
    {
        m_heap.push_back({budget.Free(port) / m_live[port], port});
    }
    for (std::size_t place = m_heap.size() / 2; place-- > 0;)
    {
        SiftDown(place);
    }
    while (m_waiting > 0)
    {
        Candidate& top = m_heap.front();
        const HostPort port = top.port;
        if (m_live[port] > 0)
        {
            const double level = budget.Free(port) / m_live[port];
            double next = std::numeric_limits<double>::infinity();
            for (std::size_t child = 1; child < std::min<std::size_t>(m_heap.size(), 3); ++child)
            {
                next = std::min(next, m_heap[child].level);
            }
            if (level > next)
            {
                top.level = level;
                SiftDown(0);
                continue;
            }
            Freeze<FIRST>(port, level, budget, rates);
        }
        top = m_heap.back();
        m_heap.pop_back();
        if (!m_heap.empty())
        {
            SiftDown(0);
        }
    }
    // What is left of a port may be nothing without its having been the first to run out.
    for (HostPort port : m_used)
    {
        if (budget.Exhausted(port))
        {
            for (const Place& place : m_at[port])
            {
                Forget(place);
            }
            m_at[port].clear();
        }
    }
    m_used.clear();
}

void
ClassFiller::Fill(PortBudget& budget, std::span<double> rates)
{
    for (auto begin = m_new.begin(); begin != m_new.end();)
    {
        const auto end = std::find_if(begin, m_new.end(), [row = begin->row](const Place& place) {
            return place.row != row;
        });
        EnterRow({begin, end});
        begin = end;
    }
    Progress<true>(budget, rates);
    for (const Place& place : m_new)
    {
        const PortIndex::Part& part = m_index->Of(place.row);
        State& state = m_state[m_index->FirstNode(place.row) + place.node];
        if (state == State::NEW)
        {
            state = State::OLD;
            Ends& old = m_old[place.row];
            (place.node < part.senders ? old.sending : old.receiving) +=
                part.nodes[place.node].Count();
        }
    }
    m_new.clear();
}

void
ClassFiller::FillNodes(std::uint32_t row,
                       std::span<const std::uint32_t> nodes,
                       PortBudget& budget,
                       std::span<double> rates)
{
    const PortIndex::Part& part = m_index->Of(row);
    // Most often one side has nothing left, and then there is nothing to do.
    bool sends = false;
    bool receives = false;
    for (std::uint32_t n : nodes)
    {
        const bool free = !budget.Exhausted(part.nodes[n].port);
        sends |= free && n < part.senders;
        receives |= free && n >= part.senders;
    }
    if (!sends || !receives)
    {
        return;
    }
    for (std::uint32_t n : nodes)
    {
        Add(row, n, budget);
    }
    EnterRow(m_new);
    Progress<false>(budget, rates);
    for (const Place& place : m_new)
    {
        m_state[m_index->FirstNode(row) + place.node] = State::OUT;
        m_at[part.nodes[place.node].port].clear();
    }
    m_new.clear();
}

} // namespace coflow
