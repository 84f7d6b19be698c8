/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-messages.h"

#include <cmath>

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

constexpr uint64_t FLAG_ID = 1;
constexpr uint64_t FLAG_DEADLINE = 2;

constexpr uint32_t NO_HOST = UINT32_MAX;
constexpr uint64_t NO_BYTES = UINT64_MAX;

constexpr uint32_t DONE = 1;

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

std::optional<::coflow::HostId>
ReadHost(ControlReader& reader)
{
    const auto host = reader.ReadU32();
    return host == NO_HOST ? std::nullopt : std::optional(host);
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
    return 40;
}

void
RegisterCoflowMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64((id ? FLAG_ID : 0) | (deadline ? FLAG_DEADLINE : 0));
    start.WriteHtonU64(id.value_or(0));
    start.WriteHtonU64(numFlows);
    start.WriteHtonU64(deadline ? static_cast<uint64_t>(deadline->GetNanoSeconds()) : 0);
    WriteDouble(start, weight);
}

bool
RegisterCoflowMessage::DoDeserialize(ControlReader& reader)
{
    const auto flags = reader.ReadU64();
    const auto wanted = reader.ReadU64();
    numFlows = reader.ReadU64();
    const auto nanoseconds = reader.ReadU64();
    weight = reader.ReadDouble();
    id = flags & FLAG_ID ? std::optional(wanted) : std::nullopt;
    deadline = std::nullopt;
    if (flags & FLAG_DEADLINE)
    {
        deadline = NanoSeconds(nanoseconds);
    }
    const bool unusedIsZero = (id || wanted == 0) && (deadline || nanoseconds == 0);
    return (flags & ~(FLAG_ID | FLAG_DEADLINE)) == 0 && unusedIsZero &&
           (!deadline || deadline->IsStrictlyPositive()) && weight > 0 && std::isfinite(weight);
}

void
RegisterCoflowMessage::Print(std::ostream& os) const
{
    if (id)
    {
        os << "id=" << *id << ' ';
    }
    os << "flows=" << numFlows << " weight=" << weight;
    if (deadline)
    {
        os << " deadline=" << deadline->GetNanoSeconds() << "ns";
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
    to.WriteHtonU32(done ? DONE : 0);
    to.WriteHtonU32(key.flowId);
    to.WriteHtonU64(bytes.value_or(NO_BYTES));
    to.WriteHtonU32(src);
    to.WriteHtonU32(dst.value_or(NO_HOST));
}

bool
PutRecord::Read(ControlReader& reader)
{
    key.coflowId = reader.ReadU64();
    const auto flags = reader.ReadU32();
    key.flowId = reader.ReadU32();
    done = flags & DONE;
    bytes = ReadBytes(reader);
    src = reader.ReadU32();
    dst = ReadHost(reader);
    return (flags & ~DONE) == 0;
}

void
PutRecord::Print(std::ostream& os) const
{
    PrintKey(os, key);
    os << " src=" << src;
    if (dst)
    {
        os << " dst=" << *dst;
    }
    if (bytes)
    {
        os << " bytes=" << *bytes;
    }
    os << (done ? " done" : "");
}

void
GetRecord::Write(Buffer::Iterator& to) const
{
    WriteKey(to, key);
    to.WriteHtonU32(dst);
    to.WriteHtonU32(src.value_or(NO_HOST));
}

bool
GetRecord::Read(ControlReader& reader)
{
    const bool good = ReadKey(reader, key);
    dst = reader.ReadU32();
    src = ReadHost(reader);
    return good;
}

void
GetRecord::Print(std::ostream& os) const
{
    PrintKey(os, key);
    os << " dst=" << dst;
    if (src)
    {
        os << " src=" << *src;
    }
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
RateRecord::Write(Buffer::Iterator& to) const
{
    WriteKey(to, key);
    to.WriteHtonU64(bitsPerSecond);
}

bool
RateRecord::Read(ControlReader& reader)
{
    const bool good = ReadKey(reader, key);
    bitsPerSecond = reader.ReadU64();
    return good;
}

void
RateRecord::Print(std::ostream& os) const
{
    PrintKey(os, key);
    os << " rate=" << bitsPerSecond << "bps";
}

uint32_t
RejectedCoflowMessage::GetSerializedSize() const
{
    return 8 + static_cast<uint32_t>(reason.size());
}

void
RejectedCoflowMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(id);
    start.Write(reinterpret_cast<const uint8_t*>(reason.data()),
                static_cast<uint32_t>(reason.size()));
}

bool
RejectedCoflowMessage::DoDeserialize(ControlReader& reader)
{
    id = reader.ReadU64();
    reason = reader.ReadText();
    return true;
}

void
RejectedCoflowMessage::Print(std::ostream& os) const
{
    os << "id=" << id << " reason='" << reason << "'";
}

} // namespace ns3::coflow
