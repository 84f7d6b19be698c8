/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nodes-fabric-fixture.h"

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/ipv4.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;

TEST_F(NodesFabricTest, APortHoldsOnePacketBesidesItsQueue)
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

TEST_F(NodesFabricTest, NothingIsLostSightOfInAnIncast)
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

TEST_F(NodesFabricTest, InstallsNoQueueButItsOwn)
{
    Start(FatTreeHelper("K", UintegerValue(4)));
    const auto check = [this] {
        for (PortId port = 0; port < topology->GetNPorts(); ++port)
        {
            const auto device = fabric->GetPortDevice(port);
            const auto disc =
                device->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
                    device);
            EXPECT_EQ(disc->GetInstanceTypeId(), FifoQueueDisc::GetTypeId());
            EXPECT_EQ(disc, fabric->GetQueueDisc(port));
            EXPECT_EQ(device->GetQueue()->GetMaxSize(), QueueSize("1p"));
        }
        for (uint32_t i = 0; i < fabric->GetNodes().GetN(); ++i)
        {
            const auto node = fabric->GetNodes().Get(i);
            const auto control = node->GetObject<TrafficControlLayer>();
            for (uint32_t d = 0; d < node->GetNDevices(); ++d)
            {
                const auto disc = control->GetRootQueueDiscOnDevice(node->GetDevice(d));
                EXPECT_TRUE(!disc ||
                            disc->GetInstanceTypeId().GetName() != "ns3::FqCoDelQueueDisc");
            }
        }
    };
    check();
    SendAt(Time(0), 0, 15, 0, 100);
    Simulator::Run();
    EXPECT_EQ(receptions.size(), 1U);
    check();
    for (HostId host = 0; host < 16; ++host)
    {
        const auto ipv4 = fabric->GetHosts().Get(host)->GetObject<Ipv4>();
        EXPECT_EQ(ipv4->GetAddress(1, 0).GetLocal(), Fabric::GetHostAddress(host));
        EXPECT_EQ(ipv4->GetNetDevice(1), fabric->GetHostDevice(host));
    }
    EXPECT_EQ(Fabric::GetHostAddress(0), Ipv4Address("10.0.0.1"));
    EXPECT_EQ(Fabric::GetHostByAddress(Ipv4Address("10.0.0.16"), 16), 15U);
    EXPECT_EQ(Fabric::GetHostByAddress(Ipv4Address("10.0.0.17"), 16), 16U);
    EXPECT_EQ(Fabric::GetHostByAddress(Ipv4Address("10.0.0.0"), 16), 16U);
    EXPECT_EQ(Fabric::GetHostByAddress(Ipv4Address("255.255.255.255"), 16), 16U);
}

TEST_F(NodesFabricTest, TakesAnyQueueDisc)
{
    Start(BigSwitchHelper(3, "ns3::CoDelQueueDisc[MaxSize=20p]"));
    for (uint32_t i = 0; i < 100; ++i)
    {
        SendAt(MicroSeconds(12 * i), 0, 2, i, 1400);
        SendAt(MicroSeconds(12 * i), 1, 2, i, 1400);
    }
    Simulator::Run();
    EXPECT_EQ(fabric->GetQueueDisc(0)->GetInstanceTypeId().GetName(), "ns3::CoDelQueueDisc");
    EXPECT_GT(fabric->GetTotals().droppedPackets, 0U);
    EXPECT_EQ(fabric->GetPortStatistics(Topology::GetDownlink(2)).maxQueueBytes, 20U * 1428);
    ExpectConservation();
}
