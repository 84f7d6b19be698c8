/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CoflowHelper on networks that this module knows nothing of: coflows finish when they can.

#include "coflow-effort.h"
#include "coflow-expect-error.h"
#include "own-network.h"

#include "ns3/config.h"
#include "ns3/csma-helper.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

/// Runs a workload; the simulation stops when all of it is done, or after 100 s.
std::vector<double>
Play(CoflowHelper& helper, const OwnNetwork& own, const ::coflow::Workload& workload)
{
    helper.InstallQueueDiscs(own.devices);
    helper.Install(own.hosts);
    helper.AssignStreams(1);
    helper.InstallWorkload(workload, own.hosts);
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    return GetCcts(helper);
}

class OwnNetworkOf : public testing::TestWithParam<std::string>
{
};

INSTANTIATE_TEST_SUITE_P(Schedulers,
                         OwnNetworkOf,
                         // Representatives of what schedulers may ask of a network: nothing, rates,
                         // the host's port, queue discs.
                         testing::Values("fair", "varys", "aalo", "dcas"),
                         [](const auto& name) { return name.param; });

} // namespace

// Two routers, and a link between them of a tenth of the hosts' rate.
TEST_P(OwnNetworkOf, DumbbellSharesItsBottleneck)
{
    OwnNetwork own;
    own.hosts = OwnNetwork::Create(4);
    const auto routers = OwnNetwork::Create(2);
    for (uint32_t i = 0; i < 4; ++i)
    {
        own.Connect(own.hosts.Get(i), routers.Get(i / 2));
    }
    own.link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
    own.Connect(routers.Get(0), routers.Get(1));
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    CoflowHelper helper;
    helper.SetScheduler(GetParam());
    const auto ccts = Play(helper, own, MakeFlows({{0, 2, 500'000}, {1, 3, 500'000}}));
    // A million bytes and 52 of headers for every 1448 of them take 83 ms on the link.
    EXPECT_GT(*std::max_element(ccts.begin(), ccts.end()), 0.083);
    EXPECT_LT(*std::max_element(ccts.begin(), ccts.end()), 0.12);
}

// A medium that all share.
TEST_P(OwnNetworkOf, CsmaHostsTakeTurns)
{
    OwnNetwork own;
    own.hosts = OwnNetwork::Create(4);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("1us"));
    own.devices = csma.Install(own.hosts);
    Ipv4AddressHelper("10.2.0.0", "255.255.255.0").Assign(own.devices);
    CoflowHelper helper;
    helper.SetScheduler(GetParam());
    const auto ccts = Play(helper, own, MakeFlows({{0, 1, 500'000}, {2, 3, 500'000}}));
    EXPECT_GT(*std::max_element(ccts.begin(), ccts.end()), 0.083);
    EXPECT_LT(*std::max_element(ccts.begin(), ccts.end()), 0.2);
}

TEST(InstalledNetworkNotes, TellOfCsma)
{
    OwnNetwork own;
    own.hosts = OwnNetwork::Create(4);
    own.devices = CsmaHelper().Install(own.hosts);
    Ipv4AddressHelper("10.2.0.0", "255.255.255.0").Assign(own.devices);
    const auto notes = InstalledNetwork(own.hosts, {}, 1500).GetNotes();
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(notes[0].starts_with(NameDevice(*own.devices.Get(0)) + ", and 3 more: "))
        << notes[0];
    EXPECT_NE(notes[0].find("half duplex"), std::string::npos) << notes[0];
}

// Four pods of two edge and two aggregation switches with two hosts each, and four core switches.
TEST_P(OwnNetworkOf, FatTreeMadeByHandDeliversAMix)
{
    OwnNetwork own;
    own.hosts = OwnNetwork::Create(16);
    const auto edges = OwnNetwork::Create(8);
    const auto aggregations = OwnNetwork::Create(8);
    const auto cores = OwnNetwork::Create(4);
    for (uint32_t i = 0; i < 16; ++i)
    {
        own.Connect(own.hosts.Get(i), edges.Get(i / 2));
        own.Connect(edges.Get(i / 2), aggregations.Get(i / 4 * 2 + i % 2));
        own.Connect(aggregations.Get(i / 2), cores.Get(i % 4));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    CoflowHelper helper;
    helper.SetScheduler(GetParam());
    const double size = ::coflow::test::Effort(0.25, 1.0);
    const auto workload = MakeMix(16, ::coflow::test::Effort(3, 8), size);
    helper.SetScale(workload.scale);
    for (const auto cct : Play(helper, own, workload))
    {
        EXPECT_GT(cct, size * 0.00016); // 20 kB at 1 Gb/s
        EXPECT_LT(cct, 2);
    }
}

TEST(OwnNetwork, RatesAreThoseOfDevicesUnlessTheScriptSaysOthers)
{
    OwnNetwork own;
    own.hosts = OwnNetwork::Create(3);
    const auto center = OwnNetwork::Create(1);
    for (uint32_t i = 0; i < 3; ++i)
    {
        own.link.SetDeviceAttribute("DataRate", StringValue(std::to_string(i + 1) + "Gbps"));
        own.Connect(own.hosts.Get(i), center.Get(0));
    }
    DynamicCast<PointToPointNetDevice>(own.devices.Get(1))->SetDataRate(DataRate("500Mbps"));
    InstalledNetwork::Given given;
    given.rates[own.hosts.Get(2)] = {DataRate("7Gbps"), DataRate("8Gbps")};
    const auto network = CreateObject<InstalledNetwork>(own.hosts, given, 1500);
    const auto rates = network->GetRates();
    EXPECT_EQ(rates.ingress, (std::vector<double>{125e6, 250e6, 875e6}));
    EXPECT_EQ(rates.egress, (std::vector<double>{62.5e6, 250e6, 1000e6}));
    EXPECT_EQ(network->GetAddress(1), Ipv4Address("10.1.0.5"));
    EXPECT_EQ(network->GetHostWithAddress(Ipv4Address("10.1.0.5")), 1U);
    EXPECT_EQ(network->GetHostWithAddress(Ipv4Address("10.1.0.6")), 3U) << "of the switch";
    // The longest is from host 2 to host 0: 3 Gb/s up, 500 Mb/s down, 5 us on each of four links.
    EXPECT_EQ(network->GetLongestRoundTrip(3000, 0), NanoSeconds(8'000 + 48'000 + 20'000));
}

// A fourth node hangs on the switch, and nothing between hosts passes it.
TEST(OwnNetwork, DevicesBetweenHostsAreFound)
{
    OwnNetwork own;
    own.MakeStar(3);
    const auto others = OwnNetwork::Create(2);
    own.Connect(others.Get(0), own.devices.Get(1)->GetNode());
    own.Connect(others.Get(0), others.Get(1));
    const auto network = CreateObject<InstalledNetwork>(own.hosts, InstalledNetwork::Given(), 1500);
    ASSERT_EQ(network->GetDevices().size(), 6U);
    for (const auto& device : network->GetDevices())
    {
        EXPECT_LT(device->GetNode()->GetId(), 4U);
    }
}

TEST(OwnNetwork, CoordinatorIsAnyNode)
{
    OwnNetwork own;
    own.MakeStar(4);
    NodeContainer hosts(own.hosts.Get(0), own.hosts.Get(1));
    CoflowHelper helper;
    helper.SetScheduler("varys", "bypassBytes", StringValue("0"));
    helper.InstallQueueDiscs(own.devices);
    helper.SetCoordinator(own.hosts.Get(3));
    const auto installed = helper.Install(hosts);
    helper.InstallWorkload(MakeFlows({{0, 1, 1'000'000}}), hosts);
    uint64_t packets = 0;
    own.hosts.Get(3)->GetDevice(1)->TraceConnectWithoutContext(
        "MacTx",
        Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) { ++packets; }));
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    EXPECT_LT(GetCcts(helper).front(), 1);
    EXPECT_GT(packets, 0U) << "it has told rates";
    EXPECT_EQ(installed->GetNetwork()->GetNHosts(), 3U);
    EXPECT_FALSE(own.hosts.Get(2)->GetObject<CoflowClient>());
}

// Hosts of a workload are the nodes that it is given, in their order.
TEST(OwnNetwork, WorkloadsAreMappedOntoNodes)
{
    OwnNetwork own;
    own.MakeStar(4);
    CoflowHelper helper;
    helper.InstallQueueDiscs(own.devices);
    helper.Install(own.hosts);
    helper.InstallWorkload(MakeFlows({{0, 1, 1000}}),
                           NodeContainer(own.hosts.Get(3), own.hosts.Get(1)));
    Simulator::Run();
    ASSERT_EQ(helper.GetFlowRecords().size(), 1U);
    EXPECT_EQ(helper.GetFlowRecords()[0].flow.src, 3U);
    EXPECT_EQ(helper.GetFlowRecords()[0].flow.dst, 1U);
    EXPECT_TRUE(helper.GetCoflowRecords()[0].IsFinished());
}

TEST(OwnNetwork, ApplicationsStartCoflowsThemselves)
{
    OwnNetwork own;
    own.MakeStar(3);
    CoflowHelper helper;
    helper.SetScheduler("ns3::coflow::DcasScheduler");
    helper.InstallQueueDiscs(own.devices);
    helper.Install(own.hosts);
    uint64_t traced = 0;
    Config::ConnectWithoutContext(
        "/NodeList/*/ApplicationList/*/$ns3::coflow::CoflowSink/FlowFinished",
        Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time>(
            [&](::coflow::CoflowId, ::coflow::FlowId, uint64_t bytes, Time) { traced += bytes; }));
    Time received;
    Simulator::Schedule(MilliSeconds(5), [&] {
        const auto sender = CoflowHelper::GetClient(own.hosts.Get(0));
        const auto receiver = CoflowHelper::GetClient(own.hosts.Get(2));
        sender->Register(1, {}, [=, &received](const CoflowHandle& coflow) {
            sender->Put(coflow, 0, receiver->GetAddress(), 125'000);
            receiver->Get(coflow, 0, [&received] { received = Simulator::Now(); });
        });
    });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_GT(received, MilliSeconds(6)); // a million bits at 1 Gb/s
    EXPECT_LT(received, MilliSeconds(8));
    EXPECT_EQ(traced, 125'000U);
}

// Traffic of other applications takes its share of the wire, and the simulation goes on after the
// workload if that is wanted.
TEST(OwnNetwork, ForeignTrafficSharesTheWire)
{
    std::vector<double> ccts;
    for (const bool background : {false, true})
    {
        OwnNetwork own;
        own.MakeStar(3);
        CoflowHelper helper;
        helper.InstallQueueDiscs(own.devices);
        helper.Install(own.hosts);
        helper.SetStopWhenComplete(false);
        helper.InstallWorkload(MakeFlows({{0, 1, 10'000'000}}), own.hosts);
        const InetSocketAddress address(CoflowHelper::GetClient(own.hosts.Get(1))->GetAddress(), 9);
        if (background)
        {
            OnOffHelper other("ns3::UdpSocketFactory", address);
            other.SetConstantRate(DataRate("500Mbps"), 1400);
            other.Install(own.hosts.Get(2));
            PacketSinkHelper("ns3::UdpSocketFactory", address).Install(own.hosts.Get(1));
        }
        Simulator::Stop(MilliSeconds(400));
        Simulator::Run();
        EXPECT_EQ(Simulator::Now(), MilliSeconds(400)) << "goes on";
        ccts.push_back(GetCcts(helper).front());
    }
    EXPECT_NEAR(ccts[0], 0.0835, 0.003);
    EXPECT_GT(ccts[1], 1.9 * ccts[0]);
    EXPECT_LT(ccts[1], 2.6 * ccts[0]);
}

// What looks at ns-3 networks sees this one: pcap and FlowMonitor.
TEST(OwnNetwork, PcapAndFlowMonitorSeeCoflows)
{
    OwnNetwork own;
    own.MakeStar(3);
    const auto prefix = std::filesystem::temp_directory_path() /
                        ("coflow-own-network-" + std::to_string(::getpid()));
    own.link.EnablePcapAll(prefix.string());
    FlowMonitorHelper monitors;
    const auto monitor = monitors.InstallAll();
    CoflowHelper helper;
    helper.SetScheduler("dcas");
    Play(helper, own, MakeFlows({{0, 1, 1'000'000}}));
    const auto pcap = prefix.string() + "-3-2.pcap"; // the switch's port to host 1
    EXPECT_GT(std::filesystem::file_size(pcap), 1'000'000U);
    uint64_t received = 0;
    const auto classifier = DynamicCast<Ipv4FlowClassifier>(monitors.GetClassifier());
    for (const auto& [id, stats] : monitor->GetFlowStats())
    {
        const auto flow = classifier->FindFlow(id);
        received += flow.destinationAddress == Ipv4Address("10.1.0.5") && flow.protocol == 6
                        ? stats.rxBytes
                        : 0;
    }
    EXPECT_GT(received, 1'000'000U);
    EXPECT_LT(received, 1'060'000U) << "and 52 bytes of headers for each 1448";
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    {
        if (entry.path().string().starts_with(prefix.string()))
        {
            std::filesystem::remove(entry);
        }
    }
}

// Nodes without a scheduler of their own have another helper's, or none.
TEST(OwnNetwork, TwoSchedulersOnTwoGroupsOfHosts)
{
    OwnNetwork own;
    own.MakeStar(6);
    std::vector<NodeContainer> groups(2);
    for (uint32_t i = 0; i < 6; ++i)
    {
        groups[i / 3].Add(own.hosts.Get(i));
    }
    std::vector<CoflowHelper> helpers(2);
    for (const auto i : {0, 1})
    {
        helpers[i].SetScheduler(i == 0 ? "fair" : "varys");
        helpers[i].InstallQueueDiscs(i == 0 ? own.devices : NetDeviceContainer());
        helpers[i].SetStopWhenComplete(false);
        helpers[i].Install(groups[i]);
        helpers[i].InstallWorkload(MakeFlows({{0, 1, 1'000'000}}), groups[i]);
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    for (const auto& helper : helpers)
    {
        EXPECT_LT(GetCcts(helper).front(), 0.1);
    }
    CoflowHelper third;
    EXPECT_EQ(ErrorOf([&] { third.Install(own.hosts); }),
              "node 0 has a coflow scheduler already; allowed: one per node");
}
