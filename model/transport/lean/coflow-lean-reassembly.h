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

/// The sequence numbers of a receive buffer, as in TcpRxBuffer, without the bytes: the bytes of a
/// stream that have arrived, in order and out of order, and the bytes that the application has
/// read.
class LeanReassembly
{
  public:
    /// @param capacity size of the buffer in bytes, out-of-order bytes included
    explicit LeanReassembly(uint32_t capacity)
        : m_capacity(capacity)
    {
    }

    /// Sets the number of the next byte in order.
    void SetNext(uint32_t sequence)
    {
        m_next = sequence;
    }

    /// @return number of the next byte in order
    uint32_t GetNext() const
    {
        return m_next;
    }

    /// @return end of the receive window: number after the last byte that can be received
    uint32_t GetEnd() const
    {
        if (m_hasFin)
        {
            return m_fin;
        }
        const bool unread = !m_blocks.empty() && IsBefore(m_blocks.front().first, m_next);
        return (unread ? m_blocks.front().first : m_next) + m_capacity;
    }

    /// @return bytes in the buffer, in order or not
    uint32_t GetSize() const
    {
        return m_size;
    }

    /// @return bytes that may be read
    uint32_t GetRxAvailable() const
    {
        return m_readable;
    }

    /// Sets the sequence number of the peer's FIN.
    void SetFin(uint32_t sequence);

    bool HasFin() const
    {
        return m_hasFin;
    }

    /// @return whether all bytes up to the FIN have arrived
    bool IsFinished() const
    {
        return m_hasFin && IsBefore(m_fin, m_next);
    }

    /// Adds payload.
    /// @return false: no byte of the payload is new and in the window
    bool Add(uint32_t sequence, uint32_t bytes);

    /// The application reads bytes.
    /// @param bytes largest number of bytes
    /// @return number of bytes that were read
    uint32_t Read(uint32_t bytes);

    /// @return number of blocks that WriteSack() would write, if there were room
    std::size_t GetNSackBlocks() const
    {
        return m_sack.size();
    }

    /// Prefetches the memory that the next segment will touch.
    void Prefetch() const
    {
        ::coflow::Prefetch(m_blocks.data());
    }

    /// Writes SACK blocks of the out-of-order bytes into a segment, as many as have room.
    void WriteSack(LeanSegment& segment) const;

  private:
    /// A piece of payload in the buffer, as in TcpRxBuffer.
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
    std::vector<Block> m_blocks;                ///< payload in the buffer, by sequence number
    std::vector<LeanSegment::SackBlock> m_sack; ///< SACK blocks, the newest first
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_REASSEMBLY_H
