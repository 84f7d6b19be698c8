/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-port-index.h"

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
            Build(view, row, hosts, part);
            part.revision = row.revision;
        }
        m_indices.push_back(row.index);
        m_firstNode.push_back(m_firstNode.back() + part.nodes.size());
    }
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
        // Flows often come by receiver: one addition for all.
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
    for (PortId port : PortsOf(src, dst, hosts))
    {
        Work& work = m_work[port];
        work.node = static_cast<std::uint32_t>(part.nodes.size());
        work.next = end;
        part.nodes.push_back({port, end, end + work.count});
        end += work.count;
        part.senders += port < hosts ? 1 : 0;
        work.count = 0;
    }
    part.entries.resize(end);
    for (std::uint32_t f = 0; f < flows;)
    {
        const std::uint32_t receiver = dst[f];
        Work& out = m_work[hosts + receiver];
        Entry* received = part.entries.data() + out.next;
        for (; f < flows && dst[f] == receiver; ++f)
        {
            Work& in = m_work[src[f]];
            part.entries[in.next++] = {out.node, f};
            *received++ = {in.node, f};
        }
        out.next = static_cast<std::uint32_t>(received - part.entries.data());
    }
}

std::span<const PortId>
PortIndex::PortsOf(std::span<const HostId> src, std::span<const HostId> dst, std::size_t hosts)
{
    m_ports.clear();
    if (src.size() < hosts)
    {
        // Few flows: collect the ports from them.
        for (std::size_t f = 0; f < src.size(); ++f)
        {
            m_ports.push_back(src[f]);
            m_ports.push_back(static_cast<PortId>(hosts + dst[f]));
        }
        std::sort(m_ports.begin(), m_ports.end());
        m_ports.erase(std::unique(m_ports.begin(), m_ports.end()), m_ports.end());
        return m_ports;
    }
    for (std::size_t port = 0; port < m_work.size(); ++port)
    {
        if (m_work[port].count > 0)
        {
            m_ports.push_back(static_cast<PortId>(port));
        }
    }
    return m_ports;
}

} // namespace coflow
