/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-rate-table.h"

#include "ns3/coflow-source-connection.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

uint32_t
RateTable::Add(SourceFlow& flow, uint32_t node)
{
    uint32_t row = GetSize();
    if (m_free.empty())
    {
        m_rows.emplace_back();
        m_bytesPerNs.push_back(0);
        m_advanced.push_back(0);
    }
    else
    {
        row = m_free.back();
        m_free.pop_back();
        m_bytesPerNs[row] = 0;
        m_advanced[row] = 0;
    }
    Row& added = m_rows[row];
    added.flow = &flow;
    added.node = node;
    added.flows += 1;
    added.ends = 1;
    added.latest = Time();
    m_numbers[flow.key] = row;
    return row;
}

uint32_t
RateTable::Join(const FlowKey& key, SinkConnection& sink)
{
    const auto found = m_numbers.find(key);
    if (found == m_numbers.end())
    {
        return NONE;
    }
    Row& row = m_rows[found->second];
    row.sink = &sink;
    row.ends += 1;
    return found->second;
}

void
RateTable::LeaveSource(uint32_t row)
{
    if (m_listener)
    {
        m_listener->NotifyEnded(row);
    }
    SetRate(row, 0);
    m_numbers.erase(m_rows[row].flow->key);
    m_rows[row].flow = nullptr;
    Leave(row);
}

void
RateTable::LeaveSink(uint32_t row, const SinkConnection& sink)
{
    if (m_rows[row].sink == &sink)
    {
        m_rows[row].sink = nullptr;
    }
    Leave(row);
}

void
RateTable::Leave(uint32_t row)
{
    m_rows[row].ends -= 1;
    if (m_rows[row].ends == 0)
    {
        m_free.push_back(row);
    }
}

void
RateTable::SetRate(uint32_t row, uint64_t bitsPerSecond)
{
    constexpr double BIT_NANOSECONDS_PER_BYTE = 8e9;
    m_rows[row].latest = GetLatest(row);
    m_bytesPerNs[row] = static_cast<double>(bitsPerSecond) / BIT_NANOSECONDS_PER_BYTE;
}

void
RateTable::Touch(uint32_t row)
{
    if (m_listener)
    {
        m_listener->NotifyChanged(row);
    }
}

bool
RateTable::EndsWithoutPackets(uint32_t row)
{
    return m_listener && m_listener->EndsWithoutPackets(row);
}

void
RateTable::Advance(int64_t duration)
{
    const auto steps = static_cast<double>(duration);
    const std::size_t n = m_bytesPerNs.size();
    for (std::size_t row = 0; row < n; ++row)
    {
        m_advanced[row] += m_bytesPerNs[row] * steps;
    }
    m_latest = Simulator::Now();
}

} // namespace ns3::coflow
