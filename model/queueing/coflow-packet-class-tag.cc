/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-packet-class-tag.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(PacketClassTag);

TypeId
PacketClassTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::PacketClassTag")
                            .SetParent<Tag>()
                            .SetGroupName("Coflow")
                            .AddConstructor<PacketClassTag>();
    return tid;
}

PacketClassTag::PacketClassTag() = default;

PacketClassTag::PacketClassTag(const PacketClass& packetClass, uint32_t label)
    : m_class(packetClass),
      m_label(label)
{
}

TypeId
PacketClassTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
PacketClassTag::GetSerializedSize() const
{
    return 8 + 4 + 8 + 1 + 1 + 4;
}

void
PacketClassTag::Serialize(TagBuffer buffer) const
{
    buffer.WriteU64(m_class.flow.coflowId);
    buffer.WriteU32(m_class.flow.flowId);
    buffer.WriteU64(m_class.priority.key);
    buffer.WriteU8(m_class.priority.band);
    buffer.WriteU8(static_cast<uint8_t>(m_class.priority.signal));
    buffer.WriteU32(m_label);
}

void
PacketClassTag::Deserialize(TagBuffer buffer)
{
    m_class.flow.coflowId = buffer.ReadU64();
    m_class.flow.flowId = buffer.ReadU32();
    m_class.priority.key = buffer.ReadU64();
    m_class.priority.band = buffer.ReadU8();
    m_class.priority.signal = static_cast<RateSignal>(buffer.ReadU8());
    m_label = buffer.ReadU32();
}

void
PacketClassTag::Print(std::ostream& os) const
{
    os << "coflow=" << m_class.flow.coflowId << " flow=" << m_class.flow.flowId
       << " key=" << m_class.priority.key << " band=" << +m_class.priority.band;
}

} // namespace ns3::coflow
