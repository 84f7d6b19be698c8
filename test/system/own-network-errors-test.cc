/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a network lacks that a scheduler needs is told before the run, with node, device and what to
// call; and what is wrong in calls of CoflowHelper.

#include "coflow-expect-error.h"
#include "own-network.h"

#include "ns3/traffic-control-helper.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

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
    NodeContainer twice(own.hosts.Get(0));
    twice.Add(own.hosts);
    EXPECT_EQ(ErrorOf([&] { helper.InstallWorkload(workload, twice); }),
              "node " + std::to_string(own.hosts.Get(0)->GetId()) +
                  " is given twice to InstallWorkload(); allowed: a node for each host of the "
                  "workload");
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
