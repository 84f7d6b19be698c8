/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Thresholds, queues and buffers follow rate x round trip of the network.

#include "coflow-expect-error.h"
#include "own-network.h"

#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-installed-network.h"
#include "ns3/coflow-network-sizes.h"
#include "ns3/coflow-run-report.h"
#include "ns3/coflow-run.h"
#include "ns3/config.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/traffic-control-layer.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::test::ErrorOf;
using ::coflow::test::OwnNetwork;

namespace
{

const std::string FIFO = "ns3::coflow::FifoQueueDisc";

/// @return what a text becomes where 610 kB are under way
std::string
Follow(const std::string& queueDisc, bool isChosen)
{
    return NetworkSizes::FollowNetwork(queueDisc, isChosen, 610'000);
}

/// @return a fabric
Ptr<Fabric>
MakeFabric(const std::string& topology,
           const std::string& fabric,
           const std::vector<std::pair<std::string, std::string>>& attributes)
{
    FabricHelper helper(topology, fabric);
    for (const auto& [name, value] : attributes)
    {
        helper.SetTopologyAttributes(name, StringValue(value));
    }
    return helper.Create();
}

/// @return two senders and a receiver behind other switches
::coflow::Workload
MakeTwoToOne()
{
    ::coflow::Workload workload;
    workload.hosts = 16;
    ::coflow::Coflow coflow;
    coflow.id = 1;
    coflow.flows = {{0, 0, 15, 50'000'000}, {1, 5, 15, 50'000'000}};
    workload.coflows = {coflow};
    return workload;
}

/// @return the same on a fat-tree
RunOutcome
RunTwoToOne(const std::string& rate, std::vector<std::pair<std::string, std::string>> more = {})
{
    ExperimentConfig config;
    config.attributes = {{"k", "4"}, {"linkRate", rate}};
    config.attributes.insert(config.attributes.end(), more.begin(), more.end());
    return RunExperiment(MakeTwoToOne(), config, "");
}

} // namespace

TEST(NetworkSizes, SizesOfQueueDiscsFollowUnlessTheyAreGiven)
{
    EXPECT_EQ(Follow(FIFO, true), FIFO + "[MarkingThreshold=610000B|MaxSize=2440000B]");
    EXPECT_EQ(Follow(FIFO, false), FIFO + "[MarkingThreshold=610000B|MaxSize=2440000B]");
    EXPECT_EQ(Follow("ns3::coflow::StrictPriorityQueueDisc[Bands=4]", true),
              "ns3::coflow::StrictPriorityQueueDisc[Bands=4|MarkingThreshold=610000B|"
              "BandSize=2440000B]");
    EXPECT_EQ(Follow(FIFO + "[MarkingThreshold=65p]", true),
              FIFO + "[MarkingThreshold=65p|MaxSize=2440000B]");
    // 4 MiB are enough. What a scheduler asks for is a default, too.
    const std::string ofDcas =
        "ns3::coflow::PfabricQueueDisc[MaxSize=4MiB|MarkingThreshold=30000B]";
    EXPECT_EQ(Follow(ofDcas, false),
              "ns3::coflow::PfabricQueueDisc[MaxSize=4MiB|MarkingThreshold=610000B]");
    EXPECT_EQ(Follow(ofDcas, true), ofDcas);
    EXPECT_EQ(NetworkSizes::FollowNetwork(ofDcas, false, 10'836), ofDcas);
    EXPECT_EQ(NetworkSizes::FollowNetwork(FIFO, false, 30'000), FIFO);
    // Marks begin before a queue is full that was made short.
    EXPECT_EQ(Follow(FIFO + "[MaxSize=200000B]", true),
              FIFO + "[MaxSize=200000B|MarkingThreshold=50000B]");
    EXPECT_EQ(Follow(FIFO + "[MaxSize=64KiB]", true), FIFO + "[MaxSize=64KiB]");
    EXPECT_EQ(Follow(FIFO + "[MaxSize=100p]", true),
              FIFO + "[MaxSize=100p|MarkingThreshold=37500B]");
    // A queue without marks has to hold as much.
    EXPECT_EQ(Follow(FIFO + "[MarkingThreshold=0B]", true),
              FIFO + "[MarkingThreshold=0B|MaxSize=2440000B]");
    // The others have their own rules.
    for (const std::string other :
         {"ns3::coflow::PfabricQueueDisc[MaxSize=36000B]", "ns3::CoDelQueueDisc[MaxSize=100p]"})
    {
        EXPECT_EQ(Follow(other, false), other);
        EXPECT_EQ(Follow(other, true), other);
    }
}

TEST(NetworkSizes, ADefaultThatTheUserHasSetIsGiven)
{
    const auto type = TypeId::LookupByName("ns3::coflow::PfabricQueueDisc");
    const std::string ofDcas =
        "ns3::coflow::PfabricQueueDisc[MaxSize=4MiB|MarkingThreshold=30000B]";
    Config::SetDefault("ns3::coflow::PfabricQueueDisc::MarkingThreshold",
                       QueueSizeValue(QueueSize("65p")));
    EXPECT_EQ(Follow(ofDcas, false),
              "ns3::coflow::PfabricQueueDisc[MaxSize=4MiB|MarkingThreshold=65p]");
    // Also one that is what it was.
    Config::SetDefault(FIFO + "::MarkingThreshold", QueueSizeValue(QueueSize("30000B")));
    EXPECT_EQ(Follow(FIFO, false), FIFO + "[MaxSize=2440000B]");
    for (auto changed : {type, TypeId::LookupByName(FIFO)})
    {
        for (std::size_t i = 0; i < changed.GetAttributeN(); ++i)
        {
            changed.SetAttributeInitialValue(i, changed.GetAttribute(i).originalInitialValue);
        }
    }
    EXPECT_EQ(Follow(FIFO, false), FIFO + "[MarkingThreshold=610000B|MaxSize=2440000B]");
}

TEST(NetworkSizes, RoundTripsByHand)
{
    // A frame of 1502 bytes takes 12016 ns at 1 Gbps and 30 ns at 400 Gbps, one of 54 bytes 432 ns
    // and 1 ns; links have 1 us.
    for (const std::string fabric : {"express", "nodes"})
    {
        SCOPED_TRACE(fabric);
        auto found = MakeFabric("fat-tree", fabric, {{"K", "4"}})->GetBandwidthDelay();
        EXPECT_EQ(found.roundTrip.GetNanoSeconds(), 6 * (12016 + 1000) + 6 * (432 + 1000));
        EXPECT_EQ(found.rate, DataRate("1Gbps"));
        EXPECT_EQ(found.GetBytes(), 10'836U);
        found = MakeFabric("big-switch", fabric, {{"Hosts", "3"}, {"LinkRate", "400Gbps"}})
                    ->GetBandwidthDelay();
        EXPECT_EQ(found.roundTrip.GetNanoSeconds(), 2 * (30 + 1000) + 2 * (1 + 1000));
        EXPECT_EQ(found.GetBytes(), 203'100U);
        // Slow hosts at the ends have long round trips, and little is under way there.
        found = MakeFabric(
                    "big-switch",
                    fabric,
                    {{"Hosts", "4"}, {"LinkRate", "400Gbps"}, {"HostRates", "0=100kbps,3=100kbps"}})
                    ->GetBandwidthDelay();
        EXPECT_EQ(found.GetBytes(), 203'100U);
        EXPECT_EQ(found.rate, DataRate("400Gbps"));
        Simulator::Destroy();
    }
}

TEST(NetworkSizes, DefaultsStayAtOneGigabit)
{
    const auto outcome = RunTwoToOne("1Gbps");
    const auto& sizes = outcome.result.sizes.value();
    EXPECT_EQ(sizes.queue.type, FIFO);
    EXPECT_EQ(sizes.queue.markingThreshold, "30000B");
    EXPECT_EQ(sizes.queue.maxSize, "262144B");
    EXPECT_EQ(sizes.sendBufferBytes, 1U << 20);
    EXPECT_EQ(sizes.receiveBufferBytes, 1U << 20);
    EXPECT_EQ(sizes.Describe(), "");
    EXPECT_NE(outcome.summaryJson.ToString().find("\"rate_x_round_trip_bytes\": 10836"),
              std::string::npos);
}

// With 30,000 bytes at any rate it was 1.53.
TEST(NetworkSizes, TcpFillsFastLinks)
{
    const auto outcome = RunTwoToOne("400Gbps");
    EXPECT_LT(outcome.summary.slowdown.mean, 1.09);
    const auto& sizes = outcome.result.sizes.value();
    EXPECT_EQ(sizes.queue.markingThreshold, "609300B");
    EXPECT_EQ(sizes.queue.maxSize, "2437200B");
    EXPECT_EQ(sizes.sendBufferBytes, 2'437'200U);
    EXPECT_EQ(sizes.receiveBufferBytes, 2'437'200U);
    EXPECT_EQ(
        sizes.Describe(),
        "rate x round trip is 609300 bytes (400 Gbps, 12.19 us): ports mark above 609300B and "
        "hold 2437200B, TCP's buffers are 2437200 and 2437200 bytes\n");

    const auto given = RunTwoToOne(
        "400Gbps",
        {{"queueDisc", FIFO + "[MarkingThreshold=30000B]"}, {"receiveBuffer", "1048576"}});
    EXPECT_EQ(given.result.sizes->queue.markingThreshold, "30000B");
    EXPECT_EQ(given.result.sizes->receiveBufferBytes, 1U << 20);
    EXPECT_EQ(given.result.sizes->sendBufferBytes, 2'437'200U);
    EXPECT_GT(given.summary.slowdown.mean, 1.3);
}

TEST(NetworkSizes, OptionsOfQueueDiscsHaveAHint)
{
    const auto error = ErrorOf([] { RunTwoToOne("1Gbps", {{"MarkingThreshold", "65p"}}); });
    EXPECT_NE(error.find("--ns3::coflow::FifoQueueDisc::MarkingThreshold, "), std::string::npos)
        << error;
    EXPECT_NE(error.find("--ns3::coflow::StrictPriorityQueueDisc::MarkingThreshold"),
              std::string::npos)
        << error;
}

TEST(NetworkSizes, OfAnInstalledNetwork)
{
    OwnNetwork own;
    own.link.SetDeviceAttribute("DataRate", StringValue("400Gbps"));
    own.MakeStar(3);
    CoflowHelper helper;
    helper.SetScheduler("fair");
    helper.InstallQueueDiscs();
    const auto installation = helper.Install(own.hosts);
    // 2 * (30 + 5000) + 2 * (1 + 5000) ns at 50 bytes per ns.
    EXPECT_EQ(installation->GetNetwork()->GetBandwidthDelay().GetBytes(), 1'003'100U);
    const auto queue = installation->GetNetwork()->GetPortQueue();
    EXPECT_EQ(queue.type, FIFO);
    EXPECT_EQ(queue.markingThreshold, "1003100B");
    EXPECT_EQ(queue.maxSize, "4012400B");
    UintegerValue buffer;
    installation->GetProfile()->GetAttribute("ReceiveBuffer", buffer);
    EXPECT_EQ(buffer.Get(), 4'012'400U);
}

TEST(InstalledNetworkNotes, TellOfParallelLinksAndOfSeveralDevices)
{
    OwnNetwork own;
    own.MakeStar(3);
    EXPECT_TRUE(InstalledNetwork(own.hosts, {}, 1500).GetNotes().empty());
    InstalledNetwork::Given given;
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto node = own.hosts.Get(i);
        given.addresses[node] = node->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    }
    own.Connect(own.hosts.Get(0), own.hosts.Get(1));
    own.Connect(own.hosts.Get(0), own.hosts.Get(1));
    const auto notes = InstalledNetwork(own.hosts, given, 1500).GetNotes();
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_TRUE(notes[0].starts_with("node 0 and node 1 have 2 links between them: ")) << notes[0];
    EXPECT_TRUE(notes[1].starts_with("node 0 has 3 devices, and 1 more: ")) << notes[1];
}
