/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"

#include "ns3/coflow-error.h"
#include "ns3/pcap-file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::InputError;

TEST_P(EveryFabric, IdleDelayIsTheSumOfItsParts)
{
    // 970 + 8 (UDP) + 20 (IPv4) + 2 (PPP) = 1000 bytes on the wire.
    Start(FatTreeHelper("LinkRate",
                        StringValue("1Gbps"),
                        "FabricLinkRate",
                        StringValue("4Gbps"),
                        "HostRates",
                        StringValue("15=400Mbps"),
                        "LinkDelay",
                        StringValue("1300ns")));
    SendAt(Seconds(1), 0, 15, 1, 970); // 6 ports
    SendAt(Seconds(2), 0, 2, 2, 970);  // 4 ports
    SendAt(Seconds(3), 0, 1, 3, 970);  // 2 ports
    SendAt(Seconds(4), 0, 1, 4, 4);    // 34 bytes
    Simulator::Run();
    ASSERT_EQ(receptions.size(), 4U);
    // A byte takes 2 ns at 4 Gbps. (Where it takes a part of one, see wire-times-test.cc.)
    constexpr int64_t fabricHop = 2000;
    EXPECT_EQ((receptions[0].time - Seconds(1)).GetNanoSeconds(),
              8000 + 4 * fabricHop + 20000 + 6 * 1300);
    EXPECT_EQ((receptions[1].time - Seconds(2)).GetNanoSeconds(),
              8000 + 2 * fabricHop + 8000 + 4 * 1300);
    EXPECT_EQ((receptions[2].time - Seconds(3)).GetNanoSeconds(), 2 * 8000 + 2 * 1300);
    EXPECT_EQ((receptions[3].time - Seconds(4)).GetNanoSeconds(), 2 * 272 + 2 * 1300);
}

TEST_P(EveryFabric, KeepsTheOrderOfAFlowUnderLoad)
{
    Start(FatTreeHelper("K", UintegerValue(4)));
    // Every host sends at 60 % of its rate, every packet to any of 15 others.
    for (uint32_t i = 0; i < 300; ++i)
    {
        for (HostId src = 0; src < 16; ++src)
        {
            const auto step = static_cast<HostId>(1 + MixBits(16 * i + src) % 15);
            SendAt(MicroSeconds(20 * i), src, (src + step) % 16, i, 1400);
        }
    }
    Simulator::Run();
    std::map<std::pair<HostId, HostId>, uint32_t> last;
    for (const auto& reception : receptions)
    {
        const auto [entry, first] =
            last.try_emplace({reception.src, reception.dst}, reception.number);
        EXPECT_TRUE(first || entry->second < reception.number);
        entry->second = reception.number;
    }
    EXPECT_EQ(last.size(), 240U);
    uint64_t longest = 0;
    for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
    {
        longest = std::max(longest, fabric->GetPortStatistics(port).maxQueueBytes);
    }
    EXPECT_GT(longest, 4000U) << "there was something to overtake";
}

TEST_P(EveryFabric, SprayingReordersUnderLoad)
{
    Start(FatTreeHelper("K", UintegerValue(4), "PacketSpraying", BooleanValue(true)));
    for (uint32_t i = 0; i < 300; ++i)
    {
        for (HostId src = 0; src < 16; ++src)
        {
            SendAt(MicroSeconds(15 * i), src, (src + 5) % 16, i, 1400);
        }
    }
    Simulator::Run();
    std::map<HostId, uint32_t> last;
    uint32_t late = 0;
    for (const auto& reception : receptions)
    {
        late += reception.number < last[reception.src];
        last[reception.src] = std::max(last[reception.src], reception.number);
    }
    EXPECT_GT(late, 0U);
}

TEST_P(EveryFabric, AvoidsALinkThatFailsOnTheWay)
{
    Start(FatTreeHelper("K", UintegerValue(4)));
    for (uint32_t i = 0; i < 300; ++i)
    {
        SendAt(MicroSeconds(20 * i), 0, 15, i, 1400);
    }
    // Both are used by nobody else: the core's link down to the receiver's pod, then back.
    std::array<LinkPort, MAX_PATH_PORTS> path{};
    const uint64_t hash = GetFlowHash(
        {Fabric::GetHostAddress(0).Get(), Fabric::GetHostAddress(15).Get(), PORT, PORT, 17});
    ASSERT_EQ(topology->Path(0, 15, hash, path), 6U);
    const TopologyPort far = topology->GetPort(path[3]);
    Simulator::Schedule(MilliSeconds(2), &Topology::FailLink, topology, far.from, far.to);
    uint64_t atFailure = 0;
    uint64_t whileDown = 0;
    Simulator::Schedule(MilliSeconds(2) + MicroSeconds(100),
                        [&] { atFailure = fabric->GetPortStatistics(path[3]).packets; });
    Simulator::Schedule(MilliSeconds(4), [&] {
        whileDown = fabric->GetPortStatistics(path[3]).packets;
        topology->RestoreLink(far.to, far.from);
    });
    Simulator::Run();
    EXPECT_EQ(receptions.size() + fabric->GetTotals().droppedPackets, 300U);
    EXPECT_LE(fabric->GetTotals().droppedPackets, 4U) << "those already past the last choice";
    EXPECT_GT(atFailure, 90U);
    EXPECT_EQ(whileDown, atFailure);
    EXPECT_GT(fabric->GetPortStatistics(path[3]).packets, whileDown + 90);
    ExpectConservation();
}

TEST_P(EveryFabric, DropsWhereThereIsNoPath)
{
    Start(FatTreeHelper("FailedLinks", StringValue("edge7-host15")));
    SendAt(Time(0), 0, 14, 0, 100);
    EXPECT_EQ(Send(0, 15, 0, 100), -1);
    EXPECT_EQ(sockets[0]->GetErrno(), Socket::ERROR_NOROUTETOHOST);
    EXPECT_EQ(sockets[0]->SendTo(Create<Packet>(4),
                                 0,
                                 InetSocketAddress(Fabric::GetHostAddress(16), PORT)),
              -1);
    // Under way when the link fails: dropped by the first switch that cannot go on.
    SendAt(MicroSeconds(100), 0, 13, 0, 1000);
    Simulator::Schedule(MicroSeconds(130),
                        &Topology::FailLink,
                        topology,
                        13U,
                        topology->GetHostSwitch(13));
    Simulator::Run();
    EXPECT_EQ(receptions.size(), 1U);
    EXPECT_EQ(fabric->GetTotals().injectedPackets, 2U);
    EXPECT_EQ(fabric->GetTotals().droppedPackets, 1U);
    ExpectConservation();
}

TEST_P(EveryFabric, SwitchesDropWhatHasLivedTooLong)
{
    Start(FatTreeHelper());
    sockets[0]->SetIpTtl(5); // five switches on the way: the last finds 1
    SendAt(Time(0), 0, 15, 0, 100);
    SendAt(Time(0), 0, 3, 0, 100);
    Simulator::Run();
    ASSERT_EQ(receptions.size(), 1U);
    EXPECT_EQ(receptions[0].dst, 3U);
    EXPECT_EQ(fabric->GetTotals().droppedPackets, 1U);
    ExpectConservation();
}

TEST_P(EveryFabric, HostsReachThemselves)
{
    Start(BigSwitchHelper(2, "ns3::coflow::FifoQueueDisc"));
    SendAt(Time(0), 1, 1, 5, 100);
    sockets[0]->SendTo(Create<Packet>(4), 0, InetSocketAddress(Ipv4Address("127.0.0.1"), PORT));
    Simulator::Run();
    EXPECT_EQ(receptions.size(), 2U);
    EXPECT_EQ(fabric->GetPacketHops(), 0U);
}

TEST_P(EveryFabric, FollowsChangesOfRate)
{
    Start(BigSwitchHelper(2, "ns3::coflow::FifoQueueDisc"));
    Simulator::Schedule(Seconds(1), &Topology::SetLinkRate, topology, 0U, 2U, DataRate("100Mbps"));
    SendAt(Seconds(2), 0, 1, 0, 970);
    Simulator::Run();
    ASSERT_EQ(receptions.size(), 1U);
    EXPECT_EQ((receptions[0].time - Seconds(2)).GetNanoSeconds(), 80000 + 8000 + 2000);
}

TEST_P(EveryFabric, CarriesJumboPackets)
{
    FabricHelper helper("leaf-spine", name);
    helper.SetFabricAttributes("Mtu", UintegerValue(9000));
    Start(helper);
    SendAt(Time(0), 0, 15, 0, 8972);
    Simulator::Run();
    ASSERT_EQ(receptions.size(), 1U);
    EXPECT_EQ(fabric->GetPacketHops(), 4U) << "not fragmented";
    EXPECT_EQ(receptions[0].time, NanoSeconds(4 * (9002 * 8 + 1000)));
}

TEST_P(EveryFabric, FragmentsStayTogether)
{
    Start(FatTreeHelper("K", UintegerValue(8)));
    for (uint32_t i = 0; i < 20; ++i)
    {
        SendAt(MilliSeconds(i), 0, 127, i, 4000);
    }
    Simulator::Run();
    EXPECT_EQ(receptions.size(), 20U);
    EXPECT_EQ(fabric->GetPacketHops(), 20U * 3 * 6);
}

INSTANTIATE_TEST_SUITE_P(Named,
                         EveryFabric,
                         testing::Values("express", "nodes"),
                         [](const auto& i) { return i.param; });

TEST(Fabric, RejectsBadValues)
{
    const auto errorOf = [](auto&&... args) -> std::string {
        FabricHelper helper("big-switch", "nodes");
        helper.SetFabricAttributes(args...);
        try
        {
            helper.Create();
        }
        catch (const InputError& error)
        {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(errorOf("Mtu", UintegerValue(500)),
              "ns3::coflow::NodesFabric::Mtu is '500'; allowed: 576 to 65535");
    EXPECT_EQ(errorOf("QueueDisc", StringValue("ns3::NoSuchThing[MaxSize=1p]")),
              "ns3::coflow::NodesFabric::QueueDisc is 'ns3::NoSuchThing[MaxSize=1p]'; allowed: a "
              "subclass of ns3::QueueDisc, by its full name");
    EXPECT_NE(errorOf("QueueDisc", StringValue("ns3::Node")), "no error");
    EXPECT_NE(errorOf("QueueDisc", StringValue("ns3::QueueDisc")), "no error");
    EXPECT_THROW(CreateObject<NodesFabric>()->Build(), InputError);
    EXPECT_THROW(FabricHelper("fat-tree", "no-such-fabric"), InputError);
    EXPECT_THROW(FabricHelper("no-such-topology"), InputError);

    FabricHelper express("big-switch", "express");
    express.SetFabricAttributes("QueueDisc", StringValue("ns3::CoDelQueueDisc"));
    EXPECT_THROW(express.Create(), InputError);
    Simulator::Destroy();
}

TEST_P(EveryFabric, WritesAPcapOfAHost)
{
    Start(BigSwitchHelper(2, "ns3::coflow::FifoQueueDisc"));
    const std::string prefix =
        testing::TempDir() + "coflow-pcap-" + name + std::to_string(::getpid());
    FabricHelper::EnablePcap(prefix, *fabric, 0);
    for (uint32_t i = 0; i < 3; ++i)
    {
        SendAt(MicroSeconds(1), 0, 1, i, 970); // the second and the third wait
    }
    SendAt(MicroSeconds(100), 1, 0, 3, 470);
    Simulator::Run();
    invariants.reset();
    fabric = nullptr;
    sockets.clear();
    Simulator::Destroy(); // closes the file

    PcapFile file;
    file.Open(prefix + "-host0.pcap", std::ios::in);
    std::array<uint8_t, 2000> data{};
    const uint32_t frame = name == "nodes" ? 2 : 0;
    std::vector<std::pair<uint32_t, uint32_t>> packets; // microseconds, bytes
    uint32_t seconds = 0;
    uint32_t microseconds = 0;
    uint32_t included = 0;
    uint32_t original = 0;
    uint32_t read = 0;
    for (file.Read(data.data(), data.size(), seconds, microseconds, included, original, read);
         !file.Eof();
         file.Read(data.data(), data.size(), seconds, microseconds, included, original, read))
    {
        packets.emplace_back(microseconds, original - frame);
    }
    // 1000 bytes take 8 us; 500 bytes take 4 us twice, and a delay of 1 us twice.
    EXPECT_EQ(
        packets,
        (std::vector<std::pair<uint32_t, uint32_t>>{{1, 998}, {9, 998}, {17, 998}, {110, 498}}));
    file.Close();
    std::remove((prefix + "-host0.pcap").c_str());
}
