/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BAND_COUNTERS_H
#define COFLOW_BAND_COUNTERS_H

#include "ns3/coflow-port-discipline.h"

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Counters of a band of a port's queue. Bytes are bytes of IPv4 packets. At any time received =
/// sent + dropped + waiting, in packets and in bytes.
struct BandStatistics
{
    uint64_t receivedPackets{0}; ///< packets that arrived for the band
    uint64_t receivedBytes{0};   ///< bytes of the received packets
    uint64_t sentPackets{0};     ///< packets taken out of the band to be sent
    uint64_t sentBytes{0};       ///< bytes of the sent packets
    uint64_t droppedPackets{0};  ///< packets that were dropped
    uint64_t droppedBytes{0};    ///< bytes of the dropped packets
    uint64_t markedPackets{0};   ///< packets that the port has marked (ECN)

    bool operator==(const BandStatistics&) const = default;
};

/// Counts packets of a port by band. The discipline has set PortItem::band.
class BandCounters
{
  public:
    /// @param bands PortDiscipline::GetNBands()
    explicit BandCounters(uint32_t bands = 0)
        : m_bands(bands)
    {
    }

    /// Counts a packet that has arrived at the port, dropped or not.
    /// @param item the packet
    /// @param isMarked whether the port has marked the packet
    void CountArrival(const PortItem& item, bool isMarked)
    {
        if (!m_bands.empty())
        {
            BandStatistics& band = m_bands[item.band];
            ++band.receivedPackets;
            band.receivedBytes += item.bytes;
            band.markedPackets += isMarked;
        }
    }

    /// Counts a packet that the port has dropped.
    void CountDrop(const PortItem& item)
    {
        if (!m_bands.empty())
        {
            ++m_bands[item.band].droppedPackets;
            m_bands[item.band].droppedBytes += item.bytes;
        }
    }

    /// Counts a packet that was taken out of the queue to be sent.
    void CountSent(const PortItem& item)
    {
        if (!m_bands.empty())
        {
            ++m_bands[item.band].sentPackets;
            m_bands[item.band].sentBytes += item.bytes;
        }
    }

    /// Counts packets that have passed the port in a time jump, without a simulation of each
    /// packet.
    /// @param number number of the band
    /// @param packets number of packets
    /// @param bytes sum of their bytes
    void CountPassed(uint8_t number, uint64_t packets, uint64_t bytes)
    {
        if (!m_bands.empty())
        {
            BandStatistics& band = m_bands[number];
            band.receivedPackets += packets;
            band.receivedBytes += bytes;
            band.sentPackets += packets;
            band.sentBytes += bytes;
        }
    }

    /// @return counters by band; empty where there are no bands
    const std::vector<BandStatistics>& Get() const
    {
        return m_bands;
    }

  private:
    std::vector<BandStatistics> m_bands;
};

} // namespace ns3::coflow

#endif // COFLOW_BAND_COUNTERS_H
