/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coordinated-messages.h"

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(UnregisterCoflowMessage);
COFLOW_REGISTER_MESSAGE(HeartbeatMessage);

void
EventHead::Write(Buffer::Iterator& to) const
{
    WriteTime(to, happened);
}

void
EventHead::Read(ControlReader& reader)
{
    happened = reader.ReadTime();
}

void
EventHead::Print(std::ostream& os) const
{
    os << "happened=" << happened.GetNanoSeconds() << "ns ";
}

void
ScheduleHead::Write(Buffer::Iterator& to) const
{
    to.WriteHtonU64(schedule);
}

void
ScheduleHead::Read(ControlReader& reader)
{
    schedule = reader.ReadU64();
}

void
ScheduleHead::Print(std::ostream& os) const
{
    os << "schedule=" << schedule << ' ';
}

uint32_t
UnregisterCoflowMessage::GetSerializedSize() const
{
    return EventHead::SIZE + 8;
}

void
UnregisterCoflowMessage::Serialize(Buffer::Iterator start) const
{
    EventHead::Write(start);
    start.WriteHtonU64(id);
}

bool
UnregisterCoflowMessage::DoDeserialize(ControlReader& reader)
{
    EventHead::Read(reader);
    id = reader.ReadU64();
    return true;
}

void
UnregisterCoflowMessage::Print(std::ostream& os) const
{
    EventHead::Print(os);
    os << "id=" << id;
}

uint32_t
HeartbeatMessage::GetSerializedSize() const
{
    return 28 + 8 * static_cast<uint32_t>(over.size());
}

void
HeartbeatMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(host);
    start.WriteHtonU64(rxBitsPerSecond);
    start.WriteHtonU64(txBitsPerSecond);
    start.WriteHtonU64(rest ? 1 : 0);
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
    rest = reader.ReadFlag();
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
    os << "host=" << host << " rx=" << rxBitsPerSecond << "bps tx=" << txBitsPerSecond << "bps"
       << (rest ? " rest" : "");
    for (const auto coflow : over)
    {
        os << " over=" << coflow;
    }
}

} // namespace ns3::coflow
