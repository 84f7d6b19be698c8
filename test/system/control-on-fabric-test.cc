/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Control messages among the data of a fabric, as they are and in a band of their own.
 */

#include "control-fixture.h"

#include "ns3/coflow-big-switch.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-packet-class.h"

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

constexpr uint16_t PORT = ControlEndpoint::DEFAULT_PORT;

/// Some hosts at a big switch, each with a control process, a source and a sink.
class Cluster
{
  public:
    explicit Cluster(const std::string& fabricName,
                     Transport transport = Transport::TCP,
                     uint8_t band = PacketPriority::NO_BAND)
        : profile(CreateObject<TransportProfile>())
    {
        RngSeedManager::ResetNextStreamIndex();
        auto topology = CreateByName<Topology>("big-switch");
        topology->SetAttribute("Hosts", UintegerValue(HOSTS));
        fabric = CreateByName<Fabric>(fabricName);
        fabric->SetAttribute("Mtu", UintegerValue(profile->GetRequiredMtu()));
        if (band != PacketPriority::NO_BAND)
        {
            fabric->SetAttribute("QueueDisc", StringValue("ns3::coflow::StrictPriorityQueueDisc"));
        }
        fabric->SetTopology(topology);
        fabric->Build();
        profile->Install(fabric->GetHosts());
        for (HostId host = 0; host < HOSTS; ++host)
        {
            const auto node = fabric->GetHosts().Get(host);
            processes.push_back(std::make_unique<Process>(node, transport, profile));
            auto source = CreateObject<CoflowSource>();
            auto sink = CreateObject<CoflowSink>();
            source->SetAttribute("Profile", PointerValue(profile));
            sink->SetAttribute("Profile", PointerValue(profile));
            node->AddApplication(source);
            node->AddApplication(sink);
            sources.push_back(source);
        }
        coordinator = std::make_unique<Process>(fabric->GetHosts().Get(0), transport, profile);
        coordinator->endpoint->SetAttribute("Band", UintegerValue(band));
        coordinator->endpoint->Start();
        coordinator->endpoint->Listen(PORT);
        // The daemon of the coordinator's host too.
        for (auto& process : processes)
        {
            process->endpoint->SetAttribute("Band", UintegerValue(band));
            process->endpoint->Start();
            process->endpoint->Connect(fabric->GetAddress(0), PORT);
        }
    }

    ~Cluster()
    {
        processes.clear();
        coordinator.reset();
        fabric->Dispose();
        Simulator::Destroy();
    }

    void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    static constexpr uint32_t HOSTS = 5;

    Ptr<TransportProfile> profile;
    Ptr<Fabric> fabric;
    std::vector<std::unique_ptr<Process>> processes;
    std::unique_ptr<Process> coordinator;
    std::vector<Ptr<CoflowSource>> sources;
};

using FabricCase = std::tuple<std::string, Transport>;

class ControlOnFabric : public ::testing::TestWithParam<FabricCase>
{
};

INSTANTIATE_TEST_SUITE_P(Fabrics,
                         ControlOnFabric,
                         ::testing::Values(FabricCase{"express", Transport::TCP},
                                           FabricCase{"express", Transport::IDEAL},
                                           FabricCase{"nodes", Transport::TCP}));

} // namespace

TEST_P(ControlOnFabric, ReachesEveryHost)
{
    const auto& [fabric, transport] = GetParam();
    Cluster cluster(fabric, transport);
    cluster.Run(MilliSeconds(10));
    ASSERT_EQ(cluster.coordinator->ups.size(), Cluster::HOSTS);
    std::set<HostId> hosts;
    for (const auto& up : cluster.coordinator->ups)
    {
        const auto address = cluster.coordinator->endpoint->GetAddress(up.first);
        const auto host = cluster.fabric->GetHostWithAddress(address);
        ASSERT_LT(host, Cluster::HOSTS) << address;
        hosts.insert(host);
        cluster.coordinator->Beat(up.first, host);
    }
    EXPECT_EQ(hosts.size(), Cluster::HOSTS);
    cluster.Run(MilliSeconds(20));
    for (HostId host = 0; host < Cluster::HOSTS; ++host)
    {
        EXPECT_EQ(cluster.processes[host]->GetNumbers(), std::vector<uint64_t>{host});
    }
}

TEST(ControlBand, GoesBeforeData)
{
    for (const std::string fabric : {"express", "nodes"})
    {
        Cluster cluster(fabric, Transport::TCP, 0);
        for (HostId host : {2, 3, 4})
        {
            cluster.sources[host]->StartFlow(
                {1, host, Fabric::GetHostAddress(0), 5'000'000, RateLimit::Unlimited()});
        }
        cluster.Run(MilliSeconds(20));
        ASSERT_EQ(cluster.coordinator->ups.size(), Cluster::HOSTS);
        std::vector<Time> sent;
        auto& daemon = *cluster.processes[1];
        for (uint64_t i = 0; i < 40; ++i)
        {
            Simulator::Schedule(MilliSeconds(2 * i), [&, i] {
                sent.push_back(Simulator::Now());
                daemon.Beat(daemon.ups[0].first, i);
            });
        }
        cluster.Run(MilliSeconds(300));
        ASSERT_EQ(cluster.coordinator->GetNumbers(), Count(40));
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            // The empty network takes less than 15 us; at each port the packet on the wire, of
            // 12 us, and one in the device below the queue, go first.
            EXPECT_LT(cluster.coordinator->beats[i].at - sent[i], MicroSeconds(15 + 2 * 12))
                << fabric;
        }
    }
}

TEST(ControlBand, OutsideOfTheEightIsRefused)
{
    const auto endpoint = CreateObject<ControlEndpoint>();
    endpoint->SetNode(CreateObject<Node>());
    endpoint->SetAttribute("Band", UintegerValue(8));
    EXPECT_THROW(endpoint->Start(), ::coflow::InputError);
    endpoint->Dispose();
    Simulator::Destroy();
}
