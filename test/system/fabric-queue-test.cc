/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;

TEST_P(EveryFabric, APortHoldsOnePacketBesidesItsQueue)
{
    // 1228 bytes of IPv4, 1230 on the wire: 9840 ns each.
    Start(BigSwitchHelper(2, "ns3::coflow::FifoQueueDisc[MaxSize=5p|MarkingThreshold=3p]"));
    sockets[0]->SetIpTos(2); // ECN-capable
    Simulator::ScheduleWithContext(0, Seconds(1), [this] {
        for (uint32_t i = 0; i < 10; ++i)
        {
            Send(0, 1, i, 1200);
        }
    });
    Simulator::Stop(Seconds(2));
    Simulator::Run();
    // On the wire: 0; waiting: 1 .. 5, of which 4 and 5 are the 4th and 5th.
    ASSERT_EQ(receptions.size(), 6U);
    for (uint32_t i = 0; i < 6; ++i)
    {
        EXPECT_EQ(receptions[i].number, i);
        EXPECT_EQ(receptions[i].tos & 3, i >= 4 ? 3 : 2);
        EXPECT_EQ((receptions[i].time - Seconds(1)).GetNanoSeconds(), 2 * (9840 + 1000) + i * 9840);
    }
    const PortStatistics uplink = fabric->GetPortStatistics(Topology::GetUplink(0));
    EXPECT_EQ(uplink.receivedPackets, 10U);
    EXPECT_EQ(uplink.packets, 6U);
    EXPECT_EQ(uplink.bytes, 6U * 1228);
    EXPECT_EQ(uplink.droppedPackets, 4U);
    EXPECT_EQ(uplink.droppedBytes, 4U * 1228);
    EXPECT_EQ(uplink.markedPackets, 2U);
    EXPECT_EQ(uplink.maxQueueBytes, 5U * 1228);
    // The five wait 1 + 2 + 3 + 4 + 5 transmissions together.
    EXPECT_DOUBLE_EQ(uplink.meanQueueBytes, 15 * 9840.0 * 1228 / 2e9);
    EXPECT_EQ(fabric->GetPortStatistics(Topology::GetDownlink(1)).maxQueueBytes, 1228U)
        << "every packet passes through the queue, if only for an instant";
}

TEST_P(EveryFabric, NothingIsLostSightOfInAnIncast)
{
    Start(BigSwitchHelper(9, "ns3::coflow::FifoQueueDisc[MaxSize=20000B|MarkingThreshold=8000B]"));
    for (HostId src = 1; src < 9; ++src)
    {
        sockets[src]->SetIpTos(2);
        for (uint32_t i = 0; i < 100; ++i)
        {
            SendAt(NanoSeconds(12000 * i + src), src, 0, i, 1400);
        }
    }
    for (uint32_t i = 0; i < 50; ++i)
    {
        Simulator::Schedule(MicroSeconds(31 * i), [this] { ExpectConservation(); });
    }
    Simulator::Run();
    const FabricTotals totals = fabric->GetTotals();
    EXPECT_EQ(totals.injectedPackets, 800U);
    EXPECT_EQ(totals.deliveredPackets, receptions.size());
    EXPECT_EQ(totals.queuedPackets, 0U);
    EXPECT_GT(totals.droppedPackets, 600U) << "eight times the rate of the port";
    const PortStatistics downlink = fabric->GetPortStatistics(Topology::GetDownlink(0));
    EXPECT_EQ(totals.droppedPackets, downlink.droppedPackets);
    EXPECT_EQ(downlink.maxQueueBytes, 14U * 1428) << "what fits into 20000 bytes";
    EXPECT_EQ(totals.markedPackets,
              static_cast<uint64_t>(
                  std::count_if(receptions.begin(), receptions.end(), [](const Reception& r) {
                      return (r.tos & 3) == 3;
                  })));
    ExpectConservation();
}
