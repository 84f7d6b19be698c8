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
    m_count.assign(2 * hosts, 0);
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
        if (part.flows != row.Count())
        {
            Build(view, row, hosts, part);
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
    m_ports.clear();
    for (std::uint32_t f = 0; f < src.size(); ++f)
    {
        for (const std::size_t port : {std::size_t{src[f]}, hosts + dst[f]})
        {
            if (m_count[port]++ == 0)
            {
                m_ports.push_back(static_cast<PortId>(port));
            }
        }
    }
    std::sort(m_ports.begin(), m_ports.end());
    part.flows = row.Count();
    part.senders = 0;
    part.nodes.clear();
    std::uint32_t end = 0;
    for (PortId port : m_ports)
    {
        const std::uint32_t begin = end;
        end += m_count[port];
        part.senders += port < hosts ? 1 : 0;
        m_count[port] = static_cast<std::uint32_t>(part.nodes.size());
        // The end moves to its place as entries come in.
        part.nodes.push_back({port, begin, begin});
    }
    part.entries.resize(end);
    for (std::uint32_t f = 0; f < src.size(); ++f)
    {
        const std::uint32_t in = m_count[src[f]];
        const std::uint32_t out = m_count[hosts + dst[f]];
        part.entries[part.nodes[in].end++] = {out, f};
        part.entries[part.nodes[out].end++] = {in, f};
    }
    for (PortId port : m_ports)
    {
        m_count[port] = 0;
    }
}

} // namespace coflow
