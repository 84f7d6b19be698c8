/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-datagram-header.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(DatagramHeader);

namespace
{

constexpr uint8_t MAGIC = 0xC7;
constexpr uint8_t DATAGRAM_VERSION = 1;

} // namespace

TypeId
DatagramHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::DatagramHeader")
                            .SetParent<Header>()
                            .SetGroupName("Coflow")
                            .AddConstructor<DatagramHeader>();
    return tid;
}

DatagramHeader::DatagramHeader()
{
}

DatagramHeader::DatagramHeader(Kind kind, uint32_t number)
    : m_kind(kind),
      m_number(number),
      m_valid(true)
{
}

DatagramHeader::Kind
DatagramHeader::GetKind() const
{
    return m_kind;
}

uint32_t
DatagramHeader::GetNumber() const
{
    return m_number;
}

bool
DatagramHeader::IsValid() const
{
    return m_valid;
}

TypeId
DatagramHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
DatagramHeader::Print(std::ostream& os) const
{
    os << "kind=" << static_cast<int>(m_kind) << " number=" << m_number
       << (m_valid ? "" : " INVALID");
}

uint32_t
DatagramHeader::GetSerializedSize() const
{
    return SIZE;
}

void
DatagramHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(MAGIC);
    start.WriteU8(DATAGRAM_VERSION);
    start.WriteU8(static_cast<uint8_t>(m_kind));
    start.WriteU8(0);
    start.WriteHtonU32(m_number);
}

uint32_t
DatagramHeader::Deserialize(Buffer::Iterator start)
{
    *this = DatagramHeader();
    if (start.GetRemainingSize() < SIZE)
    {
        return start.GetRemainingSize();
    }
    const auto magic = start.ReadU8();
    const auto version = start.ReadU8();
    const auto kind = start.ReadU8();
    const auto zero = start.ReadU8();
    m_kind = static_cast<Kind>(kind);
    m_number = start.ReadNtohU32();
    m_valid = magic == MAGIC && version == DATAGRAM_VERSION && zero == 0 &&
              kind >= static_cast<uint8_t>(Kind::HELLO) &&
              kind <= static_cast<uint8_t>(Kind::GOODBYE);
    return SIZE;
}

} // namespace ns3::coflow
