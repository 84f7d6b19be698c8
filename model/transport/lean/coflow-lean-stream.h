/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_STREAM_H
#define COFLOW_LEAN_STREAM_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-jump-inhibitor.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// The bytes that one end of a connection has written, for the other end. Zeros take no memory.
/// Both ends hold the stream. A segment carries only sequence numbers, so the reader must know from
/// TCP that the bytes have arrived.
class LeanStream final : public SimpleRefCount<LeanStream>, public ::coflow::InArena
{
  public:
    /// From now on, applications wait until written bytes are read, so that time does not jump.
    void InhibitJumps()
    {
        m_inhibits = true;
    }

    /// Applications wait until the other end notices the end of this connection.
    void AwaitEnd()
    {
        m_inhibitor.Set(m_inhibits);
        m_endInhibits = true;
    }

    /// Adds bytes at the end.
    void Write(const uint8_t* bytes, std::size_t n)
    {
        m_inhibitor.Set(m_inhibits);
        if (n > 0)
        {
            m_pieces.push_back({m_end, std::vector<uint8_t>(bytes, bytes + n)});
            m_end += n;
        }
    }

    /// Adds zeros at the end.
    void WriteZeros(uint64_t n)
    {
        m_end += n;
    }

    /// @return number of bytes written so far
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// Reads the next bytes.
    /// @param n number of bytes, at most the number of unread bytes
    /// @param to destination; null: the bytes are skipped
    void Read(uint64_t n, uint8_t* to)
    {
        const uint64_t end = m_read + n;
        if (to)
        {
            std::fill_n(to, n, uint8_t{0});
        }
        while (m_next < m_pieces.size() && m_pieces[m_next].first < end)
        {
            const Piece& piece = m_pieces[m_next];
            const uint64_t from = std::max(m_read, piece.first);
            const uint64_t upTo = std::min(end, piece.first + piece.bytes.size());
            if (to && from < upTo)
            {
                std::copy_n(&piece.bytes[from - piece.first], upTo - from, to + (from - m_read));
            }
            if (piece.first + piece.bytes.size() > end)
            {
                break;
            }
            m_pieces[m_next++].bytes = {};
            if (2 * m_next >= m_pieces.size())
            {
                // At most as many pieces are moved as were read since the last erase.
                m_pieces.erase(m_pieces.begin(),
                               m_pieces.begin() + static_cast<std::ptrdiff_t>(m_next));
                m_next = 0;
            }
        }
        m_read = end;
        if (m_read == m_end && !m_endInhibits)
        {
            m_inhibitor.Set(false);
        }
    }

  private:
    /// Bytes from Write(). All other bytes are zeros.
    struct Piece
    {
        uint64_t first;
        std::vector<uint8_t> bytes;
    };

    std::vector<Piece> m_pieces; ///< pieces; not completely read from m_next on
    uint64_t m_end{0};
    uint64_t m_read{0};
    uint32_t m_next{0};
    bool m_inhibits{false};
    bool m_endInhibits{false};
    JumpInhibitor m_inhibitor; ///< on while applications wait
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_STREAM_H
