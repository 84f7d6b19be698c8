/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DATAGRAM_HEADER_H
#define COFLOW_DATAGRAM_HEADER_H

#include "ns3/header.h"

#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// Goes before everything in a datagram of the control plane (see ControlUdp).
///
/// Wire format, network byte order, 8 bytes:
/// | bytes | field                                                    |
/// |-------|----------------------------------------------------------|
/// | 0     | magic number 0xC7                                        |
/// | 1     | version, 1                                               |
/// | 2     | kind                                                     |
/// | 3     | zero                                                     |
/// | 4-7   | number of the datagram that is sent or acknowledged      |
class DatagramHeader : public Header
{
  public:
    /// Bytes of the header.
    static constexpr uint32_t SIZE = 8;

    /// What a datagram is for.
    enum class Kind : uint8_t
    {
        HELLO = 1, ///< opens a connection; its number is 0
        WELCOME,   ///< answers HELLO
        DATA,      ///< carries a frame; its number counts from 1
        ACK,       ///< answers DATA with its number
        GOODBYE    ///< there is no such connection, or no longer
    };

    /// @return the type
    static TypeId GetTypeId();

    /// A header that is not valid, to be deserialized into.
    DatagramHeader();

    /// @param kind what the datagram is for
    /// @param number of the datagram
    explicit DatagramHeader(Kind kind, uint32_t number = 0);

    /// @return what the datagram is for
    Kind GetKind() const;
    /// @return number of the datagram
    uint32_t GetNumber() const;
    /// @return false where the bytes that were read are not such a header
    bool IsValid() const;

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    Kind m_kind{Kind::GOODBYE}; ///< what it is for
    uint32_t m_number{0};       ///< of the datagram
    bool m_valid{false};        ///< makes sense
};

} // namespace ns3::coflow

#endif // COFLOW_DATAGRAM_HEADER_H
