/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_BACKLOG_H
#define COFLOW_CONTROL_BACKLOG_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>

namespace ns3::coflow
{

/// Frames of messages that a connection has no room for yet, first in, first out. A message that
/// renews what an earlier one of its type has said takes the place of that one: a sender that says
/// more than the connection can carry is then late by what is under way, and not by all that it
/// has said since.
class ControlBacklog
{
  public:
    /// Adds a message.
    /// @param frame of the message
    /// @param messageType number of its type
    /// @param renews whether it takes the place of an earlier one that was added with the same flag
    ///        and of which no part has left
    /// @return bytes of the message that has lost its place; 0: none has
    uint32_t Add(const Ptr<Packet>& frame, uint16_t messageType, bool renews);

    /// @param messageType number of a type of messages
    /// @return whether one of them, or a part of it, waits
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

    /// @return whether the first frame is that of a message that a later one may take the place of
    bool MayFrontBeRenewed() const
    {
        return m_entries.front().whole;
    }

    /// The first frame leaves.
    void PopFront();

    /// A part of the first frame leaves.
    /// @param bytes of that part, fewer than the frame has
    void TrimFront(uint32_t bytes);

    /// Forgets everything.
    void Clear();

  private:
    /// A frame.
    struct Entry
    {
        Ptr<Packet> frame; ///< what is to be sent
        uint16_t type{0};  ///< of its message
        bool whole{false}; ///< the message may lose its place
    };

    std::deque<Entry> m_entries; ///< in the order in which they leave
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_BACKLOG_H
