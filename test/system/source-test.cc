/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Flows without rates: every byte arrives exactly once, fast, under every congestion control.
 */

#include "transport-fixture.h"

#include "ns3/coflow-host-ports.h"

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

namespace
{

Ptr<TransportProfile>
ProfileWith(const std::string& congestionOps)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("CongestionOps", StringValue(congestionOps));
    return profile;
}

} // namespace

TEST(TransportFlow, BytesAreExactForEverySize)
{
    const std::vector<uint64_t> sizes{0,
                                      1,
                                      1415,
                                      1416, // with the record's header: one full segment
                                      1417,
                                      1447,
                                      1448,
                                      1449,
                                      65503,
                                      65504, // with the header: the limit of unsent bytes
                                      65505,
                                      123457,
                                      10'000'000};
    Star star({});
    uint64_t total = 0;
    for (uint32_t i = 0; i < sizes.size(); ++i)
    {
        star.Start(0, 1, i, sizes[i]);
        total += sizes[i];
    }
    star.Run(Seconds(10));
    for (uint32_t i = 0; i < sizes.size(); ++i)
    {
        EXPECT_EQ(star.Get(i).bytes, sizes[i]);
    }
    EXPECT_EQ(star.sinks[0]->GetTotalReceivedBytes() + star.sinks[1]->GetTotalReceivedBytes(),
              total);
    EXPECT_EQ(star.sinks[1]->GetReceivedBytes({1, 12}), 10'000'000U);
    EXPECT_EQ(star.sent.size(), sizes.size());
    EXPECT_EQ(star.sources[0]->GetActiveFlows(), 0U);
    EXPECT_TRUE(star.violations.empty());
    EXPECT_TRUE(star.interrupted.empty());
    EXPECT_TRUE(star.failures.empty());
}

TEST(TransportFlow, EmptyAndLocalFlowsFinishAtOnce)
{
    Star star({});
    Simulator::Schedule(MilliSeconds(7), [&] {
        star.Start(0, 1, 0, 0);
        star.Start(0, 0, 1, 12345);
        EXPECT_TRUE(star.finished.empty()) << "within StartFlow()";
    });
    star.Run(MilliSeconds(8));
    EXPECT_EQ(star.Get(0).at, MilliSeconds(7));
    EXPECT_EQ(star.Get(0).firstByte, MilliSeconds(7));
    EXPECT_EQ(star.Get(1).at, MilliSeconds(7));
    EXPECT_EQ(star.Get(1).bytes, 12345U);
    EXPECT_EQ(star.sinks[0]->GetReceivedBytes({1, 1}), 12345U);
    EXPECT_EQ(star.sent.size(), 2U);
}

TEST(TransportFlow, TheSendersViewLagsByTheAck)
{
    Star star({});
    star.Start(0, 1, 0, 1416);
    Time acknowledged;
    star.sources[0]->TraceConnectWithoutContext(
        "FlowSent",
        Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, uint64_t>(
            [&](::coflow::CoflowId, ::coflow::FlowId, uint64_t, uint64_t) {
                acknowledged = Simulator::Now();
            }));
    star.Run(Seconds(1));
    EXPECT_GT(acknowledged, star.Get(0).at);
    EXPECT_LT(acknowledged, star.Get(0).at + MilliSeconds(1));
}

TEST(TransportFlow, HandshakeTakesTheSumOfItsParts)
{
    // SYN: 20 (IP) + 20 (TCP) + 12 (timestamps) + 3 (window scale) + 2 (SACK) padded to 56,
    // + 2 (PPP) = 58 bytes = 464 ns at 1 Gbps; its ACK: 52 + 2 = 54 bytes = 432 ns.
    // One way: two serialisations, two propagations; SYN and SYN-ACK are as long.
    // The data segment with 1416 bytes: 1502 bytes = 12016 ns, sent 1 ns after the handshake.
    Star star({});
    star.Start(0, 1, 0, 1416);
    star.Run(Seconds(1));
    const Time delay = MicroSeconds(5);
    const Time handshake = 4 * (NanoSeconds(464) + delay);
    // The ACK of the handshake is serialised before the data, which waits for it on the host's
    // link only.
    const Time data = NanoSeconds(432) + 2 * (NanoSeconds(12016) + delay);
    EXPECT_EQ(star.Get(0).at, handshake + data);
    EXPECT_EQ(star.Get(0).firstByte, star.Get(0).at);
}

class IdleLink : public ::testing::TestWithParam<std::tuple<const char*, double, uint64_t>>
{
};

TEST_P(IdleLink, GoodputIsAtLeast94PercentOfTheLine)
{
    const auto [rate, bitsPerSecond, bytes] = GetParam();
    Star star({.rate = rate});
    star.Start(0, 1, 0, bytes);
    star.Run(Seconds(10));
    const double goodput = 8.0 * bytes / star.Get(0).at.GetSeconds();
    EXPECT_GE(goodput, 0.94 * bitsPerSecond);
    EXPECT_LE(goodput, 1448.0 / 1502 * bitsPerSecond);
}

INSTANTIATE_TEST_SUITE_P(Rates,
                         IdleLink,
                         ::testing::Values(std::tuple("1Gbps", 1e9, 30'000'000),
                                           std::tuple("10Gbps", 1e10, 40'000'000)));

class Congestion : public ::testing::TestWithParam<const char*>
{
};

TEST_P(Congestion, IncastSharesFairly)
{
    auto profile = ProfileWith(GetParam());
    profile->SetAttribute("Ecn", BooleanValue(true));
    Star star({.hosts = 3, .queue = "100p", .marking = true}, profile);
    star.Start(0, 2, 0, 1'000'000'000);
    star.Start(1, 2, 1, 1'000'000'000);
    star.Run(MilliSeconds(200));
    const uint64_t before0 = star.sinks[2]->GetReceivedBytes({1, 0});
    const uint64_t before1 = star.sinks[2]->GetReceivedBytes({1, 1});
    star.Run(MilliSeconds(600));
    const double share0 = star.sinks[2]->GetReceivedBytes({1, 0}) - before0;
    const double share1 = star.sinks[2]->GetReceivedBytes({1, 1}) - before1;
    EXPECT_GE((share0 + share1) * 8 / 0.4, 0.94e9);
    // Loss-based control swings more widely than DCTCP does.
    const double tolerance = GetParam() == std::string("ns3::TcpDctcp") ? 0.05 : 0.1;
    EXPECT_NEAR(2 * share0 / (share0 + share1), 1, tolerance) << share0 << " " << share1;
}

TEST_P(Congestion, LossyLinksDeliverEveryByteOnce)
{
    Star star({.hosts = 3}, ProfileWith(GetParam()));
    star.LosePackets(0.01);
    for (uint32_t i = 0; i < 40; ++i)
    {
        star.Start(i % 2, 2, i, 1 + 20011 * i);
    }
    star.Run(Seconds(100));
    uint64_t total = 0;
    for (uint32_t i = 0; i < 40; ++i)
    {
        EXPECT_EQ(star.Get(i).bytes, 1 + 20011 * i);
        total += 1 + 20011 * i;
    }
    EXPECT_EQ(star.sinks[2]->GetTotalReceivedBytes(), total);
    EXPECT_EQ(star.sent.size(), 40U);
    EXPECT_GT(star.retransmissions, 0U);
    EXPECT_EQ(star.retransmissionsOfSent, star.retransmissions);
    EXPECT_TRUE(star.violations.empty());
    for (uint32_t host : {0, 1, 2})
    {
        EXPECT_EQ(star.CountSockets(host), 1U) << "host " << host;
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms,
                         Congestion,
                         ::testing::Values("ns3::TcpNewReno", "ns3::TcpCubic", "ns3::TcpDctcp"),
                         [](const auto& test) { return std::string(test.param).substr(5); });

TEST(TransportFlow, AHostThatStartsLateIsTriedAgain)
{
    Star star({.applications = false});
    star.AddApplications(0);
    star.AddApplications(1);
    star.sinks[1]->SetStartTime(MilliSeconds(95));
    star.Start(0, 1, 0, 100'000);
    star.Run(Seconds(1));
    EXPECT_EQ(star.Get(0).bytes, 100'000U);
    // It refuses at once, and is tried again 10 ms later.
    EXPECT_GT(star.Get(0).at, MilliSeconds(95));
    EXPECT_LT(star.Get(0).at, MilliSeconds(95 + 10 + 2));
    EXPECT_GE(star.failures.size(), 9U);
}

TEST(TransportFlow, AnUnreachableHostIsReportedAgainAndAgain)
{
    Star star({});
    star.sources[0]->StartFlow({1, 0, Ipv4Address("10.9.9.9"), 100});
    star.Run(Seconds(20));
    EXPECT_TRUE(star.finished.empty());
    EXPECT_EQ(star.sources[0]->GetActiveFlows(), 1U);
    ASSERT_GE(star.failures.size(), 2U); // 8 SYNs each, 10 ms * (2^8 - 1) = 2.55 s
    EXPECT_EQ(star.failures.front(), "the host does not answer");
}

TEST(TransportFlow, AHostWithoutARouteIsTriedAgain)
{
    Star star({});
    auto ipv4 = star.hosts.Get(0)->GetObject<Ipv4>();
    ipv4->SetDown(1);
    star.Start(0, 1, 0, 1000);
    star.Start(0, 1, 1, 1000);
    int failed = 0;
    star.sources[0]->TraceConnectWithoutContext(
        "ConnectionFailed",
        Callback<void, Ipv4Address, const std::string&>([&](Ipv4Address, const std::string&) {
            if (++failed == 2)
            {
                star.sources[0]->CancelFlow({1, 1}); // it has failed itself: must be harmless here
            }
        }));
    star.Run(MilliSeconds(35));
    ASSERT_EQ(star.failures.size(), 5U); // of flow 0 at 0, 10, 20 and 30 ms, of flow 1 at 0
    EXPECT_EQ(star.failures.front(), "no route to the host");
    ipv4->SetUp(1);
    Ipv4StaticRoutingHelper().GetStaticRouting(ipv4)->SetDefaultRoute(Ipv4Address("10.0.0.2"), 1);
    star.Run(MilliSeconds(100));
    EXPECT_EQ(star.Get(0).bytes, 1000U);
    EXPECT_LT(star.Get(0).at, MilliSeconds(41));
    EXPECT_EQ(star.finished.size(), 1U);
    EXPECT_EQ(star.failures.size(), 5U);
}

TEST(TransportFlow, ACancelledFlowLeavesTheLineForAPort)
{
    Star star({});
    const auto ports = HostPorts::Of(star.hosts.Get(0));
    uint16_t last = 0;
    while (ports->MayTake())
    {
        last = ports->Take();
    }
    star.Start(0, 1, 0, 1000);
    star.Start(0, 1, 1, 1000);
    // The port is free at the very time at which the flow that would get it is cancelled.
    Simulator::Schedule(MilliSeconds(1), [&] {
        EXPECT_EQ(ports->GetNWaiting(), 2U);
        ports->GiveBack(last);
        star.sources[0]->CancelFlow({1, 0});
    });
    star.Run(MilliSeconds(20));
    EXPECT_EQ(ports->GetNWaiting(), 0U);
    ASSERT_EQ(star.finished.size(), 1U);
    EXPECT_EQ(star.Get(1).bytes, 1000U);
}

TEST(TransportFlow, ABrokenConnectionResumesAndCountsNoByteTwice)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("DataRetries", UintegerValue(2));
    Star star({}, profile);
    star.Start(0, 1, 0, 5'000'000);
    star.Start(0, 1, 1, 3'000'000);
    Simulator::Schedule(MilliSeconds(20), [&] { star.LosePackets(1); });
    Simulator::Schedule(MilliSeconds(200), [&] { star.LosePackets(0); });
    star.Run(MilliSeconds(150));
    EXPECT_TRUE(star.finished.empty());
    ASSERT_EQ(star.failures.size(), 2U);
    EXPECT_EQ(star.failures.front(), "the connection broke");
    const auto progress = star.sources[0]->GetProgress({1, 0});
    ASSERT_TRUE(progress);
    EXPECT_GT(progress->acknowledged, 500'000U);
    EXPECT_EQ(progress->written, progress->acknowledged);
    EXPECT_GT(star.sinks[1]->GetReceivedBytes({1, 0}), progress->acknowledged)
        << "the last ACKs were lost, so that some bytes must come twice";
    star.Run(Seconds(2));
    EXPECT_EQ(star.Get(0).bytes, 5'000'000U);
    EXPECT_EQ(star.Get(1).bytes, 3'000'000U);
    EXPECT_EQ(star.sinks[1]->GetTotalReceivedBytes(), 8'000'000U);
    EXPECT_TRUE(star.violations.empty());
}

TEST(TransportFlow, ACancelledFlowStops)
{
    Star star({});
    star.Start(0, 1, 0, 10'000'000);
    star.Start(0, 1, 1, 10'000'000);
    star.Run(MilliSeconds(30));
    const auto before = star.sources[0]->GetProgress({1, 0});
    ASSERT_TRUE(before);
    EXPECT_GT(before->acknowledged, 1'000'000U);
    EXPECT_GE(before->written, before->acknowledged);
    star.sources[0]->CancelFlow({1, 0});
    star.sources[0]->CancelFlow({1, 0}); // unknown by now: no effect
    EXPECT_FALSE(star.sources[0]->GetProgress({1, 0}));
    star.Run(Seconds(1));
    EXPECT_EQ(star.CountSockets(0), 1U);
    EXPECT_EQ(star.CountSockets(1), 1U);
    EXPECT_EQ(star.sinks[1]->GetReceivedBytes({1, 0}), before->written);
    EXPECT_EQ(star.interrupted.size(), 1U);
    ASSERT_EQ(star.finished.size(), 1U);
    EXPECT_EQ(star.Get(1).bytes, 10'000'000U);
    EXPECT_EQ(star.sent.size(), 1U);
    EXPECT_TRUE(star.violations.empty());
    EXPECT_TRUE(star.failures.empty());
}

TEST(TransportFlow, SocketsAreReleased)
{
    Star star({});
    for (uint32_t i = 0; i < 50; ++i)
    {
        star.Start(0, 1, i, 1000 * (i + 1));
    }
    star.Run(MilliSeconds(100));
    EXPECT_EQ(star.finished.size(), 50U);
    EXPECT_EQ(star.CountSockets(0), 1U); // its listener
    EXPECT_EQ(star.CountSockets(1), 1U);
}

TEST(TransportFlow, DisposalInMidFlowLeavesNothingBehind)
{
    {
        Star star({.hosts = 4});
        for (uint32_t i = 0; i < 30; ++i)
        {
            star.Start(i % 3,
                       3,
                       i,
                       1'000'000,
                       i % 2 ? RateLimit::Rate(DataRate("50Mbps")) : RateLimit::Unlimited());
        }
        star.Run(NanoSeconds(20'123'457));
        EXPECT_GT(star.sinks[3]->GetTotalReceivedBytes(), 0U);
    }
}

TEST(TransportFlow, ApplicationsStopInMidFlow)
{
    Star star({});
    star.sources[0]->SetStopTime(MilliSeconds(5));
    star.sinks[1]->SetStopTime(MilliSeconds(10));
    star.Start(0, 1, 0, 10'000'000);
    star.Start(1, 0, 1, 10'000'000);
    star.Run(Seconds(1));
    EXPECT_EQ(star.sources[0]->GetActiveFlows(), 0U);
    ASSERT_EQ(star.finished.size(), 1U);
    EXPECT_EQ(star.Get(1).bytes, 10'000'000U);
    EXPECT_LT(star.sinks[1]->GetReceivedBytes({1, 0}), 1'000'000U);
}
