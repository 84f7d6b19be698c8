/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The profile's values reach both ends of a connection, and what they say is on the wire.
 */

#include "transport-fixture.h"

#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

namespace
{

const std::vector<std::string> SOCKET_ATTRIBUTES{"SegmentSize",
                                                 "InitialCwnd",
                                                 "MinRto",
                                                 "MaxRto",
                                                 "UndoTimeouts",
                                                 "ClockGranularity",
                                                 "ConnTimeout",
                                                 "ConnCount",
                                                 "DataRetries",
                                                 "DelAckCount",
                                                 "DelAckTimeout",
                                                 "PersistTimeout",
                                                 "SndBufSize",
                                                 "RcvBufSize",
                                                 "MaxSegLifetime",
                                                 "Sack",
                                                 "Timestamp",
                                                 "UseEcn"};

std::map<std::string, std::string>
Values(Ptr<Socket> socket)
{
    std::map<std::string, std::string> values;
    for (const auto& name : SOCKET_ATTRIBUTES)
    {
        // The one has no getter; the others are not in ns-3's own sockets.
        const bool isOurs = name == "MaxRto" || name == "UndoTimeouts";
        if (name == "UseEcn" || (isOurs && !DynamicCast<CoflowTcpSocket>(socket)))
        {
            continue;
        }
        StringValue value;
        socket->GetAttribute(name, value);
        values[name] = value.Get();
    }
    PointerValue ops;
    socket->GetAttribute("CongestionOps", ops);
    values["CongestionOps"] = ops.GetObject()->GetInstanceTypeId().GetName();
    return values;
}

bool
IsData(const Star::Sent& packet)
{
    return packet.payload > 0;
}

} // namespace

TEST(TransportProfile, ReachesAcceptedSockets)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("CongestionOps", StringValue("ns3::TcpCubic"));
    profile->SetAttribute("SegmentSize", UintegerValue(1000));
    profile->SetAttribute("InitialWindow", UintegerValue(3));
    profile->SetAttribute("MinRto", TimeValue(MilliSeconds(7)));
    profile->SetAttribute("MaxRto", TimeValue(MilliSeconds(700)));
    profile->SetAttribute("UndoTimeouts", BooleanValue(false));
    profile->SetAttribute("ClockGranularity", TimeValue(MicroSeconds(70)));
    profile->SetAttribute("ConnTimeout", TimeValue(MilliSeconds(11)));
    profile->SetAttribute("ConnCount", UintegerValue(5));
    profile->SetAttribute("DataRetries", UintegerValue(1234));
    profile->SetAttribute("DelAckCount", UintegerValue(4));
    profile->SetAttribute("DelAckTimeout", TimeValue(MicroSeconds(300)));
    profile->SetAttribute("PersistTimeout", TimeValue(MilliSeconds(13)));
    profile->SetAttribute("SendBuffer", UintegerValue(200'000));
    profile->SetAttribute("ReceiveBuffer", UintegerValue(300'000));
    profile->SetAttribute("MaxSegmentLifetime", TimeValue(MilliSeconds(2)));
    Star star({.applications = false}, profile);
    const auto connection = star.Connect();
    ASSERT_TRUE(connection.accepted);
    auto values = Values(connection.accepted);
    EXPECT_EQ(values, Values(connection.client));
    EXPECT_EQ(values, Values(connection.listener));
    EXPECT_EQ(values["CongestionOps"], "ns3::TcpCubic");
    EXPECT_EQ(values["SegmentSize"], "1000");
    EXPECT_EQ(values["InitialCwnd"], "3");
    EXPECT_EQ(Time(values["MinRto"]), MilliSeconds(7));
    EXPECT_EQ(Time(values["MaxRto"]), MilliSeconds(700));
    EXPECT_EQ(values["UndoTimeouts"], "false");
    EXPECT_EQ(Time(values["ClockGranularity"]), MicroSeconds(70));
    EXPECT_EQ(Time(values["ConnTimeout"]), MilliSeconds(11));
    EXPECT_EQ(values["ConnCount"], "5");
    EXPECT_EQ(values["DataRetries"], "1234");
    EXPECT_EQ(values["DelAckCount"], "4");
    EXPECT_EQ(Time(values["DelAckTimeout"]), MicroSeconds(300));
    EXPECT_EQ(Time(values["PersistTimeout"]), MilliSeconds(13));
    EXPECT_EQ(values["SndBufSize"], "200000");
    EXPECT_EQ(values["RcvBufSize"], "300000");
    EXPECT_EQ(values["MaxSegLifetime"], "0.002");
}

TEST(TransportProfile, IsPerNodeAndChangesNothingElse)
{
    auto cubic = CreateObject<TransportProfile>();
    cubic->SetAttribute("CongestionOps", StringValue("ns3::TcpCubic"));
    cubic->SetAttribute("SegmentSize", UintegerValue(700));
    Star star({.hosts = 3, .applications = false});
    cubic->Install(star.hosts.Get(1));
    auto create = [&](uint32_t host) {
        return Socket::CreateSocket(star.hosts.Get(host), TcpSocketFactory::GetTypeId());
    };
    auto first = create(0);
    star.profile->Configure(first);
    auto second = create(1);
    cubic->Configure(second);
    EXPECT_EQ(Values(first)["CongestionOps"], "ns3::coflow::Dctcp");
    EXPECT_EQ(Values(first)["SegmentSize"], "1448");
    EXPECT_EQ(Values(second)["CongestionOps"], "ns3::TcpCubic");
    EXPECT_EQ(Values(second)["SegmentSize"], "700");
    EXPECT_EQ(Values(create(2))["SegmentSize"], "536") << "ns-3's default must stay";
    EXPECT_DEATH(cubic->Configure(create(0)), "ns3::coflow::Dctcp instead of ns3::TcpCubic");
}

class WireFormat : public ::testing::TestWithParam<uint32_t>
{
};

INSTANTIATE_TEST_SUITE_P(Segments, WireFormat, ::testing::Values(1448, 8948));

TEST_P(WireFormat, AFullSegmentFillsTheMtu)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("SegmentSize", UintegerValue(GetParam()));
    EXPECT_EQ(profile->GetRequiredMtu(), GetParam() + 52);
    Star star({}, profile);
    std::vector<Star::Sent> packets;
    star.Capture(0, packets);
    star.Start(0, 1, 0, 500'000);
    star.Run(Seconds(1));
    EXPECT_EQ(star.Get(0).bytes, 500'000U);
    uint64_t data = 0;
    uint64_t full = 0;
    for (const auto& packet : packets)
    {
        EXPECT_LE(packet.ipBytes, profile->GetRequiredMtu());
        data += IsData(packet);
        full += packet.ipBytes == profile->GetRequiredMtu();
    }
    EXPECT_EQ(full, 500'032 / GetParam()) << "all but the last";
    EXPECT_EQ(data, full + 1);
}

TEST(TransportProfile, DctcpUsesEcnOnBothEnds)
{
    Star star({.hosts = 3, .queue = "200p", .marking = true});
    std::vector<Star::Sent> forth;
    std::vector<Star::Sent> back;
    star.Capture(0, forth);
    star.Capture(2, back);
    star.Start(0, 2, 0, 10'000'000);
    star.Start(1, 2, 1, 10'000'000);
    star.Run(Seconds(1));
    ASSERT_FALSE(forth.empty());
    ASSERT_FALSE(back.empty());
    constexpr auto ECN_FLAGS = TcpHeader::ECE | TcpHeader::CWR;
    EXPECT_EQ(forth.front().tcp.GetFlags(), TcpHeader::SYN | ECN_FLAGS);
    EXPECT_EQ(back.front().tcp.GetFlags(), TcpHeader::SYN | TcpHeader::ACK | TcpHeader::ECE);
    for (const auto& packet : forth)
    {
        EXPECT_EQ(packet.ip.GetEcn(), Ipv4Header::ECN_ECT0);
    }
    EXPECT_TRUE(std::any_of(back.begin() + 2, back.end(), [](const auto& packet) {
        return packet.tcp.GetFlags() & TcpHeader::ECE;
    }));
    EXPECT_GT(star.routerQueue[2]->GetStats().nTotalMarkedPackets, 0U);
    EXPECT_EQ(star.routerQueue[2]->GetStats().nTotalDroppedPackets, 0U);
    EXPECT_EQ(star.retransmissions, 0U);
    EXPECT_EQ(star.finished.size(), 2U);
}

class EcnOption : public ::testing::TestWithParam<bool>
{
};

INSTANTIATE_TEST_SUITE_P(Ecn, EcnOption, ::testing::Bool());

TEST_P(EcnOption, NewRenoUsesClassicEcnOnlyWhereAskedTo)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("CongestionOps", StringValue("ns3::TcpNewReno"));
    profile->SetAttribute("Ecn", BooleanValue(GetParam()));
    Star star({}, profile);
    std::vector<Star::Sent> packets;
    star.Capture(0, packets);
    star.Start(0, 1, 0, 100'000);
    star.Run(Seconds(1));
    for (const auto& packet : packets)
    {
        const bool ect = packet.ip.GetEcn() == Ipv4Header::ECN_ECT0;
        EXPECT_EQ(ect, GetParam() && IsData(packet));
    }
}

TEST(TransportProfile, ALostSynCostsTenMilliseconds)
{
    Star star({});
    auto loss = CreateObject<ReceiveListErrorModel>();
    loss->SetList({0});
    star.hostDevice[1]->SetReceiveErrorModel(loss);
    star.Start(0, 1, 0, 1000);
    star.Run(Seconds(1));
    EXPECT_GT(star.Get(0).at, MilliSeconds(10));
    EXPECT_LT(star.Get(0).at, MilliSeconds(11));
}

TEST(TransportProfile, ALostLastSegmentCostsTheMinimumTimeout)
{
    // Arriving at host 1: SYN, ACK, the only segment.
    Star star({});
    auto loss = CreateObject<ReceiveListErrorModel>();
    loss->SetList({2});
    star.hostDevice[1]->SetReceiveErrorModel(loss);
    star.Start(0, 1, 0, 1000);
    star.Run(Seconds(1));
    EXPECT_GT(star.Get(0).at, MilliSeconds(5));
    EXPECT_LT(star.Get(0).at, MilliSeconds(6));
    EXPECT_EQ(star.retransmissions, 1U);
    EXPECT_EQ(star.retransmissionsOfSent, 1U);
}

TEST(TransportProfile, ALostSynAndALostSegmentCostBothTimeouts)
{
    Star star({});
    auto loss = CreateObject<ReceiveListErrorModel>();
    loss->SetList({0, 3});
    star.hostDevice[1]->SetReceiveErrorModel(loss);
    star.Start(0, 1, 0, 1000);
    star.Run(Seconds(1));
    EXPECT_GT(star.Get(0).at, MilliSeconds(15));
    EXPECT_LT(star.Get(0).at, MilliSeconds(16));
}

class RoundTripsLongerThanTheTimeout : public ::testing::TestWithParam<bool>
{
};

TEST_P(RoundTripsLongerThanTheTimeout, AreMeasured)
{
    // Twenty packets in the queue take 240 ms, timeouts begin at 5 ms.
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("Timestamps", BooleanValue(GetParam()));
    Star star({.rate = "1Mbps", .marking = true}, profile);
    star.Start(0, 1, 0, 600'000);
    star.Run(Seconds(20));
    const double alone = 600'000 * 8 / 1e6 * 1502 / 1448;
    EXPECT_LT(star.Get(0).at.GetSeconds(), alone * 1.1);
    EXPECT_LT(star.retransmissions, 40U);
}

INSTANTIATE_TEST_SUITE_P(Timestamps, RoundTripsLongerThanTheTimeout, testing::Bool());
