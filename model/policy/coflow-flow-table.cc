/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-table.h"

#include "ns3/coflow-statistics.h"

#include <algorithm>

namespace coflow
{

CoflowSizes
SizesOf(const Coflow& coflow)
{
    const CoflowStatistics statistics = ComputeStatistics(coflow);
    CoflowSizes sizes;
    sizes.length = statistics.length;
    sizes.total = statistics.size;
    sizes.bottleneck = statistics.bottleneck;
    if (coflow.deadline)
    {
        sizes.deadline = coflow.arrival + *coflow.deadline;
    }
    return sizes;
}

void
FlowTable::Add(const Coflow& coflow, std::uint32_t index, Nanoseconds ready, bool localUsePorts)
{
    CoflowRow row;
    row.id = coflow.id;
    row.index = index;
    row.ready = ready;
    row.width = static_cast<std::uint32_t>(coflow.flows.size());
    row.begin = static_cast<std::uint32_t>(m_src.size());
    for (const Flow& flow : coflow.flows)
    {
        if (flow.bytes > 0 && (localUsePorts || !flow.IsLocal()))
        {
            m_src.push_back(flow.src);
            m_dst.push_back(flow.dst);
            m_flow.push_back(flow.id);
            m_bytes.push_back(flow.bytes);
            m_remaining.push_back(static_cast<double>(flow.bytes));
            m_rate.push_back(0.0);
        }
    }
    row.end = static_cast<std::uint32_t>(m_src.size());
    m_rows.push_back(row);
    m_sizes.push_back(SizesOf(coflow));
}

void
FlowTable::MoveFlow(std::uint32_t from, std::uint32_t to)
{
    m_src[to] = m_src[from];
    m_dst[to] = m_dst[from];
    m_flow[to] = m_flow[from];
    m_bytes[to] = m_bytes[from];
    m_remaining[to] = m_remaining[from];
    m_rate[to] = m_rate[from];
}

void
FlowTable::RemoveFinished(std::size_t r, std::span<const std::uint8_t> finished)
{
    CoflowRow& row = m_rows[r];
    // Flows before the first that has finished stay where they are.
    const auto begin = finished.begin() + row.begin;
    const auto first = std::find_if(begin, finished.begin() + row.end, [](std::uint8_t marked) {
        return marked != 0;
    });
    std::uint32_t to = row.begin + static_cast<std::uint32_t>(first - begin);
    for (std::uint32_t f = to; f < row.end; ++f)
    {
        if (!finished[f])
        {
            MoveFlow(f, to++);
        }
    }
    std::fill(m_rate.begin() + to, m_rate.begin() + row.end, 0.0);
    m_unused += row.end - to;
    row.end = to;
}

void
FlowTable::RemoveEmpty()
{
    std::size_t to = 0;
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        if (m_rows[r].Count() > 0)
        {
            m_rows[to] = m_rows[r];
            m_sizes[to] = m_sizes[r];
            ++to;
        }
    }
    m_rows.resize(to);
    m_sizes.resize(to);
    if (2 * m_unused > m_src.size())
    {
        Compact();
    }
}

void
FlowTable::Compact()
{
    std::uint32_t to = 0;
    for (CoflowRow& row : m_rows)
    {
        const std::uint32_t begin = to;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            MoveFlow(f, to++);
        }
        row.begin = begin;
        row.end = to;
    }
    m_src.resize(to);
    m_dst.resize(to);
    m_flow.resize(to);
    m_bytes.resize(to);
    m_remaining.resize(to);
    m_rate.resize(to);
    m_unused = 0;
}

void
FlowTable::RemoveCoflow(std::size_t row)
{
    std::fill(m_rate.begin() + m_rows[row].begin, m_rate.begin() + m_rows[row].end, 0.0);
    m_unused += m_rows[row].Count();
    m_rows[row].end = m_rows[row].begin;
    RemoveEmpty();
}

StructureView
FlowTable::Structure(Nanoseconds now) const
{
    return {now, m_rows, m_src, m_dst, m_flow};
}

AttainedView
FlowTable::Attained(Nanoseconds now) const
{
    return {Structure(now)};
}

ClairvoyantView
FlowTable::Clairvoyant(Nanoseconds now) const
{
    return {Structure(now), m_sizes, m_bytes, m_remaining};
}

} // namespace coflow
