/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WIRE_COUNT_H
#define COFLOW_WIRE_COUNT_H

#include <cstdint>

namespace ns3::coflow
{

/// What connections have sent: all segments, with those that are sent again, acknowledgements and
/// SYNs.
struct WireCount
{
    static constexpr uint32_t IPV4_HEADER_BYTES = 20;

    uint64_t packets{0}; ///< of IPv4
    uint64_t bytes{0};   ///< of these packets, without frames

    /// Counts a packet.
    /// @param tcpBytes of TCP's header and its payload
    void Add(uint32_t tcpBytes)
    {
        ++packets;
        bytes += IPV4_HEADER_BYTES + tcpBytes;
    }

    /// Adds another count.
    WireCount& operator+=(const WireCount& other)
    {
        packets += other.packets;
        bytes += other.bytes;
        return *this;
    }
};

} // namespace ns3::coflow

#endif // COFLOW_WIRE_COUNT_H
