/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jumps over time: whoever asks what flows have sent and what ports have done sees what was
// skipped.

#include "hosts-with-rates.h"

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::HostId;
using ::coflow::test::HostsWithRates;

namespace
{

constexpr uint64_t MB = 1'000'000;

} // namespace

TEST(JumpCounters, WhoAsksInBetweenSeesWhatWasSent)
{
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 1000 * MB, 400);
    for (int second = 1; second < 20; ++second)
    {
        Simulator::Schedule(ns3::Seconds(second), [&hosts, second] {
            const double expected = second * 400e6 / 8;
            const auto& all = hosts.Get().GetHosts();
            const auto progress = all[0].source->GetProgress({1, 0});
            ASSERT_TRUE(progress);
            EXPECT_NEAR(static_cast<double>(progress->acknowledged), expected, 0.2 * MB);
            const auto& sink = *all[1].sink;
            EXPECT_NEAR(static_cast<double>(sink.GetReceivedBytes({1, 0})), expected, 0.2 * MB);
            EXPECT_EQ(sink.GetTotalReceivedBytes(), sink.GetReceivedBytes({1, 0}));
        });
    }
    hosts.Run(30);
    EXPECT_NEAR(hosts.GetFinish(0), 20, 0.001);
}

TEST(JumpCounters, CountsAtEveryPortOfThePath)
{
    // On a fat-tree, so that there are six ports each way; 10 s at 200 Mbit/s, and one flow that
    // goes on.
    const auto run = [](bool jump) {
        HostsWithRates hosts(jump, "fat-tree");
        hosts.Send(0, 0, 15, 250 * MB, 200);
        hosts.Send(1, 3, 12, 900 * MB, 300);
        hosts.Run(12);
        const auto fabric = hosts.Get().GetFabric();
        std::vector<PortStatistics> ports;
        for (LinkPort port = 0; port < fabric->GetTopology()->GetNPorts(); ++port)
        {
            ports.push_back(fabric->GetPortStatistics(port));
        }
        const auto totals = fabric->GetTotals();
        EXPECT_EQ(totals.injectedPackets, totals.deliveredPackets + totals.queuedPackets);
        return ports;
    };
    const auto packets = run(false);
    const auto jumps = run(true);
    std::size_t busy = 0;
    for (std::size_t port = 0; port < packets.size(); ++port)
    {
        EXPECT_EQ(jumps[port].receivedPackets, jumps[port].packets + jumps[port].queuedPackets);
        EXPECT_EQ(jumps[port].receivedBytes, jumps[port].bytes + jumps[port].queuedBytes);
        const auto expected = static_cast<double>(packets[port].bytes);
        // A few segments: those that are under way at the end, and the last ones of a flow.
        EXPECT_NEAR(static_cast<double>(jumps[port].bytes), expected, 20'000 + 1e-4 * expected)
            << "port " << port;
        busy += packets[port].bytes > MB;
    }
    EXPECT_GE(busy, 12U);
}

TEST(JumpCounters, CountsInEveryBandOfAPort)
{
    // Two flows of 8 s in bands 2 and 5; the second one changes to band 3 after 4 s. Messages and
    // acknowledgements have bands of their own.
    const auto run = [](bool jump) {
        HostsWithRates hosts(jump,
                             "big-switch",
                             {{"queueDisc", "ns3::coflow::StrictPriorityQueueDisc"}});
        const auto put = [&hosts](::coflow::FlowId flow, HostId from, uint8_t band) {
            PacketPriority priority;
            priority.band = band;
            hosts.Get().GetHosts()[from].source->SetPriority({1, flow}, priority);
        };
        hosts.Send(0, 0, 1, 200 * MB, 200);
        hosts.Send(1, 2, 1, 300 * MB, 300);
        put(0, 0, 2);
        put(1, 2, 5);
        Simulator::Schedule(ns3::Seconds(4), [&put] { put(1, 2, 3); });
        hosts.Run(9);
        const auto fabric = hosts.Get().GetFabric();
        std::vector<std::vector<BandStatistics>> bands;
        for (LinkPort port = 0; port < fabric->GetTopology()->GetNPorts(); ++port)
        {
            bands.push_back(fabric->GetBandStatistics(port));
            uint64_t sum = 0;
            for (const auto& band : bands.back())
            {
                sum += band.receivedBytes;
            }
            EXPECT_EQ(sum, fabric->GetPortStatistics(port).receivedBytes) << "port " << port;
        }
        return bands;
    };
    const auto packets = run(false);
    const auto jumps = run(true);
    std::size_t busy = 0;
    for (std::size_t port = 0; port < packets.size(); ++port)
    {
        ASSERT_EQ(packets[port].size(), 8U);
        for (std::size_t band = 0; band < 8; ++band)
        {
            const auto expected = static_cast<double>(packets[port][band].sentBytes);
            EXPECT_NEAR(static_cast<double>(jumps[port][band].sentBytes),
                        expected,
                        20'000 + 1e-4 * expected)
                << "port " << port << ", band " << band;
            busy += packets[port][band].sentBytes > MB;
        }
    }
    EXPECT_GE(busy, 8U) << "data in three bands at host 1, and acknowledgements in others";
}
