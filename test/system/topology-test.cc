/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/coflow-big-switch.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fat-tree.h"
#include "ns3/coflow-leaf-spine.h"
#include "ns3/coflow-named-type.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::InputError;

namespace
{

/// @return a topology with some attributes, built, with fixed salts
template <typename T, typename... Args>
Ptr<T>
Make(Args&&... args)
{
    auto topology = CreateObjectWithAttributes<T>(std::forward<Args>(args)...);
    topology->AssignStreams(7);
    topology->Build();
    return topology;
}

/// @return the ports of a path
std::vector<PortId>
GetPath(const Topology& topology, HostId src, HostId dst, uint64_t hash)
{
    std::array<PortId, MAX_PATH_PORTS> path{};
    return {path.begin(), path.begin() + topology.Path(src, dst, hash, path)};
}

/// @return the hash of the i-th flow as ns-3's TCP makes them: consecutive ephemeral ports
uint64_t
HashOfFlow(uint32_t i, HostId src = 0, HostId dst = 1)
{
    return GetFlowHash({0x0a000001 + src,
                        0x0a000001 + dst,
                        static_cast<uint16_t>(49153 + i % 10000),
                        static_cast<uint16_t>(9 + i / 10000),
                        6});
}

/// Expects every pair of hosts to be joined by paths that are connected and made of working
/// ports.
/// @return how many pairs have paths of each length
std::map<std::size_t, uint32_t>
CountPathLengths(const Topology& topology)
{
    std::map<std::size_t, uint32_t> lengths;
    for (HostId src = 0; src < topology.GetNHosts(); ++src)
    {
        for (HostId dst = 0; dst < topology.GetNHosts(); ++dst)
        {
            const auto path = GetPath(topology, src, dst, HashOfFlow(src + dst, src, dst));
            ++lengths[path.size()];
            VertexId vertex = src;
            for (const PortId port : path)
            {
                EXPECT_EQ(topology.GetPort(port).from, vertex);
                EXPECT_TRUE(topology.GetPort(port).up);
                vertex = topology.GetPort(port).to;
            }
            EXPECT_TRUE(path.empty() || vertex == dst) << src << " to " << dst;
        }
    }
    return lengths;
}

/// @return probability of counts at least this uneven, were all cells equally likely
double
GetPValue(const std::vector<uint32_t>& counts)
{
    double total = 0;
    for (const auto count : counts)
    {
        total += count;
    }
    const double expected = total / static_cast<double>(counts.size());
    double statistic = 0;
    for (const auto count : counts)
    {
        statistic += (count - expected) * (count - expected) / expected;
    }
    const boost::math::chi_squared distribution(static_cast<double>(counts.size() - 1));
    return boost::math::cdf(boost::math::complement(distribution, statistic));
}

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
    for (PortId port = 0; port < topology->GetNPorts(); ++port)
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

TEST(FatTreeTopology, OversubscriptionAddsHostsToTheEdge)
{
    const auto topology =
        Make<FatTreeTopology>("K", UintegerValue(4), "Oversubscription", UintegerValue(3));
    EXPECT_EQ(topology->GetNHosts(), 48);
    EXPECT_EQ(topology->GetHostSwitch(0), topology->FindVertex("edge0"));
    EXPECT_EQ(topology->GetHostSwitch(5), topology->FindVertex("edge0"));
    EXPECT_EQ(topology->GetHostSwitch(6), topology->FindVertex("edge1"));
    EXPECT_EQ(CountPathLengths(*topology),
              (std::map<std::size_t, uint32_t>{{0, 48}, {2, 240}, {4, 288}, {6, 1728}}));
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
    for (PortId port = 0; port < topology->GetNPorts(); ++port)
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
    for (PortId port = 0; port < uniform->GetNPorts(); ++port)
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
    EXPECT_EQ(GetBuildError<FatTreeTopology>("Oversubscription", UintegerValue(0)),
              "ns3::coflow::FatTreeTopology::Oversubscription is '0'; allowed: 1 to 64");
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
                      "'; allowed: HOST=RATE with a host from 0 to 15 and a rate above 0, such as "
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

// ECMP. Seeds are fixed, so these either always pass or always fail; a fair hash fails each with
// the probability that its p-value is compared with.

TEST(Ecmp, SpreadsFlowsAtBothTiers)
{
    constexpr double SIGNIFICANCE = 0.001;
    const auto topology = Make<FatTreeTopology>("K", UintegerValue(8));
    const HostId dst = 127;
    for (const HostId src : {0U, 4U, 40U, 77U})
    {
        std::vector<uint32_t> atEdge(4);
        std::vector<uint32_t> cores(16); // of both choices together
        for (uint32_t i = 0; i < 16000; ++i)
        {
            const auto path = GetPath(*topology, src, dst, HashOfFlow(i, src, dst));
            ASSERT_EQ(path.size(), 6U);
            const VertexId agg = topology->GetPort(path[1]).to - topology->FindVertex("agg0");
            const VertexId core = topology->GetPort(path[2]).to - topology->FindVertex("core0");
            ASSERT_EQ(core / 4, agg % 4);
            ++atEdge[agg % 4];
            ++cores[core];
        }
        EXPECT_GT(GetPValue(atEdge), SIGNIFICANCE) << "edge switch of host " << src;
        EXPECT_GT(GetPValue(cores), SIGNIFICANCE) << "both tiers, from host " << src;
    }
}

TEST(Ecmp, PolarisesWithoutSalts)
{
    const auto topology =
        Make<FatTreeTopology>("K", UintegerValue(8), "EcmpSalt", BooleanValue(false));
    std::set<VertexId> cores;
    for (uint32_t i = 0; i < 16000; ++i)
    {
        cores.insert(topology->GetPort(GetPath(*topology, 0, 127, HashOfFlow(i))[2]).to);
    }
    EXPECT_EQ(cores.size(), 4U) << "of 16: agg i only ever chooses its i-th core";
}

TEST(Ecmp, SpreadsOverWhatIsUsable)
{
    // Three of four ways are left: not a power of two.
    const auto topology =
        Make<FatTreeTopology>("K", UintegerValue(8), "FailedLinks", StringValue("edge0-agg1"));
    std::vector<uint32_t> atEdge(4);
    for (uint32_t i = 0; i < 12000; ++i)
    {
        ++atEdge.at(topology->GetPort(GetPath(*topology, 0, 127, HashOfFlow(i))[1]).to -
                    topology->FindVertex("agg0"));
    }
    EXPECT_EQ(atEdge[1], 0U);
    atEdge.erase(atEdge.begin() + 1);
    EXPECT_GT(GetPValue(atEdge), 0.001);
}

TEST(Ecmp, DependsOnTheRunAndOnNothingElse)
{
    const auto pathsOf = [](uint64_t run) {
        RngSeedManager::SetRun(run);
        const auto topology = Make<FatTreeTopology>("K", UintegerValue(8));
        std::vector<PortId> ports;
        for (uint32_t i = 0; i < 20; ++i)
        {
            const auto path = GetPath(*topology, 0, 127, HashOfFlow(i));
            ports.insert(ports.end(), path.begin(), path.end());
        }
        return ports;
    };
    const auto first = pathsOf(1);
    EXPECT_EQ(first, pathsOf(1));
    EXPECT_NE(first, pathsOf(2));
    RngSeedManager::SetRun(1);
}

TEST(FlowHash, DependsOnEveryField)
{
    const FlowTuple flow{1, 2, 3, 4, 6};
    std::set<uint64_t> hashes{GetFlowHash(flow)};
    hashes.insert(GetFlowHash({2, 2, 3, 4, 6}));
    hashes.insert(GetFlowHash({1, 1, 3, 4, 6}));
    hashes.insert(GetFlowHash({1, 2, 4, 4, 6}));
    hashes.insert(GetFlowHash({1, 2, 3, 3, 6}));
    hashes.insert(GetFlowHash({1, 2, 3, 4, 17}));
    hashes.insert(GetFlowHash({2, 1, 4, 3, 6})); // the other direction
    hashes.insert(GetPacketHash(GetFlowHash(flow), 0));
    hashes.insert(GetPacketHash(GetFlowHash(flow), 1));
    EXPECT_EQ(hashes.size(), 9U);
}

// Failed links.

TEST(FailedLink, IsAvoidedFromNearAndFarAndComesBack)
{
    const auto topology = Make<FatTreeTopology>("K", UintegerValue(4));
    const auto healthy = CountPathLengths(*topology);
    const VertexId edge0 = topology->FindVertex("edge0");
    const VertexId agg1 = topology->FindVertex("agg1");
    const auto usersOf = [&](HostId src, HostId dst) {
        uint32_t users = 0;
        for (uint32_t i = 0; i < 200; ++i)
        {
            for (const PortId port : GetPath(*topology, src, dst, HashOfFlow(i)))
            {
                users += topology->GetPort(port).from == agg1 || topology->GetPort(port).to == agg1;
            }
        }
        return users;
    };
    EXPECT_GT(usersOf(0, 15), 0U);
    EXPECT_GT(usersOf(15, 0), 0U);
    const uint32_t before = usersOf(2, 15);
    topology->FailLink(agg1, edge0);
    topology->FailLink(edge0, agg1); // once is enough
    EXPECT_EQ(usersOf(0, 15), 0U) << "the choice at the failed link's end";
    EXPECT_EQ(usersOf(15, 0), 0U) << "a choice four ports ahead of the failed link";
    EXPECT_EQ(usersOf(2, 1), 0U) << "a choice one port ahead of the failed link";
    EXPECT_EQ(usersOf(2, 15), before) << "where it is in nobody's way, nothing changes";
    EXPECT_EQ(CountPathLengths(*topology), healthy) << "there is still a way for every pair";
    topology->RestoreLink(edge0, agg1);
    EXPECT_GT(usersOf(0, 15), 0U);
    EXPECT_GT(usersOf(15, 0), 0U);
    EXPECT_THROW(topology->FailLink(edge0, edge0 + 1), InputError);
    EXPECT_THROW(topology->RestoreLink(0, 999), InputError);
}

TEST(FailedLink, LeavesNoPathWhereThereIsNone)
{
    const auto topology =
        Make<FatTreeTopology>("FailedLinks", StringValue("edge0-agg0,edge0-agg1,host15-edge7"));
    EXPECT_EQ(GetPath(*topology, 0, 1, 1).size(), 2U);
    EXPECT_TRUE(GetPath(*topology, 0, 2, 1).empty());
    EXPECT_TRUE(GetPath(*topology, 8, 1, 1).empty());
    EXPECT_TRUE(GetPath(*topology, 15, 14, 1).empty());
    EXPECT_EQ(topology->NextPort(15, 3, 1), NO_PORT);
    // Hosts 0 and 1 reach each other, 2..14 reach each other, each itself by no ports.
    EXPECT_EQ(CountPathLengths(*topology).at(0), 16 * 16 - (2 + 13 * 12));
}

TEST(FailedLink, MatchesSearchOnRandomFailures)
{
    std::mt19937 random(1);
    for (int trial = 0; trial < 12; ++trial)
    {
        Ptr<Topology> topology;
        if (trial % 2 == 0)
        {
            topology = Make<FatTreeTopology>("K", UintegerValue(4));
        }
        else
        {
            topology = Make<LeafSpineTopology>("Spines", UintegerValue(3));
        }
        for (PortId port = 0; port < topology->GetNPorts(); port += 2)
        {
            if (random() % 5 == 0)
            {
                topology->FailLink(topology->GetPort(port).from, topology->GetPort(port).to);
            }
        }
        // Without memory: is there a way from here?
        const auto reaches = [&](auto& self, VertexId vertex, HostId dst) -> bool {
            if (vertex == dst)
            {
                return true;
            }
            const PortRange ports = topology->GetEqualCostPorts(vertex, dst);
            for (uint32_t i = 0; i < ports.count; ++i)
            {
                const auto& port = topology->GetPort(ports[i]);
                if (port.up && self(self, port.to, dst))
                {
                    return true;
                }
            }
            return false;
        };
        for (VertexId vertex = 0; vertex < topology->GetNVertices(); ++vertex)
        {
            for (HostId dst = 0; dst < topology->GetNHosts(); ++dst)
            {
                if (vertex == dst)
                {
                    continue;
                }
                std::set<PortId> expected;
                const PortRange ports = topology->GetEqualCostPorts(vertex, dst);
                for (uint32_t i = 0; i < ports.count; ++i)
                {
                    const auto& port = topology->GetPort(ports[i]);
                    if (port.up && reaches(reaches, port.to, dst))
                    {
                        expected.insert(ports[i]);
                    }
                }
                if (expected.empty())
                {
                    expected.insert(NO_PORT);
                }
                std::set<PortId> chosen;
                for (uint32_t i = 0; i < 64; ++i)
                {
                    chosen.insert(topology->NextPort(vertex, dst, HashOfFlow(i)));
                }
                ASSERT_EQ(chosen, expected) << topology->GetVertexName(vertex) << " to " << dst;
            }
        }
    }
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
