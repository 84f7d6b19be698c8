/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What topologies show of their paths, and that labels lead over them.

#include "topology-fixture.h"

#include "ns3/boolean.h"
#include "ns3/coflow-flowlet-table.h"
#include "ns3/coflow-topology-paths.h"

#include <set>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// Expects every label to lead over the links that its path has, and paths to differ.
/// @return number of paths between two hosts
std::size_t
CountPaths(const Topology& topology, const TopologyPaths& paths, HostId src, HostId dst)
{
    std::set<std::array<::coflow::FabricLink, 4>> seen;
    for (const auto& path : paths.Between(src, dst))
    {
        EXPECT_GT(path.label, 0U);
        EXPECT_LE(path.label, MOST_LABEL);
        EXPECT_TRUE(seen.insert(path.links).second) << "twice the same path";
        const auto ports = GetPath(topology, src, dst, GetLabelHash(path.label));
        EXPECT_EQ(ports.size(), path.count + 2U);
        for (std::size_t i = 0; i < path.count; ++i)
        {
            EXPECT_EQ(ports[i + 1], path.links[i] + 2 * topology.GetNHosts());
        }
    }
    return seen.size();
}

} // namespace

TEST(TopologyPaths, LabelsLeadOverAllPathsOfAFatTree)
{
    for (const uint32_t k : {4U, 8U, 16U})
    {
        const auto topology = Make<FatTreeTopology>("K", UintegerValue(k));
        const TopologyPaths paths(topology);
        const HostId last = topology->GetNHosts() - 1;
        EXPECT_EQ(CountPaths(*topology, paths, 0, last), k * k / 4) << "between pods";
        EXPECT_EQ(CountPaths(*topology, paths, last, 0), k * k / 4) << "between pods, back";
        EXPECT_EQ(CountPaths(*topology, paths, 0, k / 2), k / 2) << "within a pod";
        ASSERT_EQ(paths.Between(0, 1).size(), 1U);
        EXPECT_EQ(paths.Between(0, 1)[0].count, 0U) << "at one switch";
        EXPECT_EQ(paths.Between(0, 1)[0].label, 0U);
    }
}

TEST(TopologyPaths, LabelsLeadOverAllSpines)
{
    const auto topology = Make<LeafSpineTopology>("Leaves",
                                                  UintegerValue(3),
                                                  "Spines",
                                                  UintegerValue(5),
                                                  "HostsPerLeaf",
                                                  UintegerValue(2));
    const TopologyPaths paths(topology);
    EXPECT_EQ(CountPaths(*topology, paths, 0, 5), 5U);
    const auto bigSwitch = Make<BigSwitchTopology>("Hosts", UintegerValue(4));
    EXPECT_EQ(TopologyPaths(bigSwitch).Between(0, 3).size(), 1U);
    EXPECT_TRUE(TopologyPaths(bigSwitch).Cuts().empty());
}

TEST(TopologyPaths, LeavesOutWhatHasFailedOrNoLabelReaches)
{
    const auto failed =
        Make<FatTreeTopology>("K", UintegerValue(4), "FailedLinks", StringValue("edge0-agg1"));
    EXPECT_EQ(CountPaths(*failed, TopologyPaths(failed), 0, 15), 2U);
    const auto alike =
        Make<FatTreeTopology>("K", UintegerValue(4), "EcmpSalt", BooleanValue(false));
    EXPECT_EQ(CountPaths(*alike, TopologyPaths(alike), 0, 15), 2U) << "all switches choose alike";
}

TEST(TopologyPaths, TellsRatesAndCuts)
{
    // 16 hosts of 1 Gbps, links of half of it: two hosts behind an edge switch have two links, and
    // four behind a pod have four.
    const auto topology =
        Make<FatTreeTopology>("K", UintegerValue(4), "FabricLinkRate", StringValue("500Mbps"));
    const TopologyPaths paths(topology);
    ASSERT_EQ(paths.Rates().size(), 64U);
    EXPECT_EQ(paths.Rates()[0], 62.5e6);
    EXPECT_EQ(paths.BestRate(0, 15), 62.5e6);
    EXPECT_TRUE(std::isinf(paths.BestRate(0, 1)));
    ASSERT_EQ(paths.Cuts().size(), 8U + 4U);
    std::multiset<std::pair<int, double>> cuts;
    for (const auto& cut : paths.Cuts())
    {
        EXPECT_EQ(cut.in, cut.out);
        int hosts = 0;
        for (const auto inside : cut.inside)
        {
            hosts += inside;
        }
        cuts.insert({hosts, cut.out});
    }
    EXPECT_EQ(cuts.count({2, 125e6}), 8U);
    EXPECT_EQ(cuts.count({4, 250e6}), 4U);
}

TEST(TopologyPaths, FailedLinksAreInNoCut)
{
    const auto topology = Make<LeafSpineTopology>("Leaves",
                                                  UintegerValue(2),
                                                  "Spines",
                                                  UintegerValue(2),
                                                  "HostsPerLeaf",
                                                  UintegerValue(2),
                                                  "FailedLinks",
                                                  StringValue("leaf0-spine0"));
    std::multiset<double> rates;
    for (const auto& cut : TopologyPaths(topology).Cuts())
    {
        EXPECT_EQ(cut.in, cut.out);
        rates.insert(cut.out);
    }
    EXPECT_EQ(rates, (std::multiset<double>{125e6, 250e6}));
}

TEST(FlowletTable, GivesAFlowAnotherHashAfterAGap)
{
    FlowletTable table;
    const uint64_t flow = HashOfFlow(1);
    EXPECT_EQ(table.GetHash(flow, 1000, 50), flow) << "the first flowlet is as the flow";
    EXPECT_EQ(table.GetHash(flow, 1049, 50), flow);
    const uint64_t second = table.GetHash(flow, 1099, 50);
    EXPECT_NE(second, flow);
    EXPECT_EQ(table.GetHash(flow, 1148, 50), second);
    const uint64_t third = table.GetHash(flow, 1198, 50);
    EXPECT_NE(third, second);
    EXPECT_NE(third, flow);
    EXPECT_EQ(table.GetHash(HashOfFlow(2), 1199, 50), HashOfFlow(2)) << "another flow";
    // A flow in the same entry has been sending: no gap.
    const uint64_t same = flow + FlowletTable::ENTRIES;
    FlowletTable shared;
    shared.GetHash(flow, 0, 50);
    shared.GetHash(same, 40, 50);
    EXPECT_EQ(shared.GetHash(flow, 80, 50), flow);
}
