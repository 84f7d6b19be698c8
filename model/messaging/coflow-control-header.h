/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_HEADER_H
#define COFLOW_CONTROL_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// The header of every control message, before the body.
///
/// Wire format, network byte order, 8 bytes:
/// | bytes | field                                                                   |
/// |-------|-------------------------------------------------------------------------|
/// | 0-1   | type of the message, not 0                                              |
/// | 2     | version, 1                                                              |
/// | 3     | zero                                                                    |
/// | 4-7   | number of bytes of the body that follow                                 |
class ControlHeader : public Header
{
  public:
    /// Bytes of the header.
    static constexpr uint32_t SIZE = 8;

    /// Longest body in bytes. A header with a longer length is not valid.
    static constexpr uint32_t MAX_LENGTH = 1U << 26;

    /// @return the type
    static TypeId GetTypeId();

    /// Makes an invalid header, for deserialization.
    ControlHeader();

    /// @param messageType type of the message, not 0
    /// @param length bytes of the body, at most MAX_LENGTH
    ControlHeader(uint16_t messageType, uint32_t length);

    /// @return type of the message
    uint16_t GetMessageType() const
    {
        return m_messageType;
    }

    /// @return bytes of the body
    uint32_t GetLength() const
    {
        return m_length;
    }

    /// @return false where the bytes are not a valid header: type 0, a wrong version, a byte 3 that
    ///         is not zero, or a length beyond MAX_LENGTH
    bool IsValid() const
    {
        return m_valid;
    }

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;

    uint32_t GetSerializedSize() const override
    {
        return SIZE;
    }

    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    uint16_t m_messageType{0}; ///< type of the message
    uint32_t m_length{0};      ///< bytes of the body
    bool m_valid{false};       ///< IsValid()
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_HEADER_H
