/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CoflowHelper on networks that this module knows nothing of: what is missing is told, and coflows
// finish when they can.

#include "coflow-expect-error.h"
#include "own-network.h"

#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-source.h"
#include "ns3/csma-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/traffic-control-helper.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

/// Coflows of one flow each, all of which arrive at time 0: source, destination, bytes.
::coflow::Workload
MakeFlows(const std::vector<std::tuple<::coflow::HostId, ::coflow::HostId, int64_t>>& flows)
{
    ::coflow::Workload workload;
    for (const auto& [src, dst, bytes] : flows)
    {
        ::coflow::Coflow coflow;
        coflow.id = workload.coflows.size() + 1;
        coflow.flows = {{0, src, dst, bytes}};
        workload.coflows.push_back(coflow);
        workload.hosts = std::max({workload.hosts, src + 1, dst + 1});
    }
    return workload;
}

/// @return CCTs in seconds, in the order of the workload
std::vector<double>
GetCcts(const CoflowHelper& helper)
{
    std::vector<double> ccts;
    for (const auto& record : helper.GetCoflowRecords())
    {
        EXPECT_TRUE(record.IsFinished()) << record.id;
        ccts.push_back(static_cast<double>(record.finish - record.arrival) * 1e-9);
    }
    return ccts;
}

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

/// Says what is missing where all is there but one thing.
class OwnNetworkErrors : public testing::Test
{
  protected:
    OwnNetworkErrors()
    {
        own.MakeStar(3);
    }

    void Expect(const std::string& error)
    {
        EXPECT_EQ(ErrorOf([&] { helper.Install(own.hosts); }), error);
    }

    OwnNetwork own;
    CoflowHelper helper;
};

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
    const auto workload = MakeMix(16, 8);
    helper.SetScale(workload.scale);
    for (const auto cct : Play(helper, own, workload))
    {
        EXPECT_GT(cct, 0.00016); // 20 kB at 1 Gb/s
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

TEST_F(OwnNetworkErrors, NoStack)
{
    NodeContainer bare;
    bare.Create(1);
    own.hosts.Add(bare);
    Expect("node 4 has no IPv4 stack; call InternetStackHelper::Install() with it before "
           "CoflowHelper::Install()");
}

TEST_F(OwnNetworkErrors, NoAddress)
{
    own.hosts.Add(OwnNetwork::Create(1));
    Expect("node 4 has no IPv4 address; call Ipv4AddressHelper::Assign() with its devices before "
           "CoflowHelper::Install()");
}

TEST_F(OwnNetworkErrors, SeveralAddresses)
{
    own.Connect(own.hosts.Get(0), own.hosts.Get(1));
    const auto choose = "; call CoflowHelper::SetAddress() to say which of them its flows use";
    Expect(std::string("node 0 has the addresses 10.1.0.1, 10.1.0.13") + choose);
    helper.SetAddress(own.hosts.Get(0), Ipv4Address("10.9.9.9"));
    Expect(std::string("node 0 has the addresses 10.1.0.1, 10.1.0.13, but not 10.9.9.9") + choose);
    helper.SetAddress(own.hosts.Get(0), Ipv4Address("10.1.0.1"));
    helper.SetAddress(own.hosts.Get(1), Ipv4Address("10.1.0.5"));
    helper.InstallQueueDiscs(own.devices);
    Ipv4GlobalRoutingHelper::RecomputeRoutingTables();
    EXPECT_NO_THROW(helper.Install(own.hosts));
}

TEST_F(OwnNetworkErrors, NotConnected)
{
    const auto apart = OwnNetwork::Create(2);
    own.Connect(apart.Get(0), apart.Get(1));
    own.hosts.Add(apart.Get(0));
    Expect("node 4 is not connected to node 0 by any channels; call the Install() of a link's "
           "helper, such as PointToPointHelper, to connect them");
}

TEST_F(OwnNetworkErrors, NoQueueDisc)
{
    helper.SetScheduler("dcas");
    Expect("node 0, device 1 (ns3::PointToPointNetDevice) has ns3::FqCoDelQueueDisc, but the "
           "scheduler dcas needs a ns3::coflow::PfabricQueueDisc at every port between hosts; call "
           "CoflowHelper::InstallQueueDiscs() with it before CoflowHelper::Install()");
}

// Also where all hosts have one, and one port of the switch has not.
TEST_F(OwnNetworkErrors, NoQueueDiscAtASwitch)
{
    helper.SetScheduler("baraat");
    for (uint32_t i = 0; i + 1 < own.devices.GetN(); ++i)
    {
        helper.InstallQueueDiscs(own.devices.Get(i));
    }
    Expect("node 3, device 3 (ns3::PointToPointNetDevice) has ns3::FqCoDelQueueDisc, but the "
           "scheduler baraat needs a ns3::coflow::FifoLmQueueDisc at every port between hosts; "
           "call CoflowHelper::InstallQueueDiscs() with it before CoflowHelper::Install()");
}

TEST_F(OwnNetworkErrors, AnotherQueueDisc)
{
    helper.SetScheduler("dcas");
    helper.SetQueueDisc("ns3::CoDelQueueDisc");
    Expect("SetQueueDisc() says 'ns3::CoDelQueueDisc', which the scheduler dcas cannot work with; "
           "allowed: ns3::coflow::PfabricQueueDisc, with values for its attributes if need be, or "
           "no such call");
}

// With a TCP that does without marks, any queue disc will do.
TEST_F(OwnNetworkErrors, NoMarks)
{
    TrafficControlHelper pfifo;
    pfifo.Uninstall(own.devices);
    pfifo.SetRootQueueDisc("ns3::PfifoFastQueueDisc");
    pfifo.Install(own.devices);
    Expect("node 0, device 1 (ns3::PointToPointNetDevice) has ns3::PfifoFastQueueDisc and gives no "
           "ECN marks, but the hosts' TCP goes by them; call CoflowHelper::InstallQueueDiscs() "
           "with it before CoflowHelper::Install(), or choose a TCP that does without: "
           "CoflowHelper::Set(\"congestionOps\", \"ns3::TcpNewReno\")");
    helper.Set("CongestionOps", StringValue("ns3::TcpNewReno"));
    helper.Install(own.hosts);
    helper.InstallWorkload(MakeFlows({{0, 1, 1'000'000}}), own.hosts);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    EXPECT_LT(GetCcts(helper).front(), 0.1);
}

TEST_F(OwnNetworkErrors, SmallMtu)
{
    own.devices.Get(3)->SetMtu(1400);
    Expect("node 3, device 2 (ns3::PointToPointNetDevice) has an MTU of 1400, but TCP's full "
           "segments make packets of 1500 bytes; call its SetMtu() with at least that, or "
           "CoflowHelper::Set(\"segmentSize\", ...) with at most 1348");
    helper.Set("segmentSize", "1348");
    helper.InstallQueueDiscs(own.devices);
    EXPECT_NO_THROW(helper.Install(own.hosts));
}

TEST_F(OwnNetworkErrors, NoRate)
{
    const auto link = DynamicCast<PointToPointNetDevice>(own.devices.Get(1));
    link->SetDataRate(DataRate(0));
    Expect("node 0, device 1 (ns3::PointToPointNetDevice) or the other end of its channel has no "
           "DataRate above 0; call CoflowHelper::SetRates() to say how fast the host's port is");
}

TEST_F(OwnNetworkErrors, OthersOfTheHelper)
{
    EXPECT_EQ(ErrorOf([&] { helper.SetScheduler("ns3::coflow::CentralScheduler"); }),
              "scheduler 'ns3::coflow::CentralScheduler' runs policies, each of which has "
              "a name; allowed: the name, such as \"varys\" or \"aalo\"");
    helper.InstallQueueDiscs(own.devices);
    helper.Install(own.hosts);
    const auto workload = MakeFlows({{0, 3, 1}});
    EXPECT_EQ(ErrorOf([&] { helper.InstallWorkload(workload, own.hosts); }),
              "the workload names 4 hosts, but InstallWorkload() was given 3 nodes; "
              "allowed: more nodes, or a workload that is mapped onto fewer hosts");
    const auto other = OwnNetwork::Create(1);
    EXPECT_EQ(ErrorOf([&] { helper.InstallWorkload(workload, other); }),
              "node 4 has no coflow scheduler; call CoflowHelper::Install() with it "
              "first");
    EXPECT_EQ(ErrorOf([&] { CoflowHelper::GetClient(other.Get(0)); }),
              "node 4 has no coflow scheduler; call CoflowHelper::Install() with it "
              "first");
    auto scaled = MakeFlows({{0, 1, 1}});
    scaled.scale = 0.5;
    EXPECT_EQ(ErrorOf([&] { helper.InstallWorkload(scaled, own.hosts); }),
              "the workload's sizes were multiplied by 0.500000; call "
              "CoflowHelper::SetScale() with that before Install(), so that the "
              "scheduler's thresholds and periods fit, or with 1 to keep them");
}

TEST(OwnNetwork, RoutesHaveToBeThere)
{
    OwnNetwork own;
    own.hosts = OwnNetwork::Create(2);
    const auto center = OwnNetwork::Create(1);
    own.Connect(own.hosts.Get(0), center.Get(0));
    own.Connect(own.hosts.Get(1), center.Get(0));
    CoflowHelper helper;
    helper.InstallQueueDiscs(own.devices);
    EXPECT_EQ(ErrorOf([&] { helper.Install(own.hosts); }),
              "node 0 has no route to 10.1.0.5 of node 1; call "
              "Ipv4GlobalRoutingHelper::PopulateRoutingTables() before "
              "CoflowHelper::Install(), or CoflowHelper::SetCheckRoutes(false) where "
              "routes come later");
    helper.SetCheckRoutes(false);
    helper.Install(own.hosts);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    helper.InstallWorkload(MakeFlows({{0, 1, 1000}}), own.hosts);
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    EXPECT_TRUE(helper.GetCoflowRecords()[0].IsFinished());
}
