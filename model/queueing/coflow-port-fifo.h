/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_FIFO_H
#define COFLOW_PORT_FIFO_H

#include "ns3/coflow-port-discipline.h"

#include <cstdint>

namespace ns3::coflow
{

/// A queue of packets for disciplines, first in, first out. The packets are linked by
/// PortItem::next, and belong to the port.
class PortFifo
{
  public:
    /// @return whether no packet waits
    bool IsEmpty() const
    {
        return m_first == nullptr;
    }

    /// @return number of packets
    uint32_t GetPackets() const
    {
        return m_packets;
    }

    /// @return number of bytes
    uint32_t GetBytes() const
    {
        return m_bytes;
    }

    /// Adds a packet at the end.
    /// @param item the packet
    void Push(PortItem* item)
    {
        item->next = nullptr;
        (m_last ? m_last->next : m_first) = item;
        m_last = item;
        ++m_packets;
        m_bytes += item->bytes;
    }

    /// Removes the first packet; only where a packet waits.
    /// @return the packet
    PortItem* Pop()
    {
        PortItem* item = m_first;
        m_first = item->next;
        m_last = m_first ? m_last : nullptr;
        --m_packets;
        m_bytes -= item->bytes;
        return item;
    }

  private:
    PortItem* m_first{nullptr};
    PortItem* m_last{nullptr};
    uint32_t m_packets{0};
    uint32_t m_bytes{0};
};

} // namespace ns3::coflow

#endif // COFLOW_PORT_FIFO_H
