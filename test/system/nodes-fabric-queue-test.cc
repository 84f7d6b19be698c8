/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/ipv4.h"
#include "ns3/queue.h"
#include "ns3/traffic-control-layer.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;

TEST_F(NodesFabricTest, InstallsNoQueueButItsOwn)
{
    Start(FatTreeHelper("K", UintegerValue(4)));
    const auto check = [this] {
        for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
        {
            const auto device = nodesFabric->GetPortDevice(port);
            const auto disc =
                device->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
                    device);
            EXPECT_EQ(disc->GetInstanceTypeId(), FifoQueueDisc::GetTypeId());
            EXPECT_EQ(disc, nodesFabric->GetQueueDisc(port));
            EXPECT_EQ(device->GetQueue()->GetMaxSize(), QueueSize("1p"));
        }
        for (uint32_t i = 0; i < nodesFabric->GetNodes().GetN(); ++i)
        {
            const auto node = nodesFabric->GetNodes().Get(i);
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
    EXPECT_EQ(nodesFabric->GetQueueDisc(0)->GetInstanceTypeId().GetName(), "ns3::CoDelQueueDisc");
    EXPECT_GT(fabric->GetTotals().droppedPackets, 0U);
    EXPECT_EQ(fabric->GetPortStatistics(Topology::GetDownlink(2)).maxQueueBytes, 20U * 1428);
    ExpectConservation();
}
