/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What keeps rates honest below the token bucket: many flows of one host, pacing, and a TCP that
 * was starved.
 */

#include "transport-fixture.h"

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

struct SharingCase
{
    const char* link;
    int64_t linkDelay; ///< ns
    int windows;
    std::vector<uint64_t> megabits;
};

void
PrintTo(const SharingCase& test, std::ostream* os)
{
    *os << test.megabits.size() << " flows on " << test.link;
}

class RatesOfOneHost : public ::testing::TestWithParam<SharingCase>
{
};

INSTANTIATE_TEST_SUITE_P(
    Rates,
    RatesOfOneHost,
    ::testing::Values(SharingCase{"1Gbps", 5000, 2, {300, 200, 150, 100, 80, 50, 30, 10, 10, 10}},
                      SharingCase{"1Gbps", 500, 2, {300, 200, 150, 100, 80, 50, 30, 10, 10, 10}},
                      SharingCase{"1Gbps", 500, 2, {470, 470}},
                      SharingCase{"10Gbps", 500, 1, {4000, 3000, 1000, 700, 400, 200, 50, 20}}));

TEST_P(RatesOfOneHost, AreMetWithin3PercentOver50Milliseconds)
{
    // Up to 94 % of the line in all. Each flow has a receiver of its own.
    const auto& test = GetParam();
    const uint32_t flows = test.megabits.size();
    Star star({.hosts = flows + 1, .rate = test.link, .linkDelay = NanoSeconds(test.linkDelay)});
    for (uint32_t i = 0; i < flows; ++i)
    {
        star.Start(0,
                   i + 1,
                   i,
                   10'000'000'000,
                   RateLimit::Rate(DataRate(test.megabits[i] * 1'000'000)));
    }
    auto received = [&](uint32_t flow) {
        return star.sinks[flow + 1]->GetReceivedBytes({1, flow});
    };
    std::vector<uint64_t> before(flows);
    star.Run(MilliSeconds(10));
    for (int window = 1; window <= test.windows; ++window)
    {
        for (uint32_t i = 0; i < flows; ++i)
        {
            before[i] = received(i);
        }
        star.Run(MilliSeconds(10 + 50 * window));
        for (uint32_t i = 0; i < flows; ++i)
        {
            const double expected = static_cast<double>(test.megabits[i]) * 1e6 / 8 * 0.05;
            EXPECT_NEAR(received(i) - before[i], expected, 0.03 * expected)
                << test.megabits[i] << " Mbps, window " << window;
        }
    }
    EXPECT_EQ(star.retransmissions, 0U);
}

class Pacing : public ::testing::TestWithParam<bool>
{
};

INSTANTIATE_TEST_SUITE_P(Switch, Pacing, ::testing::Bool());

TEST_P(Pacing, SpreadsTheSegmentsOfAnInterval)
{
    // 500 Mbps on 10 Gbps: two segments every 50 us; a segment lasts 1.2 us on the wire.
    Star star({.rate = "10Gbps"});
    star.SetSourceAttribute("Pacing", BooleanValue(GetParam()));
    std::vector<int64_t> times;
    star.hostDevice[0]->TraceConnectWithoutContext(
        "PhyTxBegin",
        Callback<void, Ptr<const Packet>>([&times](Ptr<const Packet> packet) {
            if (packet->GetSize() == 1502)
            {
                times.push_back(Simulator::Now().GetNanoSeconds());
            }
        }));
    star.Start(0, 1, 0, 1'000'000'000, RateLimit::Rate(DataRate("500Mbps")));
    star.Run(MilliSeconds(20));
    ASSERT_GT(times.size(), 800U);
    int64_t smallest = INT64_MAX;
    for (std::size_t i = 1; i < times.size(); ++i)
    {
        smallest = std::min(smallest, times[i] - times[i - 1]);
    }
    // 1448 bytes at 500 Mbps times 1502 / 1448.
    const int64_t pace = 1448 * 8 * 1448 / 1502 * 2;
    if (GetParam())
    {
        EXPECT_GE(smallest, pace - 20);
    }
    else
    {
        EXPECT_LT(smallest, 2000);
    }
}

TEST_P(Pacing, KeepsABacklogFromLeavingInABurst)
{
    // Two flows to one host, whose windows (1 MiB each) the queue holds without a loss: TCP holds
    // unsent bytes of both when the rates come.
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("SendBuffer", UintegerValue(1 << 22));
    Star star({.hosts = 3, .queue = "2000p"}, profile);
    for (const auto& source : star.sources)
    {
        source->SetAttribute("Pacing", BooleanValue(GetParam()));
        source->SetAttribute("UnsentLimit", UintegerValue(1 << 19));
    }
    star.Start(0, 2, 0, 1'000'000'000);
    star.Start(1, 2, 1, 1'000'000'000);
    star.Run(MilliSeconds(20));
    const auto progress = star.sources[0]->GetProgress({1, 0});
    ASSERT_TRUE(progress);
    EXPECT_GT(progress->written - progress->acknowledged, 400'000U);
    star.sources[1]->SetRateLimit({1, 1}, RateLimit::Paused());
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Rate(DataRate("50Mbps")));
    // What was in flight, 17 ms of the line at most, is there.
    star.Run(MilliSeconds(45));
    const auto before = star.sinks[2]->GetReceivedBytes({1, 0});
    if (GetParam())
    {
        EXPECT_LT(before + 100'000, progress->written) << "the backlog waits";
        star.Run(MilliSeconds(55));
        EXPECT_LT(star.sinks[2]->GetReceivedBytes({1, 0}) - before, 1.05 * 62'500);
    }
    else
    {
        EXPECT_GE(before, progress->written) << "the backlog was a burst";
    }
    EXPECT_EQ(star.retransmissions, 0U);
    star.Run(MilliSeconds(1000));
    const auto later = star.sinks[2]->GetReceivedBytes({1, 0});
    star.Run(MilliSeconds(1100));
    // A backlog leaves at the rate that pacing allows, which has room for headers: 3.7 % more.
    EXPECT_NEAR(star.sinks[2]->GetReceivedBytes({1, 0}) - later, 625'000, 0.04 * 625'000);
}

TEST(PacingRate, FollowsTheRateLimitAtOnce)
{
    Star star({});
    star.Start(0, 1, 0, 1'000'000'000, RateLimit::Rate(DataRate("1Mbps")));
    star.Run(MilliSeconds(100));
    // A segment may wait 11 ms at the old rate, but not at the new one.
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Unlimited());
    const auto before = star.sinks[1]->GetReceivedBytes({1, 0});
    star.Run(MilliSeconds(105));
    EXPECT_GT(star.sinks[1]->GetReceivedBytes({1, 0}) - before, 300'000U);
}

TEST(RateLimitType, KnowsWhatIsMore)
{
    const auto paused = RateLimit::Paused();
    const auto slow = RateLimit::Rate(DataRate("1Mbps"));
    const auto fast = RateLimit::Rate(DataRate("2Mbps"));
    const auto unlimited = RateLimit::Unlimited();
    const std::vector<RateLimit> rising{paused, slow, fast, unlimited};
    for (std::size_t i = 0; i < rising.size(); ++i)
    {
        for (std::size_t j = 0; j < rising.size(); ++j)
        {
            EXPECT_EQ(rising[i].IsMoreThan(rising[j]), i > j) << i << ' ' << j;
        }
    }
}

TEST(Starvation, AFlowPausedForMinutesFinishes)
{
    Star star({});
    star.Start(0, 1, 0, 2'000'000);
    star.Run(MilliSeconds(5));
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Paused());
    star.Run(Seconds(600));
    EXPECT_TRUE(star.finished.empty());
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Rate(DataRate("800Mbps")));
    star.Run(Seconds(601));
    EXPECT_LT(star.Get(0).at, Seconds(600) + MilliSeconds(30));
    EXPECT_EQ(star.retransmissions, 0U);
    EXPECT_TRUE(star.failures.empty());
}

namespace
{

/// Timeouts that double up to a minute.
Ptr<TransportProfile>
PatientProfile()
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("MaxRto", TimeValue(Seconds(60)));
    return profile;
}

} // namespace

TEST(Starvation, TheBackOffEndsAtMaxRto)
{
    Star star({});
    star.Start(0, 1, 0, 5'000'000);
    star.Run(MilliSeconds(10));
    star.LosePackets(1);
    star.Run(Seconds(180));
    star.LosePackets(0);
    const auto before = star.retransmissions;
    EXPECT_GT(before, 150U) << "one every second";
    EXPECT_LT(before, 200U);
    star.Run(Seconds(182));
    EXPECT_EQ(star.Get(0).bytes, 5'000'000U);
    EXPECT_LT(star.Get(0).at, Seconds(181) + MilliSeconds(100));
}

TEST(Starvation, EndBackoffRetransmitsAtOnce)
{
    for (const std::string kick : {"none", "kick", "more urgent", "less urgent"})
    {
        // Nothing arrives for three minutes; the timeout grows to a minute.
        SCOPED_TRACE(kick);
        Star star({}, PatientProfile());
        const FlowKey flow{1, 0};
        star.Start(0, 1, 0, 5'000'000);
        star.sources[0]->SetPriority(flow, {100, PacketPriority::NO_BAND});
        star.Run(MilliSeconds(10));
        star.LosePackets(1);
        star.Run(Seconds(180));
        EXPECT_TRUE(star.finished.empty());
        star.LosePackets(0);
        if (kick == "kick")
        {
            star.sources[0]->EndBackoffOf(flow);
        }
        else if (kick != "none")
        {
            const uint64_t key = kick == "more urgent" ? 99 : 101;
            star.sources[0]->SetPriority(flow, {key, PacketPriority::NO_BAND});
        }
        star.Run(MilliSeconds(180'200));
        EXPECT_EQ(star.finished.size(), kick == "kick" || kick == "more urgent" ? 1U : 0U);
        star.Run(Seconds(300));
        EXPECT_EQ(star.Get(0).bytes, 5'000'000U);
        EXPECT_TRUE(star.failures.empty());
    }
}

TEST(Starvation, AResumeEndsTheBackOffWithoutABurst)
{
    Star star({}, PatientProfile());
    star.Start(0, 1, 0, 5'000'000);
    star.Run(MilliSeconds(10));
    star.LosePackets(1);
    star.Run(MilliSeconds(11));
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Paused());
    star.Run(Seconds(100));
    const auto before = star.retransmissions;
    EXPECT_LT(before, 20U) << "the timeout doubles";
    star.LosePackets(0);
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Rate(DataRate("900Mbps")));
    star.Run(Seconds(101));
    EXPECT_LT(star.Get(0).at, Seconds(100) + MilliSeconds(100));
    // At most what was lost, once.
    EXPECT_LT(star.retransmissions - before, 2 * (1U << 20) / 1448);
}

TEST(Starvation, EndBackoffDoesNothingToAFlowThatIsWell)
{
    Star star({});
    star.Start(0, 1, 0, 20'000'000);
    for (int i = 1; i < 150; ++i)
    {
        Simulator::Schedule(MilliSeconds(i), [&] { star.sources[0]->EndBackoffOf({1, 0}); });
    }
    star.sources[0]->EndBackoffOf({1, 9}); // unknown
    star.Run(Seconds(1));
    EXPECT_EQ(star.retransmissions, 0U);
    EXPECT_LT(star.Get(0).at, MilliSeconds(172));
}

TEST(Starvation, AFinThatNobodyAnswersIsRepeatedLessAndLess)
{
    Star star({}, PatientProfile());
    star.Start(0, 1, 0, 100'000);
    while (star.finished.empty())
    {
        star.Run(Simulator::Now() + MicroSeconds(1));
    }
    star.LosePackets(1);
    std::vector<Star::Sent> packets;
    star.Capture(0, packets);
    star.Capture(1, packets);
    star.Run(Seconds(200));
    const auto fins = std::count_if(packets.begin(), packets.end(), [](const auto& packet) {
        return packet.tcp.GetFlags() & TcpHeader::FIN;
    });
    EXPECT_GT(fins, 10);
    EXPECT_LT(fins, 50) << "timeouts double up to a minute";
    star.LosePackets(0);
    star.Run(Seconds(400));
    EXPECT_EQ(star.CountSockets(0), 1U) << "the listener";
    EXPECT_EQ(star.CountSockets(1), 1U);
    EXPECT_TRUE(star.failures.empty());
}

TEST(Starvation, AFinIsGivenUpAfterDataRetries)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("DataRetries", UintegerValue(5));
    Star star({}, profile);
    star.Start(0, 1, 0, 100'000);
    while (star.finished.empty())
    {
        star.Run(Simulator::Now() + MicroSeconds(1));
    }
    star.LosePackets(1);
    star.Run(star.Get(0).at + MilliSeconds(50));
    EXPECT_EQ(star.CountSockets(1), 2U) << "the listener, and what repeats its FIN";
    star.Run(Seconds(5));
    EXPECT_EQ(star.CountSockets(1), 1U);
}
