/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * A TCP that was starved: paused for long, or behind a path that lost everything.
 */

#include "transport-fixture.h"

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

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
