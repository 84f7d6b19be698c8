/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-message.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(DcasMessage);

namespace
{

constexpr uint8_t VERSION = 1;
constexpr uint32_t ANNOUNCEMENT_BYTES = 40;
constexpr uint32_t FEEDBACK_BYTES = 32;

} // namespace

TypeId
DcasMessage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::DcasMessage")
                            .SetParent<Header>()
                            .SetGroupName("Coflow")
                            .AddConstructor<DcasMessage>();
    return tid;
}

TypeId
DcasMessage::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
DcasMessage::Print(std::ostream& os) const
{
    os << (kind == Kind::ANNOUNCEMENT ? "announcement" : "feedback") << " coflow=" << coflow
       << " round=" << round << " value=" << value.GetNanoSeconds() << "ns count=" << count;
}

uint32_t
DcasMessage::GetSerializedSize() const
{
    return kind == Kind::ANNOUNCEMENT ? ANNOUNCEMENT_BYTES : FEEDBACK_BYTES;
}

void
DcasMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(static_cast<uint8_t>(kind));
    start.WriteU8(VERSION);
    start.WriteHtonU16(count);
    start.WriteHtonU32(round);
    start.WriteHtonU64(coflow);
    start.WriteHtonU64(static_cast<uint64_t>(value.GetNanoSeconds()));
    start.WriteHtonU64(static_cast<uint64_t>(sent.GetNanoSeconds()));
    if (kind == Kind::ANNOUNCEMENT)
    {
        start.WriteHtonU64(remaining);
    }
}

uint32_t
DcasMessage::Deserialize(Buffer::Iterator start)
{
    const uint32_t size = start.GetRemainingSize();
    m_valid = false;
    if (size < FEEDBACK_BYTES)
    {
        return 0;
    }
    const uint8_t kindRead = start.ReadU8();
    kind = kindRead == 1 ? Kind::ANNOUNCEMENT : Kind::FEEDBACK;
    const uint8_t version = start.ReadU8();
    if (version != VERSION || kindRead < 1 || kindRead > 2 || size != GetSerializedSize())
    {
        return 0;
    }
    count = start.ReadNtohU16();
    round = start.ReadNtohU32();
    coflow = start.ReadNtohU64();
    value = NanoSeconds(static_cast<int64_t>(start.ReadNtohU64()));
    sent = NanoSeconds(static_cast<int64_t>(start.ReadNtohU64()));
    remaining = kind == Kind::ANNOUNCEMENT ? start.ReadNtohU64() : 0;
    m_valid = !value.IsStrictlyNegative() && !sent.IsStrictlyNegative();
    return size;
}

} // namespace ns3::coflow
