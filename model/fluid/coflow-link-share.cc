/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-link-share.h"

#include <algorithm>
#include <functional>

namespace coflow
{

namespace
{

constexpr std::uint8_t UNKNOWN = UINT8_MAX;

/// Relative error by which rounding may raise a sum of rates.
constexpr double EPSILON = 1e-9;

/// A different hash for every flow, for the choice of paths.
std::uint64_t
HashOf(CoflowId coflow, FlowId flow)
{
    return coflow * 0x9e3779b97f4a7c15U + (std::uint64_t{flow} + 1) * 0xbf58476d1ce4e5b9U;
}

} // namespace

LinkShare::Demand
LinkShare::DemandOf(const Policy& policy)
{
    if (policy.GetControl() == Control::CENTRAL)
    {
        return Demand::GRANTED;
    }
    // Under equal sharing, hosts do not limit the rates of flows.
    const FluidForm form = policy.GetForm();
    const auto* sharing = std::get_if<SharingForm>(&form);
    const bool equal =
        sharing && !sharing->sizeWeights && sharing->levels == SharingForm::Levels::MAX_MIN;
    return equal ? Demand::WITHOUT_LIMIT : Demand::GRANTED_FIRST;
}

LinkShare::LinkShare(const FluidRun& run, const PathMap& paths, Demand demand)
    : m_run(run),
      m_map(paths),
      m_demand(demand),
      m_hosts(static_cast<std::uint32_t>(run.Capacity().ingress.size())),
      m_paths(run.FlowCount(), FabricPath{.count = UNKNOWN})
{
    const PortRates& ports = run.Capacity();
    m_capacity.assign(ports.ingress.begin(), ports.ingress.end());
    m_capacity.insert(m_capacity.end(), ports.egress.begin(), ports.egress.end());
    m_capacity.insert(m_capacity.end(), paths.Rates().begin(), paths.Rates().end());
}

void
LinkShare::TakePaths(const FlowTable& table)
{
    for (const CoflowRow& row : table.Rows())
    {
        const std::size_t first = m_run.FirstFlow(row.index);
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (table.Paths()[f] != NO_PATH)
            {
                m_paths[first + table.FlowIds()[f]] =
                    m_map.Between(table.Src()[f], table.Dst()[f])[table.Paths()[f] - 1];
            }
        }
    }
}

void
LinkShare::FindPath(const Member& member, CoflowId coflow, FlowId flow)
{
    FabricPath& path = m_paths[member.number];
    if (path.count == UNKNOWN)
    {
        path = m_map.OfHash(member.src, member.dst, HashOf(coflow, flow));
    }
}

void
LinkShare::Collect(const FlowTable& table, std::span<const FlowState> others)
{
    const PortRates& ports = m_run.Capacity();
    const auto most = [&ports](HostId src, HostId dst) {
        return std::min(ports.ingress[src], ports.egress[dst]);
    };
    m_members.clear();
    for (const CoflowRow& row : table.Rows())
    {
        const std::size_t first = m_run.FirstFlow(row.index);
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const HostId src = table.Src()[f];
            const HostId dst = table.Dst()[f];
            const double demand =
                m_demand == Demand::WITHOUT_LIMIT ? most(src, dst) : table.Rates()[f];
            m_members.push_back({.number = static_cast<std::uint32_t>(first + table.FlowIds()[f]),
                                 .src = src,
                                 .dst = dst,
                                 .demand = demand,
                                 .remaining = table.Remaining()[f]});
            FindPath(m_members.back(), row.id, table.FlowIds()[f]);
        }
    }
    for (const FlowState& flow : others)
    {
        m_members.push_back(
            {.number = static_cast<std::uint32_t>(m_run.FirstFlow(flow.coflow) + flow.flow),
             .src = flow.src,
             .dst = flow.dst,
             .demand = most(flow.src, flow.dst),
             .remaining = flow.remaining});
        FindPath(m_members.back(), m_run.At(flow.coflow).id, flow.flow);
    }
}

void
LinkShare::Index()
{
    m_load.assign(m_capacity.size(), 0.0);
    for (const Member& member : m_members)
    {
        ForEachLink(member, [&](std::uint32_t link) { m_load[link] += member.demand; });
    }
    m_live.assign(m_capacity.size(), 0);
    m_byDemand.clear();
    for (std::uint32_t m = 0; m < m_members.size(); ++m)
    {
        Member& member = m_members[m];
        bool exceeded = false;
        if (member.demand > 0)
        {
            ForEachLink(member, [&](std::uint32_t link) {
                exceeded |= m_load[link] > m_free[link] + EPSILON * m_capacity[link];
            });
        }
        member.live = exceeded;
        member.shares |= exceeded;
        if (exceeded)
        {
            m_byDemand.push_back(m);
            ForEachLink(member, [&](std::uint32_t link) { ++m_live[link]; });
        }
    }
    std::ranges::sort(m_byDemand, [this](std::uint32_t a, std::uint32_t b) {
        return std::pair(m_members[a].demand, a) < std::pair(m_members[b].demand, b);
    });
    m_begin.assign(m_capacity.size() + 1, 0);
    for (std::size_t link = 0; link < m_capacity.size(); ++link)
    {
        m_begin[link + 1] = m_begin[link] + m_live[link];
    }
    m_byLink.resize(m_begin.back());
    std::vector<std::uint32_t> end(m_begin.begin(), m_begin.end() - 1);
    for (const std::uint32_t m : m_byDemand)
    {
        ForEachLink(m_members[m], [&](std::uint32_t link) { m_byLink[end[link]++] = m; });
    }
}

void
LinkShare::Freeze(Member& member, double rate)
{
    ForEachLink(member, [&](std::uint32_t link) { rate = std::min(rate, m_free[link]); });
    member.live = false;
    member.rate += rate;
    ForEachLink(member, [&](std::uint32_t link) {
        m_free[link] -= rate;
        --m_live[link];
    });
}

void
LinkShare::Fill()
{
    Index();
    for (Member& member : m_members)
    {
        if (!member.live && member.demand > 0)
        {
            member.rate += member.demand;
            ForEachLink(member, [&](std::uint32_t link) {
                m_free[link] = std::max(m_free[link] - member.demand, 0.0);
            });
        }
    }
    // Progressive filling: the level of all members rises until a member has its demand, or until a
    // port or link is full. A level in the heap may be too low, because members that have their
    // demand leave capacity to the others.
    const auto later = std::greater<Level>();
    m_heap.clear();
    for (std::uint32_t link = 0; link < m_capacity.size(); ++link)
    {
        if (m_live[link] > 0)
        {
            m_heap.emplace_back(m_free[link] / m_live[link], link);
        }
    }
    std::ranges::make_heap(m_heap, later);
    std::size_t next = 0;
    while (true)
    {
        while (next < m_byDemand.size() && !m_members[m_byDemand[next]].live)
        {
            ++next;
        }
        if (next == m_byDemand.size())
        {
            return;
        }
        const auto [known, link] = m_heap.front();
        Member& least = m_members[m_byDemand[next]];
        if (least.demand <= known)
        {
            Freeze(least, least.demand);
            continue;
        }
        std::ranges::pop_heap(m_heap, later);
        m_heap.pop_back();
        if (m_live[link] == 0)
        {
            continue;
        }
        const double level = m_free[link] / m_live[link];
        if (level > known)
        {
            m_heap.emplace_back(level, link);
            std::ranges::push_heap(m_heap, later);
            continue;
        }
        for (std::uint32_t i = m_begin[link]; i < m_begin[link + 1]; ++i)
        {
            if (m_members[m_byLink[i]].live)
            {
                Freeze(m_members[m_byLink[i]], level);
            }
        }
    }
}

bool
LinkShare::Share(FlowTable& table, std::span<FlowState> others, Nanoseconds now)
{
    Collect(table, others);
    m_free = m_capacity;
    Fill();
    if (m_demand == Demand::GRANTED_FIRST)
    {
        for (Member& member : m_members)
        {
            member.demand =
                std::max(member.demand,
                         std::min(m_capacity[member.src], m_capacity[m_hosts + member.dst])) -
                member.rate;
        }
        Fill();
    }
    m_next = NEVER;
    bool changed = false;
    const auto rates = table.Rates();
    const std::size_t scheduled = m_members.size() - others.size();
    auto member = m_members.begin();
    for (const CoflowRow& row : table.Rows())
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f, ++member)
        {
            changed |= rates[f] != member->rate;
            rates[f] = member->rate;
            if (member->shares)
            {
                m_next = std::min(m_next, TimeAfter(now, member->remaining, member->rate));
            }
        }
    }
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        others[i].rate = m_members[scheduled + i].rate;
        m_next = std::min(m_next, TimeAfter(now, others[i].remaining, others[i].rate));
    }
    return changed;
}

} // namespace coflow
