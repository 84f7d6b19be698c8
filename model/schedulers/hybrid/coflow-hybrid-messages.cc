/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-hybrid-messages.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::coflow
{

COFLOW_REGISTER_MESSAGE(PlaceCoflowMessage);
COFLOW_REGISTER_MESSAGE(CoflowPlaceMessage);
COFLOW_REGISTER_MESSAGE(LocalCoflowsMessage);
COFLOW_REGISTER_MESSAGE(GlobalCoflowsMessage);
COFLOW_REGISTER_MESSAGE(CoflowTotalsMessage);
COFLOW_REGISTER_MESSAGE(QueueThresholdsMessage);

namespace
{

using ::coflow::CoflowOrder;
using ::coflow::HostId;

constexpr uint32_t ID_BYTES = 8;
constexpr uint32_t HOST_BYTES = 4;

constexpr uint32_t QUEUE_BITS = 6;
constexpr uint8_t QUEUE_MASK = (1 << QUEUE_BITS) - 1;

/// Of a list of hosts that tells its own end: this is the last one.
constexpr uint32_t LAST = uint32_t{1} << 31;

/// @return whether hosts come in order, and once each
bool
IsSorted(const std::vector<HostId>& hosts)
{
    return std::adjacent_find(hosts.begin(), hosts.end(), std::greater_equal<>()) == hosts.end();
}

void
PrintHosts(std::ostream& os, const std::vector<HostId>& hosts)
{
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        os << (i > 0 ? "," : "") << hosts[i];
    }
}

} // namespace

uint32_t
PlaceCoflowMessage::GetSerializedSize() const
{
    return 24 + ID_BYTES * static_cast<uint32_t>(parents.size());
}

void
PlaceCoflowMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(id);
    start.WriteHtonU64(known.Value());
    start.WriteHtonU64(parents.size());
    for (const auto parent : parents)
    {
        start.WriteHtonU64(parent);
    }
}

bool
PlaceCoflowMessage::DoDeserialize(ControlReader& reader)
{
    id = reader.ReadU64();
    known = CoflowOrder::FromValue(reader.ReadU64());
    if (reader.ReadU64() != reader.GetLeft() / ID_BYTES)
    {
        return false;
    }
    parents.resize(reader.GetLeft() / ID_BYTES);
    for (auto& parent : parents)
    {
        parent = reader.ReadU64();
    }
    return true;
}

void
PlaceCoflowMessage::Print(std::ostream& os) const
{
    os << "coflow=" << id << " known=" << known.Value() << " parents=" << parents.size();
}

uint32_t
CoflowPlaceMessage::GetSerializedSize() const
{
    return 16;
}

void
CoflowPlaceMessage::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU64(id);
    start.WriteHtonU64(order.Value());
}

bool
CoflowPlaceMessage::DoDeserialize(ControlReader& reader)
{
    id = reader.ReadU64();
    order = CoflowOrder::FromValue(reader.ReadU64());
    return order.IsNumbered();
}

void
CoflowPlaceMessage::Print(std::ostream& os) const
{
    os << "coflow=" << id << " order=" << order.External() << "." << order.Internal();
}

uint32_t
LocalCoflowsMessage::GetSerializedSize() const
{
    uint32_t bytes = 0;
    for (const auto& coflow : coflows)
    {
        bytes += 16 + HOST_BYTES * static_cast<uint32_t>(coflow.receivers.size());
    }
    return bytes;
}

void
LocalCoflowsMessage::Serialize(Buffer::Iterator start) const
{
    for (const auto& coflow : coflows)
    {
        NS_ABORT_MSG_IF(coflow.sent > LocalCoflow::MOST_SENT ||
                            coflow.receivers.size() > LocalCoflow::MOST_RECEIVERS,
                        "Coflow " << coflow.id << " does not fit a LocalCoflows message");
        start.WriteHtonU64(coflow.id);
        start.WriteHtonU64(coflow.sent << 16 | coflow.receivers.size());
        for (const auto receiver : coflow.receivers)
        {
            start.WriteHtonU32(receiver);
        }
    }
}

bool
LocalCoflowsMessage::DoDeserialize(ControlReader& reader)
{
    coflows.clear();
    while (reader.IsGood() && reader.GetLeft() > 0)
    {
        LocalCoflow coflow;
        coflow.id = reader.ReadU64();
        const uint64_t both = reader.ReadU64();
        coflow.sent = both >> 16;
        const std::size_t receivers = both & LocalCoflow::MOST_RECEIVERS;
        if (receivers > reader.GetLeft() / HOST_BYTES)
        {
            return false;
        }
        coflow.receivers.resize(receivers);
        for (auto& receiver : coflow.receivers)
        {
            receiver = reader.ReadU32();
        }
        if (!IsSorted(coflow.receivers))
        {
            return false;
        }
        coflows.push_back(std::move(coflow));
    }
    return true;
}

void
LocalCoflowsMessage::Print(std::ostream& os) const
{
    os << coflows.size() << " coflows";
    for (const auto& coflow : coflows)
    {
        os << "; coflow=" << coflow.id << " sent=" << coflow.sent << " receivers=";
        PrintHosts(os, coflow.receivers);
    }
}

uint32_t
GlobalCoflowsMessage::GetSerializedSize() const
{
    uint32_t bytes = ScheduleHead::SIZE;
    for (const auto& coflow : coflows)
    {
        bytes += 9 + HOST_BYTES * static_cast<uint32_t>(coflow.receivers.size());
    }
    return bytes;
}

void
GlobalCoflowsMessage::Serialize(Buffer::Iterator start) const
{
    ScheduleHead::Write(start);
    for (const auto& coflow : coflows)
    {
        start.WriteHtonU64(coflow.id);
        start.WriteU8(
            static_cast<uint8_t>(static_cast<uint8_t>(coflow.mode) << QUEUE_BITS | coflow.queue));
        for (std::size_t i = 0; i < coflow.receivers.size(); ++i)
        {
            start.WriteHtonU32(coflow.receivers[i] | (i + 1 == coflow.receivers.size() ? LAST : 0));
        }
    }
}

bool
GlobalCoflowsMessage::DoDeserialize(ControlReader& reader)
{
    ScheduleHead::Read(reader);
    coflows.clear();
    while (reader.IsGood() && reader.GetLeft() > 0)
    {
        GlobalCoflow coflow;
        coflow.id = reader.ReadU64();
        const uint8_t both = reader.ReadU8();
        coflow.queue = both & QUEUE_MASK;
        if (both >> QUEUE_BITS > static_cast<uint8_t>(GlobalCoflow::Receivers::NONE))
        {
            return false;
        }
        coflow.mode = static_cast<GlobalCoflow::Receivers>(both >> QUEUE_BITS);
        bool more = coflow.mode == GlobalCoflow::Receivers::NAMED;
        while (more && reader.IsGood())
        {
            const uint32_t receiver = reader.ReadU32();
            coflow.receivers.push_back(receiver & ~LAST);
            more = (receiver & LAST) == 0;
        }
        if (!IsSorted(coflow.receivers))
        {
            return false;
        }
        coflows.push_back(std::move(coflow));
    }
    return true;
}

void
GlobalCoflowsMessage::Print(std::ostream& os) const
{
    ScheduleHead::Print(os);
    os << coflows.size() << " coflows";
    for (const auto& coflow : coflows)
    {
        os << "; coflow=" << coflow.id << " queue=" << unsigned{coflow.queue};
        if (coflow.mode != GlobalCoflow::Receivers::ALL)
        {
            os << " receivers=";
            PrintHosts(os, coflow.receivers);
        }
    }
}

void
CoflowTotal::Write(Buffer::Iterator& to) const
{
    to.WriteHtonU64(id);
    to.WriteHtonU64(order.Value());
    to.WriteHtonU64(elsewhere);
    to.WriteHtonU32(width);
}

bool
CoflowTotal::Read(ControlReader& reader)
{
    id = reader.ReadU64();
    order = CoflowOrder::FromValue(reader.ReadU64());
    elsewhere = reader.ReadU64();
    width = reader.ReadU32();
    return true;
}

void
CoflowTotal::Print(std::ostream& os) const
{
    os << "coflow=" << id << " order=" << order.External() << "." << order.Internal()
       << " elsewhere=" << elsewhere << " width=" << width;
}

uint32_t
QueueThresholdsMessage::GetSerializedSize() const
{
    return ScheduleHead::SIZE + 8 * static_cast<uint32_t>(thresholds.size());
}

void
QueueThresholdsMessage::Serialize(Buffer::Iterator start) const
{
    ScheduleHead::Write(start);
    for (const auto threshold : thresholds)
    {
        start.WriteHtonU64(static_cast<uint64_t>(threshold));
    }
}

bool
QueueThresholdsMessage::DoDeserialize(ControlReader& reader)
{
    ScheduleHead::Read(reader);
    thresholds.clear();
    while (reader.IsGood() && reader.GetLeft() > 0)
    {
        const uint64_t threshold = reader.ReadU64();
        const auto least = static_cast<uint64_t>(thresholds.empty() ? 1 : thresholds.back());
        if (threshold < least || threshold > INT64_MAX)
        {
            return false;
        }
        thresholds.push_back(static_cast<::coflow::Bytes>(threshold));
    }
    return true;
}

void
QueueThresholdsMessage::Print(std::ostream& os) const
{
    ScheduleHead::Print(os);
    os << thresholds.size() << " thresholds";
    for (const auto threshold : thresholds)
    {
        os << ' ' << threshold;
    }
}

} // namespace ns3::coflow
