/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * RateLimits: rates are met, can change at any time, and may be zero.
 */

#include "transport-fixture.h"

#include "ns3/coflow-token-bucket.h"

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

TEST(TokenBucket, CountsByHand)
{
    TokenBucket bucket;
    bucket.Configure(Seconds(1), 8'000'000, 3000); // 1 byte per microsecond
    EXPECT_EQ(bucket.GetTokens(Seconds(1)), 0U);
    EXPECT_EQ(bucket.GetTimeUntil(Seconds(1), 1000), MilliSeconds(1));
    EXPECT_EQ(bucket.GetTokens(Seconds(1) + MicroSeconds(1500)), 1500U);
    EXPECT_EQ(bucket.GetTimeUntil(Seconds(1) + MicroSeconds(1500), 1500), Time());
    EXPECT_EQ(bucket.GetTimeUntil(Seconds(1) + MicroSeconds(1500), 1501), MicroSeconds(1));
    bucket.Take(1000);
    EXPECT_EQ(bucket.GetTokens(Seconds(1) + MicroSeconds(1500)), 500U);
    EXPECT_EQ(bucket.GetTokens(Seconds(2)), 3000U) << "not more than the depth";
    bucket.Configure(Seconds(2), 16'000'000, 2000);
    EXPECT_EQ(bucket.GetTokens(Seconds(2)), 2000U) << "not more than the new depth";
    bucket.Take(2000);
    EXPECT_EQ(bucket.GetTokens(Seconds(2) + MicroSeconds(50)), 100U);
    bucket.Configure(Seconds(2) + MicroSeconds(100), 0, 5000);
    EXPECT_EQ(bucket.GetTokens(Seconds(9)), 200U) << "what was earned before the pause stays";
}

TEST(RateLimitType, HasTheDepthThatItSays)
{
    EXPECT_EQ(RateLimit::Rate(DataRate("1Gbps")).GetBurstBytes(1448), 250'000U); // 2 ms
    EXPECT_EQ(RateLimit::Rate(DataRate("1Mbps")).GetBurstBytes(1448), 2896U);    // two segments
    EXPECT_EQ(RateLimit::Rate(DataRate(0)).GetKind(), RateLimit::Kind::PAUSED);
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

struct RateCase
{
    const char* link;
    const char* rate;
    int windows;
};

void
PrintTo(const RateCase& test, std::ostream* os)
{
    *os << test.rate << " on " << test.link;
}

class RateOnLink : public ::testing::TestWithParam<RateCase>
{
};

TEST_P(RateOnLink, IsMetWithin3PercentInWindowsOf50Milliseconds)
{
    const auto test = GetParam();
    const DataRate rate(test.rate);
    Star star({.rate = test.link});
    star.Start(0, 1, 0, 10'000'000'000, RateLimit::Rate(rate));
    star.Run(MilliSeconds(5));
    uint64_t before = star.sinks[1]->GetReceivedBytes({1, 0});
    const double expected = rate.GetBitRate() / 8 * 0.05;
    for (int i = 1; i <= test.windows; ++i)
    {
        star.Run(MilliSeconds(5 + 50 * i));
        const uint64_t now = star.sinks[1]->GetReceivedBytes({1, 0});
        EXPECT_NEAR(now - before, expected, 0.03 * expected) << "window " << i;
        before = now;
    }
    EXPECT_EQ(star.retransmissions, 0U);
}

INSTANTIATE_TEST_SUITE_P(Rates,
                         RateOnLink,
                         ::testing::Values(RateCase{"1Gbps", "10Mbps", 6},
                                           RateCase{"1Gbps", "33Mbps", 6},
                                           RateCase{"1Gbps", "100Mbps", 4},
                                           RateCase{"1Gbps", "500Mbps", 3},
                                           RateCase{"1Gbps", "900Mbps", 3},
                                           RateCase{"10Gbps", "10Mbps", 6},
                                           RateCase{"10Gbps", "1Gbps", 2},
                                           RateCase{"10Gbps", "9Gbps", 1}),
                         [](const auto& test) {
                             return std::string(test.param.rate) + "On" + test.param.link;
                         });

TEST(TransportRate, AFiniteFlowFinishesWhenItsRateSays)
{
    // 1 MB at 80 Mbps (10 bytes per microsecond): 100 ms after the start, plus the handshake (the
    // bucket fills meanwhile) and the way of the last segment.
    Star star({});
    star.Start(0, 1, 0, 1'000'000, RateLimit::Rate(DataRate("80Mbps")));
    star.Run(Seconds(1));
    EXPECT_GT(star.Get(0).at, MilliSeconds(100));
    EXPECT_LT(star.Get(0).at, MilliSeconds(100) + MicroSeconds(100));
}

TEST(TransportRate, LastBytesWaitForTheirTokensOnly)
{
    // 100 kbps: a segment of 1448 bytes takes 116 ms. With the header of the flow, the last bytes
    // are 32, 284, 2 and 1136 beyond full segments.
    for (const uint64_t bytes : {1412, 1448, 1700, 2866, 4000})
    {
        Star star({.rate = "1Gbps"});
        star.Start(0, 1, 0, bytes, RateLimit::Rate(DataRate("100kbps")));
        star.Run(Seconds(2));
        const double earned = static_cast<double>(bytes) * 8 / 1e5;
        EXPECT_NEAR(star.Get(0).at.GetSeconds(), earned, 0.001) << bytes;
    }
}

TEST(TransportRate, IsMetWithASendBufferOfAFewSegments)
{
    // 6 MB at 300 Mbps: 160 ms. TCP gets whole segments: the last part of a segment would wait for
    // a delayed acknowledgement.
    for (const uint32_t buffer : {20000, 35791})
    {
        const auto profile = CreateObject<TransportProfile>();
        profile->SetAttribute("SegmentSize", UintegerValue(8948));
        profile->SetAttribute("SendBuffer", UintegerValue(buffer));
        Star star({}, profile);
        star.Start(0, 1, 0, 6'000'000, RateLimit::Rate(DataRate("300Mbps")));
        star.Run(Seconds(5));
        EXPECT_NEAR(star.Get(0).at.GetSeconds(), 0.16, 0.02 * 0.16) << buffer;
    }
}

TEST(TransportRate, ChangesTakeEffectAtOnce)
{
    Star star({});
    star.Start(0, 1, 0, 1'000'000'000, RateLimit::Rate(DataRate("100Mbps")));
    auto received = [&] { return star.sinks[1]->GetReceivedBytes({1, 0}); };
    star.Run(MilliSeconds(50));
    auto last = received();
    EXPECT_NEAR(last, 625'000, 0.03 * 625'000);
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Rate(DataRate("800Mbps")));
    star.Run(MilliSeconds(100));
    EXPECT_NEAR(received() - last, 5'000'000, 0.03 * 5'000'000);
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Rate(DataRate("40Mbps")));
    last = received();
    star.Run(MilliSeconds(150));
    EXPECT_NEAR(received() - last, 250'000, 0.04 * 250'000);
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Unlimited());
    last = received();
    star.Run(MilliSeconds(200));
    EXPECT_GT(received() - last, 0.9 * 6'000'000);
    star.sources[0]->SetRateLimit({1, 99}, RateLimit::Unlimited()); // unknown: no effect
}

TEST(TransportRate, ManyChangesLoseNoTokens)
{
    Star star({});
    star.Start(0, 1, 0, 1'000'000'000, RateLimit::Rate(DataRate("200Mbps")));
    for (int i = 1; i < 1000; ++i)
    {
        Simulator::Schedule(MicroSeconds(100 * i), [&star, i] {
            star.sources[0]->SetRateLimit(
                {1, 0},
                RateLimit::Rate(DataRate(i % 2 ? 100'000'000 : 300'000'000)));
        });
    }
    star.Run(MilliSeconds(100));
    EXPECT_NEAR(star.sinks[1]->GetReceivedBytes({1, 0}), 2'500'000, 0.03 * 2'500'000);
}

TEST(TransportRate, AfterALossTheFlowCatchesUpWhatTheBucketHolds)
{
    // 400 Mbps. Nothing arrives for 20 ms. The bucket holds the bytes of 2 ms; the rest of the
    // 20 ms is lost to the flow. It writes at 420 Mbps until it has caught up.
    Star star({});
    star.Start(0, 1, 0, 1'000'000'000, RateLimit::Rate(DataRate("400Mbps")));
    constexpr double BYTES_PER_MS = 50'000;
    const auto received = [&] {
        return static_cast<double>(star.sinks[1]->GetReceivedBytes({1, 0}));
    };
    star.Run(MilliSeconds(50));
    star.LosePackets(1);
    star.Run(MilliSeconds(70));
    star.LosePackets(0);
    star.Run(MilliSeconds(90));
    const double before = received();
    star.Run(MilliSeconds(110));
    EXPECT_NEAR(received() - before, 20 * 1.05 * BYTES_PER_MS, 4000);
    star.Run(MilliSeconds(200));
    EXPECT_LT(received(), (200 - 20 + 2) * BYTES_PER_MS);
    EXPECT_GT(received(), (200 - 20 - 10) * BYTES_PER_MS) << "up to 10 ms until the next timeout";
}

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

TEST(RateChange, EndsAWaitForTokensAtOnce)
{
    Star star({});
    star.Start(0, 1, 0, 1'000'000'000, RateLimit::Rate(DataRate("1Mbps")));
    star.Run(MilliSeconds(100));
    // A write waits up to 12 ms at the old rate, but not without a rate.
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Unlimited());
    const auto before = star.sinks[1]->GetReceivedBytes({1, 0});
    star.Run(MilliSeconds(105));
    EXPECT_GT(star.sinks[1]->GetReceivedBytes({1, 0}) - before, 300'000U);
}

TEST(Pause, LastsASecondWithoutRetransmissions)
{
    Star star({});
    star.Start(0, 1, 0, 1'000'000'000);
    auto received = [&] { return star.sinks[1]->GetReceivedBytes({1, 0}); };
    star.Run(MilliSeconds(100));
    const auto atPause = received();
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Paused());
    star.Run(MilliSeconds(120));
    const auto drained = received();
    // The window (bounded by the 1 MiB of the send buffer) and what TCP had not sent yet.
    EXPECT_LE(drained - atPause, (1U << 20) + (1U << 16));
    star.Run(MilliSeconds(1100));
    EXPECT_EQ(received(), drained);
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Rate(DataRate("400Mbps")));
    star.Run(MilliSeconds(1150));
    EXPECT_NEAR(received() - drained, 2'500'000, 0.03 * 2'500'000);
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Paused());
    star.Run(MilliSeconds(2150));
    const auto second = received();
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Unlimited());
    star.Run(MilliSeconds(2250));
    EXPECT_GE(received() - second, 0.94 * 12'500'000);
    EXPECT_EQ(star.retransmissions, 0U);
    EXPECT_TRUE(star.failures.empty());
}

TEST(Pause, FromTheStart)
{
    Star star({});
    star.Start(0, 1, 0, 100'000, RateLimit::Paused());
    star.Start(0, 1, 1, 100'000);
    star.Run(Seconds(3));
    EXPECT_EQ(star.sinks[1]->GetReceivedBytes({1, 0}), 0U);
    EXPECT_LT(star.Get(1).at, MilliSeconds(3));
    star.sources[0]->SetRateLimit({1, 0}, RateLimit::Unlimited());
    star.Run(Seconds(4));
    EXPECT_EQ(star.Get(0).bytes, 100'000U);
    // The connection was open: no handshake, only slow start from 10 segments.
    EXPECT_LT(star.Get(0).at, Seconds(3) + MilliSeconds(2));
    EXPECT_EQ(star.retransmissions, 0U);
}
