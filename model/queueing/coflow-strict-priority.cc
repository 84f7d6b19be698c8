/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-strict-priority.h"

#include <algorithm>

namespace ns3::coflow
{

StrictPriority::StrictPriority(uint32_t bands,
                               const FifoLimits& limits,
                               const DscpBands& bandOfDscp,
                               bool keepOrder)
    : m_bands(bands),
      m_limits(limits),
      m_bandOfDscp(bandOfDscp),
      m_keepOrder(keepOrder)
{
}

uint8_t
StrictPriority::BandOf(const PortItem& item) const
{
    const uint8_t band = m_bandOfDscp[item.dsField >> 2];
    if (!m_keepOrder)
    {
        return band;
    }
    const auto waiting = m_waiting.find(item.flowHash);
    return waiting == m_waiting.end() ? band : std::max(band, waiting->second.band);
}

PortItem*
StrictPriority::Enqueue(PortItem* item)
{
    const uint8_t number = BandOf(*item);
    Band& band = m_bands[number];
    item->next = nullptr;
    ++band.statistics.receivedPackets;
    band.statistics.receivedBytes += item->bytes;
    if (!m_limits.Admits(band.packets, band.bytes, item->bytes))
    {
        ++band.statistics.droppedPackets;
        band.statistics.droppedBytes += item->bytes;
        return item;
    }
    if (m_limits.Marks(band.packets, band.bytes, item->bytes))
    {
        band.statistics.markedPackets += item->ecnCapable;
        item->Mark();
    }
    if (m_keepOrder)
    {
        Waiting& waiting = m_waiting[item->flowHash];
        ++waiting.packets;
        waiting.band = number;
    }
    (band.last ? band.last->next : band.first) = item;
    band.last = item;
    ++band.packets;
    band.bytes += item->bytes;
    return nullptr;
}

void
StrictPriority::Credit(uint8_t dsField, uint64_t packets, uint64_t bytes)
{
    BandStatistics& statistics = m_bands[m_bandOfDscp[dsField >> 2]].statistics;
    statistics.receivedPackets += packets;
    statistics.receivedBytes += bytes;
}

std::vector<BandStatistics>
StrictPriority::GetBandStatistics() const
{
    std::vector<BandStatistics> result;
    for (const Band& band : m_bands)
    {
        BandStatistics s = band.statistics;
        s.sentPackets = s.receivedPackets - s.droppedPackets - band.packets;
        s.sentBytes = s.receivedBytes - s.droppedBytes - band.bytes;
        result.push_back(s);
    }
    return result;
}

PortItem*
StrictPriority::Dequeue()
{
    for (Band& band : m_bands)
    {
        PortItem* item = band.first;
        if (item)
        {
            band.first = item->next;
            if (!band.first)
            {
                band.last = nullptr;
            }
            --band.packets;
            band.bytes -= item->bytes;
            if (m_keepOrder)
            {
                const auto waiting = m_waiting.find(item->flowHash);
                if (--waiting->second.packets == 0)
                {
                    m_waiting.erase(waiting);
                }
            }
            return item;
        }
    }
    return nullptr;
}

} // namespace ns3::coflow
