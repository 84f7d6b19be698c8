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
    // Flows at an exhausted port get no rate in this class and in all later classes.
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
            // A class with only receiving nodes has no flow, so the nodes are OLD at once.
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
    // m_old counts only nodes that are OLD. Fill() adds a new node at the end of its class, unless
    // the node is OUT by then.
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
    // A flow is counted at both its nodes, because the flow may be frozen at either port. `member`
    // is added as a number, 0 or 1, because the processor could not predict a branch here.
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
    // Begins with all flows of the row, and subtracts the flows with a node that is OUT. If few
    // nodes are OUT, this visits few flows.
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
    // The loop has subtracted at nodes that are OUT only their flows to other nodes that are OUT.
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
    // A flow belongs to the class if both its nodes take part (a sending and a receiving node) and
    // at least one of the two is NEW. There are three ways to count these flows:
    // 1. from the new nodes: visit each flow of each new node;
    // 2. from one side: visit each flow of all sending (or of all receiving) nodes that take part;
    // 3. from the nodes that are OUT: begin with all flows of the coflow, and subtract the flows
    //    with a node that is OUT.
    // All three ways give the same counts. The numbers of flow ends, which are known without a
    // visit to a flow, determine the way with the fewest visits.
    const std::uint32_t sending = fresh.sending + old.sending;
    const std::uint32_t receiving = fresh.receiving + old.receiving;
    // Flows of new senders are visited if any receiver takes part. New receivers are visited only
    // for flows from old senders, because their flows from new senders are found at the senders.
    const std::uint32_t fromNew =
        (receiving > 0 ? fresh.sending : 0) + (old.sending > 0 ? fresh.receiving : 0);
    if (fromNew == 0)
    {
        return;
    }
    // Ways 2 and 3 would also count flows between two nodes that are OLD. There are no such flows:
    // each was served in an earlier class, until one of its ports was exhausted, and the node at an
    // exhausted port is OUT. Every flow has two ends, so this is the number of ends at nodes that
    // are OUT:
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
            // Flows between two new nodes are counted once, at their senders.
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
    // The counts of the coflow's nodes are added per port, over all coflows of the class. A port
    // with its first flow is added to m_used for Progress().
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
    // All flows of the class at this port that have no rate yet get `level`, and no longer compete
    // at their other ports. This is the inner loop of aalo, graviton, dcas and baraat. The loop
    // uses raw pointers: the compiler cannot know that the store of a rate leaves the addresses of
    // the arrays unchanged, and would load the addresses again after every store.
    std::uint32_t* live = m_live.data();
    double* free = budget.FreeRates().data();
    for (const Place& place : m_at[port])
    {
        const std::size_t first = m_index->FirstNode(place.row);
        const State* state = m_state.data() + first;
        std::uint32_t* count = m_count.data() + first;
        double* nodeRate = m_nodeRate.data() + first;
        // The port will be exhausted, so its node is OUT from now on. The state is set before the
        // visits to the flows, so that a later call for a flow's other port does not find the flow
        // again.
        Forget(place);
        std::uint32_t left = count[place.node];
        if (left == 0)
        {
            continue;
        }
        // All flows of the node without a rate get their rate now. Each of these flows was counted
        // twice in m_waiting, once at each end.
        nodeRate[place.node] += level * left;
        m_waiting -= 2 * std::uint64_t{left};
        count[place.node] = 0;
        const PortIndex::Part& part = m_index->Of(place.row);
        const PortIndex::Node* nodes = part.nodes.data();
        double* rate = rates.data() + m_view->coflows[place.row].begin;
        part.ForEachAt(place.node, [=, &left](std::uint32_t other, std::uint32_t flow) {
            // A flow whose other node is OUT has its rate already, or gets no rate.
            if (state[other] == State::OUT)
            {
                return true;
            }
            const HostPort end = nodes[other].port;
            // FIRST: no flow of the class has a rate before, so the old value is not loaded from
            // memory.
            rate[flow] = FIRST ? level : rate[flow] + level;
            --count[other];
            --live[end];
            nodeRate[other] += level;
            free[end] = std::max(free[end] - level, 0.0);
            // False ends the loop: all flows without a rate at this node were found.
            return --left > 0;
        });
    }
    m_live[port] = 0;
    m_at[port].clear();
    // The sum of the rates is the free rate, except for rounding errors. The rest is also taken, so
    // that the port is exhausted for later classes.
    budget.Take(port, budget.Free(port));
}

void
ClassFiller::SiftDown(std::size_t place)
{
    const Candidate moved = m_heap[place];
    const std::size_t size = m_heap.size();
    for (std::size_t child = 2 * place + 1; child < size; child = 2 * place + 1)
    {
        // The smaller child moves up. The child is computed as a number, without a branch, because
        // the processor could not predict the branch.
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
    // Progressive filling: the rates of all flows of the class rise together from 0. The first port
    // to be exhausted is the port with the smallest level, its free rate divided by its number of
    // flows. The flows at this port keep this rate (they are frozen), and flows at other ports rise
    // further. The heap has the port with the smallest level on top.
    m_heap.clear();
    for (HostPort port : m_used)
    {
        m_heap.push_back({budget.Free(port) / m_live[port], port});
    }
    // Floyd's method makes a heap of an array: from the last inner node to the root.
    for (std::size_t place = m_heap.size() / 2; place-- > 0;)
    {
        SiftDown(place);
    }
    while (m_waiting > 0) // some flow of the class has no rate yet
    {
        Candidate& top = m_heap.front();
        const HostPort port = top.port;
        if (m_live[port] > 0)
        {
            // The level in the heap may be old: the freezing of flows at other ports has changed
            // the free rate and the number of flows of this port. The level of a port can only
            // grow, because the frozen flows take the smallest level of all, which is at most their
            // share here. So levels in the heap are never too large. The top is the right port if
            // its present level is not above the level of the next port, which is one of its
            // children.
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
        // The top has no flow left to freeze. The last entry takes its position in the heap.
        top = m_heap.back();
        m_heap.pop_back();
        if (!m_heap.empty())
        {
            SiftDown(0);
        }
    }
    // A port may also be exhausted by flows that were frozen at their other ports. The nodes of
    // such a port are OUT for later classes, too.
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
    // First the flows of all coflows of the class are counted. Then all coflows are served
    // together, because they compete for the ports. Add() was called row by row, so the new nodes
    // of a row are contiguous.
    for (auto begin = m_new.begin(); begin != m_new.end();)
    {
        const auto end = std::find_if(begin, m_new.end(), [row = begin->row](const Place& place) {
            return place.row != row;
        });
        EnterRow({begin, end});
        begin = end;
    }
    Progress<true>(budget, rates);
    // New nodes whose ports have a free rate are OLD for later classes.
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
    // A flow needs a sending and a receiving port with a free rate. In most calls one side has no
    // such port, and the call has no effect.
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
    // These nodes are no class and do not become OLD, because the next call may have the same nodes
    // or ports. So all state of this call is removed.
    for (const Place& place : m_new)
    {
        m_state[m_index->FirstNode(row) + place.node] = State::OUT;
        m_at[part.nodes[place.node].port].clear();
    }
    m_new.clear();
}

} // namespace coflow
