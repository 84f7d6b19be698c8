/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The bytes of control messages, and those that wait for a connection.
 */

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-completion-message.h"
#include "ns3/coflow-control-backlog.h"
#include "ns3/coflow-control-header.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-dcas-message.h"
#include "ns3/coflow-hybrid-messages.h"
#include "ns3/packet.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes
Serialize(const Header& header)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    return bytes;
}

template <class H>
H
Deserialize(const Bytes& bytes)
{
    H header;
    Create<Packet>(bytes.data(), bytes.size())->RemoveHeader(header);
    return header;
}

std::string
Print(const Header& header)
{
    std::ostringstream text;
    header.Print(text);
    return text.str();
}

/// A message survives its bytes; one that is cut off or too long is not valid.
/// @param record bytes of a record, after which a body may end
/// @param head bytes before the first record
template <class M>
M
RoundTrip(const M& message, std::size_t size, std::size_t record = SIZE_MAX, std::size_t head = 0)
{
    const auto bytes = Serialize(message);
    EXPECT_EQ(bytes.size(), size);
    EXPECT_EQ(message.GetSerializedSize(), size);
    EXPECT_EQ(message.GetMessageType(), M::TYPE);
    EXPECT_EQ(ControlMessage::GetName(M::TYPE), M::NAME);
    EXPECT_EQ(TypeId::LookupByName(message.GetInstanceTypeId().GetName()), M::GetTypeId());
    const auto copy = Deserialize<M>(bytes);
    EXPECT_TRUE(copy.IsValid());
    EXPECT_EQ(Serialize(copy), bytes);
    EXPECT_EQ(Print(copy), Print(message));
    for (std::size_t length = 0; length < size; ++length)
    {
        const auto cut = Deserialize<M>(Bytes(bytes.begin(), bytes.begin() + length));
        EXPECT_EQ(cut.IsValid(),
                  length >= head && (length - head) % record == 0 && record != SIZE_MAX)
            << "cut to " << length;
    }
    auto longer = bytes;
    longer.push_back(0);
    EXPECT_FALSE(Deserialize<M>(longer).IsValid());
    return copy;
}

constexpr FlowKey KEY{0x0102030405060708, 0x11121314};
constexpr uint64_t LARGE = 0x2122232425262728;

} // namespace

TEST(ControlHeader, IsInNetworkByteOrder)
{
    EXPECT_EQ(Serialize(ControlHeader(0x0102, 0x03040506)), (Bytes{1, 2, 1, 0, 3, 4, 5, 6}));
}

TEST(ControlHeader, ComesBackAsItWas)
{
    const auto copy = Deserialize<ControlHeader>(Serialize(ControlHeader(7, 1000)));
    EXPECT_TRUE(copy.IsValid());
    EXPECT_EQ(copy.GetMessageType(), 7);
    EXPECT_EQ(copy.GetLength(), 1000U);
    EXPECT_NE(Print(copy).find("length=1000"), std::string::npos);
}

TEST(ControlHeader, RejectsWhatMakesNoSense)
{
    const auto good = Serialize(ControlHeader(1, 100));
    for (const std::size_t position : {2, 3, 4})
    {
        auto bad = good;
        bad[position] ^= 0x40;
        EXPECT_FALSE(Deserialize<ControlHeader>(bad).IsValid()) << "byte " << position;
    }
    auto none = good;
    none[1] = 0;
    EXPECT_FALSE(Deserialize<ControlHeader>(none).IsValid()) << "type 0";
    for (std::size_t length = 0; length < good.size(); ++length)
    {
        EXPECT_FALSE(
            Deserialize<ControlHeader>(Bytes(good.begin(), good.begin() + length)).IsValid());
    }
    EXPECT_FALSE(ControlHeader().IsValid());
}

TEST(ControlBacklog, AMessageThatHasBegunToLeaveIsNotReplaced)
{
    const auto add = [](ControlBacklog& backlog, uint32_t size, uint16_t type, bool renews) {
        return backlog.Add(Create<Packet>(size), type, renews);
    };
    ControlBacklog backlog;
    EXPECT_EQ(add(backlog, 10, 8, true), 0U);
    EXPECT_EQ(add(backlog, 20, 9, true), 0U) << "another type";
    EXPECT_EQ(add(backlog, 30, 8, false), 0U) << "it renews nothing";
    EXPECT_EQ(add(backlog, 12, 8, true), 10U) << "the first is replaced";
    // A part of it leaves, so that the rest stays, and the next one comes behind all.
    EXPECT_EQ(backlog.Front()->GetSize(), 12U);
    backlog.TrimFront(5);
    EXPECT_EQ(add(backlog, 40, 8, true), 0U);
    EXPECT_EQ(add(backlog, 41, 8, true), 40U);
    for (const uint32_t size : {7, 20, 30, 41})
    {
        EXPECT_EQ(backlog.Front()->GetSize(), size);
        backlog.PopFront();
    }
    EXPECT_TRUE(backlog.IsEmpty());
    EXPECT_EQ(add(backlog, 7, 8, true), 0U);
    backlog.Clear();
    EXPECT_TRUE(backlog.IsEmpty());
}

TEST(CentralMessages, RegisterCoflow)
{
    RegisterCoflowMessage message;
    message.numFlows = 17;
    auto copy = RoundTrip(message, 32);
    EXPECT_EQ(copy.happened, Time());
    EXPECT_EQ(copy.id, 0U);
    EXPECT_FALSE(copy.deadline);
    EXPECT_EQ(copy.numFlows, 17U);
    EXPECT_EQ(copy.attributes.weight, 1U);
    message.attributes.weight = 1000;
    message.happened = Seconds(3600.5);
    message.id = LARGE;
    message.deadline = NanoSeconds(123456789);
    copy = RoundTrip(message, 32);
    EXPECT_EQ(copy.happened, Seconds(3600.5));
    EXPECT_EQ(copy.id, LARGE);
    EXPECT_EQ(copy.deadline, NanoSeconds(123456789));
    EXPECT_EQ(copy.attributes.weight, 1000U);
}

TEST(CentralMessages, RegisterCoflowRejectsWhatMakesNoSense)
{
    const auto good = Serialize(RegisterCoflowMessage());
    for (const std::size_t time : {0, 24})
    {
        auto bad = good;
        bad[time] = 0x80;
        EXPECT_FALSE(Deserialize<RegisterCoflowMessage>(bad).IsValid())
            << "byte " << time << ": a time below 0";
    }
    auto weightless = good;
    weightless[23] = 0;
    EXPECT_FALSE(Deserialize<RegisterCoflowMessage>(weightless).IsValid());
}

TEST(CentralMessages, OnesWithAnId)
{
    RegisteredCoflowMessage registered;
    registered.id = LARGE;
    EXPECT_EQ(RoundTrip(registered, 8).id, LARGE);
    UnregisterCoflowMessage unregister;
    unregister.id = LARGE;
    unregister.happened = NanoSeconds(5);
    EXPECT_EQ(RoundTrip(unregister, 16).id, LARGE);
    EXPECT_EQ(RoundTrip(unregister, 16).happened, NanoSeconds(5));
}

TEST(CoordinatedMessages, Heartbeat)
{
    HeartbeatMessage heartbeat;
    heartbeat.host = 149;
    heartbeat.rxBitsPerSecond = LARGE;
    heartbeat.txBitsPerSecond = 2;
    auto copy = RoundTrip(heartbeat, 28);
    EXPECT_EQ(copy.host, 149U);
    EXPECT_EQ(copy.rxBitsPerSecond, LARGE);
    EXPECT_EQ(copy.txBitsPerSecond, 2U);
    EXPECT_FALSE(copy.idle);
    heartbeat.idle = true;
    heartbeat.over = {3, LARGE};
    const auto bytes = Serialize(heartbeat);
    EXPECT_EQ(bytes.size(), 28U + 2 * 8);
    copy = Deserialize<HeartbeatMessage>(bytes);
    EXPECT_TRUE(copy.IsValid());
    EXPECT_TRUE(copy.idle);
    EXPECT_EQ(copy.over, heartbeat.over);
    auto bad = bytes;
    bad[27] = 2;
    EXPECT_FALSE(Deserialize<HeartbeatMessage>(bad).IsValid()) << "neither idle nor not";
}

TEST(CompletionMessages, TasksDone)
{
    EXPECT_EQ(ControlMessage::GetName(TasksDoneMessage::TYPE), "TasksDone");
    TasksDoneMessage message;
    message.id = LARGE;
    message.host = 149;
    const auto copy = RoundTrip(message, 12);
    EXPECT_EQ(copy.id, LARGE);
    EXPECT_EQ(copy.host, 149U);
}

TEST(CentralMessages, RejectedCoflow)
{
    EXPECT_EQ(ControlMessage::GetName(RejectedCoflowMessage::TYPE), "RejectedCoflow");
    RejectedCoflowMessage message;
    message.id = LARGE;
    for (const std::string reason : {"", "its deadline cannot be met"})
    {
        for (const auto outcome : {Outcome::DROPPED, Outcome::BEST_EFFORT, Outcome::RELEASED})
        {
            message.reason = reason;
            message.outcome = outcome;
            const auto bytes = Serialize(message);
            EXPECT_EQ(bytes.size(), 16 + reason.size());
            const auto copy = Deserialize<RejectedCoflowMessage>(bytes);
            EXPECT_TRUE(copy.IsValid());
            EXPECT_EQ(copy.id, LARGE);
            EXPECT_EQ(copy.outcome, outcome);
            EXPECT_EQ(copy.reason, reason);
            auto bad = bytes;
            bad[15] = 3;
            EXPECT_FALSE(Deserialize<RejectedCoflowMessage>(bad).IsValid()) << "no such outcome";
        }
    }
    EXPECT_NE(Print(message).find("outcome=released"), std::string::npos);
    EXPECT_FALSE(Deserialize<RejectedCoflowMessage>(Bytes(15)).IsValid());
}

TEST(CentralMessages, Lists)
{
    const std::vector<PutRecord> puts{{KEY, LARGE, true},
                                      {KEY, {}, false, true},
                                      {{0, 0}, 0, true, true}};
    AddFlowsMessage add(puts);
    add.happened = Seconds(3600.5);
    EXPECT_EQ(RoundTrip(add, 8 + 3 * 24, 24, 8).records, puts);
    EXPECT_EQ(RoundTrip(add, 8 + 3 * 24, 24, 8).happened, Seconds(3600.5));
    const std::vector<GetRecord> gets{{KEY}, {{1, 2}}};
    EXPECT_EQ(RoundTrip(GetFlowsMessage(gets), 8 + 2 * 16, 16, 8).records, gets);
    const std::vector<FlowDescription> flows{{KEY, 5, 6, LARGE, Ipv4Address("10.0.0.6"), 5000},
                                             {KEY, 5, 6, {}, Ipv4Address("10.0.0.6"), 65535}};
    EXPECT_EQ(RoundTrip(GotFlowDescsMessage(flows), 2 * 40, 40).records, flows);
    const std::vector<ProgressRecord> progress{{KEY, LARGE, false}, {KEY, 0, true}};
    EXPECT_EQ(RoundTrip(FlowProgressMessage(progress), 8 + 2 * 28, 28, 8).records, progress);
    const std::vector<RateRecord> rates{{KEY, LARGE}, {{1, 2}, 0}};
    UpdatedRatesMessage updated(rates);
    updated.schedule = LARGE;
    EXPECT_EQ(RoundTrip(updated, 16 + 2 * 24, 24, 16).records, rates);
    updated.since = LARGE - 1;
    EXPECT_EQ(RoundTrip(updated, 16 + 2 * 24, 24, 16).schedule, LARGE);
    EXPECT_EQ(RoundTrip(updated, 16 + 2 * 24, 24, 16).since, LARGE - 1);
    EXPECT_EQ(RoundTrip(UpdatedRatesMessage(), 16).records.size(), 0U);
    const std::vector<PlaceRecord> places{{LARGE, 0}, {1, UINT32_MAX}};
    CoflowOrderMessage order(places);
    order.schedule = LARGE;
    EXPECT_EQ(RoundTrip(order, 8 + 2 * 12, 12, 8).records, places);
    EXPECT_EQ(RoundTrip(order, 8 + 2 * 12, 12, 8).schedule, LARGE);
}

TEST(CentralMessages, ListsRejectWhatMakesNoSense)
{
    auto flowId = Serialize(UpdatedRatesMessage({{KEY, 1}}));
    flowId[24] = 1; // beyond 32 bits
    EXPECT_FALSE(Deserialize<UpdatedRatesMessage>(flowId).IsValid());
    auto done = Serialize(FlowProgressMessage({{KEY, 1, true}}));
    done[32] = 1;
    EXPECT_FALSE(Deserialize<FlowProgressMessage>(done).IsValid());
    auto put = Serialize(AddFlowsMessage({{KEY, 1, true}}));
    put[19] = 4; // a third flag
    EXPECT_FALSE(Deserialize<AddFlowsMessage>(put).IsValid());
    auto time = Serialize(GetFlowsMessage({{KEY}}));
    time[0] = 0x80; // below 0
    EXPECT_FALSE(Deserialize<GetFlowsMessage>(time).IsValid());
    auto port = Serialize(GotFlowDescsMessage({{KEY, 5, 6, {}, Ipv4Address("10.0.0.6"), 5000}}));
    port[36] = 1; // beyond 16 bits
    EXPECT_FALSE(Deserialize<GotFlowDescsMessage>(port).IsValid());
}

TEST(CentralMessages, ArePrintable)
{
    AddFlowsMessage puts({{{1, 2}, 70, false, true}});
    puts.happened = NanoSeconds(9);
    EXPECT_EQ(Print(puts), "happened=9ns records=[coflow=1 flags=not done,again flow=2 bytes=70]");
    UpdatedRatesMessage rates({{{1, 2}, 5}});
    rates.schedule = 3;
    EXPECT_EQ(Print(rates), "schedule=3 since=0 records=[coflow=1 label=0 flow=2 bps=5]");
    EXPECT_EQ(ControlMessage::GetName(99), "type 99");
}

TEST(HybridMessages, Places)
{
    PlaceCoflowMessage ask;
    ask.id = LARGE;
    EXPECT_EQ(RoundTrip(ask, 24).known, ::coflow::CoflowOrder());
    ask.known = ::coflow::CoflowOrder::Provisional(77);
    ask.parents = {3, LARGE};
    const auto copy = RoundTrip(ask, 40);
    EXPECT_EQ(copy.known, ask.known);
    EXPECT_EQ(copy.parents, ask.parents);
    CoflowPlaceMessage answer;
    answer.id = 9;
    answer.order = ::coflow::CoflowOrder(5, 6);
    EXPECT_EQ(RoundTrip(answer, 16).order, answer.order);
    EXPECT_NE(Print(answer).find("order=5.6"), std::string::npos);
    // Neither no place nor a provisional one is an answer.
    auto bytes = Serialize(answer);
    bytes[8] = 0x80;
    EXPECT_FALSE(Deserialize<CoflowPlaceMessage>(bytes).IsValid());
    EXPECT_FALSE(Deserialize<CoflowPlaceMessage>(Bytes(16)).IsValid());
}

TEST(HybridMessages, LocalCoflows)
{
    LocalCoflowsMessage message;
    message.coflows = {{LARGE, LocalCoflow::MOST_SENT, {0, 7, 4000000000}}};
    EXPECT_EQ(RoundTrip(message, 28, 28).coflows, message.coflows);
    message.coflows = {{1, 5, {}}, {2, 0, {9}}, {3, 1, {}}};
    const auto bytes = Serialize(message);
    EXPECT_EQ(bytes.size(), 3 * 16 + 4U);
    EXPECT_EQ(Deserialize<LocalCoflowsMessage>(bytes).coflows, message.coflows);
    EXPECT_TRUE(RoundTrip(LocalCoflowsMessage(), 0).coflows.empty());
    EXPECT_NE(Print(message).find("coflow=2 sent=0 receivers=9"), std::string::npos);
}

TEST(HybridMessages, LocalCoflowsRejectWhatMakesNoSense)
{
    LocalCoflowsMessage message;
    message.coflows = {{1, 5, {3, 9}}};
    const auto good = Serialize(message);
    auto bytes = good;
    std::swap(bytes[19], bytes[23]); // receivers out of order
    EXPECT_FALSE(Deserialize<LocalCoflowsMessage>(bytes).IsValid());
    bytes[19] = bytes[23]; // twice the same
    EXPECT_FALSE(Deserialize<LocalCoflowsMessage>(bytes).IsValid());
    bytes = good;
    bytes[14] = 0xff; // far more receivers than there are bytes
    EXPECT_FALSE(Deserialize<LocalCoflowsMessage>(bytes).IsValid());
}

TEST(HybridMessages, GlobalCoflows)
{
    using Receivers = GlobalCoflow::Receivers;
    GlobalCoflowsMessage message;
    message.coflows = {{LARGE, 62, Receivers::NAMED, {0, 5, 0x7fffffff}}};
    message.schedule = LARGE;
    EXPECT_EQ(RoundTrip(message, 8 + 21, 21, 8).coflows, message.coflows);
    EXPECT_EQ(RoundTrip(message, 8 + 21, 21, 8).schedule, LARGE);
    message.coflows = {{1, 0, Receivers::ALL, {}},
                       {2, GlobalCoflow::PROMOTED, Receivers::NONE, {}},
                       {3, 4, Receivers::NAMED, {8}}};
    const auto bytes = Serialize(message);
    EXPECT_EQ(bytes.size(), 8 + 3 * 9 + 4U);
    const auto copy = Deserialize<GlobalCoflowsMessage>(bytes);
    EXPECT_TRUE(copy.IsValid());
    EXPECT_EQ(copy.coflows, message.coflows);
    EXPECT_TRUE(RoundTrip(GlobalCoflowsMessage(), 8).coflows.empty());
    EXPECT_NE(Print(message).find("coflow=3 queue=4 receivers=8"), std::string::npos);
}

TEST(HybridMessages, GlobalCoflowsRejectWhatMakesNoSense)
{
    GlobalCoflowsMessage message;
    message.coflows = {{1, 2, GlobalCoflow::Receivers::NAMED, {3, 9}}};
    const auto good = Serialize(message);
    auto bytes = good;
    bytes[16] |= 0xc0; // a fourth way to name receivers
    EXPECT_FALSE(Deserialize<GlobalCoflowsMessage>(bytes).IsValid());
    bytes = good;
    bytes[21] = 0; // a list without an end
    EXPECT_FALSE(Deserialize<GlobalCoflowsMessage>(bytes).IsValid());
    bytes = good;
    bytes[20] = 10; // out of order
    EXPECT_FALSE(Deserialize<GlobalCoflowsMessage>(bytes).IsValid());
}

TEST(HybridMessages, Thresholds)
{
    QueueThresholdsMessage message;
    message.schedule = LARGE;
    message.thresholds = {1, 40000, 40000, INT64_MAX};
    const auto again = RoundTrip(message, 8 + 4 * 8, 8, 8);
    EXPECT_EQ(again.thresholds, message.thresholds);
    EXPECT_EQ(again.schedule, LARGE);
    const auto good = Serialize(message);
    auto bytes = good;
    bytes[15] = 0; // a threshold of 0 bytes
    EXPECT_FALSE(Deserialize<QueueThresholdsMessage>(bytes).IsValid());
    bytes = good;
    bytes[8] = 1; // not ascending
    EXPECT_FALSE(Deserialize<QueueThresholdsMessage>(bytes).IsValid());
    bytes = good;
    bytes[32] = 0xff; // more than a number of bytes can be
    EXPECT_FALSE(Deserialize<QueueThresholdsMessage>(bytes).IsValid());
}

TEST(HybridMessages, Totals)
{
    const std::vector<CoflowTotal> totals{{1, ::coflow::CoflowOrder(2, 3), LARGE, 4},
                                          {LARGE, ::coflow::CoflowOrder::Provisional(9), 0, 0}};
    EXPECT_EQ(RoundTrip(CoflowTotalsMessage(totals), 2 * 28, 28).records, totals);
}

TEST(DcasMessages, AnnouncementAndFeedback)
{
    DcasMessage message;
    message.count = 0x0102;
    message.round = 0x11121314;
    message.coflow = LARGE;
    message.value = NanoSeconds(5);
    message.sent = NanoSeconds(6);
    message.remaining = LARGE;
    EXPECT_EQ(RoundTrip(message, 40).remaining, LARGE);
    EXPECT_EQ(RoundTrip(message, 40).count, 0x0102);
    message.kind = DcasMessage::Kind::FEEDBACK;
    const auto copy = RoundTrip(message, 32);
    EXPECT_EQ(copy.remaining, 0U);
    EXPECT_EQ(copy.round, 0x11121314U);
    EXPECT_EQ(copy.sent, NanoSeconds(6));
    const auto good = Serialize(message);
    EXPECT_EQ(Bytes(good.begin(), good.begin() + 4), (Bytes{2, 1, 1, 2}));
    for (const auto& [position, value] : {std::pair(0, 3), {0, 1}, {1, 2}, {16, 0x80}, {24, 0x80}})
    {
        auto bad = good;
        bad[position] = static_cast<uint8_t>(value);
        EXPECT_FALSE(Deserialize<DcasMessage>(bad).IsValid()) << "byte " << position;
    }
}
