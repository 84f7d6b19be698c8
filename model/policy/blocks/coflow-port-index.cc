/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-port-index.h"

#include <numeric>

namespace coflow
{

void
PortIndex::Update(const StructureView& view, std::size_t hosts)
{
    ++m_updates;
    m_work.assign(2 * hosts, {});
    std::vector<std::uint32_t> before;
    before.swap(m_indices);
    m_firstNode.assign(1, 0);
    m_changed = false;
    for (const CoflowRow& row : view.coflows)
    {
        if (row.index >= m_parts.size())
        {
            m_parts.resize(row.index + 1);
        }
        Part& part = m_parts[row.index];
        part.seen = m_updates;
        if (part.flows != row.Count() || part.revision != row.revision)
        {
            m_changed = true;
            if (part.revision != row.revision || !Shrink(view, row, part))
            {
                Build(view, row, hosts, part);
                part.revision = row.revision;
            }
        }
        m_indices.push_back(row.index);
        m_firstNode.push_back(m_firstNode.back() + part.nodes.size());
    }
    m_changed |= before != m_indices;
    for (std::uint32_t index : before)
    {
        if (m_parts[index].seen != m_updates)
        {
            m_parts[index] = Part();
        }
    }
}

void
PortIndex::Build(const StructureView& view, const CoflowRow& row, std::size_t hosts, Part& part)
{
    const auto src = view.src.subspan(row.begin, row.Count());
    const auto dst = view.dst.subspan(row.begin, row.Count());
    const auto flows = static_cast<std::uint32_t>(src.size());
    for (std::uint32_t f = 0; f < flows; ++f)
    {
        ++m_work[src[f]].count;
    }
    for (std::uint32_t f = 0; f < flows;)
    {
        // Flows are often sorted by receiver: one addition counts all flows of a receiver.
        const std::uint32_t begin = f;
        for (++f; f < flows && dst[f] == dst[begin];)
        {
            ++f;
        }
        m_work[hosts + dst[begin]].count += f - begin;
    }
    part.flows = flows;
    part.senders = 0;
    part.nodes.clear();
    std::uint32_t end = 0;
    for (HostPort port : PortsOf(src, dst, hosts))
    {
        Work& work = m_work[port];
        work.node = static_cast<std::uint32_t>(part.nodes.size());
        work.next = end;
        part.nodes.push_back({port, end, end + work.count});
        end += work.count;
        part.senders += port < hosts ? 1 : 0;
        work.count = 0;
    }
    const auto ids = view.flow.subspan(row.begin, row.Count());
    part.ids.assign(ids.begin(), ids.end());
    part.others.resize(end);
    const bool byReceiver = std::ranges::is_sorted(dst);
    part.places.resize(byReceiver ? flows : end);
    for (std::uint32_t f = 0; f < flows;)
    {
        const std::uint32_t receiver = dst[f];
        Work& out = m_work[hosts + receiver];
        for (; f < flows && dst[f] == receiver; ++f)
        {
            Work& in = m_work[src[f]];
            part.others[in.next] = out.node;
            part.places[in.next++] = f;
            part.others[out.next] = in.node;
            if (!byReceiver)
            {
                part.places[out.next] = f;
            }
            ++out.next;
        }
    }
    part.firstReceived = flows;
    part.now.resize(flows);
    std::iota(part.now.begin(), part.now.end(), 0);
    part.first = part.now;
}

bool
PortIndex::Shrink(const StructureView& view, const CoflowRow& row, Part& part)
{
    if (part.flows < row.Count() || !part.ByReceiver())
    {
        return false;
    }
    // The present flows are a subsequence of the former flows.
    const auto ids = view.flow.subspan(row.begin, row.Count());
    std::uint32_t* received = part.others.data() + part.firstReceived;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    for (std::uint32_t n = part.senders; n < part.nodes.size(); ++n)
    {
        Node& node = part.nodes[n];
        const std::uint32_t begin = to;
        for (const std::uint32_t end = node.end - part.firstReceived; from < end; ++from)
        {
            const std::uint32_t run = from;
            const auto most = std::min<std::size_t>(end - from, ids.size() - to);
            from += static_cast<std::uint32_t>(
                std::mismatch(ids.begin() + to, ids.begin() + to + most, part.ids.begin() + from)
                    .first -
                (ids.begin() + to));
            if (to < run)
            {
                std::copy(received + run, received + from, received + to);
                std::copy(part.first.begin() + run,
                          part.first.begin() + from,
                          part.first.begin() + to);
            }
            to += from - run;
            if (from < end && !RemoveAtSender(part, received[from], part.first[from]))
            {
                return false;
            }
        }
        from = node.end - part.firstReceived;
        if (to == begin)
        {
            // A removed node would change the numbers of other nodes.
            return false;
        }
        node.begin = part.firstReceived + begin;
        node.end = part.firstReceived + to;
    }
    if (to < ids.size())
    {
        return false;
    }
    part.flows = to;
    part.first.resize(to);
    part.others.resize(part.firstReceived + to);
    part.ids.assign(ids.begin(), ids.end());
    for (std::uint32_t f = 0; f < to; ++f)
    {
        part.now[part.first[f]] = f;
    }
    return true;
}

bool
PortIndex::RemoveAtSender(Part& part, std::uint32_t n, std::uint32_t place)
{
    Node& node = part.nodes[n];
    const auto end = part.places.begin() + node.end;
    const auto found = std::lower_bound(part.places.begin() + node.begin, end, place);
    const auto other = part.others.begin() + (found - part.places.begin());
    std::copy(found + 1, end, found);
    std::copy(other + 1, part.others.begin() + node.end, other);
    --node.end;
    return node.Count() > 0;
}

std::span<const HostPort>
PortIndex::PortsOf(std::span<const HostId> src, std::span<const HostId> dst, std::size_t hosts)
{
    m_ports.clear();
    if (src.size() < hosts)
    {
        // With few flows, the ports are collected from the flows.
        for (std::size_t f = 0; f < src.size(); ++f)
        {
            m_ports.push_back(src[f]);
            m_ports.push_back(static_cast<HostPort>(hosts + dst[f]));
        }
        std::ranges::sort(m_ports);
        m_ports.erase(std::unique(m_ports.begin(), m_ports.end()), m_ports.end());
        return m_ports;
    }
    for (std::size_t port = 0; port < m_work.size(); ++port)
    {
        if (m_work[port].count > 0)
        {
            m_ports.push_back(static_cast<HostPort>(port));
        }
    }
    return m_ports;
}

} // namespace coflow
