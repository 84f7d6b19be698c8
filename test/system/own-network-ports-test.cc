/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What becomes of hosts' ports in a run reaches the coordinator in messages: links that fail or
// become slower, and what other traffic leaves of them.

#include "coflow-expect-error.h"
#include "own-network.h"

#include "ns3/coflow-control-plane.h"
#include "ns3/ipv4.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

class OwnNetworkPorts : public testing::Test
{
  protected:
    OwnNetworkPorts()
    {
        own.MakeStar(4);
        helper.SetScheduler("varys", "bypassBytes", StringValue("0"));
        helper.Set("heartbeat", "10ms");
        helper.Set("controlBatch", "1ms");
        helper.InstallQueueDiscs();
    }

    /// Runs until all coflows have finished.
    /// @return CCTs in seconds
    std::vector<double> Play(const ::coflow::Workload& workload)
    {
        installed = helper.Install(own.hosts);
        helper.AssignStreams(1);
        helper.InstallWorkload(workload, own.hosts);
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        return GetCcts(helper);
    }

    /// @return number of messages in which daemons told of their ports
    uint64_t CountTold() const
    {
        const auto sent = installed->GetScheduler()->GetSentByType();
        const auto found = sent.find(12); // PortShare
        return found == sent.end() ? 0 : found->second.messages;
    }

    OwnNetwork own;
    CoflowHelper helper;
    Ptr<CoflowInstallation> installed;
};

/// 10 MB at 1 Gb/s, of which a coordinator hands out 0.94.
constexpr double ALONE = 10e6 * 8 / 0.94e9;

} // namespace

TEST_F(OwnNetworkPorts, NothingIsToldWhereNothingHappens)
{
    EXPECT_NEAR(Play(MakeFlows({{0, 2, 10'000'000}})).front(), ALONE, 0.004);
    EXPECT_EQ(CountTold(), 0U);
}

TEST_F(OwnNetworkPorts, ShareIsWhatCoflowsGet)
{
    helper.SetAvailableShare(own.hosts.Get(0), 0.5);
    EXPECT_NEAR(Play(MakeFlows({{0, 2, 10'000'000}})).front(), 2 * ALONE, 0.004);
    EXPECT_EQ(CountTold(), 1U);
    EXPECT_DOUBLE_EQ(helper.GetCoflowRecords()[0].MinCctSeconds(), 0.08) << "the port is the same";
}

// Half of the bytes go at the whole rate, and half at a quarter of it.
TEST_F(OwnNetworkPorts, ShareMayChangeInARun)
{
    Simulator::Schedule(Seconds(ALONE / 2),
                        [this] { helper.SetAvailableShare(own.hosts.Get(2), 0.25); });
    EXPECT_NEAR(Play(MakeFlows({{0, 2, 10'000'000}})).front(), 2.5 * ALONE, 0.05 * ALONE + 0.03);
    EXPECT_EQ(CountTold(), 1U);
}

// A device that becomes slower is seen by its own host, and by nobody else before a message comes.
// Two coflows want the port of host 2. Varys takes the smaller one first, unless that cannot use
// what it is given. Control needs no network here: otherwise the message waits behind what is
// queued at the slow port.
TEST_F(OwnNetworkPorts, SlowerLinkIsHeardOf)
{
    helper.Set("controlTransport", "ideal");
    Simulator::Schedule(MilliSeconds(5), [this] {
        DynamicCast<PointToPointNetDevice>(own.devices.Get(0))->SetDataRate(DataRate("10Mbps"));
    });
    // What is left of the first takes 0.4 s and more at 10 Mb/s; it was 8 ms.
    const auto ccts = Play(MakeFlows({{0, 2, 1'000'000}, {1, 2, 10'000'000}}));
    EXPECT_GT(ccts[0], 0.2);
    EXPECT_LT(ccts[1], ALONE + 0.04) << "has not waited for the first";
    EXPECT_EQ(CountTold(), 1U);
}

// Control needs no network here: otherwise a host whose link is down is silent.
TEST_F(OwnNetworkPorts, FailedLinkIsHeardOf)
{
    helper.Set("controlTransport", "ideal");
    const auto ipv4 = own.hosts.Get(0)->GetObject<Ipv4>();
    Simulator::Schedule(MilliSeconds(5), &Ipv4::SetDown, ipv4, 1);
    Simulator::Schedule(MilliSeconds(400), &Ipv4::SetUp, ipv4, 1);
    const auto ccts = Play(MakeFlows({{0, 2, 1'000'000}, {1, 2, 10'000'000}}));
    EXPECT_GT(ccts[0], 0.4);
    EXPECT_LT(ccts[0], 5) << "goes on when the link is back";
    EXPECT_LT(ccts[1], ALONE + 0.04) << "has not waited for the first";
    EXPECT_EQ(CountTold(), 2U) << "down and up";
}

TEST_F(OwnNetworkPorts, SharesAreChecked)
{
    helper.SetAvailableShare(own.hosts.Get(1), 1.5);
    EXPECT_EQ(ErrorOf([&] { helper.Install(own.hosts); }),
              "the available share of node 1 is 1.500000; allowed: 0 to 1");
    CoflowHelper other;
    other.SetAvailableShare(own.devices.Get(1)->GetNode(), 0.5);
    EXPECT_EQ(ErrorOf([&] { other.Install(own.hosts); }),
              "node 4 is none of the hosts of CoflowHelper::Install()");
}
