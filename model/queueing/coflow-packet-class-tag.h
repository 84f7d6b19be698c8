/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PACKET_CLASS_TAG_H
#define COFLOW_PACKET_CLASS_TAG_H

#include "ns3/coflow-packet-class.h"
#include "ns3/tag.h"

#include <ostream>

namespace ns3::coflow
{

/// Carries a packet's class through a network of ns-3 nodes.
class PacketClassTag : public Tag
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Makes a tag of a best-effort packet without a label.
    PacketClassTag();

    /// @param packetClass class of the packet
    /// @param label label by which switches choose the packet's path; 0: none
    explicit PacketClassTag(const PacketClass& packetClass, uint32_t label = 0);

    /// @return class of the packet
    const PacketClass& Get() const
    {
        return m_class;
    }

    /// @return label by which switches choose the packet's path; 0: none
    uint32_t GetLabel() const
    {
        return m_label;
    }

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

  private:
    PacketClass m_class;
    uint32_t m_label{0};
};

} // namespace ns3::coflow

#endif // COFLOW_PACKET_CLASS_TAG_H
