/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// That all connections of a host share its ports, in the order of ns-3's TCP, and that who finds
// none waits for one.

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-types.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

constexpr uint32_t FREE_PORTS = 3;

/// Nine flows of 100 bytes from host 0 to host 1, all at time 0, where host 0 has three ports left.
ExperimentResult
RunWithFewPorts(const std::string& hostStack, bool returned)
{
    ::coflow::Workload workload;
    workload.hosts = 2;
    auto& coflow = workload.coflows.emplace_back();
    coflow.id = 1;
    for (::coflow::FlowId flow = 0; flow < 9; ++flow)
    {
        coflow.flows.push_back({.id = flow, .src = 0, .dst = 1, .bytes = 100});
    }
    ExperimentConfig config;
    config.topology = "big-switch";
    config.attributes = {{"hosts", "2"},
                         {"completion", "instant"},
                         {"startJitter", "ns3::ConstantRandomVariable[Constant=0]"},
                         {"hostStack", hostStack}};
    config.instrument = [returned](const PacketCluster& cluster) {
        const auto sender = cluster.GetFabric()->GetHosts().Get(0);
        const auto ports = HostPorts::Of(sender);
        for (uint32_t i = FREE_PORTS; i < HostPorts::N_PORTS; ++i)
        {
            const uint16_t port = ports->Take();
            if (returned && i + 1 == HostPorts::N_PORTS)
            {
                Simulator::Schedule(MilliSeconds(5), [ports, port] { ports->GiveBack(port); });
            }
        }
        return nullptr;
    };
    return RunPacketExperiment(workload, config);
}

class HostPortsOf : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST(HostPorts, GivesPortsOutInTheOrderOfNs3)
{
    const auto node = CreateObject<Node>();
    InternetStackHelper().Install(node);
    const auto tcp = node->GetObject<TcpL4Protocol>();
    const auto ports = CreateObject<HostPorts>();
    std::mt19937 random(58);
    std::vector<Ipv4EndPoint*> open;
    // More than there are ports, so that the order begins anew while some are taken.
    for (int i = 0; i < 40'000; ++i)
    {
        if (!open.empty() && random() % 100 < (open.size() < 60 ? 40 : 60))
        {
            std::swap(open[random() % open.size()], open.back());
            ports->GiveBack(open.back()->GetLocalPort());
            tcp->DeAllocate(open.back());
            open.pop_back();
            continue;
        }
        open.push_back(tcp->Allocate());
        ASSERT_EQ(ports->Take(), open.back()->GetLocalPort());
    }
    Simulator::Destroy();
}

TEST(HostPorts, WhoFindsNoneIsCalledInTurn)
{
    const auto ports = CreateObject<HostPorts>();
    std::vector<uint16_t> taken;
    while (const auto port = ports->Take())
    {
        taken.push_back(port);
    }
    EXPECT_EQ(taken.size(), 16'384U);
    std::string called;
    HostPorts::Place first;
    HostPorts::Place second;
    HostPorts::Place third;
    first.Join(ports, [&] { called += "1:" + std::to_string(ports->Take()) + " "; });
    second.Join(ports, [&] { called += "2:" + std::to_string(ports->Take()) + " "; });
    third.Join(ports, [&] { called += "3:" + std::to_string(ports->Take()) + " "; });
    EXPECT_EQ(ports->GetNWaits(), 3U);
    second.Leave();
    ports->GiveBack(50'000);
    EXPECT_EQ(ports->Take(), 0) << "nobody overtakes those who wait";
    Simulator::Run();
    EXPECT_EQ(called, "1:50000 ");
    EXPECT_EQ(ports->GetNWaiting(), 1U);
    ports->GiveBack(60'000);
    ports->GiveBack(50'500);
    Simulator::Run();
    EXPECT_EQ(called, "1:50000 3:50500 ");
    EXPECT_EQ(ports->Take(), 60'000);
    EXPECT_EQ(ports->Take(), 0);
    Simulator::Destroy();
}

TEST(HostPorts, ASocketGivesItsPortBackWhenItsEndpointGoes)
{
    const auto node = CreateObject<Node>();
    InternetStackHelper().Install(node);
    const auto profile = CreateObject<TransportProfile>();
    const auto ports = HostPorts::Of(node);
    EXPECT_EQ(ports->Take(), 49'153);
    // A socket that HostPorts does not know of has the next one.
    const auto* strange = node->GetObject<TcpL4Protocol>()->Allocate(nullptr, 49'154);
    ASSERT_NE(strange, nullptr);
    const auto socket = profile->CreateSocket(node);
    ASSERT_EQ(socket->Bind(), 0);
    Address address;
    socket->GetSockName(address);
    EXPECT_EQ(InetSocketAddress::ConvertFrom(address).GetPort(), 49'155);
    EXPECT_FALSE(ports->Take(49'155));
    EXPECT_TRUE(ports->Take(49'154)) << "it was only passed over";
    const auto listener = profile->CreateSocket(node);
    EXPECT_EQ(listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 80)), 0);
    listener->Listen();
    EXPECT_EQ(profile->CreateSocket(node)->Bind(InetSocketAddress(Ipv4Address::GetAny(), 80)), -1);
    listener->Abort();
    EXPECT_TRUE(ports->Take(80));
    Simulator::Destroy();
}

TEST_P(HostPortsOf, FlowsWaitForAPortAndForNothingElse)
{
    const auto result = RunWithFewPorts(GetParam(), false);
    EXPECT_EQ(result.network->portWaits, 6U);
    EXPECT_EQ(result.network->retransmissions, 0U);
    // A port is free again when the connection is closed and TIME_WAIT, 10 ms, is over. So three
    // flows have a port at once, three after 10 ms and three after 20 ms.
    ASSERT_EQ(result.flows.size(), 9U);
    for (std::size_t i = 0; i < 9; ++i)
    {
        const double finish = 1e-6 * static_cast<double>(result.flows[i].finish);
        const double round = 10.0 * static_cast<double>(i / FREE_PORTS);
        EXPECT_GT(finish, round) << "ms, flow " << i;
        EXPECT_LT(finish, round + 1) << "ms, flow " << i;
    }
    const auto sooner = RunWithFewPorts(GetParam(), true);
    EXPECT_LT(sooner.flows[3].finish, 6'000'000) << "a port came back after 5 ms";
}

INSTANTIATE_TEST_SUITE_P(Stacks, HostPortsOf, testing::Values("lean", "ns3"));

TEST(HostPorts, BothKindsOfConnectionsWaitAlike)
{
    const auto lean = RunWithFewPorts("lean", true);
    const auto sockets = RunWithFewPorts("ns3", true);
    ASSERT_EQ(lean.flows.size(), sockets.flows.size());
    for (std::size_t i = 0; i < lean.flows.size(); ++i)
    {
        EXPECT_EQ(lean.flows[i].start, sockets.flows[i].start);
        EXPECT_EQ(lean.flows[i].finish, sockets.flows[i].finish);
    }
    EXPECT_EQ(lean.network->portWaits, sockets.network->portWaits);
    EXPECT_EQ(lean.network->packetHops, sockets.network->packetHops);
}
