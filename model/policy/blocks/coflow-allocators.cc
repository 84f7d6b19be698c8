/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-allocators.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace coflow
{

void
PortBudget::Reset(const PortRates& capacity)
{
    m_hosts = static_cast<HostId>(capacity.ingress.size());
    m_capacity.assign(capacity.ingress.begin(), capacity.ingress.end());
    m_capacity.insert(m_capacity.end(), capacity.egress.begin(), capacity.egress.end());
    m_free = m_capacity;
}

void
OpenPorts::Reset(const PortBudget& budget)
{
    m_hosts = budget.Hosts();
    m_open.assign(Words(m_hosts), 0);
    m_isOpen.resize(2 * m_hosts);
    for (HostPort port = 0; port < 2 * m_hosts; ++port)
    {
        Look(port, budget);
    }
}

bool
OpenPorts::HasAll(std::span<const std::uint64_t> set) const
{
    std::uint64_t missing = 0;
    for (std::size_t w = 0; w < set.size(); ++w)
    {
        missing |= set[w] & ~m_open[w];
    }
    return missing == 0;
}

bool
OpenPorts::HasPair(std::span<const std::uint64_t> set) const
{
    const std::size_t half = set.size() / 2;
    std::uint64_t sending = 0;
    std::uint64_t receiving = 0;
    for (std::size_t w = 0; w < half; ++w)
    {
        sending |= set[w] & m_open[w];
        receiving |= set[half + w] & m_open[half + w];
    }
    return sending != 0 && receiving != 0;
}

template <class Amount, class Sum>
void
CoflowLoads::AddUp(const StructureView& view,
                   const CoflowRow& row,
                   Amount amount,
                   std::vector<Sum>& sums,
                   Row& kept)
{
    const std::size_t nHosts = Hosts();
    sums.resize(2 * nHosts, 0);
    const auto add = [&](std::span<const HostId> hosts, Sum* sum) {
        // Where the flows of a host follow each other, a sum is not stored before it is complete.
        const bool runs = row.Count() > 1 && hosts[row.begin] == hosts[row.begin + 1];
        for (std::uint32_t f = row.begin; f < row.end && !runs; ++f)
        {
            sum[hosts[f]] += amount(f);
        }
        for (std::uint32_t f = row.begin; f < row.end && runs;)
        {
            const HostId host = hosts[f];
            Sum ofHost = sum[host];
            for (; f < row.end && hosts[f] == host; ++f)
            {
                ofHost += amount(f);
            }
            sum[host] = ofHost;
        }
    };
    add(view.src, sums.data());
    add(view.dst, sums.data() + nHosts);
    const State flows(row.Count(), row.revision);
    if (std::exchange(kept.flows, flows) == flows)
    {
        for (PortDemand& d : kept.loads)
        {
            d.load = static_cast<double>(std::exchange(sums[d.port], 0));
        }
        return;
    }
    kept.loads.clear();
    kept.ports.assign(OpenPorts::Words(Hosts()), 0);
    const auto collect = [&](std::size_t index) {
        if (sums[index] > 0)
        {
            const auto port = static_cast<HostPort>(index);
            kept.loads.push_back({port, static_cast<double>(std::exchange(sums[index], 0))});
            OpenPorts::Insert(kept.ports, Hosts(), port);
        }
    };
    if (row.Count() < nHosts)
    {
        // Few flows: collect the ports from them.
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            collect(view.src[f]);
            collect(nHosts + view.dst[f]);
        }
    }
    for (std::size_t port = 0; port < sums.size() && row.Count() >= nHosts; ++port)
    {
        collect(port);
    }
}

template <class StateOf, class Amount, class Sum>
void
CoflowLoads::Update(const StructureView& view,
                    const PortRates& capacity,
                    StateOf stateOf,
                    Amount amount,
                    std::vector<Sum>& sums)
{
    PortBudget whole;
    whole.Reset(capacity);
    if (whole != m_whole)
    {
        m_rows.clear();
        m_whole = std::move(whole);
    }
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        // Rows keep their order, so rows before the coflow's row belong to coflows that are gone.
        const CoflowRow& row = view.coflows[r];
        const auto at = m_rows.begin() + static_cast<std::ptrdiff_t>(r);
        const auto same = std::ranges::find(at, m_rows.end(), row.index, &Row::index);
        if (same == m_rows.end())
        {
            m_rows.insert(at, Row{row.index, {}, {}, {}, 0, {}});
        }
        else
        {
            m_rows.erase(at, same);
        }
        const State state = stateOf(row);
        Row& kept = m_rows[r];
        if (kept.state != state || state == State())
        {
            kept.state = state;
            AddUp(view, row, amount, sums, kept);
            kept.gamma = Gamma(kept.loads, m_whole);
        }
    }
    m_rows.resize(view.coflows.size());
}

void
CoflowLoads::ComputeBytes(const ClairvoyantView& view, const PortRates& capacity)
{
    Update(
        view,
        capacity,
        [](const CoflowRow& row) { return State(0, row.state); },
        [&view](std::uint32_t f) { return view.remaining[f]; },
        m_bytes);
}

void
CoflowLoads::ComputeCounts(const StructureView& view, const PortRates& capacity)
{
    Update(
        view,
        capacity,
        [](const CoflowRow& row) { return State(row.Count(), row.revision); },
        [](std::uint32_t) { return 1U; },
        m_counts);
}

double
Gamma(std::span<const PortDemand> loads, const PortBudget& budget)
{
    double gamma = 0;
    for (const PortDemand& l : loads)
    {
        if (l.load > 0)
        {
            if (budget.Exhausted(l.port))
            {
                return INFINITE_TIME;
            }
            gamma = std::max(gamma, l.load / budget.Free(l.port));
        }
    }
    return gamma;
}

void
Madd(const CoflowRow& row,
     std::span<const double> remaining,
     std::span<const PortDemand> loads,
     double duration,
     PortBudget& budget,
     std::span<double> rates)
{
    const double perByte = 1 / duration;
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        rates[f] += remaining[f] * perByte;
    }
    for (const PortDemand& l : loads)
    {
        budget.Take(l.port, l.load * perByte);
    }
}

double
TakeAll(HostId src, HostId dst, PortBudget& budget)
{
    if (!budget.Open(src, dst))
    {
        return 0;
    }
    const double rate =
        std::min(budget.Free(budget.Sending(src)), budget.Free(budget.Receiving(dst)));
    budget.Take(src, dst, rate);
    return rate;
}

double
WaterLevel(std::span<double> demands, double rate)
{
    const double equal = rate / static_cast<double>(demands.size());
    if (std::ranges::all_of(demands, [equal](double d) { return d > equal; }))
    {
        return demands.empty() ? INFINITE_TIME : equal;
    }
    // Only the demands below the level are needed in order: a heap gives them one by one.
    const auto later = std::greater<double>();
    std::ranges::make_heap(demands, later);
    double left = rate;
    for (auto end = demands.end(); end != demands.begin(); --end)
    {
        const double level = left / static_cast<double>(end - demands.begin());
        if (demands.front() > level)
        {
            return level;
        }
        left -= demands.front();
        std::pop_heap(demands.begin(), end, later);
    }
    return INFINITE_TIME;
}

void
MaxMinFiller::Add(std::uint32_t flow,
                  HostId src,
                  HostId dst,
                  double weight,
                  const PortBudget& budget)
{
    const std::array<HostPort, 2> ports{budget.Sending(src), budget.Receiving(dst)};
    Add(flow, ports, weight, budget);
}

void
MaxMinFiller::Add(std::uint32_t flow,
                  std::span<const HostPort> limits,
                  double weight,
                  const PortBudget& budget)
{
    for (HostPort port : limits)
    {
        if (budget.Exhausted(port))
        {
            return;
        }
    }
    if (m_slot.size() < budget.Ports())
    {
        m_slot.resize(budget.Ports(), 0);
    }
    Member member{flow, {}, static_cast<std::uint8_t>(limits.size()), true, weight};
    for (std::size_t i = 0; i < limits.size(); ++i)
    {
        member.slots[i] = Join(limits[i], weight);
    }
    m_members.push_back(member);
}

void
MaxMinFiller::AddOpen(std::uint32_t flow,
                      HostPort sending,
                      HostPort receiving,
                      double weight,
                      const PortBudget& budget)
{
    if (m_slot.size() < budget.Ports())
    {
        m_slot.resize(budget.Ports(), 0);
    }
    const std::uint32_t first = Join(sending, weight);
    m_members.push_back({flow, {first, Join(receiving, weight)}, 2, true, weight});
}

std::uint32_t
MaxMinFiller::Join(HostPort port, double weight)
{
    if (m_slot[port] == 0)
    {
        m_ports.push_back({port, 0.0, 0, 0, 0});
        m_slot[port] = static_cast<std::uint32_t>(m_ports.size());
    }
    const std::uint32_t slot = m_slot[port] - 1;
    m_ports[slot].weight += weight;
    ++m_ports[slot].count;
    return slot;
}

void
MaxMinFiller::Index()
{
    std::uint32_t begin = 0;
    for (Port& port : m_ports)
    {
        port.begin = begin;
        begin += port.count;
    }
    m_byPort.resize(begin);
    for (std::uint32_t m = 0; m < m_members.size(); ++m)
    {
        for (const std::uint32_t slot : m_members[m].Slots())
        {
            Port& used = m_ports[slot];
            m_byPort[used.begin + used.live++] = m;
        }
    }
}

void
MaxMinFiller::Freeze(std::uint32_t slot, double level, PortBudget& budget, std::span<double> rates)
{
    const Port port = m_ports[slot];
    for (std::uint32_t i = port.begin; i < port.begin + port.count; ++i)
    {
        Member& member = m_members[m_byPort[i]];
        if (!member.live)
        {
            continue;
        }
        member.live = false;
        --m_waiting;
        double rate = member.weight * level;
        for (const std::uint32_t s : member.Slots())
        {
            rate = std::min(rate, budget.Free(m_ports[s].port));
        }
        rates[member.flow] += rate;
        for (const std::uint32_t s : member.Slots())
        {
            Port& used = m_ports[s];
            budget.Take(used.port, rate);
            used.weight -= member.weight;
            --used.live;
        }
    }
}

void
MaxMinFiller::Fill(PortBudget& budget, std::span<double> rates)
{
    Index();
    m_waiting = m_members.size();
    const auto later = std::greater<Level>();
    m_heap.clear();
    for (std::uint32_t slot = 0; slot < m_ports.size(); ++slot)
    {
        m_heap.push_back({budget.Free(m_ports[slot].port) / m_ports[slot].weight, slot});
    }
    std::ranges::make_heap(m_heap, later);
    while (m_waiting > 0)
    {
        const std::uint32_t slot = m_heap.front().second;
        std::ranges::pop_heap(m_heap, later);
        m_heap.pop_back();
        Port& port = m_ports[slot];
        if (port.live == 0)
        {
            continue;
        }
        // The running sum has lost digits to members that left; the level that counts is exact.
        port.weight = 0;
        for (std::uint32_t i = port.begin; i < port.begin + port.count; ++i)
        {
            const Member& member = m_members[m_byPort[i]];
            port.weight += member.live ? member.weight : 0.0;
        }
        const double level = budget.Free(port.port) / port.weight;
        if (m_heap.empty() || level <= m_heap.front().first)
        {
            Freeze(slot, level, budget, rates);
            continue;
        }
        m_heap.push_back({level, slot});
        std::ranges::push_heap(m_heap, later);
    }
    for (const Port& port : m_ports)
    {
        m_slot[port.port] = 0;
    }
    m_members.clear();
    m_ports.clear();
}

void
Backfill(const StructureView& view,
         std::span<const double> weights,
         std::span<const std::uint32_t> order,
         const CoflowLoads& loads,
         PortBudget& budget,
         MaxMinFiller& filler,
         std::span<double> rates)
{
    OpenPorts open;
    open.Reset(budget);
    for (std::uint32_t r : order)
    {
        if (!open.HasPair(loads.PortsOf(r)))
        {
            continue;
        }
        const CoflowRow& row = view.coflows[r];
        bool any = false;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const HostPort from = budget.Sending(view.src[f]);
            const HostPort to = budget.Receiving(view.dst[f]);
            if (open.Has(from) & open.Has(to))
            {
                filler.AddOpen(f, from, to, weights.empty() ? 1.0 : weights[f], budget);
                any = true;
            }
        }
        if (!any)
        {
            continue;
        }
        filler.Fill(budget, rates);
        for (const PortDemand& d : loads.Of(r))
        {
            open.Look(d.port, budget);
        }
    }
}

} // namespace coflow
