/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_READER_H
#define COFLOW_CONTROL_READER_H

#include "ns3/buffer.h"

#include <concepts>
#include <cstdint>
#include <string>

namespace ns3::coflow
{

/// Reads the body of a message, and never beyond its end. Missing bytes are read as zero, and
/// IsGood() then returns false.
class ControlReader
{
  public:
    /// @param start first byte of the body, which ends at the end of its buffer
    explicit ControlReader(Buffer::Iterator start)
        : m_next(start),
          m_left(start.GetRemainingSize())
    {
    }

    /// @return a number in network byte order
    template <std::unsigned_integral T>
    T Read()
    {
        if (!Take(sizeof(T)))
        {
            return 0;
        }
        if constexpr (sizeof(T) == 1)
        {
            return m_next.ReadU8();
        }
        else if constexpr (sizeof(T) == 2)
        {
            return m_next.ReadNtohU16();
        }
        else if constexpr (sizeof(T) == 4)
        {
            return m_next.ReadNtohU32();
        }
        else
        {
            return m_next.ReadNtohU64();
        }
    }

    /// @return the remaining bytes, as text
    std::string ReadText()
    {
        std::string text(m_left, '\0');
        m_next.Read(reinterpret_cast<uint8_t*>(text.data()), m_left);
        m_left = 0;
        return text;
    }

    /// @return number of bytes that were not read yet
    uint32_t GetLeft() const
    {
        return m_left;
    }

    /// @return whether no byte was missing so far
    bool IsGood() const
    {
        return m_good;
    }

  private:
    /// @return whether this number of bytes is left, which then counts as read
    bool Take(uint32_t bytes)
    {
        m_good = m_good && bytes <= m_left;
        m_left -= m_good ? bytes : m_left;
        return m_good;
    }

    Buffer::Iterator m_next; ///< next byte
    uint32_t m_left;         ///< bytes that were not read yet
    bool m_good{true};       ///< IsGood()
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_READER_H
