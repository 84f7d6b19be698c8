/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-strict-priority.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

DscpBands
BandsOf(uint32_t bands, const std::string& map)
{
    const auto disc = CreateObject<StrictPriorityQueueDisc>();
    disc->SetAttribute("Bands", UintegerValue(bands));
    disc->SetAttribute("BandMap", StringValue(map));
    return disc->GetBandOfDscp();
}

} // namespace

TEST(StrictPriority, MapsClassSelectorsOrWhatItIsTold)
{
    const DscpBands eight = BandsOf(8, "");
    const DscpBands three = BandsOf(3, "");
    const DscpBands told = BandsOf(3, "46:0 10:1");
    for (uint32_t dscp = 0; dscp < 64; ++dscp)
    {
        EXPECT_EQ(eight[dscp], 7 - dscp / 8);
        EXPECT_EQ(three[dscp], std::min(7 - dscp / 8, 2U));
        EXPECT_EQ(told[dscp], dscp == 46 ? 0 : dscp == 10 ? 1 : 2);
    }
    for (const std::string bad : {"64:0", "1:3", "1", "1:", ":1", "1:0,2:0", "x:1"})
    {
        EXPECT_THROW(BandsOf(3, bad), ::coflow::InputError) << bad;
    }
}

TEST(StrictPriority, AgreesWithAModel)
{
    // One queue per band, each with room for 5 packets, marking above 2.
    const FifoLimits limits(QueueSize("5p"), QueueSize("2p"));
    StrictPriority discipline(4, limits, BandsOf(4, "0:3 1:2 2:1 3:0"));
    std::array<std::vector<PortItem*>, 4> model;
    std::vector<PortItem> items(4000);
    std::mt19937 random(4);
    for (PortItem& item : items)
    {
        const uint32_t dscp = random() % 4;
        const uint32_t band = 3 - dscp;
        item.dsField = static_cast<uint8_t>(dscp << 2);
        item.bytes = 100;
        item.ecnCapable = random() % 2;
        const std::size_t waiting = model[band].size();
        PortItem* dropped = discipline.Enqueue(&item);
        EXPECT_EQ(dropped, waiting == 5 ? &item : nullptr);
        EXPECT_EQ(item.band, band);
        EXPECT_EQ(item.marked, waiting >= 2 && waiting < 5 && item.ecnCapable);
        if (!dropped)
        {
            model[band].push_back(&item);
        }
        for (uint32_t n = random() % 3; n > 0; --n)
        {
            PortItem* expected = nullptr;
            for (auto& queue : model)
            {
                if (!queue.empty())
                {
                    expected = queue.front();
                    queue.erase(queue.begin());
                    break;
                }
            }
            EXPECT_EQ(discipline.Dequeue(), expected);
        }
    }
}

TEST(StrictPriority, AFlowThatChangesItsBandOvertakesItself)
{
    // Flow 1 has two packets in band 2 and then two in band 0; flow 2 has one in band 1.
    const FifoLimits limits(QueueSize("100p"), QueueSize("0p"));
    const auto order = [&](bool keepOrder) {
        StrictPriority discipline(3, limits, BandsOf(3, "0:2 1:1 2:0"), keepOrder);
        std::vector<PortItem> items(6);
        const std::array<uint64_t, 6> flows{1, 1, 2, 1, 1, 1};
        const std::array<uint8_t, 6> dscps{0, 0, 1, 2, 2, 2};
        for (std::size_t i = 0; i < 5; ++i)
        {
            items[i].flowHash = flows[i];
            items[i].dsField = static_cast<uint8_t>(dscps[i] << 2);
            EXPECT_EQ(discipline.Enqueue(&items[i]), nullptr);
        }
        std::vector<std::size_t> out;
        while (const PortItem* item = discipline.Dequeue())
        {
            out.push_back(static_cast<std::size_t>(item - items.data()));
        }
        // Nothing of the flow waits any more, and what comes has its own band.
        items[5].flowHash = flows[5];
        items[5].dsField = static_cast<uint8_t>(dscps[5] << 2);
        EXPECT_EQ(discipline.Enqueue(&items[5]), nullptr);
        EXPECT_EQ(std::count_if(items.begin(),
                                items.end(),
                                [](const PortItem& item) { return item.band == 0; }),
                  keepOrder ? 1 : 3);
        return out;
    };
    EXPECT_EQ(order(false), (std::vector<std::size_t>{3, 4, 2, 0, 1}));
    EXPECT_EQ(order(true), (std::vector<std::size_t>{2, 0, 1, 3, 4}));
}

TEST(StrictPriority, KeepsEveryFlowInOrderWhateverItsBands)
{
    const FifoLimits limits(QueueSize("8p"), QueueSize("0p"));
    StrictPriority discipline(4, limits, BandsOf(4, "0:3 1:2 2:1 3:0"), true);
    std::vector<PortItem> items(4000);
    std::mt19937 random(9);
    std::array<int64_t, 5> last{-1, -1, -1, -1, -1};
    std::size_t sent = 0;
    const auto take = [&] {
        if (const PortItem* item = discipline.Dequeue())
        {
            ++sent;
            EXPECT_LT(last[item->flowHash], item - items.data());
            last[item->flowHash] = item - items.data();
        }
    };
    for (PortItem& item : items)
    {
        item.flowHash = random() % 5;
        item.dsField = static_cast<uint8_t>((random() % 4) << 2);
        discipline.Enqueue(&item);
        for (uint32_t n = random() % 3; n > 0; --n)
        {
            take();
        }
    }
    EXPECT_GT(sent, 3000U);
}

// At every hop, what waits is overtaken by everything of a higher band; so a packet must have kept
// its band up to there.
TEST_P(EveryFabric, EveryBandSurvivesSixHops)
{
    for (uint32_t bottleneck = 0; bottleneck < 6; ++bottleneck)
    {
        FabricHelper helper("fat-tree", name);
        helper.SetTopologyAttributes("LinkDelay", StringValue("1us"));
        helper.SetFabricAttributes("QueueDisc",
                                   StringValue("ns3::coflow::StrictPriorityQueueDisc"));
        Start(helper);
        std::array<LinkPort, MAX_PATH_PORTS> path{};
        const uint64_t hash = GetFlowHash(
            {Fabric::GetHostAddress(0).Get(), Fabric::GetHostAddress(15).Get(), PORT, PORT, 17});
        ASSERT_EQ(topology->Path(0, 15, hash, path), 6U);
        const TopologyPort slow = topology->GetPort(path[bottleneck]);
        topology->SetLinkRate(slow.from, slow.to, DataRate("10Mbps"));

        // Two packets of each band, the lowest first; the very first finds the port idle.
        uint32_t number = 0;
        for (uint32_t precedence = 0; precedence < 8; ++precedence)
        {
            for (uint32_t i = 0; i < 2; ++i)
            {
                Simulator::ScheduleWithContext(0,
                                               MicroSeconds(20 * number),
                                               [this, precedence, n = number] {
                                                   sockets[0]->SetIpTos(precedence << 5);
                                                   Send(0, 15, n, 1000);
                                               });
                ++number;
            }
        }
        Simulator::Run();
        std::vector<uint32_t> order;
        for (const Reception& reception : receptions)
        {
            order.push_back(reception.number);
        }
        EXPECT_EQ(order,
                  (std::vector<uint32_t>{0, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 1}))
            << "bottleneck " << bottleneck;
        ExpectConservation();
        receptions.clear();
        sockets.clear();
        fabric = nullptr;
        Simulator::Destroy();
    }
}
