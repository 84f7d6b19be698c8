/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-fixture.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-named-type.h"
#include "ns3/double.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::InputError;

namespace
{

/// @return the message of the InputError that building the topology ends in
template <typename T, typename... Args>
std::string
GetBuildError(Args&&... args)
{
    auto topology = CreateObjectWithAttributes<T>(std::forward<Args>(args)...);
    try
    {
        topology->Build();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "no error";
}

class FatTree : public testing::TestWithParam<uint32_t>
{
};

} // namespace

TEST_P(FatTree, JoinsAllPairsByShortestPaths)
{
    const uint32_t k = GetParam();
    const auto topology = Make<FatTreeTopology>("K", UintegerValue(k));
    const uint32_t hosts = k * k * k / 4;
    EXPECT_EQ(topology->GetNHosts(), hosts);
    EXPECT_EQ(topology->GetNVertices(), hosts + 5 * k * k / 4);
    EXPECT_EQ(topology->GetNPorts(), 2 * 3 * hosts); // three tiers of links, as many as hosts each
    const std::map<std::size_t, uint32_t> expected{
        {0, hosts},                         // to itself
        {2, hosts * (k / 2 - 1)},           // to the same edge switch
        {4, hosts * (k / 2) * (k / 2 - 1)}, // to the same pod
        {6, hosts * (hosts - k * k / 4)}};  // to another pod
    EXPECT_EQ(CountPathLengths(*topology), expected);
}

INSTANTIATE_TEST_SUITE_P(K, FatTree, testing::Values(4, 6, 8));

TEST(FatTreeTopology, GivesEverySwitchItsKPorts)
{
    const auto topology = Make<FatTreeTopology>("K", UintegerValue(6));
    std::map<VertexId, std::set<VertexId>> neighbours;
    for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
    {
        const auto& p = topology->GetPort(port);
        const auto& reverse = topology->GetPort(Topology::GetReverse(port));
        EXPECT_EQ(p.from, reverse.to);
        EXPECT_EQ(p.to, reverse.from);
        EXPECT_TRUE(neighbours[p.from].insert(p.to).second) << "two links between neighbours";
    }
    for (const auto& [vertex, others] : neighbours)
    {
        EXPECT_EQ(others.size(), topology->IsHost(vertex) ? 1 : 6) << vertex;
    }
}

TEST(FatTreeTopology, SmallestHasTwoHosts)
{
    const auto topology = Make<FatTreeTopology>("K", UintegerValue(2));
    EXPECT_EQ(CountPathLengths(*topology), (std::map<std::size_t, uint32_t>{{0, 2}, {6, 2}}));
}

TEST(FatTreeTopology, HostsPerEdgeAddsHostsToTheEdge)
{
    const auto topology =
        Make<FatTreeTopology>("K", UintegerValue(4), "HostsPerEdge", UintegerValue(6));
    EXPECT_EQ(topology->GetNHosts(), 48);
    EXPECT_EQ(topology->GetHostSwitch(0), topology->FindVertex("edge0"));
    EXPECT_EQ(topology->GetHostSwitch(5), topology->FindVertex("edge0"));
    EXPECT_EQ(topology->GetHostSwitch(6), topology->FindVertex("edge1"));
    EXPECT_EQ(CountPathLengths(*topology),
              (std::map<std::size_t, uint32_t>{{0, 48}, {2, 240}, {4, 288}, {6, 1728}}));
}

TEST(Topology, OversubscriptionIsOfRatesIntoAndOutOfTheEdge)
{
    // 2 hosts and 2 uplinks of 1 Gbps at each edge switch.
    EXPECT_EQ(Make<FatTreeTopology>()->GetOversubscription(), 1);
    EXPECT_EQ(Make<FatTreeTopology>("HostsPerEdge", UintegerValue(6))->GetOversubscription(), 3);
    EXPECT_EQ(Make<FatTreeTopology>("Hosts", UintegerValue(8))->GetOversubscription(), 0.5);
    // 9 hosts on 8 edge switches: one has two, as many as uplinks.
    EXPECT_EQ(Make<FatTreeTopology>("Hosts", UintegerValue(9))->GetOversubscription(), 1);
    EXPECT_EQ(
        Make<FatTreeTopology>("FabricLinkRate", StringValue("250Mbps"))->GetOversubscription(),
        4);
    // 10 + 1 Gbps into edge0.
    EXPECT_EQ(Make<FatTreeTopology>("HostRates", StringValue("1=10Gbps"))->GetOversubscription(),
              5.5);
    EXPECT_EQ(Make<LeafSpineTopology>("HostsPerLeaf", UintegerValue(10))->GetOversubscription(),
              2.5);
    EXPECT_EQ(Make<BigSwitchTopology>()->GetOversubscription(), 0) << "there is nothing behind it";
}

TEST(Topology, OversubscriptionSetsTheRatesBetweenSwitches)
{
    const auto ratesOf = [](const Topology& topology) {
        std::vector<uint64_t> rates;
        for (LinkPort port = 0; port < topology.GetNPorts(); ++port)
        {
            rates.push_back(topology.GetPort(port).rate.GetBitRate());
        }
        return rates;
    };
    // The same network by either name, and with the same hosts.
    const auto byRatio = Make<FatTreeTopology>("Oversubscription", DoubleValue(4));
    const auto byRate = Make<FatTreeTopology>("FabricLinkRate", StringValue("250Mbps"));
    EXPECT_EQ(byRatio->GetNHosts(), 16U);
    EXPECT_EQ(ratesOf(*byRatio), ratesOf(*byRate));
    // What hosts there are is the other half of the ratio.
    const auto fewer =
        Make<FatTreeTopology>("Oversubscription", DoubleValue(4), "Hosts", UintegerValue(8));
    EXPECT_EQ(fewer->GetPort(2 * 8).rate, DataRate("125Mbps"));
    EXPECT_EQ(fewer->GetOversubscription(), 4);
    const auto more =
        Make<FatTreeTopology>("Oversubscription", DoubleValue(3), "HostsPerEdge", UintegerValue(6));
    EXPECT_EQ(more->GetPort(2 * 48).rate, DataRate("1Gbps"));
    const auto faster = Make<FatTreeTopology>("Oversubscription", DoubleValue(0.5));
    EXPECT_EQ(faster->GetPort(2 * 16).rate, DataRate("2Gbps"));
    const auto leaves = Make<LeafSpineTopology>("HostsPerLeaf",
                                                UintegerValue(10),
                                                "LinkRate",
                                                StringValue("10Gbps"),
                                                "Oversubscription",
                                                DoubleValue(2));
    EXPECT_EQ(leaves->GetPort(0).rate, DataRate("10Gbps"));
    EXPECT_EQ(leaves->GetPort(2 * 40).rate, DataRate("12500Mbps"));
    EXPECT_EQ(leaves->GetOversubscription(), 2);
}

TEST(Topology, SpreadsFewerHostsEvenly)
{
    for (uint32_t hosts = 1; hosts <= 16; ++hosts)
    {
        const auto topology =
            Make<FatTreeTopology>("K", UintegerValue(4), "Hosts", UintegerValue(hosts));
        std::vector<uint32_t> perSwitch(8);
        for (HostId host = 0; host < hosts; ++host)
        {
            ++perSwitch.at(topology->GetHostSwitch(host) - topology->FindVertex("edge0"));
        }
        const auto [least, most] = std::minmax_element(perSwitch.begin(), perSwitch.end());
        EXPECT_LE(*most - *least, 1U) << hosts;
        EXPECT_EQ(CountPathLengths(*topology).at(0), hosts) << "only to itself there is no path";
    }
}

TEST(EveryTopology, JoinsAllPairs)
{
    std::size_t topologies = 0;
    for (const auto& [name, topology] : MakeEveryTopology())
    {
        SCOPED_TRACE(name);
        topology->Build();
        const auto lengths = CountPathLengths(*topology);
        EXPECT_EQ(lengths.at(0), topology->GetNHosts()) << "only to itself there is no path";
        EXPECT_LE(lengths.rbegin()->first, MAX_PATH_PORTS);
        for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
        {
            const TopologyPort& there = topology->GetPort(port);
            const TopologyPort& back = topology->GetPort(Topology::GetReverse(port));
            EXPECT_EQ(there.from, back.to);
            EXPECT_EQ(there.to, back.from);
        }
        ++topologies;
    }
    EXPECT_GE(topologies, 3U);
}

TEST(LeafSpineTopology, JoinsAllPairs)
{
    const auto topology = Make<LeafSpineTopology>("Leaves",
                                                  UintegerValue(3),
                                                  "Spines",
                                                  UintegerValue(5),
                                                  "HostsPerLeaf",
                                                  UintegerValue(4),
                                                  "Hosts",
                                                  UintegerValue(11));
    EXPECT_EQ(topology->GetNVertices(), 11 + 3 + 5);
    EXPECT_EQ(topology->GetNPorts(), 2 * (11 + 15));
    // Two leaves with 4 hosts, one with 3.
    EXPECT_EQ(CountPathLengths(*topology),
              (std::map<std::size_t, uint32_t>{{0, 11}, {2, 4 * 3 + 4 * 3 + 3 * 2}, {4, 80}}));
}

TEST(BigSwitchTopology, JoinsAllPairsByTwoPorts)
{
    const auto topology = Make<BigSwitchTopology>("Hosts", UintegerValue(150));
    EXPECT_EQ(topology->GetNPorts(), 300);
    EXPECT_EQ(CountPathLengths(*topology),
              (std::map<std::size_t, uint32_t>{{0, 150}, {2, 150 * 149}}));
    EXPECT_EQ(GetPath(*topology, 3, 70, 1),
              (std::vector{Topology::GetUplink(3), Topology::GetDownlink(70)}));
}

TEST(Topology, NamesVerticesAndPorts)
{
    const auto topology = Make<FatTreeTopology>("K", UintegerValue(4));
    for (VertexId vertex = 0; vertex < topology->GetNVertices(); ++vertex)
    {
        EXPECT_EQ(topology->FindVertex(topology->GetVertexName(vertex)), vertex);
    }
    EXPECT_EQ(topology->GetVertexName(3), "host3");
    EXPECT_EQ(topology->GetVertexName(16), "edge0");
    EXPECT_EQ(topology->GetVertexName(24 + 5), "agg5");
    EXPECT_EQ(topology->GetVertexName(32 + 3), "core3");
    EXPECT_EQ(topology->GetPortName(Topology::GetUplink(2)), "host2->edge1");
    const auto leafSpine = Make<LeafSpineTopology>();
    EXPECT_EQ(leafSpine->GetVertexName(16), "leaf0");
    EXPECT_EQ(leafSpine->GetVertexName(21), "spine1");
    EXPECT_EQ(Make<BigSwitchTopology>()->GetVertexName(16), "switch0");
    EXPECT_THROW(topology->FindVertex("edge8"), InputError);
    EXPECT_THROW(topology->FindVertex("edge"), InputError);
    EXPECT_THROW(topology->FindVertex("edge-1"), InputError);
    EXPECT_THROW(topology->FindVertex("spine0"), InputError);
}

TEST(Topology, TakesRatesAndDelays)
{
    const auto topology = Make<FatTreeTopology>("LinkRate",
                                                StringValue("1Gbps"),
                                                "FabricLinkRate",
                                                StringValue("40Gbps"),
                                                "LinkDelay",
                                                StringValue("500ns"),
                                                "HostRates",
                                                StringValue("0=10Gbps,5=400Mbps"));
    const auto rateOf = [&](const char* from, const char* to) {
        return topology
            ->GetPort(topology->FindPort(topology->FindVertex(from), topology->FindVertex(to)))
            .rate;
    };
    EXPECT_EQ(rateOf("host0", "edge0"), DataRate("10Gbps"));
    EXPECT_EQ(rateOf("edge0", "host0"), DataRate("10Gbps"));
    EXPECT_EQ(rateOf("host5", "edge2"), DataRate("400Mbps"));
    EXPECT_EQ(rateOf("host1", "edge0"), DataRate("1Gbps"));
    EXPECT_EQ(rateOf("edge0", "agg1"), DataRate("40Gbps"));
    EXPECT_EQ(rateOf("core0", "agg0"), DataRate("40Gbps"));
    for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
    {
        EXPECT_EQ(topology->GetPort(port).delay, NanoSeconds(500));
    }
    topology->SetLinkRate(topology->FindVertex("agg1"),
                          topology->FindVertex("edge0"),
                          DataRate("3Gbps"));
    EXPECT_EQ(rateOf("edge0", "agg1"), DataRate("3Gbps"));
    EXPECT_EQ(rateOf("agg1", "edge0"), DataRate("3Gbps"));
    EXPECT_EQ(rateOf("edge0", "agg0"), DataRate("40Gbps"));
    EXPECT_THROW(topology->SetLinkRate(0, 1, DataRate("1Gbps")), InputError);
    EXPECT_THROW(topology->SetLinkRate(0, 16, DataRate("0bps")), InputError);
    const auto uniform = Make<FatTreeTopology>("LinkRate", StringValue("7Gbps"));
    for (LinkPort port = 0; port < uniform->GetNPorts(); ++port)
    {
        EXPECT_EQ(uniform->GetPort(port).rate, DataRate("7Gbps"));
    }
}

TEST(Topology, RejectsBadValuesByNameAndRange)
{
    EXPECT_EQ(GetBuildError<FatTreeTopology>("K", UintegerValue(5)),
              "ns3::coflow::FatTreeTopology::K is '5'; allowed: an even number from 2 to 64");
    EXPECT_EQ(GetBuildError<FatTreeTopology>("Hosts", UintegerValue(17)),
              "ns3::coflow::FatTreeTopology::Hosts is '17'; allowed: 0 to 16");
    EXPECT_EQ(GetBuildError<FatTreeTopology>("HostsPerEdge", UintegerValue(2049)),
              "ns3::coflow::FatTreeTopology::HostsPerEdge is '2049'; allowed: 0 to 2048");
    EXPECT_EQ(GetBuildError<FatTreeTopology>("Oversubscription", DoubleValue(-1)),
              "ns3::coflow::FatTreeTopology::Oversubscription is '-1'; allowed: 0 for what the "
              "rates give, or a ratio from 0.001 to 1e+06");
    EXPECT_EQ(GetBuildError<LeafSpineTopology>("Oversubscription", DoubleValue(2e6)),
              "ns3::coflow::LeafSpineTopology::Oversubscription is '2e+06'; allowed: 0 for what "
              "the rates give, or a ratio from 0.001 to 1e+06");
    EXPECT_EQ(GetBuildError<FatTreeTopology>("Oversubscription",
                                             DoubleValue(4),
                                             "FabricLinkRate",
                                             StringValue("1Gbps")),
              "ns3::coflow::FatTreeTopology::Oversubscription is '4'; allowed: one of "
              "Oversubscription and FabricLinkRate, which says the same");
    EXPECT_EQ(GetBuildError<LeafSpineTopology>("Spines", UintegerValue(0)),
              "ns3::coflow::LeafSpineTopology::Spines is '0'; allowed: 1 to 4096");
    EXPECT_EQ(GetBuildError<BigSwitchTopology>("Hosts", UintegerValue(0)),
              "ns3::coflow::BigSwitchTopology::Hosts is '0'; allowed: 1 to 4194304");
    EXPECT_EQ(GetBuildError<BigSwitchTopology>("LinkRate", StringValue("0bps")),
              "ns3::coflow::BigSwitchTopology::LinkRate is '0bps'; allowed: a rate above 0");
}

TEST(Topology, RejectsBadLists)
{
    for (const char* rates : {"16=1Gbps", "x=1Gbps", "1", "1=", "1=0bps", "1=fast", "-1=1Gbps"})
    {
        EXPECT_EQ(GetBuildError<FatTreeTopology>("HostRates", StringValue(rates)),
                  "ns3::coflow::FatTreeTopology::HostRates is '" + std::string(rates) +
                      "'; allowed: HOST=RATE with a host from 0 to 15 and a rate above 0 with its "
                      "unit, such as "
                      "0=10Gbps");
    }
    EXPECT_EQ(GetBuildError<FatTreeTopology>("FailedLinks", StringValue("edge0")),
              "ns3::coflow::FatTreeTopology::FailedLinks is 'edge0'; allowed: two neighbours, such "
              "as host0-edge0");
    EXPECT_EQ(
        GetBuildError<FatTreeTopology>("FailedLinks", StringValue("edge0-agg2")),
        "ns3::coflow::FatTreeTopology has no link 'edge0-agg2'; allowed: two neighbours, such "
        "as host0-edge0");
    EXPECT_EQ(GetBuildError<FatTreeTopology>("FailedLinks", StringValue("edge0-spine2")),
              "ns3::coflow::FatTreeTopology has no 'spine2'; allowed: host0 to host15, edge0 to "
              "edge7, agg0 to agg7, core0 to core3");
}

// Names on the command line.

TEST(Registry, FindsTypesByName)
{
    const auto types = GetNamedTypes(Topology::GetTypeId());
    std::vector<std::string> names;
    for (const auto& type : types)
    {
        names.push_back(type.name);
        EXPECT_FALSE(type.description.empty());
        EXPECT_EQ(GetDescription(type.typeId), type.description);
        EXPECT_EQ(FindNamedType(Topology::GetTypeId(), type.name), type.typeId);
    }
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    for (const char* name : {"big-switch", "fat-tree", "leaf-spine"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    }
    EXPECT_EQ(CreateByName<Topology>("fat-tree")->GetInstanceTypeId(),
              FatTreeTopology::GetTypeId());
    try
    {
        CreateByName<Topology>("torus");
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(std::string(error.what()).rfind("topology is 'torus'; allowed: big-switch, ", 0),
                  0U)
            << error.what();
    }
    EXPECT_EQ(GetDescription(Topology::GetTypeId()), "");
}
