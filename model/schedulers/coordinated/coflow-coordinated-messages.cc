/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coordinated-messages.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(UnregisterCoflowMessage);
COFLOW_REGISTER_MESSAGE(HeartbeatMessage);

uint32_t
UnregisterCoflowMessage::GetSerializedSize() const
{
    return 8;
}

void
UnregisterCoflowMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(id);
}

bool
UnregisterCoflowMessage::DoDeserialize(ControlReader& reader)
{
    id = reader.ReadU64();
    return true;
}

void
UnregisterCoflowMessage::Print(std::ostream& os) const
{
    os << "id=" << id;
}

uint32_t
HeartbeatMessage::GetSerializedSize() const
{
    return 20 + 8 * static_cast<uint32_t>(over.size());
}

void
HeartbeatMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(host);
    start.WriteHtonU64(rxBitsPerSecond);
    start.WriteHtonU64(txBitsPerSecond);
    for (const auto coflow : over)
    {
        start.WriteHtonU64(coflow);
    }
}

bool
HeartbeatMessage::DoDeserialize(ControlReader& reader)
{
    host = reader.ReadU32();
    rxBitsPerSecond = reader.ReadU64();
    txBitsPerSecond = reader.ReadU64();
    over.resize(reader.GetLeft() / 8);
    for (auto& coflow : over)
    {
        coflow = reader.ReadU64();
    }
    return true;
}

void
HeartbeatMessage::Print(std::ostream& os) const
{
    os << "host=" << host << " rx=" << rxBitsPerSecond << "bps tx=" << txBitsPerSecond << "bps";
    for (const auto coflow : over)
    {
        os << " over=" << coflow;
    }
}

} // namespace ns3::coflow
