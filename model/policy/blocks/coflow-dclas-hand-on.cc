/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The half of DclasHosts that hands receivers on.

#include "ns3/coflow-dclas-hosts.h"
#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-next-in-turn.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace coflow
{

void
DclasHosts::EndTelling(const AttainedView& view, const PortIndex& index, bool handOn)
{
    m_anyOff =
        handOn && std::any_of(view.coflows.begin(), view.coflows.end(), [this](const auto& row) {
            return !m_known[row.index].off.empty();
        });
    Collect(view, index.Hosts());
}

void
DclasHosts::Collect(const AttainedView& view, std::size_t hosts)
{
    for (const Pair& pair : m_used)
    {
        m_mark[At(pair)] = 0;
    }
    m_used.clear();
    if (!m_anyOff)
    {
        return;
    }
    m_hosts = hosts;
    m_mark.resize(hosts * hosts, 0);
    std::vector<std::uint8_t> off(hosts, 0);
    for (const CoflowRow& row : view.coflows)
    {
        const Known& known = m_known[row.index];
        for (const HostId to : known.off)
        {
            off[to] = 1;
        }
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const Pair pair(view.src[f], view.dst[f]);
            std::uint8_t& mark = m_mark[At(pair)];
            if (!mark && (!off[pair.second] || known.MaySend(pair.first, pair.second)))
            {
                mark = 1;
                m_used.push_back(pair);
            }
        }
        for (const HostId to : known.off)
        {
            off[to] = 0;
        }
    }
}

void
DclasHosts::HandOn(const AttainedView& view, const PortIndex& index)
{
    if (!m_anyOff)
    {
        return;
    }
    const std::vector<Pair> before = m_used;
    Collect(view, index.Hosts());
    for (const Pair& pair : before)
    {
        if (!m_mark[At(pair)])
        {
            PassOn(view, index, pair);
        }
    }
}

void
DclasHosts::PassOn(const AttainedView& view, const PortIndex& index, const Pair& freed)
{
    const auto [host, to] = freed;
    NextInTurn<std::pair<Rank, std::uint32_t>> next(to, m_policy->AllOrNone());
    std::vector<HostId> receivers;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const Known& known = m_known[view.coflows[r].index];
        if (known.MaySend(host, to))
        {
            continue;
        }
        const PortIndex::Part& part = index.Of(r);
        const auto sender = FindNode(part, true, host);
        if (!sender || !FindNode(part, false, static_cast<HostPort>(m_hosts + to)))
        {
            continue;
        }
        receivers.clear();
        for (const std::uint32_t other : part.Others(*sender))
        {
            receivers.push_back(static_cast<HostId>(part.nodes[other].port - m_hosts));
        }
        if (std::find(receivers.begin(), receivers.end(), to) != receivers.end())
        {
            next.Offer({RankOf(known, part, *sender), r},
                       receivers,
                       [&, from = host](HostId other) { return m_mark[At({from, other})] != 0; });
        }
    }
    if (!next.First())
    {
        return;
    }
    auto& handed = m_known[view.coflows[next.First()->second].index].handed;
    for (const HostId opened : next.Opened())
    {
        const Pair pair(host, opened);
        handed.push_back(pair);
        if (!m_mark[At(pair)])
        {
            m_mark[At(pair)] = 1;
            m_used.push_back(pair);
        }
    }
    std::sort(handed.begin(), handed.end());
    handed.erase(std::unique(handed.begin(), handed.end()), handed.end());
}

} // namespace coflow
