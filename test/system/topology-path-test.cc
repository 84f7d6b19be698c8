/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-fixture.h"

#include "ns3/boolean.h"
#include "ns3/coflow-error.h"
#include "ns3/rng-seed-manager.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::InputError;

namespace
{

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

} // namespace

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
        std::vector<LinkPort> ports;
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
            for (const LinkPort port : GetPath(*topology, src, dst, HashOfFlow(i)))
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
    std::vector<Ptr<Topology>> topologies;
    for (int trial = 0; trial < 6; ++trial)
    {
        for (const auto& [name, topology] : MakeEveryTopology())
        {
            topologies.push_back(topology);
        }
    }
    for (const auto& topology : topologies)
    {
        topology->Build();
        for (LinkPort port = 0; port < topology->GetNPorts(); port += 2)
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
                std::set<LinkPort> expected;
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
                std::set<LinkPort> chosen;
                for (uint32_t i = 0; i < 64; ++i)
                {
                    chosen.insert(topology->NextPort(vertex, dst, HashOfFlow(i)));
                }
                ASSERT_EQ(chosen, expected) << topology->GetVertexName(vertex) << " to " << dst;
            }
        }
    }
}
