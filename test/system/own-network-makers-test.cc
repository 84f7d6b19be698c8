/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CoflowHelper on networks that helpers of other modules make.

#include "coflow-expect-error.h"
#include "own-network.h"

#include "ns3/csma-helper.h"
#include "ns3/node-list.h"
#ifdef COFLOW_HAS_BRIDGE
#include "ns3/bridge-helper.h"
#endif
#ifdef COFLOW_HAS_NETANIM
#include "ns3/animation-interface.h"
#include "ns3/config.h"
#endif
#ifdef COFLOW_HAS_NIX_VECTOR_ROUTING
#include "ns3/nix-vector-helper.h"
#endif
#ifdef COFLOW_HAS_POINT_TO_POINT_LAYOUT
#include "ns3/point-to-point-dumbbell.h"
#endif
#include "ns3/traffic-control-layer.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

/// Representatives of what schedulers may ask of a network: nothing, rates, the host's port, queue
/// discs.
const auto SCHEDULERS = testing::Values("fair", "varys", "aalo", "dcas");

class OwnNetworkOfMaker : public testing::TestWithParam<std::string>
{
  protected:
    ~OwnNetworkOfMaker() override
    {
        Simulator::Destroy();
    }

    /// Runs a workload; the simulation stops when all of it is done, or after 100 s.
    std::vector<double> Play(const NodeContainer& hosts, const ::coflow::Workload& workload)
    {
        m_helper.SetScheduler(GetParam());
        m_helper.InstallQueueDiscs();
        m_helper.Install(hosts);
        m_helper.AssignStreams(1);
        m_helper.InstallWorkload(workload, hosts);
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        return GetCcts(m_helper);
    }

    CoflowHelper m_helper;
};

INSTANTIATE_TEST_SUITE_P(Schedulers, OwnNetworkOfMaker, SCHEDULERS, [](const auto& name) {
    return name.param;
});

} // namespace

#ifdef COFLOW_HAS_POINT_TO_POINT_LAYOUT

namespace
{

/// Two hosts at each of two routers, with a bottleneck of 100 Mb/s between these.
struct Dumbbell
{
    explicit Dumbbell(const InternetStackHelper& stack)
        : helper(2, MakeLink("1Gbps"), 2, MakeLink("1Gbps"), MakeLink("100Mbps"))
    {
        helper.InstallStack(stack);
        helper.AssignIpv4Addresses(Ipv4AddressHelper("10.1.0.0", "255.255.255.0"),
                                   Ipv4AddressHelper("10.2.0.0", "255.255.255.0"),
                                   Ipv4AddressHelper("10.3.0.0", "255.255.255.0"));
        hosts = NodeContainer(helper.GetLeft(0), helper.GetLeft(1));
        hosts.Add(NodeContainer(helper.GetRight(0), helper.GetRight(1)));
    }

    static PointToPointHelper MakeLink(const std::string& rate)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        link.SetChannelAttribute("Delay", StringValue("5us"));
        return link;
    }

    PointToPointDumbbellHelper helper;
    NodeContainer hosts;
};

/// A million bytes and 52 of headers for every 1448 of them take 83 ms on the link.
void
ExpectBottleneckTime(const std::vector<double>& ccts)
{
    ASSERT_EQ(ccts.size(), 2U);
    EXPECT_GT(*std::max_element(ccts.begin(), ccts.end()), 0.083);
    EXPECT_LT(*std::max_element(ccts.begin(), ccts.end()), 0.12);
}

} // namespace

TEST_P(OwnNetworkOfMaker, DumbbellHelperSharesItsBottleneck)
{
    const Dumbbell dumbbell{InternetStackHelper()};
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    ExpectBottleneckTime(Play(dumbbell.hosts, MakeFlows({{0, 2, 500'000}, {1, 3, 500'000}})));
}

#ifdef COFLOW_HAS_NIX_VECTOR_ROUTING

// Routes are in packets, and routers have no tables.
TEST_P(OwnNetworkOfMaker, NixVectorRoutingFindsItsWay)
{
    InternetStackHelper stack;
    stack.SetRoutingHelper(Ipv4NixVectorHelper());
    const Dumbbell dumbbell{stack};
    ExpectBottleneckTime(Play(dumbbell.hosts, MakeFlows({{0, 2, 500'000}, {1, 3, 500'000}})));
}

#else

TEST(OwnNetwork, NixVectorRoutingFindsItsWay)
{
    GTEST_SKIP() << "this ns-3 has no module nix-vector-routing";
}

#endif

#else

TEST(OwnNetwork, DumbbellHelperSharesItsBottleneck)
{
    GTEST_SKIP() << "this ns-3 has no module point-to-point-layout";
}

#endif

// Two CSMA networks with a router between them.
TEST_P(OwnNetworkOfMaker, RouterBetweenTwoCsmaNetworks)
{
    const auto hosts = OwnNetwork::Create(4);
    const auto router = OwnNetwork::Create(1);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("1us"));
    Ipv4AddressHelper addresses("10.2.0.0", "255.255.255.0");
    for (const uint32_t side : {0, 2})
    {
        NodeContainer nodes(hosts.Get(side), hosts.Get(side + 1));
        nodes.Add(router);
        addresses.Assign(csma.Install(nodes));
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const auto ccts = Play(hosts, MakeFlows({{0, 2, 500'000}, {1, 3, 500'000}}));
    EXPECT_GT(*std::max_element(ccts.begin(), ccts.end()), 0.083);
    EXPECT_LT(*std::max_element(ccts.begin(), ccts.end()), 0.2);
}

// A script need not keep its devices, and those of dead ends are left alone.
TEST(OwnNetwork, QueueDiscsAreInstalledEverywhereBetweenHosts)
{
    OwnNetwork own;
    own.MakeStar(3);
    const auto other = OwnNetwork::Create(1);
    own.Connect(own.devices.Get(1)->GetNode(), other.Get(0));
    CoflowHelper helper;
    helper.SetScheduler("dcas");
    helper.InstallQueueDiscs();
    helper.Install(own.hosts);
    for (uint32_t i = 0; i < own.devices.GetN(); ++i)
    {
        const auto device = own.devices.Get(i);
        const auto disc =
            device->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(device);
        EXPECT_EQ(disc->GetInstanceTypeId().GetName(),
                  i < 6 ? "ns3::coflow::PfabricQueueDisc" : "ns3::FqCoDelQueueDisc")
            << i;
    }
}

#ifdef COFLOW_HAS_BRIDGE

namespace
{

/// Hosts at a switch of the link layer, as BridgeHelper makes them.
class OwnNetworkBridge : public testing::Test
{
  protected:
    OwnNetworkBridge()
        : m_hosts(OwnNetwork::Create(3))
    {
        const auto center = OwnNetwork::Create(1);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
        csma.SetChannelAttribute("Delay", StringValue("1us"));
        NetDeviceContainer ends;
        NetDeviceContainer ports;
        for (uint32_t i = 0; i < 3; ++i)
        {
            const auto pair = csma.Install(NodeContainer(m_hosts.Get(i), center.Get(0)));
            ends.Add(pair.Get(0));
            ports.Add(pair.Get(1));
        }
        BridgeHelper().Install(center.Get(0), ports);
        m_port = ports.Get(0);
        Ipv4AddressHelper("10.2.0.0", "255.255.255.0").Assign(ends);
    }

    ~OwnNetworkBridge() override
    {
        Simulator::Destroy();
    }

    NodeContainer m_hosts;
    Ptr<NetDevice> m_port;
    CoflowHelper m_helper;
};

} // namespace

TEST_F(OwnNetworkBridge, CarriesCoflowsWhereTcpNeedsNoMarks)
{
    m_helper.SetScheduler("varys", "congestionOps", StringValue("ns3::TcpNewReno"));
    m_helper.InstallQueueDiscs();
    m_helper.Install(m_hosts);
    m_helper.InstallWorkload(MakeFlows({{0, 2, 500'000}, {1, 2, 500'000}}), m_hosts);
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    const auto ccts = GetCcts(m_helper);
    EXPECT_GT(*std::max_element(ccts.begin(), ccts.end()), 0.083);
    EXPECT_LT(*std::max_element(ccts.begin(), ccts.end()), 0.15);
}

// A bridge hands packets from port to port, past the queue discs of its node.
TEST_F(OwnNetworkBridge, HasNoQueueDiscs)
{
    m_helper.SetScheduler("dcas");
    m_helper.InstallQueueDiscs();
    EXPECT_EQ(ErrorOf([&] { m_helper.Install(m_hosts); }),
              "node 3, device 1 (ns3::CsmaNetDevice) is a port of a bridge and has no queue disc, "
              "but the scheduler dcas needs a ns3::coflow::PfabricQueueDisc at every port between "
              "hosts; allowed: nodes that route, or a scheduler that asks for none");
    CoflowHelper fair;
    fair.InstallQueueDiscs();
    EXPECT_EQ(ErrorOf([&] { fair.Install(m_hosts); }),
              "node 3, device 1 (ns3::CsmaNetDevice) is a port of a bridge and has no queue disc, "
              "and gives no ECN marks, but the hosts' TCP goes by them; allowed: nodes that route, "
              "or a TCP that does without: CoflowHelper::Set(\"congestionOps\", "
              "\"ns3::TcpNewReno\")");
    CoflowHelper given;
    given.InstallQueueDiscs(m_port);
    EXPECT_EQ(ErrorOf([&] { given.Install(m_hosts); }),
              "node 3, device 1 (ns3::CsmaNetDevice) is a port of a bridge, which passes no queue "
              "discs; allowed: devices of hosts and of nodes that route, or "
              "CoflowHelper::InstallQueueDiscs() without devices, which leaves bridges out");
}

#endif

#ifdef COFLOW_HAS_NETANIM

// As doc/how-to/look-inside.md shows it.
TEST(OwnNetwork, NetAnimColoursHostsByTheCoflowThatTheyServe)
{
    const auto file = std::filesystem::temp_directory_path() /
                      ("coflow-netanim-" + std::to_string(::getpid()) + ".xml");
    {
        OwnNetwork own;
        own.MakeStar(3);
        for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
        {
            AnimationInterface::SetConstantPosition(NodeList::GetNode(i), 20 * i, i < 3 ? 20 : 0);
        }
        AnimationInterface animation(file.string());
        CoflowHelper helper;
        helper.InstallQueueDiscs();
        helper.Install(own.hosts);
        Config::Connect(
            "/NodeList/*/ApplicationList/*/$ns3::coflow::CoflowSource/FlowStarted",
            Callback<void,
                     std::string,
                     ::coflow::CoflowId,
                     ::coflow::FlowId,
                     Ipv4Address,
                     uint64_t>([&animation](const std::string& path,
                                            ::coflow::CoflowId coflow,
                                            ::coflow::FlowId,
                                            Ipv4Address,
                                            uint64_t) {
                constexpr uint8_t COLOURS[][3] = {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}};
                const auto& [red, green, blue] = COLOURS[coflow % 3];
                const auto node = std::stoul(path.substr(std::string("/NodeList/").size()));
                animation.UpdateNodeColor(NodeList::GetNode(node), red, green, blue);
            }));
        helper.InstallWorkload(MakeFlows({{0, 2, 10'000}, {1, 2, 10'000}}), own.hosts);
        Simulator::Run();
        GetCcts(helper);
    }
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    for (const std::string colour :
         {R"(id="0" r="213" g="94" b="0")", R"(id="1" r="0" g="158" b="115")"})
    {
        EXPECT_NE(text.str().find(colour), std::string::npos) << colour;
    }
    std::filesystem::remove(file);
}

#else

TEST(OwnNetwork, NetAnimColoursHostsByTheCoflowThatTheyServe)
{
    GTEST_SKIP() << "this ns-3 has no module netanim";
}

#endif
