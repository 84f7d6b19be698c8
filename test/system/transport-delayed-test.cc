/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Timeouts of what was delayed in a queue and not lost.

#include "transport-fixture.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

namespace
{

constexpr uint64_t FLOW_BYTES = 20'000'000;

/// A star whose router stops sending to host 1 for a while, as a port does that has more urgent
/// packets.
struct Delayed : Star
{
    explicit Delayed(Ptr<TransportProfile> given)
        : Star({}, given)
    {
    }

    void SetRateTo1(const std::string& rate)
    {
        // Its first device is the loopback.
        router.Get(0)->GetDevice(2)->SetAttribute("DataRate", StringValue(rate));
    }

    /// Sends a flow whose packets are delayed from 10 ms on for 100 ms.
    /// @param endsBackoff 10 ms before that ends
    void RunFlow(bool endsBackoff = false)
    {
        Capture(0, packets);
        Start(0, 1, 0, FLOW_BYTES);
        Run(MilliSeconds(10));
        SetRateTo1("110kbps"); // one packet
        Run(MilliSeconds(90));
        if (endsBackoff)
        {
            sources[0]->EndBackoffOf({1, 0});
        }
        Run(MilliSeconds(100));
        SetRateTo1("1Gbps");
        Run(Seconds(20));
        EXPECT_EQ(Get(0).bytes, FLOW_BYTES);
        EXPECT_TRUE(failures.empty());
        EXPECT_EQ(routerQueue[1]->GetStats().nTotalDroppedPackets, 0U);
    }

    std::vector<Sent> packets; ///< of host 0
};

Ptr<TransportProfile>
Profile(bool undo, bool sack = true, bool timestamps = true)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("UndoTimeouts", BooleanValue(undo));
    profile->SetAttribute("Sack", BooleanValue(sack));
    profile->SetAttribute("Timestamps", BooleanValue(timestamps));
    return profile;
}

} // namespace

TEST(DelayedPackets, AreNotSentAgainButForTheFirst)
{
    Delayed star(Profile(true));
    star.RunFlow();
    // Timeouts after 5, 10, 20, 40 ms and perhaps one more.
    EXPECT_GE(star.retransmissions, 3U);
    EXPECT_LE(star.retransmissions, 6U);
    std::map<SequenceNumber32, int> times;
    for (const auto& packet : star.packets)
    {
        if (packet.payload > 0)
        {
            ++times[packet.tcp.GetSequenceNumber()];
        }
    }
    EXPECT_EQ(std::count_if(times.begin(), times.end(), [](const auto& t) { return t.second > 1; }),
              1)
        << "the first segment of those outstanding";
    EXPECT_LT(star.Get(0).at, MilliSeconds(290)) << "the window is what it was";
}

TEST(DelayedPackets, AreSentAgainWithoutTheMeansToTell)
{
    for (const std::string means : {"undo", "sack", "timestamps"})
    {
        SCOPED_TRACE(means);
        Delayed star(Profile(means != "undo", means != "sack", means != "timestamps"));
        star.RunFlow();
        EXPECT_GT(star.retransmissions, 100U);
    }
}

TEST(DelayedPackets, AreSentAgainAfterAnEndedBackOff)
{
    // They may have been sent with a lower priority, and keep it.
    Delayed star(Profile(true));
    star.RunFlow(true);
    EXPECT_GT(star.retransmissions, 100U);
}

TEST(DelayedPackets, ATimeoutOfWhatWasLostStands)
{
    // A window is lost: all of it is sent again, once, and not left to further timeouts.
    Star star({}, Profile(true));
    star.Start(0, 1, 0, FLOW_BYTES);
    star.Run(MilliSeconds(10));
    star.LosePackets(1);
    star.Run(MilliSeconds(12));
    star.LosePackets(0);
    star.Run(Seconds(20));
    EXPECT_EQ(star.Get(0).bytes, FLOW_BYTES);
    EXPECT_GT(star.retransmissions, 50U);
    EXPECT_LT(star.Get(0).at, MilliSeconds(250));
}

TEST(DelayedPackets, LossAmongThemIsMended)
{
    // Every hundredth packet is lost, and all are delayed time and again.
    Delayed star(Profile(true));
    star.Start(0, 1, 0, FLOW_BYTES);
    star.LosePackets(0.01);
    for (int i = 0; i < 100; ++i)
    {
        star.SetRateTo1(i % 2 == 0 ? "1Gbps" : "110kbps");
        star.Run(MilliSeconds(20 * (i + 1)));
    }
    star.SetRateTo1("1Gbps");
    star.Run(Seconds(60));
    EXPECT_EQ(star.Get(0).bytes, FLOW_BYTES);
    EXPECT_TRUE(star.failures.empty());
}
