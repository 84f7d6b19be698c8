/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The record's header, and a sink whose peer does not keep to the protocol.
 */

#include "transport-fixture.h"

#include "ns3/coflow-flow-header.h"
#include "ns3/inet-socket-address.h"

#include <sstream>

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes
Serialize(const CoflowFlowHeader& header)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    return bytes;
}

CoflowFlowHeader
Deserialize(const Bytes& bytes)
{
    CoflowFlowHeader header;
    Create<Packet>(bytes.data(), bytes.size())->PeekHeader(header);
    return header;
}

/// Opens a connection to the sink of host 1 and sends bytes in pieces of a size.
void
SendRaw(Star& star, Bytes bytes, std::size_t piece, bool close = true)
{
    auto socket = star.profile->CreateSocket(star.hosts.Get(0));
    const InetSocketAddress sink(star.address[1], CoflowSink::DEFAULT_PORT);
    Simulator::Schedule(MicroSeconds(1), [=] { socket->Connect(sink); });
    Time when = MilliSeconds(1);
    for (std::size_t i = 0; i < bytes.size(); i += piece)
    {
        auto packet = Create<Packet>(&bytes[i], std::min(piece, bytes.size() - i));
        Simulator::Schedule(when, [socket, packet] { socket->Send(packet); });
        when += MicroSeconds(200);
    }
    if (close)
    {
        Simulator::Schedule(when, [socket] { socket->Close(); });
    }
}

Bytes
Record(uint32_t flow, uint64_t offset, uint64_t length, bool last, uint64_t sent)
{
    auto bytes = Serialize(CoflowFlowHeader(1, flow, offset, length, last));
    bytes.resize(bytes.size() + sent);
    return bytes;
}

} // namespace

TEST(FlowHeader, IsInNetworkByteOrder)
{
    const CoflowFlowHeader header(0x0102030405060708, 0x11121314, 0x2122232425262728, 5, true);
    EXPECT_EQ(Serialize(header),
              (Bytes{0xC0, 0xF1, 1,    1,    0x11, 0x12, 0x13, 0x14, 1, 2, 3, 4, 5, 6, 7, 8,
                     0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0, 0, 0, 0, 0, 0, 0, 5}));
}

TEST(FlowHeader, ComesBackAsItWas)
{
    for (const bool last : {false, true})
    {
        for (const uint64_t value : {uint64_t{1}, uint64_t{77}, uint64_t{1} << 40, UINT64_MAX / 4})
        {
            const CoflowFlowHeader header(value * 3, value % 1000003, value, value, last);
            const auto copy = Deserialize(Serialize(header));
            EXPECT_TRUE(copy.IsValid());
            EXPECT_EQ(copy.GetCoflowId(), value * 3);
            EXPECT_EQ(copy.GetFlowId(), value % 1000003);
            EXPECT_EQ(copy.GetOffset(), value);
            EXPECT_EQ(copy.GetLength(), value);
            EXPECT_EQ(copy.IsLast(), last);
            std::ostringstream text;
            copy.Print(text);
            EXPECT_NE(text.str().find("offset=" + std::to_string(value)), std::string::npos);
        }
    }
}

TEST(FlowHeader, RejectsWhatMakesNoSense)
{
    const auto good = Serialize(CoflowFlowHeader(1, 2, 3, 4, false));
    EXPECT_TRUE(Deserialize(good).IsValid());
    for (const std::size_t position : {0, 1, 2, 3})
    {
        auto bad = good;
        bad[position] ^= 0x40;
        EXPECT_FALSE(Deserialize(bad).IsValid()) << "byte " << position;
    }
    for (const std::size_t position : {16, 24}) // beyond 2^63
    {
        auto bad = good;
        bad[position] = 0x80;
        EXPECT_FALSE(Deserialize(bad).IsValid()) << "byte " << position;
    }
    auto overflow = Serialize(CoflowFlowHeader(1, 2, INT64_MAX, 1, true));
    EXPECT_FALSE(Deserialize(overflow).IsValid());
    EXPECT_FALSE(Deserialize(Serialize(CoflowFlowHeader(1, 2, 3, 0, false))).IsValid());
    EXPECT_TRUE(Deserialize(Serialize(CoflowFlowHeader(1, 2, 3, 0, true))).IsValid());
    EXPECT_FALSE(CoflowFlowHeader().IsValid());
}

class SinkInPieces : public ::testing::TestWithParam<std::size_t>
{
};

INSTANTIATE_TEST_SUITE_P(Sizes, SinkInPieces, ::testing::Values(1, 7, 31, 32, 33, 50, 1000));

TEST_P(SinkInPieces, ReadsRecordsHoweverTheyAreCut)
{
    Star star({});
    auto bytes = Record(0, 0, 100, false, 100);
    for (const auto& more : {Record(1, 0, 1, true, 1),
                             Record(0, 50, 80, true, 80), // repeats 50 bytes
                             Record(2, 0, 30, false, 30),
                             Record(2, 30, 0, true, 0)})
    {
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
    SendRaw(star, bytes, GetParam());
    star.Run(Seconds(1));
    EXPECT_EQ(star.finished.size(), 3U);
    EXPECT_EQ(star.Get(0).bytes, 130U);
    EXPECT_EQ(star.Get(1).bytes, 1U);
    EXPECT_EQ(star.Get(2).bytes, 30U);
    EXPECT_EQ(star.sinks[1]->GetTotalReceivedBytes(), 161U);
    EXPECT_TRUE(star.violations.empty());
    EXPECT_TRUE(star.interrupted.empty());
}

struct Violation
{
    const char* name;
    Bytes bytes;
    const char* reason;
    uint64_t received;
};

class BadPeer : public ::testing::TestWithParam<Violation>
{
};

Bytes
operator+(Bytes left, const Bytes& right)
{
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

INSTANTIATE_TEST_SUITE_P(
    Peers,
    BadPeer,
    ::testing::Values(Violation{"Garbage", Bytes(500, 'x'), "not one", 0},
                      Violation{"GarbageAfterARecord",
                                Record(0, 0, 10, false, 10) + Bytes(500, 'x'),
                                "not one",
                                10},
                      Violation{"Gap", Record(0, 5, 10, true, 10), "gap", 0},
                      Violation{"EndsTwice",
                                Record(0, 0, 10, true, 10) + Record(0, 10, 5, true, 5),
                                "contradicts",
                                10},
                      Violation{"EndsTooEarly",
                                Record(0, 0, 10, false, 10) + Record(0, 0, 5, true, 5),
                                "contradicts",
                                10},
                      Violation{"HalfAHeader", Bytes{0xC0, 0xF1, 1}, "within", 0}),
    [](const auto& test) { return test.param.name; });

TEST_P(BadPeer, IsReportedOnceAndItsConnectionClosed)
{
    Star star({});
    SendRaw(star, GetParam().bytes, 100);
    star.Start(0, 1, 7, 50'000);
    star.Run(Seconds(1));
    ASSERT_EQ(star.violations.size(), 1U);
    EXPECT_NE(star.violations[0].find(GetParam().reason), std::string::npos) << star.violations[0];
    EXPECT_EQ(star.sinks[1]->GetReceivedBytes({1, 0}), GetParam().received);
    EXPECT_EQ(star.sinks[1]->GetTotalReceivedBytes(), GetParam().received + 50'000);
    EXPECT_EQ(star.Get(7).bytes, 50'000U) << "others are not disturbed";
    EXPECT_EQ(star.CountSockets(1), 1U);
    EXPECT_TRUE(star.failures.empty());
}

TEST(SinkConnection, ThatEndsAmidARecordIsReported)
{
    Star star({});
    SendRaw(star, Record(3, 0, 1000, true, 400), 100);
    star.Run(Seconds(1));
    ASSERT_EQ(star.interrupted.size(), 1U);
    EXPECT_EQ(star.interrupted[0], std::pair(FlowKey{1, 3}, uint64_t{400}));
    EXPECT_TRUE(star.violations.empty());
    EXPECT_TRUE(star.finished.empty());
}

TEST(SinkConnection, OfARejectedPeerThatKeepsSendingIsDrained)
{
    Star star({});
    SendRaw(star, Bytes(4'000'000, 'x'), 50'000);
    star.Run(Seconds(2));
    EXPECT_EQ(star.violations.size(), 1U);
    EXPECT_EQ(star.sinks[1]->GetTotalReceivedBytes(), 0U);
    EXPECT_EQ(star.CountSockets(1), 1U);
}
