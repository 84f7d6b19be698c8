/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_REASSEMBLY_H
#define COFLOW_LEAN_REASSEMBLY_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-prefetch.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Which bytes of a stream have arrived at its receiver, in order and out of order, and which of
/// them the application has read: the sequence numbers of TcpRxBuffer, without the bytes.
class LeanReassembly
{
  public:
    /// @param capacity bytes that may wait to be read, those out of order included
    explicit LeanReassembly(uint32_t capacity)
        : m_capacity(capacity)
    {
    }

    /// The next byte in order has this number from now on.
    void SetNext(uint32_t sequence)
    {
        m_next = sequence;
    }

    /// @return number of the next byte in order
    uint32_t GetNext() const
    {
        return m_next;
    }

    /// @return end of what may be taken
    uint32_t GetEnd() const
    {
        if (m_hasFin)
        {
            return m_fin;
        }
        const bool unread = !m_blocks.empty() && IsBefore(m_blocks.front().first, m_next);
        return (unread ? m_blocks.front().first : m_next) + m_capacity;
    }

    /// @return bytes that are here, in order or not
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// @return bytes that may be read
    uint32_t GetRxAvailable() const
    {
        return m_readable;
    }

    /// The peer has said where the stream ends.
    void SetFin(uint32_t sequence);

    bool HasFin() const
    {
        return m_hasFin;
    }

    /// @return whether everything up to the stream's end has arrived
    bool IsFinished() const
    {
        return m_hasFin && IsBefore(m_fin, m_next);
    }

    /// Takes payload.
    /// @return false where nothing of it is new and fits
    bool Add(uint32_t sequence, uint32_t bytes);

    /// The application reads.
    /// @param bytes at most so many
    /// @return how many it were
    uint32_t Read(uint32_t bytes);

    /// @return number of blocks that WriteSack() would write, if there were room
    std::size_t GetNSackBlocks() const
    {
        return m_sack.size();
    }

    /// Brings to the cache what the next segment will touch.
    void Prefetch() const
    {
        ::coflow::Prefetch(m_blocks.data());
    }

    /// Writes what has arrived out of order into a segment, as much as it has room for.
    void WriteSack(LeanSegment& segment) const;

  private:
    /// A piece of payload that is here, as TcpRxBuffer would keep it.
    struct Block
    {
        uint32_t first;
        uint32_t bytes;

        uint32_t End() const
        {
            return first + bytes;
        }
    };

    void AddSack(uint32_t first, uint32_t end);

    uint32_t m_capacity;
    uint32_t m_next{0};
    uint32_t m_size{0};
    uint32_t m_readable{0};
    bool m_hasFin{false};
    uint32_t m_fin{0};
    std::vector<Block> m_blocks;                ///< in the order of their numbers
    std::vector<LeanSegment::SackBlock> m_sack; ///< the newest first
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_REASSEMBLY_H
