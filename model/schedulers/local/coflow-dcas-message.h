/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_MESSAGE_H
#define COFLOW_DCAS_MESSAGE_H

#include "ns3/coflow-types.h"
#include "ns3/header.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// What senders and receivers of D-CAS tell each other, each in a UDP datagram of its own.
///
/// Wire format, network byte order, 40 bytes (announcement) or 32 (feedback):
/// | bytes | field                                                                      |
/// |-------|----------------------------------------------------------------------------|
/// | 0     | kind: 1 announcement, 2 feedback                                           |
/// | 1     | version, 1                                                                 |
/// | 2-3   | number of unfinished flows to the receiver, or of announcements remembered |
/// | 4-7   | round of the sender                                                        |
/// | 8-15  | coflow id                                                                  |
/// | 16-23 | time that the subcoflow wants, or the receiver's answer, in ns             |
/// | 24-31 | when the announcement was sent, in ns; feedback repeats it                 |
/// | 32-39 | announcements only: bytes left of the subcoflow                            |
///
/// The sender of a datagram is told by its IPv4 address.
class DcasMessage : public Header
{
  public:
    enum class Kind : uint8_t
    {
        ANNOUNCEMENT = 1, ///< from sender to receiver
        FEEDBACK = 2      ///< the answer
    };

    Kind kind{Kind::ANNOUNCEMENT};
    uint16_t count{0};            ///< at most 65535
    uint32_t round{0};            ///< of the sender
    ::coflow::CoflowId coflow{0}; ///< the coflow
    Time value{0};                ///< an announcement of 0 says: no flow is left
    Time sent{0};                 ///< by the sender's clock
    uint64_t remaining{0};        ///< bytes

    /// @return the type
    static TypeId GetTypeId();

    /// @return false where the bytes that were read are not such a message
    bool IsValid() const
    {
        return m_valid;
    }

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

  private:
    bool m_valid{true};
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_MESSAGE_H
