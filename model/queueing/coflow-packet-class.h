/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PACKET_CLASS_H
#define COFLOW_PACKET_CLASS_H

#include "ns3/coflow-flow-key.h"

#include <compare>
#include <cstdint>

namespace ns3::coflow
{

/// The meaning of a packet's key.
enum class RateSignal : uint8_t
{
    NONE,    ///< the key is a priority
    REQUEST, ///< the key is a RateRequest, which ports on the way may lower
    ECHO     ///< the key is a RateRequest on its way back, which ports do not change
};

/// The priority of a packet at ports.
struct PacketPriority
{
    static constexpr uint64_t LEAST_URGENT = UINT64_MAX; ///< key of a packet without priority
    static constexpr uint8_t BANDS = 8;                  ///< bands 0 to 7; band 0 is served first
    static constexpr uint8_t NO_BAND = UINT8_MAX;        ///< no band: the socket sets the DS field

    uint64_t key{LEAST_URGENT}; ///< for disciplines with keys; a smaller key is more urgent
    uint8_t band{NO_BAND};      ///< class of service, or NO_BAND
    RateSignal signal{RateSignal::NONE}; ///< meaning of the key

    auto operator<=>(const PacketPriority&) const = default;
};

/// The class of a packet, which its host sets and which travels with the packet: on the fabric
/// express in the frame, on the fabric nodes in a PacketClassTag. The default is best effort.
struct PacketClass
{
    static constexpr ::coflow::CoflowId NO_COFLOW = UINT64_MAX; ///< id where there is no coflow

    FlowKey flow{NO_COFLOW, 0}; ///< flow whose data or acknowledgements the packet carries
    PacketPriority priority;    ///< priority of the packet

    auto operator<=>(const PacketClass&) const = default;
};

/// The DS field of a packet in a band: class selector CS7 for band 0, and CS0 (best effort) for
/// band 7. The default BandMap of StrictPriorityQueueDisc is the same.
/// @param band a band below PacketPriority::BANDS
/// @param dsField present DS field of the packet; its ECN bits are kept
/// @return the DS field
constexpr uint8_t
GetDsFieldOfBand(uint8_t band, uint8_t dsField)
{
    return static_cast<uint8_t>((PacketPriority::BANDS - 1 - band) << 5 | (dsField & 3));
}

} // namespace ns3::coflow

#endif // COFLOW_PACKET_CLASS_H
