/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The bytes of control messages.
 */

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-completion-message.h"
#include "ns3/coflow-control-header.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-datagram-header.h"
#include "ns3/coflow-hybrid-messages.h"
#include "ns3/packet.h"

#include <gtest/gtest.h>
#include <limits>
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
template <class M>
M
RoundTrip(const M& message, std::size_t size, std::size_t record = SIZE_MAX)
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
        EXPECT_EQ(cut.IsValid(), length % record == 0 && record != SIZE_MAX) << "cut to " << length;
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
    EXPECT_EQ(Serialize(ControlHeader(0x0102, 0x03040506, 0x1112131415161718)),
              (Bytes{1, 2, 1, 1, 3, 4, 5, 6, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18}));
    EXPECT_EQ(Serialize(ControlHeader(9, 0, 0, false)),
              (Bytes{0, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(ControlHeader, ComesBackAsItWas)
{
    for (const bool last : {false, true})
    {
        const auto copy =
            Deserialize<ControlHeader>(Serialize(ControlHeader(7, 1000, LARGE, last)));
        EXPECT_TRUE(copy.IsValid());
        EXPECT_EQ(copy.GetMessageType(), 7);
        EXPECT_EQ(copy.GetLength(), 1000U);
        EXPECT_EQ(copy.GetEpoch(), LARGE);
        EXPECT_EQ(copy.IsLast(), last);
        EXPECT_NE(Print(copy).find("length=1000"), std::string::npos);
    }
}

TEST(ControlHeader, RejectsWhatMakesNoSense)
{
    const auto good = Serialize(ControlHeader(1, 100, 5));
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

TEST(DatagramHeader, ComesBackOrIsRejected)
{
    using Kind = DatagramHeader::Kind;
    EXPECT_EQ(Serialize(DatagramHeader(Kind::DATA, 0x01020304)),
              (Bytes{0xC7, 1, 3, 0, 1, 2, 3, 4}));
    for (const auto kind : {Kind::HELLO, Kind::WELCOME, Kind::DATA, Kind::ACK, Kind::GOODBYE})
    {
        const auto good = Serialize(DatagramHeader(kind, 77));
        const auto copy = Deserialize<DatagramHeader>(good);
        EXPECT_TRUE(copy.IsValid());
        EXPECT_EQ(copy.GetKind(), kind);
        EXPECT_EQ(copy.GetNumber(), 77U);
        EXPECT_NE(Print(copy).find("number=77"), std::string::npos);
        for (const std::size_t position : {0, 1, 2, 3})
        {
            auto bad = good;
            bad[position] ^= 0x40;
            EXPECT_FALSE(Deserialize<DatagramHeader>(bad).IsValid()) << "byte " << position;
        }
        EXPECT_FALSE(Deserialize<DatagramHeader>(Bytes(good.begin(), good.end() - 1)).IsValid());
    }
    auto none = Serialize(DatagramHeader(Kind::HELLO));
    none[2] = 0;
    EXPECT_FALSE(Deserialize<DatagramHeader>(none).IsValid());
}

TEST(CentralMessages, RegisterCoflow)
{
    RegisterCoflowMessage message;
    message.numFlows = 17;
    auto copy = RoundTrip(message, 40);
    EXPECT_FALSE(copy.id);
    EXPECT_FALSE(copy.deadline);
    EXPECT_EQ(copy.numFlows, 17U);
    EXPECT_EQ(copy.weight, 1);
    message.id = 0;
    message.deadline = NanoSeconds(123456789);
    message.weight = 0.3;
    copy = RoundTrip(message, 40);
    EXPECT_EQ(copy.id, ::coflow::CoflowId{0});
    EXPECT_EQ(copy.deadline, NanoSeconds(123456789));
    EXPECT_EQ(copy.weight, 0.3);
}

TEST(CentralMessages, RegisterCoflowRejectsWhatMakesNoSense)
{
    RegisterCoflowMessage message;
    message.deadline = NanoSeconds(1);
    for (const double weight : {0.0,
                                -1.0,
                                std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()})
    {
        auto bad = message;
        bad.weight = weight;
        EXPECT_FALSE(Deserialize<RegisterCoflowMessage>(Serialize(bad)).IsValid()) << weight;
    }
    for (const Time& deadline : {Time(0), NanoSeconds(-5)})
    {
        auto bad = message;
        bad.deadline = deadline;
        EXPECT_FALSE(Deserialize<RegisterCoflowMessage>(Serialize(bad)).IsValid());
    }
    message.deadline = std::nullopt;
    for (const std::size_t unused : {8, 24})
    {
        auto bad = Serialize(message);
        bad[unused] = 1;
        EXPECT_FALSE(Deserialize<RegisterCoflowMessage>(bad).IsValid()) << "byte " << unused;
    }
    auto flags = Serialize(message);
    flags[0] = 1;
    EXPECT_FALSE(Deserialize<RegisterCoflowMessage>(flags).IsValid());
}

TEST(CentralMessages, OnesWithAnId)
{
    RegisteredCoflowMessage registered;
    registered.id = LARGE;
    EXPECT_EQ(RoundTrip(registered, 8).id, LARGE);
    UnregisterCoflowMessage unregister;
    unregister.id = LARGE;
    EXPECT_EQ(RoundTrip(unregister, 8).id, LARGE);
    HeartbeatMessage heartbeat;
    heartbeat.host = 149;
    heartbeat.rxBitsPerSecond = LARGE;
    heartbeat.txBitsPerSecond = 2;
    const auto copy = RoundTrip(heartbeat, 20);
    EXPECT_EQ(copy.host, 149U);
    EXPECT_EQ(copy.rxBitsPerSecond, LARGE);
    EXPECT_EQ(copy.txBitsPerSecond, 2U);
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
        message.reason = reason;
        const auto bytes = Serialize(message);
        EXPECT_EQ(bytes.size(), 8 + reason.size());
        const auto copy = Deserialize<RejectedCoflowMessage>(bytes);
        EXPECT_TRUE(copy.IsValid());
        EXPECT_EQ(copy.id, LARGE);
        EXPECT_EQ(copy.reason, reason);
    }
    EXPECT_FALSE(Deserialize<RejectedCoflowMessage>(Bytes(7)).IsValid());
}

TEST(CentralMessages, Lists)
{
    const std::vector<PutRecord> puts{{KEY, 5, 6, LARGE}, {KEY, 5, {}, {}}, {{0, 0}, 0, 0, 0}};
    EXPECT_EQ(RoundTrip(AddFlowsMessage(puts), 3 * 32, 32).records, puts);
    const std::vector<GetRecord> gets{{KEY, 5, 6}, {KEY, 5, {}}};
    EXPECT_EQ(RoundTrip(GetFlowsMessage(gets), 2 * 24, 24).records, gets);
    const std::vector<FlowDescription> flows{{KEY, 5, 6, LARGE, Ipv4Address("10.0.0.6"), 5000},
                                             {KEY, 5, 6, {}, Ipv4Address("10.0.0.6"), 65535}};
    EXPECT_EQ(RoundTrip(GotFlowDescsMessage(flows), 2 * 40, 40).records, flows);
    const std::vector<ProgressRecord> progress{{KEY, LARGE, false}, {KEY, 0, true}};
    EXPECT_EQ(RoundTrip(FlowProgressMessage(progress), 2 * 28, 28).records, progress);
    const std::vector<RateRecord> rates{{KEY, LARGE}, {{1, 2}, 0}};
    EXPECT_EQ(RoundTrip(UpdatedRatesMessage(rates), 2 * 24, 24).records, rates);
    EXPECT_EQ(RoundTrip(UpdatedRatesMessage(), 0).records.size(), 0U);
}

TEST(CentralMessages, ListsRejectWhatMakesNoSense)
{
    auto flowId = Serialize(UpdatedRatesMessage({{KEY, 1}}));
    flowId[8] = 1; // beyond 32 bits
    EXPECT_FALSE(Deserialize<UpdatedRatesMessage>(flowId).IsValid());
    auto done = Serialize(FlowProgressMessage({{KEY, 1, true}}));
    done[24] = 1;
    EXPECT_FALSE(Deserialize<FlowProgressMessage>(done).IsValid());
    auto port = Serialize(GotFlowDescsMessage({{KEY, 5, 6, {}, Ipv4Address("10.0.0.6"), 5000}}));
    port[36] = 1; // beyond 16 bits
    EXPECT_FALSE(Deserialize<GotFlowDescsMessage>(port).IsValid());
}

TEST(CentralMessages, ArePrintable)
{
    EXPECT_EQ(Print(AddFlowsMessage({{{1, 2}, 5, {}, 70}})),
              "1 records; coflow=1 flow=2 src=5 bytes=70");
    EXPECT_EQ(Print(UpdatedRatesMessage({{{1, 2}, 5}})), "1 records; coflow=1 flow=2 rate=5bps");
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
    EXPECT_EQ(RoundTrip(message, 21, 21).coflows, message.coflows);
    message.coflows = {{1, 0, Receivers::ALL, {}},
                       {2, GlobalCoflow::PROMOTED, Receivers::NONE, {}},
                       {3, 4, Receivers::NAMED, {8}}};
    const auto bytes = Serialize(message);
    EXPECT_EQ(bytes.size(), 3 * 9 + 4U);
    const auto copy = Deserialize<GlobalCoflowsMessage>(bytes);
    EXPECT_TRUE(copy.IsValid());
    EXPECT_EQ(copy.coflows, message.coflows);
    EXPECT_TRUE(RoundTrip(GlobalCoflowsMessage(), 0).coflows.empty());
    EXPECT_NE(Print(message).find("coflow=3 queue=4 receivers=8"), std::string::npos);
}

TEST(HybridMessages, GlobalCoflowsRejectWhatMakesNoSense)
{
    GlobalCoflowsMessage message;
    message.coflows = {{1, 2, GlobalCoflow::Receivers::NAMED, {3, 9}}};
    const auto good = Serialize(message);
    auto bytes = good;
    bytes[8] |= 0xc0; // a fourth way to name receivers
    EXPECT_FALSE(Deserialize<GlobalCoflowsMessage>(bytes).IsValid());
    bytes = good;
    bytes[13] = 0; // a list without an end
    EXPECT_FALSE(Deserialize<GlobalCoflowsMessage>(bytes).IsValid());
    bytes = good;
    bytes[12] = 10; // out of order
    EXPECT_FALSE(Deserialize<GlobalCoflowsMessage>(bytes).IsValid());
}

TEST(HybridMessages, Totals)
{
    const std::vector<CoflowTotal> totals{{1, ::coflow::CoflowOrder(2, 3), LARGE, 4},
                                          {LARGE, ::coflow::CoflowOrder::Provisional(9), 0, 0}};
    EXPECT_EQ(RoundTrip(CoflowTotalsMessage(totals), 2 * 28, 28).records, totals);
}
