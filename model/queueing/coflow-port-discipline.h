/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_DISCIPLINE_H
#define COFLOW_PORT_DISCIPLINE_H

#include "ns3/coflow-packet-class.h"
#include "ns3/data-rate.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// A packet as a port sees it. A fabric's own packets derive from it.
struct PortItem
{
    // For whoever holds the packet to keep it in order.
    PortItem* next{nullptr};     ///< the one behind it
    PortItem* previous{nullptr}; ///< the one before it
    uint64_t order{0};           ///< its place, by which two are compared

    uint64_t flowHash{0};    ///< of the 5-tuple: names the flow
    PacketClass packetClass; ///< what its host said of it when it left, and ports since

    // What every port looks at, last: a fabric has it in one cache line with its own.
    uint32_t bytes{0};      ///< size of the IPv4 packet
    uint8_t dsField{0};     ///< DS field of the IPv4 header: DSCP in the upper six bits
    bool ecnCapable{false}; ///< whether it may be marked instead of dropped
    bool marked{false};     ///< whether a port has marked it (ECN: congestion experienced)

    /// Marks the packet if it is ECN-capable.
    void Mark()
    {
        marked = marked || ecnCapable;
    }
};

/// What a band of a port's queue has done so far; bytes are those of IPv4 packets. At any time
/// received = sent + dropped + waiting, in packets and in bytes.
struct BandStatistics
{
    uint64_t receivedPackets{0}; ///< packets that came for the band
    uint64_t receivedBytes{0};   ///< bytes of these
    uint64_t sentPackets{0};     ///< packets taken out of it to be put on the wire
    uint64_t sentBytes{0};       ///< bytes of these
    uint64_t droppedPackets{0};  ///< packets for which there was no room
    uint64_t droppedBytes{0};    ///< bytes of these
    uint64_t markedPackets{0};   ///< ECN marks given
};

/// The queue of a port that decides which packet is next when the wire is free: one
/// implementation for all fabrics, which know packets as PortItems. It never owns them.
///
/// First in, first out is not one of these, because its decisions are made at the arrival of a
/// packet (see FifoPorts).
class PortDiscipline
{
  public:
    virtual ~PortDiscipline() = default;

    /// Takes a packet that arrives; it may mark it, refuse it, or give up others for it.
    /// @param item the packet
    /// @return the packets that are dropped, linked by PortItem::next; null: none
    virtual PortItem* Enqueue(PortItem* item) = 0;

    /// @return the packet to be sent next, or null where none waits
    virtual PortItem* Dequeue() = 0;

    /// Brings to the cache what Enqueue() will touch. It comes in stages as that of LightEventKind:
    /// each finds by what the one before has brought.
    /// @param item the packet that will arrive
    /// @param stage 0 or 1
    virtual void PrefetchEnqueue(const PortItem& /* item */, std::size_t /* stage */) const
    {
    }

    /// Brings to the cache what Dequeue() will touch.
    /// @param stage 0 to 2
    virtual void PrefetchDequeue(std::size_t /* stage */) const
    {
    }

    /// Told the rate of the port's wire, before any packet and whenever it changes.
    virtual void SetLinkRate(DataRate)
    {
    }

    /// Counts packets that have passed without being simulated.
    /// @param dsField the DS field of all of them
    /// @param packets how many
    /// @param bytes of all of them, as IPv4 packets
    virtual void Credit(uint8_t /* dsField */, uint64_t /* packets */, uint64_t /* bytes */)
    {
    }

    /// @return what each band has done so far, first band first; empty where there are none
    virtual std::vector<BandStatistics> GetBandStatistics() const
    {
        return {};
    }
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_DISCIPLINE_H
