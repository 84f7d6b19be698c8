/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_SCOREBOARD_H
#define COFLOW_LEAN_SCOREBOARD_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-ring.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::coflow
{

/// The scoreboard of a sender: the sequence numbers of TcpTxBuffer, without the bytes. Every result
/// is that of TcpTxBuffer, also with losses, when items are split and merged by retransmissions.
/// TcpTxBuffer searches its list from the beginning, and this class searches only a part.
class LeanScoreboard
{
  public:
    /// Bytes that may be sent next.
    struct Range
    {
        uint32_t first; ///< sequence number of the first byte
        uint32_t bytes; ///< largest number of bytes; the caller limits it to a full segment
    };

    /// A segment that is sent.
    struct Sent
    {
        uint32_t bytes;
        bool again; ///< the segment is a retransmission
    };

    /// Sets the sequence number of the first byte.
    void SetHead(uint32_t sequence);

    /// The application writes bytes.
    void Add(uint32_t bytes)
    {
        m_size += bytes;
    }

    /// @return sequence number of the first unacknowledged byte
    uint32_t GetHead() const
    {
        return m_head;
    }

    /// @return sequence number after the last written byte
    uint32_t GetTail() const
    {
        return m_head + m_size;
    }

    /// @return written bytes that are not acknowledged
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// @return bytes that were sent and are not acknowledged
    uint32_t GetSentSize() const
    {
        return m_sentSize;
    }

    /// @return written bytes from a sequence number on
    uint32_t GetSizeFrom(uint32_t sequence) const
    {
        return IsBefore(GetTail(), sequence) ? 0 : GetTail() - sequence;
    }

    /// @return bytes in flight: sent bytes that are neither acknowledged, SACKed nor lost, and
    ///         retransmitted bytes
    uint32_t GetInFlight() const
    {
        return m_sentSize - m_sacked - m_lost + m_again;
    }

    uint32_t GetLost() const
    {
        return m_lost;
    }

    uint32_t GetSacked() const
    {
        return m_sacked;
    }

    /// Sends new bytes, or retransmits bytes.
    /// @param sequence sequence number of the first byte
    /// @param bytes largest number of bytes; at least one byte must be available
    Sent Send(uint32_t sequence, uint32_t bytes);

    /// @param recovering whether a segment that is not marked as lost may be retransmitted if there
    ///        is nothing else to send
    /// @param window window of the receiver, in bytes
    /// @return the bytes to send next; none: there is nothing to send, or nothing may be sent
    std::optional<Range> GetNext(bool recovering, uint32_t window) const;

    /// Processes a cumulative acknowledgement.
    /// @return newly delivered bytes, without bytes that were SACKed before
    uint32_t Acknowledge(uint32_t sequence);

    /// The effect of SACK blocks.
    struct Update
    {
        uint32_t sacked;    ///< newly SACKed bytes
        uint32_t delivered; ///< newly SACKed bytes that count as delivered
    };

    /// Processes SACK blocks.
    /// @param segment segment with SACK blocks
    /// @param threshold number of SACKed items above a segment from which the segment counts as
    ///        lost
    Update TakeSack(const LeanSegment& segment, uint32_t threshold);

    /// @return whether the segment with this byte is marked as lost
    bool IsLost(uint32_t sequence) const;

    /// @return whether a segment with this end was retransmitted, and is not SACKed
    bool IsSentAgainUpTo(uint32_t end) const;

    /// @return whether the first segment was retransmitted
    bool IsHeadSentAgain() const;

    /// Marks the first segment as lost.
    void LoseHead();

    /// A duplicate acknowledgement without SACK: marks the next segment as SACKed.
    void AddDuplicate();

    /// Removes all marks of SACKed segments.
    void ForgetDuplicates();

    /// A timeout: marks all sent bytes as lost, except SACKed bytes.
    /// @param forgetSack whether SACKed bytes are also lost
    void LoseAll(bool forgetSack);

    /// Removes all marks of losses, retransmissions and SACKs. All sent bytes are in flight once,
    /// in full segments.
    /// @param bytes number of sent bytes
    /// @param segment bytes of a full segment
    void Restore(uint32_t bytes, uint32_t segment);

    /// The last segment no longer counts as sent.
    void UnsendLast();

    /// Prefetches the memory that the next segment or acknowledgement will touch.
    void Prefetch() const
    {
        m_items.PrefetchEnds();
    }

  private:
    /// Adjacent bytes that were sent together.
    struct Item
    {
        uint32_t first;
        uint32_t bytes;
        bool lost{false};
        bool sacked{false};
        bool again{false};
        /// The item has counted as delivered, or must not count; false after it was sent.
        bool delivered{true};

        uint32_t End() const
        {
            return first + bytes;
        }
    };

    /// @return index of the item with a byte
    std::size_t Find(uint32_t sequence) const;
    /// Splits an item.
    /// @param bytes bytes of the first part
    void Split(std::size_t i, uint32_t bytes);
    /// Resets m_highest.
    void ForgetHighest();
    /// Merges an item with the next item.
    void MergeWithNext(std::size_t i);
    /// Splits and merges items. @return index of the item with exactly these bytes, or fewer at the
    /// end
    std::size_t Cut(uint32_t sequence, uint32_t bytes);
    void Uncount(const Item& item, uint32_t bytes);
    void UpdateLost(uint32_t threshold);

    uint32_t m_head{0};
    uint32_t m_size{0};
    uint32_t m_sentSize{0};
    uint32_t m_lost{0};
    uint32_t m_sacked{0};
    uint32_t m_again{0};
    uint32_t m_highest{0};        ///< sequence number of the highest SACKed item
    bool m_hasHighest{false};     ///< m_highest is valid
    ::coflow::Ring<Item> m_items; ///< sent and unacknowledged bytes, in order
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_SCOREBOARD_H
