/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What becomes of hosts' ports on the module's own fabrics reaches the coordinator in messages,
// as it does on networks of scripts (own-network-ports-test.cc): links that fail or change rate.

#include "own-network.h"

#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/ipv4.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

constexpr uint32_t HOSTS = 4;
constexpr VertexId SWITCH = HOSTS;

/// 10 MB at 1 Gb/s, of which a coordinator hands out 0.94.
constexpr double ALONE = 10e6 * 8 / 0.94e9;

/// A switch with four hosts, as either fabric.
class FabricPorts : public testing::TestWithParam<std::string>
{
  protected:
    FabricPorts()
    {
        config.scheduler = "varys";
        config.topology = "big-switch";
        config.fabric = GetParam();
        config.attributes = {{"hosts", std::to_string(HOSTS)},
                             {"bypassBytes", "0"},
                             {"heartbeat", "10ms"},
                             {"controlBatch", "1ms"}};
        config.stop = 100'000'000'000;
    }

    /// Control then needs no network: otherwise a host whose link is down is silent, and messages
    /// wait behind what is queued at a slow port.
    void IdealizeControl()
    {
        config.attributes.emplace_back("controlTransport", "ideal");
    }

    /// Has something happen to the cluster.
    void At(Time time, std::function<void(const PacketCluster&)> event)
    {
        m_events.emplace_back(time, std::move(event));
    }

    /// Runs until all coflows have finished.
    /// @return CCTs in seconds
    std::vector<double> Play(const ::coflow::Workload& workload)
    {
        config.instrument = [this](const PacketCluster& cluster) {
            for (const auto& [time, event] : m_events)
            {
                Simulator::Schedule(time, [&event = event, &cluster] { event(cluster); });
            }
            return std::shared_ptr<void>(nullptr, [this, &cluster](void*) {
                const auto sent = cluster.GetScheduler()->GetSentByType();
                const auto found = sent.find(12); // PortShare
                m_told = found == sent.end() ? 0 : found->second.messages;
            });
        };
        std::vector<double> ccts;
        const auto result = RunPacketExperiment(workload, config);
        EXPECT_EQ(result.rates.ingress.front(), 125e6) << "bounds are those of the whole port";
        for (const auto& record : result.coflows)
        {
            EXPECT_TRUE(record.IsFinished()) << record.id;
            ccts.push_back(record.CctSeconds());
        }
        return ccts;
    }

    /// @return number of messages in which daemons told of their ports
    uint64_t CountTold() const
    {
        return m_told;
    }

    ExperimentConfig config;

  private:
    std::vector<std::pair<Time, std::function<void(const PacketCluster&)>>> m_events;
    uint64_t m_told{0};
};

INSTANTIATE_TEST_SUITE_P(Fabrics,
                         FabricPorts,
                         testing::Values("express", "nodes"),
                         [](const auto& name) { return name.param; });

/// Two coflows that want the port of host 2. Varys takes the smaller one first, unless that cannot
/// use what it is given.
::coflow::Workload
SmallAndLarge()
{
    return MakeFlows({{0, 2, 1'000'000}, {1, 2, 10'000'000}});
}

void
SetRate(const PacketCluster& cluster, const std::string& rate)
{
    cluster.GetFabric()->GetTopology()->SetLinkRate(0, SWITCH, DataRate(rate));
}

} // namespace

TEST_P(FabricPorts, NothingIsToldWhereNothingHappens)
{
    EXPECT_NEAR(Play(MakeFlows({{0, 2, 10'000'000}})).front(), ALONE, 0.004);
    EXPECT_EQ(CountTold(), 0U);
}

// What is left of the first coflow takes 0.4 s and more at 10 Mb/s; it was 8 ms.
TEST_P(FabricPorts, SlowerLinkIsHeardOf)
{
    IdealizeControl();
    At(MilliSeconds(5), [](const auto& cluster) { SetRate(cluster, "10Mbps"); });
    const auto ccts = Play(SmallAndLarge());
    EXPECT_GT(ccts[0], 0.2);
    EXPECT_LT(ccts[1], ALONE + 0.04) << "has not waited for the first";
    EXPECT_EQ(CountTold(), 1U);
}

TEST_P(FabricPorts, FailedLinkIsHeardOf)
{
    IdealizeControl();
    At(MilliSeconds(5),
       [](const auto& cluster) { cluster.GetFabric()->GetTopology()->FailLink(0, SWITCH); });
    At(MilliSeconds(400),
       [](const auto& cluster) { cluster.GetFabric()->GetTopology()->RestoreLink(0, SWITCH); });
    const auto ccts = Play(SmallAndLarge());
    EXPECT_GT(ccts[0], 0.4);
    EXPECT_LT(ccts[0], 5) << "goes on when the link is back";
    EXPECT_LT(ccts[1], ALONE + 0.04) << "has not waited for the first";
    EXPECT_EQ(CountTold(), 2U) << "down and up";
}

TEST_P(FabricPorts, InterfaceThatIsDownIsHeardOf)
{
    IdealizeControl();
    const auto set = [](bool up) {
        return [up](const auto& cluster) {
            const auto fabric = cluster.GetFabric();
            const auto ipv4 = fabric->GetHosts().Get(0)->template GetObject<Ipv4>();
            const auto interface = ipv4->GetInterfaceForDevice(fabric->GetHostDevice(0));
            up ? ipv4->SetUp(interface) : ipv4->SetDown(interface);
        };
    };
    At(MilliSeconds(5), set(false));
    At(MilliSeconds(400), set(true));
    const auto ccts = Play(SmallAndLarge());
    EXPECT_GT(ccts[0], 0.4);
    EXPECT_LT(ccts[1], ALONE + 0.04) << "has not waited for the first";
    EXPECT_EQ(CountTold(), 2U) << "down and up";
}

// Half of the bytes go at the whole rate, and half at a quarter of it. TCP alone would see to the
// flow's rate; that the coordinator has heard is what is counted.
TEST_P(FabricPorts, LinkMayBecomeSlowerAndWholeAgain)
{
    At(MilliSeconds(20), [](const auto& cluster) { SetRate(cluster, "250Mbps"); });
    At(MilliSeconds(100), [](const auto& cluster) { SetRate(cluster, "1Gbps"); });
    // In 80 ms go a quarter of the bytes of 80 ms.
    EXPECT_NEAR(Play(MakeFlows({{0, 2, 10'000'000}})).front(), ALONE + 0.06, 0.02);
    EXPECT_EQ(CountTold(), 2U);
}

// A port that has become faster than the fabric was built is kept busy by hosts that queue flows
// themselves, too: 10 MB take 80 ms at 1 Gb/s, and 8 ms at 10 Gb/s.
TEST_P(FabricPorts, FasterLinkIsUsedByHostsThatDecide)
{
    config.scheduler = "aalo";
    config.attributes = {{"hosts", std::to_string(HOSTS)}};
    At(Time(), [](const auto& cluster) {
        for (const HostId host : {0U, 2U})
        {
            cluster.GetFabric()->GetTopology()->SetLinkRate(host, SWITCH, DataRate("10Gbps"));
        }
    });
    EXPECT_LT(Play(MakeFlows({{0, 2, 10'000'000}})).front(), 0.04);
}
