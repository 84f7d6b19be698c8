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

/// What a sender has been given and what has become of it: the sequence numbers of TcpTxBuffer,
/// without the bytes. Every answer is the one that TcpTxBuffer gives, also under loss, where its
/// items are split and merged as segments are sent again; but what TcpTxBuffer searches from the
/// beginning of its list is looked for only where it can be.
class LeanScoreboard
{
  public:
    /// What may be sent next.
    struct Range
    {
        uint32_t first; ///< sequence number
        uint32_t bytes; ///< at most so many, but no more than a full segment
    };

    /// A segment that is sent.
    struct Sent
    {
        uint32_t bytes;
        bool again; ///< it was sent before
    };

    /// The first byte has this number from now on.
    void SetHead(uint32_t sequence);

    /// The application gives bytes.
    void Add(uint32_t bytes)
    {
        m_size += bytes;
    }

    /// @return first byte that is not acknowledged
    uint32_t GetHead() const
    {
        return m_head;
    }

    /// @return end of what the application has given
    uint32_t GetTail() const
    {
        return m_head + m_size;
    }

    /// @return bytes given and not acknowledged
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// @return bytes that were sent and are not acknowledged
    uint32_t GetSentSize() const
    {
        return m_sentSize;
    }

    /// @return bytes given from a sequence number on
    uint32_t GetSizeFrom(uint32_t sequence) const
    {
        return IsBefore(GetTail(), sequence) ? 0 : GetTail() - sequence;
    }

    /// @return bytes under way: sent, neither known to have arrived nor taken for lost, and what
    ///         was sent again
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

    /// Sends bytes, new or again.
    /// @param sequence the first one
    /// @param bytes at most so many; there is at least one to send
    Sent Send(uint32_t sequence, uint32_t bytes);

    /// @param recovering a segment that is not known to be lost may be sent again, if there is
    ///        nothing better to send
    /// @param window what the receiver takes, bytes
    /// @return what to send next; nothing where nothing is left or may be sent
    std::optional<Range> GetNext(bool recovering, uint32_t window) const;

    /// Takes note of a cumulative acknowledgement.
    /// @return bytes that were delivered now, SACKed ones not counted again
    uint32_t Acknowledge(uint32_t sequence);

    /// Takes note of SACK blocks.
    struct Update
    {
        uint32_t sacked;    ///< bytes that are known to have arrived now
        uint32_t delivered; ///< those of them that count as delivered now
    };

    /// @param segment with SACK blocks
    /// @param threshold SACK blocks above a segment from which on it counts as lost
    Update TakeSack(const LeanSegment& segment, uint32_t threshold);

    /// @return whether the segment with a byte is taken for lost
    bool IsLost(uint32_t sequence) const;

    /// @return whether a segment that ends here was sent again, and is not SACKed
    bool IsSentAgainUpTo(uint32_t end) const;

    /// @return whether the first segment was sent again
    bool IsHeadSentAgain() const;

    /// The first segment is lost.
    void LoseHead();

    /// A duplicate acknowledgement without SACK: the next segment has arrived.
    void AddDuplicate();

    /// Forgets what duplicate acknowledgements stood for.
    void ForgetDuplicates();

    /// A timeout: all that was sent is lost, but for what was SACKed.
    /// @param forgetSack even that
    void LoseAll(bool forgetSack);

    /// Nothing was lost, sent again or SACKed: all that was sent is under way once, in full
    /// segments.
    /// @param bytes that were sent
    /// @param segment bytes of a full segment
    void Restore(uint32_t bytes, uint32_t segment);

    /// The last segment does not count as sent.
    void UnsendLast();

    /// Brings to the cache what the next segment or acknowledgement will touch.
    void Prefetch() const
    {
        m_items.PrefetchEnds();
    }

  private:
    /// Neighbouring bytes that were sent together.
    struct Item
    {
        uint32_t first;
        uint32_t bytes;
        bool lost{false};
        bool sacked{false};
        bool again{false};
        bool delivered{true}; ///< counted as delivered; true until it is sent by itself

        uint32_t End() const
        {
            return first + bytes;
        }
    };

    /// @return index of the item with a byte
    std::size_t Find(uint32_t sequence) const;
    /// Cuts an item in two.
    /// @param bytes of the first one
    void Split(std::size_t i, uint32_t bytes);
    /// Forgets the highest item that SACK blocks have acknowledged.
    void ForgetHighest();
    /// Makes one item of two neighbours.
    void MergeWithNext(std::size_t i);
    /// @return index of the item that has just these bytes, or, at the end, fewer
    std::size_t Cut(uint32_t sequence, uint32_t bytes);
    void Uncount(const Item& item, uint32_t bytes);
    void UpdateLost(uint32_t threshold);

    uint32_t m_head{0};
    uint32_t m_size{0};
    uint32_t m_sentSize{0};
    uint32_t m_lost{0};
    uint32_t m_sacked{0};
    uint32_t m_again{0};
    uint32_t m_highest{0};        ///< where the highest SACKed item begins
    bool m_hasHighest{false};     ///< m_highest is an item's
    ::coflow::Ring<Item> m_items; ///< sent and not acknowledged, in order
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_SCOREBOARD_H
