/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_DISCIPLINE_H
#define COFLOW_PORT_DISCIPLINE_H

#include "ns3/coflow-packet-class.h"
#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3::coflow
{

/// A packet for disciplines and ports. The packets of a fabric derive from this struct.
struct PortItem
{
    PortItem* next{nullptr}; ///< the packet after this one, for the discipline that holds it
    uint64_t flowHash{0};    ///< hash of the 5-tuple, which identifies the flow
    PacketClass packetClass; ///< set by the sending host; ports may change it

    // Every port reads the last fields. A fabric keeps them in one cache line with its own fields.
    uint32_t bytes{0};      ///< size of the IPv4 packet, in bytes
    uint8_t dsField{0};     ///< DS field of the IPv4 header: DSCP in the upper six bits
    uint8_t band{0};        ///< band at the last discipline with bands
    bool ecnCapable{false}; ///< whether a port may mark the packet instead of dropping it
    bool marked{false};     ///< whether a port has marked the packet (ECN)

    /// Marks the packet if it is ECN-capable.
    void Mark()
    {
        marked = marked || ecnCapable;
    }
};

/// A queue discipline. It decides which packet of a port is sent next when the wire is free, and
/// which packets are dropped. All fabrics use the same implementation, with packets as PortItems. A
/// discipline orders packets and does not own them. The port counts packets.
///
/// The discipline first in, first out has no PortDiscipline, because all its decisions are made at
/// the arrival of a packet (see FifoPorts).
class PortDiscipline
{
  public:
    // Reasons of drops in QueueDisc::Stats and in Fabric::GetDrops().
    static constexpr const char* REFUSED_DROP = "Refused by discipline"; ///< an arriving packet
    static constexpr const char* PUSHED_OUT_DROP = "Pushed out by discipline"; ///< a waiting packet

    virtual ~PortDiscipline() = default;

    /// Takes a packet that arrives. The discipline may mark the packet, drop it, or drop other
    /// packets. It sets PortItem::band where it has bands.
    /// @param item the packet
    /// @return the packets that are dropped, linked by PortItem::next; null: none
    virtual PortItem* Enqueue(PortItem* item) = 0;

    /// @return the packet to be sent next; null where no packet waits
    virtual PortItem* Dequeue() = 0;

    /// Sets the rate of the port's wire; called before any packet, and when the rate changes.
    virtual void SetLinkRate(DataRate)
    {
    }

    /// @return number of bands; ports count packets per band. 0: no bands
    virtual uint32_t GetNBands() const
    {
        return 0;
    }

    /// @param item a packet
    /// @return the band that the packet would join now
    virtual uint8_t GetBand(const PortItem& /* item */) const
    {
        return 0;
    }

    /// @return address of a cache line that Dequeue() will read, for a prefetch by the fabric;
    ///         null: unknown
    const void* GetHotAddress() const
    {
        return m_hotAddress;
    }

  protected:
    const void* m_hotAddress{nullptr}; ///< see GetHotAddress()
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_DISCIPLINE_H
