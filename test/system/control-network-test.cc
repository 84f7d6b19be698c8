/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Control messages among the data, or on a network of their own.
 */

#include "control-fixture.h"

#include "ns3/coflow-big-switch.h"
#include "ns3/coflow-control-network.h"
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
    Cluster(const std::string& fabricName,
            bool isolated,
            Transport transport = Transport::TCP,
            uint8_t band = PacketPriority::NO_BAND)
        : profile(CreateObject<TransportProfile>()),
          network(CreateObject<ControlNetwork>())
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
        network->SetAttribute("Isolated", BooleanValue(isolated));
        network->SetAttribute("Rate", StringValue("100Mbps"));
        network->SetAttribute("Delay", StringValue("20us"));
        network->Build(fabric);
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
            process->endpoint->Connect(network->GetAddress(0), PORT);
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
    Ptr<ControlNetwork> network;
    Ptr<Fabric> fabric;
    std::vector<std::unique_ptr<Process>> processes;
    std::unique_ptr<Process> coordinator;
    std::vector<Ptr<CoflowSource>> sources;
};

struct NetworkCase
{
    const char* fabric;
    bool isolated;
    Transport transport{Transport::TCP};
};

void
PrintTo(const NetworkCase& test, std::ostream* os)
{
    *os << test.fabric << (test.isolated ? " isolated " : " in-band ")
        << GetTransportName(test.transport);
}

class ControlOnFabric : public ::testing::TestWithParam<NetworkCase>
{
};

INSTANTIATE_TEST_SUITE_P(Networks,
                         ControlOnFabric,
                         ::testing::Values(NetworkCase{"express", false},
                                           NetworkCase{"express", true},
                                           NetworkCase{"express", true, Transport::UDP},
                                           NetworkCase{"express", true, Transport::IDEAL},
                                           NetworkCase{"nodes", false},
                                           NetworkCase{"nodes", true}));

} // namespace

TEST_P(ControlOnFabric, ReachesEveryHost)
{
    Cluster cluster(GetParam().fabric, GetParam().isolated, GetParam().transport);
    cluster.Run(MilliSeconds(10));
    ASSERT_EQ(cluster.coordinator->ups.size(), Cluster::HOSTS);
    std::set<HostId> hosts;
    for (const auto& up : cluster.coordinator->ups)
    {
        const auto address = cluster.coordinator->endpoint->GetAddress(up.first);
        const auto host = cluster.network->GetHost(address);
        ASSERT_LT(host, Cluster::HOSTS) << address;
        EXPECT_EQ(cluster.network->GetAddress(host), address);
        hosts.insert(host);
        cluster.coordinator->Beat(up.first, host);
    }
    EXPECT_EQ(hosts.size(), Cluster::HOSTS);
    cluster.Run(MilliSeconds(20));
    for (HostId host = 0; host < Cluster::HOSTS; ++host)
    {
        EXPECT_EQ(cluster.processes[host]->GetNumbers(), std::vector<uint64_t>{host});
    }
    EXPECT_EQ(cluster.network->GetHost(Ipv4Address("192.168.0.1")), Cluster::HOSTS);
    EXPECT_EQ(cluster.network->GetSwitch() != nullptr, GetParam().isolated);
}

TEST(IsolatedControl, DoesNotWaitBehindData)
{
    for (const bool isolated : {false, true})
    {
        Cluster cluster("express", isolated);
        for (HostId host : {2, 3, 4})
        {
            cluster.sources[host]->StartFlow(
                {1, host, Fabric::GetHostAddress(0), 50'000'000, Allowance::Unlimited()});
        }
        const auto packets = cluster.fabric->GetPacketHops();
        EXPECT_EQ(packets, 0U);
        cluster.Run(MilliSeconds(20));
        std::vector<Time> sent;
        auto& daemon = *cluster.processes[1];
        for (uint64_t i = 0; i < 50; ++i)
        {
            Simulator::Schedule(MilliSeconds(2 * i), [&, i] {
                sent.push_back(Simulator::Now());
                daemon.Beat(daemon.ups[0].first, i);
            });
        }
        cluster.Run(MilliSeconds(300));
        ASSERT_EQ(cluster.coordinator->GetNumbers(), Count(50));
        Time mean;
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            mean += cluster.coordinator->beats[i].at - sent[i];
        }
        mean = mean / 50;
        if (isolated)
        {
            // 98 bytes (44, TCP/IP 52, PPP 2) twice at 100 Mbps, and twice 20 us.
            EXPECT_NEAR(mean.GetNanoSeconds(), 2 * (98 * 80 + 20'000), 2);
        }
        else
        {
            EXPECT_GT(mean, MicroSeconds(50));
        }
    }
}

TEST(ControlBand, GoesBeforeData)
{
    for (const std::string fabric : {"express", "nodes"})
    {
        for (const auto transport : {Transport::TCP, Transport::UDP})
        {
            Cluster cluster(fabric, false, transport, 0);
            for (HostId host : {2, 3, 4})
            {
                cluster.sources[host]->StartFlow(
                    {1, host, Fabric::GetHostAddress(0), 5'000'000, Allowance::Unlimited()});
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
                    << fabric << ' ' << GetTransportName(transport);
            }
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

TEST(IsolatedControl, LeavesTheFabricToData)
{
    Cluster cluster("express", true);
    cluster.Run(MilliSeconds(20));
    EXPECT_EQ(cluster.coordinator->ups.size(), Cluster::HOSTS);
    EXPECT_EQ(cluster.fabric->GetPacketHops(), 0U);
    cluster.sources[1]->StartFlow({1, 0, Fabric::GetHostAddress(2), 1'000'000});
    cluster.Run(MilliSeconds(100));
    EXPECT_EQ(cluster.sources[1]->GetActiveFlows(), 0U);
    EXPECT_GT(cluster.fabric->GetPacketHops(), 1'000'000U / 1448);
}
