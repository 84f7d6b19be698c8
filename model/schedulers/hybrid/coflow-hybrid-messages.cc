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

constexpr uint32_t HOST_BYTES = 4;

constexpr uint32_t QUEUE_BITS = 6;
constexpr uint8_t QUEUE_MASK = (1 << QUEUE_BITS) - 1;

/// Mark of the last host of a list that has no length field.
constexpr uint32_t LAST = uint32_t{1} << 31;

/// @return whether hosts are in ascending order without duplicates
bool
IsSorted(const std::vector<HostId>& hosts)
{
    return std::ranges::adjacent_find(hosts, std::greater_equal<>()) == hosts.end();
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
Wire<CoflowOrder>::Size(const CoflowOrder&)
{
    return sizeof(uint64_t);
}

void
Wire<CoflowOrder>::Write(Buffer::Iterator& to, const CoflowOrder& order)
{
    to.WriteHtonU64(order.Value());
}

bool
Wire<CoflowOrder>::Read(ControlReader& from, CoflowOrder& order)
{
    order = CoflowOrder::FromValue(from.Read<uint64_t>());
    return true;
}

void
Wire<CoflowOrder>::Print(std::ostream& os, const CoflowOrder& order)
{
    os << order.External() << '.' << order.Internal();
}

uint32_t
Wire<LocalCoflow>::Size(const LocalCoflow& coflow)
{
    return 16 + HOST_BYTES * static_cast<uint32_t>(coflow.receivers.size());
}

void
Wire<LocalCoflow>::Write(Buffer::Iterator& to, const LocalCoflow& coflow)
{
    NS_ABORT_MSG_IF(coflow.sent > LocalCoflow::MOST_SENT ||
                        coflow.receivers.size() > LocalCoflow::MOST_RECEIVERS,
                    "Coflow " << coflow.id << " does not fit a LocalCoflows message");
    to.WriteHtonU64(coflow.id);
    to.WriteHtonU64(coflow.sent << 16 | coflow.receivers.size());
    for (const auto receiver : coflow.receivers)
    {
        to.WriteHtonU32(receiver);
    }
}

bool
Wire<LocalCoflow>::Read(ControlReader& from, LocalCoflow& coflow)
{
    coflow.id = from.Read<uint64_t>();
    const auto both = from.Read<uint64_t>();
    coflow.sent = both >> 16;
    const std::size_t receivers = both & LocalCoflow::MOST_RECEIVERS;
    if (receivers > from.GetLeft() / HOST_BYTES)
    {
        return false;
    }
    coflow.receivers.resize(receivers);
    for (auto& receiver : coflow.receivers)
    {
        receiver = from.Read<uint32_t>();
    }
    return IsSorted(coflow.receivers);
}

void
Wire<LocalCoflow>::Print(std::ostream& os, const LocalCoflow& coflow)
{
    os << "coflow=" << coflow.id << " sent=" << coflow.sent << " receivers=";
    PrintHosts(os, coflow.receivers);
}

uint32_t
Wire<GlobalCoflow>::Size(const GlobalCoflow& coflow)
{
    return 9 + HOST_BYTES * static_cast<uint32_t>(coflow.receivers.size());
}

void
Wire<GlobalCoflow>::Write(Buffer::Iterator& to, const GlobalCoflow& coflow)
{
    to.WriteHtonU64(coflow.id);
    to.WriteU8(
        static_cast<uint8_t>(static_cast<uint8_t>(coflow.mode) << QUEUE_BITS | coflow.queue));
    for (std::size_t i = 0; i < coflow.receivers.size(); ++i)
    {
        to.WriteHtonU32(coflow.receivers[i] | (i + 1 == coflow.receivers.size() ? LAST : 0));
    }
}

bool
Wire<GlobalCoflow>::Read(ControlReader& from, GlobalCoflow& coflow)
{
    coflow.id = from.Read<uint64_t>();
    const auto both = from.Read<uint8_t>();
    coflow.queue = both & QUEUE_MASK;
    if (both >> QUEUE_BITS > static_cast<uint8_t>(GlobalCoflow::Receivers::NONE))
    {
        return false;
    }
    coflow.mode = static_cast<GlobalCoflow::Receivers>(both >> QUEUE_BITS);
    bool more = coflow.mode == GlobalCoflow::Receivers::NAMED;
    while (more && from.IsGood())
    {
        const auto receiver = from.Read<uint32_t>();
        coflow.receivers.push_back(receiver & ~LAST);
        more = (receiver & LAST) == 0;
    }
    return IsSorted(coflow.receivers);
}

void
Wire<GlobalCoflow>::Print(std::ostream& os, const GlobalCoflow& coflow)
{
    os << "coflow=" << coflow.id << " queue=" << unsigned{coflow.queue};
    if (coflow.mode != GlobalCoflow::Receivers::ALL)
    {
        os << " receivers=";
        PrintHosts(os, coflow.receivers);
    }
}

} // namespace ns3::coflow
