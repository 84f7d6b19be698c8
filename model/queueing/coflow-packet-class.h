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

/// What the key of a packet is, if not an order.
enum class RateSignal : uint8_t
{
    NONE,    ///< it is an order
    REQUEST, ///< a RateRequest: ports on the way may lower it
    ECHO     ///< a RateRequest on its way back: ports let it pass
};

/// What ports order packets by.
struct PacketPriority
{
    static constexpr uint64_t LEAST_URGENT = UINT64_MAX; ///< key of a packet that has none
    static constexpr uint8_t BANDS = 8;                  ///< bands 0, the first served, to 7
    static constexpr uint8_t NO_BAND = UINT8_MAX;        ///< the DS field is the socket's

    uint64_t key{LEAST_URGENT}; ///< smaller is more urgent; compared by disciplines with keys
    uint8_t band{NO_BAND};      ///< class of service, or NO_BAND
    RateSignal signal{RateSignal::NONE}; ///< whether the key is something else

    auto operator<=>(const PacketPriority&) const = default;
};

/// What a host knows of a packet that it sends, and what travels with the packet: on the express
/// fabric in its frame, on the nodes fabric in a PacketClassTag. The default is best effort.
struct PacketClass
{
    static constexpr ::coflow::CoflowId NO_COFLOW = UINT64_MAX; ///< of no coflow

    FlowKey flow{NO_COFLOW, 0}; ///< the flow whose data, or acknowledgements of it, this is
    PacketPriority priority;    ///< how urgent it is

    auto operator<=>(const PacketClass&) const = default;
};

/// The DS field of a packet in a band: class selector CS7 is band 0, CS0 (best effort) band 7,
/// which is what StrictPriorityQueueDisc takes it for unless told otherwise.
/// @param band a band below PacketPriority::BANDS
/// @param dsField the packet's DS field so far, of which the ECN bits are kept
constexpr uint8_t
GetDsFieldOfBand(uint8_t band, uint8_t dsField)
{
    return static_cast<uint8_t>((PacketPriority::BANDS - 1 - band) << 5 | (dsField & 3));
}

} // namespace ns3::coflow

#endif // COFLOW_PACKET_CLASS_H
