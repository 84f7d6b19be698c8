/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-table.h"

#include "ns3/coflow-statistics.h"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <type_traits>
#include <utility>

namespace coflow
{

namespace
{

/// @return the sort key of a row
std::tuple<std::uint64_t, Nanoseconds, CoflowId>
PlaceOf(const CoflowRow& row)
{
    return {row.place, row.ready, row.id};
}

} // namespace

CoflowSizes
SizesOf(const Coflow& coflow)
{
    const CoflowStatistics statistics = ComputeStatistics(coflow);
    CoflowSizes sizes;
    sizes.length = statistics.length;
    sizes.total = statistics.size;
    sizes.bottleneck = statistics.bottleneck;
    sizes.attributes = coflow.attributes;
    return sizes;
}

std::uint64_t
FlowTable::NewState()
{
    // All tables of a process share one counter, because a policy may get views of several tables.
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::size_t
FlowTable::Add(const Coflow& coflow,
               std::uint32_t index,
               Nanoseconds ready,
               std::optional<Nanoseconds> start,
               std::uint64_t place)
{
    CoflowSizes sizes = SizesOf(coflow);
    if (coflow.deadline)
    {
        sizes.deadline = start.value_or(ready) + *coflow.deadline;
    }
    CoflowRow row;
    row.id = coflow.id;
    row.index = index;
    row.ready = ready;
    row.place = place;
    row.width = static_cast<std::uint32_t>(coflow.flows.size());
    row.begin = static_cast<std::uint32_t>(m_src.size());
    for (const Flow& flow : coflow.flows)
    {
        if (flow.bytes > 0 && !flow.IsLocal())
        {
            PushFlow({flow.id, flow.src, flow.dst, flow.bytes, static_cast<double>(flow.bytes)},
                     0,
                     NO_PATH);
        }
    }
    row.end = static_cast<std::uint32_t>(m_src.size());
    return Place(row, sizes);
}

void
FlowTable::PushFlow(const TableFlow& flow, double rate, PathNumber path)
{
    m_src.push_back(flow.src);
    m_dst.push_back(flow.dst);
    m_flow.push_back(flow.id);
    m_bytes.push_back(flow.bytes);
    m_remaining.push_back(flow.remaining);
    m_rate.push_back(rate);
    m_path.push_back(path);
}

void
FlowTable::UpdateLongest()
{
    for (CoflowRow& row : m_rows)
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            row.longest = std::max(row.longest, static_cast<double>(m_bytes[f]) - m_remaining[f]);
        }
    }
}

std::size_t
FlowTable::Find(Nanoseconds ready, CoflowId id) const
{
    const auto found =
        std::ranges::lower_bound(m_rows, std::tuple(std::uint64_t{0}, ready, id), {}, PlaceOf);
    return found != m_rows.end() && found->id == id && found->ready == ready
               ? static_cast<std::size_t>(found - m_rows.begin())
               : m_rows.size();
}

std::size_t
FlowTable::Insert(CoflowRow row, const CoflowSizes& sizes, std::span<const TableFlow> flows)
{
    row.begin = static_cast<std::uint32_t>(m_src.size());
    for (const TableFlow& flow : flows)
    {
        PushFlow(flow, 0, NO_PATH);
    }
    row.end = static_cast<std::uint32_t>(m_src.size());
    return Place(row, sizes);
}

std::size_t
FlowTable::Place(const CoflowRow& row, const CoflowSizes& sizes)
{
    const auto place = std::ranges::upper_bound(m_rows, PlaceOf(row), {}, PlaceOf);
    const auto position = place - m_rows.begin();
    m_sizes.insert(m_sizes.begin() + position, sizes);
    m_rows.insert(place, row)->state = NewState();
    return static_cast<std::size_t>(position);
}

void
FlowTable::Append(std::size_t r, const CoflowSizes& sizes, std::span<const TableFlow> flows)
{
    CoflowRow& row = m_rows[r];
    const auto begin = static_cast<std::uint32_t>(m_src.size());
    std::uint32_t old = row.begin;
    auto next = flows.begin();
    while (old < row.end || next != flows.end())
    {
        if (next == flows.end() || (old < row.end && m_flow[old] < next->id))
        {
            PushFlow({m_flow[old], m_src[old], m_dst[old], m_bytes[old], m_remaining[old]},
                     m_rate[old],
                     m_path[old]);
            m_path[old] = NO_PATH;
            m_rate[old++] = 0;
        }
        else
        {
            PushFlow(*next++, 0, NO_PATH);
        }
    }
    m_unused += row.Count();
    row.begin = begin;
    row.end = static_cast<std::uint32_t>(m_src.size());
    ++row.revision;
    row.state = NewState();
    m_sizes[r] = sizes;
}

void
FlowTable::MoveFlows(std::uint32_t begin, std::uint32_t end, std::uint32_t to)
{
    const auto move = [=](auto& values) {
        std::copy(values.begin() + begin, values.begin() + end, values.begin() + to);
    };
    move(m_src);
    move(m_dst);
    move(m_flow);
    move(m_bytes);
    move(m_remaining);
    move(m_rate);
    move(m_path);
}

void
FlowTable::RemoveFinished(std::size_t r, std::span<const std::uint32_t> finished)
{
    CoflowRow& row = m_rows[r];
    std::uint32_t to = finished.empty() ? row.end : finished.front();
    for (std::size_t i = 0; i < finished.size(); ++i)
    {
        // The flows up to the next finished flow are moved by one copy.
        const std::uint32_t from = finished[i] + 1;
        const std::uint32_t end = i + 1 < finished.size() ? finished[i + 1] : row.end;
        MoveFlows(from, end, to);
        to += end - from;
    }
    std::fill(m_rate.begin() + to, m_rate.begin() + row.end, 0.0);
    std::fill(m_path.begin() + to, m_path.begin() + row.end, NO_PATH);
    m_unused += row.end - to;
    row.end = to;
    row.state = NewState();
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
    // A loop over all flows is limited by memory bandwidth, and gaps take memory bandwidth too.
    if (8 * m_unused > m_src.size())
    {
        Compact();
    }
}

void
FlowTable::Compact()
{
    const auto gather = [this](auto& values) {
        auto kept = std::remove_reference_t<decltype(values)>();
        kept.reserve(values.size() - m_unused);
        for (const CoflowRow& row : m_rows)
        {
            kept.insert(kept.end(), values.begin() + row.begin, values.begin() + row.end);
        }
        values = std::move(kept);
    };
    gather(m_src);
    gather(m_dst);
    gather(m_flow);
    gather(m_bytes);
    gather(m_remaining);
    gather(m_rate);
    gather(m_path);
    std::uint32_t to = 0;
    for (CoflowRow& row : m_rows)
    {
        const std::uint32_t count = row.Count();
        row.begin = to;
        to += count;
        row.end = to;
    }
    m_unused = 0;
}

void
FlowTable::RemoveCoflow(std::size_t row)
{
    std::fill(m_rate.begin() + m_rows[row].begin, m_rate.begin() + m_rows[row].end, 0.0);
    std::fill(m_path.begin() + m_rows[row].begin, m_path.begin() + m_rows[row].end, NO_PATH);
    m_unused += m_rows[row].Count();
    m_rows[row].end = m_rows[row].begin;
    RemoveEmpty();
}

std::uint64_t
FlowTable::TakePaths(std::span<const PathNumber> paths)
{
    std::uint64_t moves = 0;
    for (const CoflowRow& row : m_rows)
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (paths[f] != NO_PATH)
            {
                moves += m_path[f] != NO_PATH && m_path[f] != paths[f] ? 1 : 0;
                m_path[f] = paths[f];
            }
        }
    }
    return moves;
}

StructureView
FlowTable::Structure(Nanoseconds now) const
{
    return {now, m_rows, m_src, m_dst, m_flow, m_path};
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
