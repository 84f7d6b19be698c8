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

/// A packet as a port sees it. A fabric's own packets derive from it.
struct PortItem
{
    PortItem* next{nullptr}; ///< the one behind it, for the discipline that holds it
    uint64_t flowHash{0};    ///< of the 5-tuple: names the flow
    PacketClass packetClass; ///< set by its host when it left; ports may change it

    // What every port looks at, last: a fabric has it in one cache line with its own.
    uint32_t bytes{0};      ///< size of the IPv4 packet
    uint8_t dsField{0};     ///< DS field of the IPv4 header: DSCP in the upper six bits
    uint8_t band{0};        ///< the band that it joined at the last discipline with bands
    bool ecnCapable{false}; ///< whether it may be marked instead of dropped
    bool marked{false};     ///< whether a port has marked it (ECN: congestion experienced)

    /// Marks the packet if it is ECN-capable.
    void Mark()
    {
        marked = marked || ecnCapable;
    }
};

/// A queue discipline: it decides which packet of a port is sent next when the wire is free, and
/// which are dropped. One implementation serves all fabrics, which show packets as PortItems. A
/// discipline orders packets and never owns them; the port counts what passes.
///
/// First in, first out is not one of these, because its decisions are made at the arrival of a
/// packet (see FifoPorts).
class PortDiscipline
{
  public:
    // Why packets are dropped, in QueueDisc::Stats and in Fabric::GetDrops().
    static constexpr const char* REFUSED_DROP = "Refused by discipline";       ///< on arrival
    static constexpr const char* PUSHED_OUT_DROP = "Pushed out by discipline"; ///< later

    virtual ~PortDiscipline() = default;

    /// Takes a packet that arrives; it may mark it, refuse it, or give up others for it. Sets
    /// PortItem::band where there are bands.
    /// @param item the packet
    /// @return the packets that are dropped, linked by PortItem::next; null: none
    virtual PortItem* Enqueue(PortItem* item) = 0;

    /// @return the packet to be sent next, or null where none waits
    virtual PortItem* Dequeue() = 0;

    /// Says the rate of the port's wire; called before any packet and whenever the rate changes.
    virtual void SetLinkRate(DataRate)
    {
    }

    /// @return number of bands, whose packets ports count apart; 0: it has none
    virtual uint32_t GetNBands() const
    {
        return 0;
    }

    /// @param item a packet
    /// @return the band that it would join now
    virtual uint8_t GetBand(const PortItem& /* item */) const
    {
        return 0;
    }

    /// @return address of what Dequeue() will look at, a cache line, which a fabric may bring to
    /// the
    ///         cache before; null: unknown
    const void* GetHotAddress() const
    {
        return m_hotAddress;
    }

  protected:
    const void* m_hotAddress{nullptr}; ///< see GetHotAddress()
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_DISCIPLINE_H
