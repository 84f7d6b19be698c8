/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::coflow;

TEST_F(NodesFabricTest, DeliversBetweenAllPairsAlongTopologyPaths)
{
    Start(FatTreeHelper("K", UintegerValue(4)));
    RecordPaths();
    std::set<std::pair<HostId, HostId>> pairs;
    for (HostId src = 0; src < 16; ++src)
    {
        for (HostId dst = 0; dst < 16; ++dst)
        {
            if (src != dst)
            {
                pairs.insert({src, dst});
                SendAt(MicroSeconds(100 * (16 * src + dst)), src, dst, 0, 100);
            }
        }
    }
    Simulator::Run();
    EXPECT_EQ(receptions.size(), 240U);
    for (const auto& reception : receptions)
    {
        EXPECT_EQ(pairs.erase({reception.src, reception.dst}), 1U);
    }
    EXPECT_TRUE(pairs.empty());
    EXPECT_EQ(paths.size(), 240U);
    uint64_t hops = 0;
    for (const auto& [packet, ports] : paths)
    {
        const FlowTuple& flow = packet.first;
        std::array<LinkPort, MAX_PATH_PORTS> path{};
        const uint32_t n =
            topology->Path(Fabric::GetHostByAddress(Ipv4Address(flow.srcAddress), 16),
                           Fabric::GetHostByAddress(Ipv4Address(flow.dstAddress), 16),
                           GetFlowHash(flow),
                           path);
        EXPECT_EQ(ports, std::vector<LinkPort>(path.begin(), path.begin() + n));
        hops += n;
    }
    EXPECT_EQ(fabric->GetPacketHops(), hops);
    ExpectConservation();
    EXPECT_EQ(fabric->GetTotals().deliveredPackets, 240U);
    EXPECT_EQ(fabric->GetTotals().queuedPackets, 0U);
}

TEST_F(NodesFabricTest, SpraysPacketsAlongTopologyPaths)
{
    Start(FatTreeHelper("K", UintegerValue(8), "PacketSpraying", BooleanValue(true)));
    RecordPaths();
    for (uint32_t i = 0; i < 400; ++i)
    {
        SendAt(MicroSeconds(10 * i), 0, 127, i, 100);
    }
    Simulator::Run();
    std::set<LinkPort> coreLinks;
    ASSERT_EQ(paths.size(), 400U);
    for (const auto& [packet, ports] : paths)
    {
        std::array<LinkPort, MAX_PATH_PORTS> path{};
        ASSERT_EQ(
            topology->Path(0, 127, GetPacketHash(GetFlowHash(packet.first), packet.second), path),
            6U);
        EXPECT_TRUE(std::equal(ports.begin(), ports.end(), path.begin(), path.end()));
        coreLinks.insert(ports.at(2));
    }
    EXPECT_EQ(coreLinks.size(), 16U);
}

TEST_F(NodesFabricTest, NodesMayOutliveTheFabric)
{
    Start(FatTreeHelper());
    SendAt(Seconds(1), 0, 1, 0, 970);
    nodesFabric = nullptr;
    fabric = nullptr;
    invariants->LetGo();
    topology->SetLinkRate(0, topology->GetHostSwitch(0), DataRate("1Mbps")); // nobody follows
    Simulator::Run();
    ASSERT_EQ(receptions.size(), 1U);
    EXPECT_EQ(receptions[0].time, Seconds(1) + NanoSeconds(2 * (8000 + 1000)));
}
