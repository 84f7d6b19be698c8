/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The daemons that a central coordinator knows of, by themselves.

#include "ns3/coflow-known-daemons.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::HostId;

namespace
{

/// Ends the simulation with a test.
class KnownDaemonsTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }
};

} // namespace

TEST_F(KnownDaemonsTest, AreLostWhenTheyAreSilentAndNotIdle)
{
    std::vector<std::pair<HostId, int64_t>> lost;
    KnownDaemons daemons(
        5,
        MilliSeconds(40),
        [](HostId host) { return host == 3; },
        [&](HostId host) { lost.emplace_back(host, Simulator::Now().GetMilliSeconds()); });
    EXPECT_TRUE(daemons.AnyIsAbsent());
    for (HostId host = 0; host < 5; ++host)
    {
        daemons.Connect(host, {});
    }
    EXPECT_FALSE(daemons.AnyIsAbsent());
    // Host 0 is silent; 1 is idle until 100 ms; 2 is heard of at 15 ms; what 3 has sent waits to be
    // handled; 4 is heard of all the time. Daemons are looked at every 10 ms from 40 ms on.
    daemons.Hear(1, true);
    Simulator::Schedule(MilliSeconds(15), [&] { daemons.Hear(2, false); });
    for (int at = 5; at < 200; at += 10)
    {
        Simulator::Schedule(MilliSeconds(at), [&] { daemons.Hear(4, false); });
    }
    Simulator::Schedule(MilliSeconds(101), [&] {
        EXPECT_EQ(daemons.Wake(), (std::vector<HostId>{1}));
        EXPECT_TRUE(daemons.Wake().empty());
    });
    Simulator::Stop(MilliSeconds(200));
    Simulator::Run();
    EXPECT_EQ(lost, (std::vector<std::pair<HostId, int64_t>>{{0, 40}, {2, 60}, {1, 150}}));
}

TEST_F(KnownDaemonsTest, ConfirmCoflowsAndHearOnceOfThoseThatAreOver)
{
    KnownDaemons daemons(2, Seconds(1), [](HostId) { return false; }, [](HostId) {});
    daemons.Connect(0, {4, 5, 6});
    EXPECT_TRUE(daemons.AnyIsAbsent()) << "host 1";
    daemons.Confirm(0, 5);
    EXPECT_EQ(daemons.Hear(0, false), (std::set<::coflow::CoflowId>{4, 6}));
    EXPECT_TRUE(daemons.Hear(0, false).empty());
    daemons.NoteOver(0, 5);
    daemons.NoteOver(0, 4);
    daemons.NoteOver(1, 4); // no effect: it is not known
    EXPECT_EQ(daemons.Answer(0), (std::vector<::coflow::CoflowId>{5, 4}));
    EXPECT_TRUE(daemons.Answer(0).empty());
    daemons.Connect(1, {});
    EXPECT_TRUE(daemons.Answer(1).empty());
    EXPECT_FALSE(daemons.AnyIsAbsent());
    daemons.Disconnect(0);
    EXPECT_TRUE(daemons.AnyIsAbsent());
}
