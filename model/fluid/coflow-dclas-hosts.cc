/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dclas-hosts.h"

#include "ns3/coflow-next-in-turn.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace coflow
{

std::optional<std::uint32_t>
DclasHosts::FindNode(const PortIndex::Part& part, bool sends, HostPort port)
{
    const auto begin = part.nodes.begin() + (sends ? 0 : part.senders);
    const auto end = sends ? part.nodes.begin() + part.senders : part.nodes.end();
    const auto found =
        std::lower_bound(begin, end, port, [](const PortIndex::Node& node, HostPort wanted) {
            return node.port < wanted;
        });
    if (found == end || found->port != port)
    {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(found - part.nodes.begin());
}

bool
DclasHosts::Known::MaySend(HostId from, HostId to) const
{
    return !std::ranges::binary_search(off, to) ||
           std::ranges::binary_search(handed, Pair(from, to));
}

bool
DclasHosts::Advance(const AttainedView& view, const PortIndex& index)
{
    const Nanoseconds delta = m_policy->Delta();
    ++m_calls;
    const Nanoseconds tick = view.now / delta * delta;
    // The coordinator has decided since the last call if a multiple of its period lies in between.
    const bool decided = tick > m_last;
    const double since = decided ? static_cast<double>(view.now - tick) : 0;
    const double passed = std::max<double>(1, static_cast<double>(view.now - m_last));
    bool fallen = false;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        m_known.resize(std::max<std::size_t>(m_known.size(), row.index + 1));
        Known& known = m_known[row.index];
        if (!known.seen)
        {
            known.seen = true;
            known.sent = row.sent;
            known.told = row.sent;
        }
        known.lastSeen = m_calls;
        // A flow may have finished since the last call, so that a host has sent less than its rate
        // times the time. The bytes that all hosts have sent are known. They are divided in
        // proportion to the rates.
        const double grown = row.sent - known.sent;
        double rate = 0;
        for (const Part& part : known.parts)
        {
            rate += part.rate;
        }
        for (Part& part : known.parts)
        {
            const double sent = rate > 0 ? grown * part.rate / rate : 0;
            part.own = decided ? sent * since / passed : part.own + sent;
        }
        if (decided)
        {
            known.told = row.sent - grown * since / passed;
            const int queue = m_policy->QueueAfter(known.queue, known.told);
            fallen = fallen || queue != known.queue;
            known.queue = queue;
        }
        known.sent = row.sent;
        Update(known, index.Of(r));
    }
    for (const std::uint32_t i : m_present)
    {
        if (m_known[i].lastSeen != m_calls)
        {
            m_known[i] = Known();
            m_known[i].seen = true;
        }
    }
    m_present.clear();
    for (const CoflowRow& row : view.coflows)
    {
        m_present.push_back(row.index);
    }
    m_last = view.now;
    return fallen;
}

void
DclasHosts::Update(Known& known, const PortIndex::Part& part) const
{
    const auto same = [&] {
        for (std::uint32_t n = 0; n < part.senders; ++n)
        {
            if (known.parts[n].host != part.nodes[n].port)
            {
                return false;
            }
        }
        return true;
    };
    if (known.parts.size() != part.senders || !same())
    {
        std::vector<Part> parts;
        auto old = known.parts.begin();
        for (std::uint32_t n = 0; n < part.senders; ++n)
        {
            const HostId host = part.nodes[n].port;
            while (old != known.parts.end() && old->host < host)
            {
                ++old;
            }
            const bool was = old != known.parts.end() && old->host == host;
            parts.push_back(was ? *old : Part{host});
        }
        known.parts = std::move(parts);
    }
    for (Part& each : known.parts)
    {
        each.queue = std::max(each.queue, known.queue);
        if (m_policy->LocalEstimate())
        {
            each.queue = m_policy->QueueAfter(each.queue, known.told + each.own);
        }
    }
}

void
DclasHosts::TakeDecision(const AttainedView& view,
                         const PortIndex& index,
                         std::uint32_t row,
                         bool promoted,
                         std::span<const std::uint8_t> open)
{
    const PortIndex::Part& part = index.Of(row);
    Known& known = m_known[view.coflows[row].index];
    known.promoted = promoted;
    known.width = part.Receivers();
    known.off.clear();
    known.handed.clear();
    for (std::size_t n = 0; n < open.size(); ++n)
    {
        if (!open[n])
        {
            known.off.push_back(
                static_cast<HostId>(part.nodes[part.senders + n].port - index.Hosts()));
        }
    }
}

bool
DclasHosts::Agree(const AttainedView& view) const
{
    return std::ranges::all_of(view.coflows, [this](const CoflowRow& row) {
        const Known& known = m_known[row.index];
        return std::ranges::all_of(known.parts,
                                   [&](const Part& part) { return part.queue == known.queue; });
    });
}

DclasHosts::Rank
DclasHosts::RankOf(const Known& known, const PortIndex::Part& part, std::uint32_t node) const
{
    std::uint32_t width = known.width;
    if (!known.promoted && width == 0)
    {
        const auto others = part.Others(node);
        std::vector<std::uint32_t> receivers(others.begin(), others.end());
        std::ranges::sort(receivers);
        width = static_cast<std::uint32_t>(std::unique(receivers.begin(), receivers.end()) -
                                           receivers.begin());
    }
    return m_policy->RankOf(known.promoted, known.parts[node].queue, width);
}

void
DclasHosts::AddGroups(const AttainedView& view, const PortIndex& index, QueueSharing& sharing) const
{
    std::vector<std::uint32_t> open;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const Known& known = m_known[view.coflows[r].index];
        const PortIndex::Part& part = index.Of(r);
        open.clear();
        for (auto n = part.senders; n < part.nodes.size(); ++n)
        {
            const auto to = static_cast<HostId>(part.nodes[n].port - index.Hosts());
            if (!std::ranges::binary_search(known.off, to))
            {
                open.push_back(n);
            }
        }
        // Senders at which the coflow has the same rank are one group.
        Rank last;
        for (std::uint32_t n = 0; n < part.senders && !open.empty();)
        {
            last = RankOf(known, part, n);
            sharing.AddGroup(last, r);
            for (; n < part.senders && RankOf(known, part, n) == last; ++n)
            {
                sharing.AddNode(n);
            }
            for (const std::uint32_t receiver : open)
            {
                sharing.AddNode(receiver);
            }
        }
        // The pairs that a host has reassigned are a group of this host.
        HostId host = 0;
        bool any = false;
        for (const auto& [from, to] : known.handed)
        {
            const auto sender = FindNode(part, true, from);
            const auto receiver = FindNode(part, false, static_cast<HostPort>(index.Hosts() + to));
            if (!sender || !receiver)
            {
                continue;
            }
            if (!any || from != host)
            {
                sharing.AddGroup(RankOf(known, part, *sender), r);
                sharing.AddNode(*sender);
            }
            host = from;
            any = true;
            sharing.AddNode(*receiver);
        }
    }
}

void
DclasHosts::NoteRates(const AttainedView& view, const PortIndex& index, const QueueSharing& sharing)
{
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        auto& parts = m_known[view.coflows[r].index].parts;
        const auto rates = sharing.NodeRates(r);
        for (std::uint32_t n = 0; n < index.Of(r).senders; ++n)
        {
            parts[n].rate = rates[n];
        }
    }
}

Nanoseconds
DclasHosts::NextFall(const CoflowRow& row, Nanoseconds now) const
{
    const Nanoseconds delta = m_policy->Delta();
    const Known& known = m_known[row.index];
    double rate = 0;
    for (const Part& part : known.parts)
    {
        rate += part.rate;
    }
    if (rate <= 0 || m_policy->IsLast(known.queue))
    {
        return NEVER;
    }
    const auto tickFrom = [delta](Nanoseconds time) {
        return time == NEVER ? NEVER : (time + delta - 1) / delta * delta;
    };
    // The coordinator moves the coflow down at the first multiple of its period at which the sum
    // has reached the threshold.
    const Nanoseconds crossed =
        row.sent >= m_policy->Threshold(known.queue)
            ? now + 1
            : DclasPolicy::After(now, m_policy->Threshold(known.queue) - row.sent, rate);
    Nanoseconds next = tickFrom(crossed);
    if (!m_policy->LocalEstimate())
    {
        return next;
    }
    const Nanoseconds nextTick = (now / delta + 1) * delta;
    for (const Part& part : known.parts)
    {
        if (m_policy->IsLast(part.queue) || part.rate <= 0)
        {
            continue;
        }
        const double limit = m_policy->Threshold(part.queue);
        // The time by the last sum from the coordinator, and by the host's own bytes.
        const Nanoseconds soon = DclasPolicy::After(now, limit - known.told - part.own, part.rate);
        if (soon <= nextTick)
        {
            next = std::min(next, soon);
            continue;
        }
        // The time by the last sum that the host will get before the sum reaches the threshold.
        const Nanoseconds crosses =
            row.sent >= limit ? nextTick : DclasPolicy::After(now, limit - row.sent, rate);
        if (crosses == NEVER || crosses <= nextTick)
        {
            next = std::min(next, crosses == NEVER ? NEVER : nextTick);
            continue;
        }
        const Nanoseconds tick = crosses / delta * delta;
        const double told = row.sent + rate * static_cast<double>(tick - now) * 1e-9;
        next =
            std::min({next, DclasPolicy::After(tick, limit - told, part.rate), tickFrom(crosses)});
    }
    return next;
}

void
DclasHosts::EndDecision(const AttainedView& view, const PortIndex& index, bool reassign)
{
    m_anyOff = reassign && std::ranges::any_of(view.coflows, [this](const auto& row) {
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
DclasHosts::ReassignReceivers(const AttainedView& view, const PortIndex& index)
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
            Reassign(view, index, pair);
        }
    }
}

void
DclasHosts::Reassign(const AttainedView& view, const PortIndex& index, const Pair& freed)
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
        if (std::ranges::find(receivers, to) != receivers.end())
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
    std::ranges::sort(handed);
    handed.erase(std::unique(handed.begin(), handed.end()), handed.end());
}

} // namespace coflow
