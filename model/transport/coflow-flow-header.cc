/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-header.h"

#include "ns3/packet.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(CoflowFlowHeader);

namespace
{

constexpr uint16_t MAGIC = 0xC0F1;
constexpr uint8_t VERSION = 1;
constexpr uint8_t FLAG_LAST = 1;
constexpr uint64_t LARGEST = INT64_MAX;

} // namespace

TypeId
CoflowFlowHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::CoflowFlowHeader")
                            .SetParent<Header>()
                            .SetGroupName("Coflow")
                            .AddConstructor<CoflowFlowHeader>();
    return tid;
}

CoflowFlowHeader::CoflowFlowHeader() = default;

CoflowFlowHeader::CoflowFlowHeader(::coflow::CoflowId coflowId,
                                   ::coflow::FlowId flowId,
                                   uint64_t offset,
                                   uint64_t length,
                                   bool last)
    : m_coflowId(coflowId),
      m_flowId(flowId),
      m_offset(offset),
      m_length(length),
      m_last(last),
      m_valid(true)
{
}

::coflow::CoflowId
CoflowFlowHeader::GetCoflowId() const
{
    return m_coflowId;
}

::coflow::FlowId
CoflowFlowHeader::GetFlowId() const
{
    return m_flowId;
}

uint64_t
CoflowFlowHeader::GetOffset() const
{
    return m_offset;
}

uint64_t
CoflowFlowHeader::GetLength() const
{
    return m_length;
}

bool
CoflowFlowHeader::IsLast() const
{
    return m_last;
}

bool
CoflowFlowHeader::IsValid() const
{
    return m_valid;
}

std::array<uint8_t, CoflowFlowHeader::SIZE>
CoflowFlowHeader::GetBytes() const
{
    std::array<uint8_t, SIZE> bytes{};
    const auto packet = Create<Packet>();
    packet->AddHeader(*this);
    packet->CopyData(bytes.data(), SIZE);
    return bytes;
}

CoflowFlowHeader
CoflowFlowHeader::FromBytes(const std::array<uint8_t, SIZE>& bytes)
{
    CoflowFlowHeader header;
    Create<Packet>(bytes.data(), SIZE)->PeekHeader(header);
    return header;
}

TypeId
CoflowFlowHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
CoflowFlowHeader::Print(std::ostream& os) const
{
    os << "coflow=" << m_coflowId << " flow=" << m_flowId << " offset=" << m_offset
       << " length=" << m_length << (m_last ? " last" : "") << (m_valid ? "" : " INVALID");
}

uint32_t
CoflowFlowHeader::GetSerializedSize() const
{
    return SIZE;
}

void
CoflowFlowHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(MAGIC);
    start.WriteU8(VERSION);
    start.WriteU8(m_last ? FLAG_LAST : 0);
    start.WriteHtonU32(m_flowId);
    start.WriteHtonU64(m_coflowId);
    start.WriteHtonU64(m_offset);
    start.WriteHtonU64(m_length);
}

uint32_t
CoflowFlowHeader::Deserialize(Buffer::Iterator start)
{
    const auto magic = start.ReadNtohU16();
    const auto version = start.ReadU8();
    const auto flags = start.ReadU8();
    m_flowId = start.ReadNtohU32();
    m_coflowId = start.ReadNtohU64();
    m_offset = start.ReadNtohU64();
    m_length = start.ReadNtohU64();
    m_last = flags & FLAG_LAST;
    m_valid = magic == MAGIC && version == VERSION && (flags & ~FLAG_LAST) == 0 &&
              (m_length > 0 || m_last) && m_offset <= LARGEST && m_length <= LARGEST - m_offset;
    return SIZE;
}

} // namespace ns3::coflow
