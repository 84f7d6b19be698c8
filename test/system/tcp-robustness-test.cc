/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What makes ns-3's own TCP end the program: CoflowTcpSocket goes on, and all flows finish.

#include "fabric-scenario.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// @return flows to few hosts, with the congestion control that marks are for
FabricScenario
MakeIncasts(uint32_t seed, const std::string& spraying, const std::string& queue)
{
    std::mt19937 random(seed);
    FabricScenario s;
    s.topology = "fat-tree";
    s.topologyAttributes = {{"K", "4"}, {"PacketSpraying", spraying}, {"LinkDelay", "2us"}};
    s.fabricAttributes = {{"QueueDisc", "ns3::coflow::FifoQueueDisc" + queue}};
    s.profileAttributes = {{"CongestionOps", "ns3::TcpDctcp"}};
    for (uint32_t i = 0; i < 40; ++i)
    {
        const HostId src = random() % 16;
        const HostId dst = (src + 1 + random() % 3) % 16 / 4 * 4;
        s.flows.push_back({src,
                           dst == src ? (src + 4) % 16 : dst,
                           20'000 + random() % 400'000,
                           static_cast<int64_t>(1 + random() % 3'000'000)});
    }
    return s;
}

void
ExpectAllFinish(const std::string& spraying, const std::string& queue)
{
    uint64_t drops = 0;
    uint64_t marks = 0;
    for (uint32_t seed = 0; seed < 12; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const FabricScenario scenario = MakeIncasts(seed, spraying, queue);
        const FabricOutcome outcome = RunScenario("express", scenario);
        EXPECT_EQ(outcome.flows.size(), scenario.flows.size());
        drops += outcome.totals.droppedPackets;
        marks += outcome.totals.markedPackets;
    }
    EXPECT_GT(drops, 100U);
    EXPECT_GT(marks, 100U);
}

} // namespace

TEST(TcpRobustness, PacketsAreLostWhileEcnReducesTheWindow)
{
    ExpectAllFinish("false", "[MaxSize=30p|MarkingThreshold=5p]");
}

TEST(TcpRobustness, PacketsOvertakeEachOther)
{
    ExpectAllFinish("true", "[MaxSize=60p|MarkingThreshold=10p]");
}
