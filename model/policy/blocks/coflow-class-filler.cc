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
    // Flows at an exhausted port get nothing, in this class and in all that follow.
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
    // m_old counts old nodes only. A new node gets into it at the end of its class, if it is still
    // there.
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
    // No branch on the state: which of the others take part has no pattern. A flow is counted at
    // both its nodes, for either port may be the one at which it is frozen.
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
    // All flows of the row, less those that have a node which is out. Where few nodes are out this
    // looks at few flows.
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
    // A node that is out has lost the flows to other nodes that are out, but not the rest.
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
    // A flow belongs to the class if both its nodes take part and one of them is new. It has one
    // end on each side, so that all such flows are found from the new nodes, from one side alone,
    // or as what is left when the flows at the other nodes are taken away. The numbers of ends say
    // which of the three looks at the fewest flows.
    const std::uint32_t sending = fresh.sending + old.sending;
    const std::uint32_t receiving = fresh.receiving + old.receiving;
    const std::uint32_t fromNew =
        (receiving > 0 ? fresh.sending : 0) + (old.sending > 0 ? fresh.receiving : 0);
    if (fromNew == 0)
    {
        return;
    }
    // The last two ways also count flows between two old nodes, but none of these is left: it was
    // served in the class of the later node, one of its ports was exhausted by that, and the node
    // there is out.
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
            // Flows between two new nodes are counted once, from their senders.
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
    // This is the inner loop of aalo, graviton, dcas and baraat: raw pointers, since the compiler
    // cannot know that writing a rate changes none of the arrays' addresses.
    std::uint32_t* live = m_live.data();
    double* free = budget.FreeRates().data();
    for (const Place& place : m_at[port])
    {
        const std::size_t first = m_index->FirstNode(place.row);
        const State* state = m_state.data() + first;
        std::uint32_t* count = m_count.data() + first;
        double* nodeRate = m_nodeRate.data() + first;
        // The port is exhausted. Its node leaves first, so that a flow is found once only: from
        // here.
        Forget(place);
        std::uint32_t left = count[place.node];
        if (left == 0)
        {
            continue;
        }
        // All flows of the node that wait are frozen, and each counts at both its ends.
        nodeRate[place.node] += level * left;
        m_waiting -= 2 * std::uint64_t{left};
        count[place.node] = 0;
        const PortIndex::Part& part = m_index->Of(place.row);
        const PortIndex::Node* nodes = part.nodes.data();
        double* rate = rates.data() + m_view->coflows[place.row].begin;
        part.ForEachAt(place.node, [=, &left](std::uint32_t other, std::uint32_t flow) {
            // A flow whose other node is out has its rate already, or has none.
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
    // The rates add up to what was free but for rounding, which must not leave anything.
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
    // Progressive filling: the port at which every flow gets least is exhausted first, its flows
    // are frozen at that rate, and the others go on with what is left.
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
            // What the heap knows of the port is from before others were frozen. Levels only grow
            // by that, so that the top is right if its true level is not above the next one's.
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
        // The top is done: the last candidate takes its place.
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
    // The new nodes of a row follow each other.
    for (auto begin = m_new.begin(); begin != m_new.end();)
    {
        const auto end = std::find_if(begin, m_new.end(), [row = begin->row](const Place& place) {
            return place.row != row;
        });
        EnterRow({begin, end});
        begin = end;
    }
    Progress<true>(budget, rates);
    // New nodes whose ports have rate left are old ones to the classes that follow.
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
    // These nodes are no class: others that are served like this may have the same ones.
    for (const Place& place : m_new)
    {
        m_state[m_index->FirstNode(row) + place.node] = State::OUT;
        m_at[part.nodes[place.node].port].clear();
    }
    m_new.clear();
}

} // namespace coflow
