/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_BACKLOG_H
#define COFLOW_CONTROL_BACKLOG_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <list>

namespace ns3::coflow
{

/// Frames of messages that wait for space in a connection's send buffer, first in, first out. A
/// message that renews an earlier message of its type replaces that message. So a sender with more
/// messages than the connection can carry is late by the bytes in flight only, and not by all its
/// messages.
class ControlBacklog
{
  public:
    /// Adds a message.
    /// @param frame frame of the message
    /// @param messageType number of the message type
    /// @param renews whether the message replaces an earlier message that was added with the same
    ///        flag and has not begun to leave
    /// @return bytes of the replaced message; 0: none
    uint32_t Add(const Ptr<Packet>& frame, uint16_t messageType, bool renews);

    /// @param messageType number of a message type
    /// @return whether a message of this type, or a part of one, waits
    bool Has(uint16_t messageType) const;

    /// @return whether there is no frame
    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    /// @return the first frame
    const Ptr<Packet>& Front() const
    {
        return m_entries.front().frame;
    }

    /// @return whether a later message may replace the message of the first frame
    bool MayFrontBeRenewed() const
    {
        return m_entries.front().whole;
    }

    /// Removes the first frame, which has left.
    void PopFront();

    /// Removes a part of the first frame, which has left.
    /// @param bytes bytes of the part, fewer than the frame has
    void TrimFront(uint32_t bytes);

    /// Removes all frames.
    void Clear();

  private:
    /// A frame.
    struct Entry
    {
        Ptr<Packet> frame; ///< bytes to be sent
        uint16_t type{0};  ///< type of its message
        bool whole{false}; ///< the message may be replaced
    };

    std::list<Entry> m_entries; ///< frames in the order of sending
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_BACKLOG_H
