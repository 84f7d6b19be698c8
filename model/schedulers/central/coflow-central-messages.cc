/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-messages.h"

#include "ns3/coflow-flow-hash.h"

#include <iterator>

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(RegisterCoflowMessage);
COFLOW_REGISTER_MESSAGE(RegisteredCoflowMessage);
COFLOW_REGISTER_MESSAGE(AddFlowsMessage);
COFLOW_REGISTER_MESSAGE(GetFlowsMessage);
COFLOW_REGISTER_MESSAGE(GotFlowDescsMessage);
COFLOW_REGISTER_MESSAGE(FlowProgressMessage);
COFLOW_REGISTER_MESSAGE(UpdatedRatesMessage);
COFLOW_REGISTER_MESSAGE(RejectedCoflowMessage);

namespace
{

constexpr uint64_t NO_BYTES = UINT64_MAX;

constexpr uint32_t DONE = 1;
constexpr uint32_t AGAIN = 2;

/// 16 bytes.
void
WriteKey(Buffer::Iterator& to, const FlowKey& key)
{
    to.WriteHtonU64(key.coflowId);
    to.WriteHtonU64(key.flowId);
}

/// @return whether there can be such a flow
bool
ReadKey(ControlReader& reader, FlowKey& key)
{
    key.coflowId = reader.ReadU64();
    const uint64_t flowId = reader.ReadU64();
    key.flowId = static_cast<::coflow::FlowId>(flowId);
    return key.flowId == flowId;
}

void
PrintKey(std::ostream& os, const FlowKey& key)
{
    os << "coflow=" << key.coflowId << " flow=" << key.flowId;
}

std::optional<uint64_t>
ReadBytes(ControlReader& reader)
{
    const auto bytes = reader.ReadU64();
    return bytes == NO_BYTES ? std::nullopt : std::optional(bytes);
}

} // namespace

uint32_t
RegisterCoflowMessage::GetSerializedSize() const
{
    return EventHead::SIZE + 24;
}

void
RegisterCoflowMessage::Serialize(Buffer::Iterator start) const
{
    EventHead::Write(start);
    start.WriteHtonU64(id);
    start.WriteHtonU32(numFlows);
    start.WriteHtonU32(weight);
    WriteTime(start, deadline.value_or(Time()));
}

bool
RegisterCoflowMessage::DoDeserialize(ControlReader& reader)
{
    EventHead::Read(reader);
    id = reader.ReadU64();
    numFlows = reader.ReadU32();
    weight = reader.ReadU32();
    const auto time = reader.ReadTime();
    deadline = time.IsZero() ? std::nullopt : std::optional(time);
    return weight > 0;
}

void
RegisterCoflowMessage::Print(std::ostream& os) const
{
    EventHead::Print(os);
    os << "id=" << id << " flows=" << numFlows;
    if (deadline)
    {
        os << " deadline=" << deadline->GetNanoSeconds() << "ns";
    }
    if (weight != 1)
    {
        os << " weight=" << weight;
    }
}

uint32_t
RegisteredCoflowMessage::GetSerializedSize() const
{
    return 8;
}

void
RegisteredCoflowMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(id);
}

bool
RegisteredCoflowMessage::DoDeserialize(ControlReader& reader)
{
    id = reader.ReadU64();
    return true;
}

void
RegisteredCoflowMessage::Print(std::ostream& os) const
{
    os << "id=" << id;
}

void
PutRecord::Write(Buffer::Iterator& to) const
{
    // The upper half of the flow's field, which is 0 in other records, has flags.
    to.WriteHtonU64(key.coflowId);
    to.WriteHtonU32((done ? DONE : 0) | (again ? AGAIN : 0));
    to.WriteHtonU32(key.flowId);
    to.WriteHtonU64(bytes.value_or(NO_BYTES));
}

bool
PutRecord::Read(ControlReader& reader)
{
    key.coflowId = reader.ReadU64();
    const auto flags = reader.ReadU32();
    key.flowId = reader.ReadU32();
    done = flags & DONE;
    again = flags & AGAIN;
    bytes = ReadBytes(reader);
    return (flags & ~(DONE | AGAIN)) == 0;
}

void
PutRecord::Print(std::ostream& os) const
{
    PrintKey(os, key);
    if (bytes)
    {
        os << " bytes=" << *bytes;
    }
    os << (done ? " done" : "") << (again ? " again" : "");
}

void
GetRecord::Write(Buffer::Iterator& to) const
{
    WriteKey(to, key);
}

bool
GetRecord::Read(ControlReader& reader)
{
    return ReadKey(reader, key);
}

void
GetRecord::Print(std::ostream& os) const
{
    PrintKey(os, key);
}

void
FlowDescription::Write(Buffer::Iterator& to) const
{
    WriteKey(to, key);
    to.WriteHtonU64(bytes.value_or(NO_BYTES));
    to.WriteHtonU32(src);
    to.WriteHtonU32(dst);
    to.WriteHtonU32(address.Get());
    to.WriteHtonU32(port);
}

bool
FlowDescription::Read(ControlReader& reader)
{
    const bool good = ReadKey(reader, key);
    bytes = ReadBytes(reader);
    src = reader.ReadU32();
    dst = reader.ReadU32();
    address = Ipv4Address(reader.ReadU32());
    const auto number = reader.ReadU32();
    port = static_cast<uint16_t>(number);
    return good && port == number;
}

void
FlowDescription::Print(std::ostream& os) const
{
    PrintKey(os, key);
    os << " src=" << src << " dst=" << dst << " at=" << address << ':' << port;
    if (bytes)
    {
        os << " bytes=" << *bytes;
    }
}

void
ProgressRecord::Write(Buffer::Iterator& to) const
{
    WriteKey(to, key);
    to.WriteHtonU64(bytesSince);
    to.WriteHtonU32(done ? DONE : 0);
}

bool
ProgressRecord::Read(ControlReader& reader)
{
    const bool good = ReadKey(reader, key);
    bytesSince = reader.ReadU64();
    const auto flags = reader.ReadU32();
    done = flags & DONE;
    return good && (flags & ~DONE) == 0;
}

void
ProgressRecord::Print(std::ostream& os) const
{
    PrintKey(os, key);
    os << " bytes+=" << bytesSince << (done ? " done" : "");
}

void
RatesHead::Write(Buffer::Iterator& to) const
{
    ScheduleHead::Write(to);
    to.WriteHtonU64(since);
}

void
RatesHead::Read(ControlReader& reader)
{
    ScheduleHead::Read(reader);
    since = reader.ReadU64();
}

void
RatesHead::Print(std::ostream& os) const
{
    ScheduleHead::Print(os);
    os << "since=" << since << ' ';
}

void
RateRecord::Write(Buffer::Iterator& to) const
{
    // The upper half of the flow's field, which is 0 in other records, has the label.
    to.WriteHtonU64(key.coflowId);
    to.WriteHtonU32(label);
    to.WriteHtonU32(key.flowId);
    to.WriteHtonU64(bitsPerSecond);
}

bool
RateRecord::Read(ControlReader& reader)
{
    key.coflowId = reader.ReadU64();
    label = reader.ReadU32();
    key.flowId = reader.ReadU32();
    bitsPerSecond = reader.ReadU64();
    return label <= MOST_LABEL;
}

void
RateRecord::Print(std::ostream& os) const
{
    PrintKey(os, key);
    os << " rate=" << bitsPerSecond << "bps";
    if (label != 0)
    {
        os << " label=" << label;
    }
}

uint32_t
RejectedCoflowMessage::GetSerializedSize() const
{
    return 16 + static_cast<uint32_t>(reason.size());
}

void
RejectedCoflowMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(id);
    start.WriteHtonU64(static_cast<uint64_t>(verdict));
    start.Write(reinterpret_cast<const uint8_t*>(reason.data()),
                static_cast<uint32_t>(reason.size()));
}

bool
RejectedCoflowMessage::DoDeserialize(ControlReader& reader)
{
    id = reader.ReadU64();
    verdict = Verdict{reader.ReadU64()};
    reason = reader.ReadText();
    return verdict <= Verdict::RELEASED;
}

void
RejectedCoflowMessage::Print(std::ostream& os) const
{
    constexpr const char* VERDICTS[] = {"dropped", "best effort", "released"};
    const auto number = static_cast<uint64_t>(verdict);
    os << "id=" << id << " verdict=" << (number < std::size(VERDICTS) ? VERDICTS[number] : "?")
       << " reason='" << reason << "'";
}

} // namespace ns3::coflow
