/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-header.h"

#include "ns3/abort.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(ControlHeader);

namespace
{

constexpr uint8_t VERSION = 1;

} // namespace

TypeId
ControlHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::ControlHeader")
                            .SetParent<Header>()
                            .SetGroupName("Coflow")
                            .AddConstructor<ControlHeader>();
    return tid;
}

ControlHeader::ControlHeader() = default;

ControlHeader::ControlHeader(uint16_t messageType, uint32_t length)
    : m_messageType(messageType),
      m_length(length),
      m_valid(true)
{
    NS_ABORT_MSG_IF(messageType == 0, "Type 0 of control messages is none");
    NS_ABORT_MSG_IF(length > MAX_LENGTH, "A control message has " << length << " bytes");
}

TypeId
ControlHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
ControlHeader::Print(std::ostream& os) const
{
    os << "type=" << m_messageType << " length=" << m_length << (m_valid ? "" : " INVALID");
}

void
ControlHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(m_messageType);
    start.WriteU8(VERSION);
    start.WriteU8(0);
    start.WriteHtonU32(m_length);
}

uint32_t
ControlHeader::Deserialize(Buffer::Iterator start)
{
    *this = ControlHeader();
    if (start.GetRemainingSize() < SIZE)
    {
        return start.GetRemainingSize();
    }
    m_messageType = start.ReadNtohU16();
    const auto version = start.ReadU8();
    const auto zero = start.ReadU8();
    m_length = start.ReadNtohU32();
    m_valid = m_messageType != 0 && version == VERSION && zero == 0 && m_length <= MAX_LENGTH;
    return SIZE;
}

} // namespace ns3::coflow
