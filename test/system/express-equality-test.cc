/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What arrives where and when on the express fabric is what it is on the nodes fabric.

#include "coflow-effort.h"
#include "fabric-scenario.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

constexpr uint32_t SEEDS_PER_BLOCK = 18;

/// Runs a block of seeds on both fabrics; they have to agree unless there were ties, which most
/// seeds have not. Half of the block has to have none, where need be with further seeds: where a
/// byte takes a whole number of nanoseconds at every port, packets meet more often than elsewhere.
void
RunBlock(uint32_t block, bool reordering, TypeId queueDisc)
{
    const auto seeds = ::coflow::test::Effort(6U, SEEDS_PER_BLOCK);
    uint32_t untied = 0;
    for (uint32_t i = 0; i < seeds || (2 * untied < seeds && i < 2 * seeds); ++i)
    {
        constexpr uint32_t FURTHER = 1000;
        const uint32_t seed = (i < seeds ? 0 : FURTHER) + block * SEEDS_PER_BLOCK + i;
        SCOPED_TRACE("seed " + std::to_string(seed));
        const FabricScenario scenario = MakeRandomScenario(seed, reordering, queueDisc);
        const FabricOutcome nodes = RunScenario("nodes", scenario);
        const FabricOutcome express = RunScenario("express", scenario);
        ExpectConservation(nodes);
        ExpectConservation(express);
        EXPECT_EQ(express.flows.size(), scenario.flows.size()) << "all flows finish";
        if (express.ties == 0)
        {
            ExpectEqual(nodes, express);
            ++untied;
        }
    }
    EXPECT_GE(2 * untied, seeds);
}

class ExpressEquality : public testing::TestWithParam<uint32_t>
{
};

} // namespace

TEST_P(ExpressEquality, OfTcpFlows)
{
    for (const TypeId& queueDisc : GetQueueDiscsOfBothFabrics())
    {
        SCOPED_TRACE(queueDisc.GetName());
        RunBlock(GetParam(), false, queueDisc);
    }
}

TEST_P(ExpressEquality, OfDatagramsThatOvertakeEachOther)
{
    for (const TypeId& queueDisc : GetQueueDiscsOfBothFabrics())
    {
        SCOPED_TRACE(queueDisc.GetName());
        RunBlock(GetParam(), true, queueDisc);
    }
}

TEST(ExpressEquality, IsOfEveryDiscipline)
{
    // Those that there were when this was written: the loops above are not empty.
    std::vector<std::string> names;
    for (const TypeId& queueDisc : GetQueueDiscsOfBothFabrics())
    {
        names.push_back(queueDisc.GetName());
    }
    for (const std::string name : {"Fifo", "StrictPriority", "Pfabric", "FifoLm", "ExplicitRate"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), "ns3::coflow::" + name + "QueueDisc"), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Blocks, ExpressEquality, testing::Range(0U, 4U));

TEST(ExpressEquality, OfWhatSniffersSee)
{
    FabricScenario scenario = MakeRandomScenario(1, false);
    scenario.changes.clear(); // a packet that waits is announced for its first time
    const FabricOutcome nodes = FabricRun("nodes", scenario).Run(true);
    const FabricOutcome express = FabricRun("express", scenario).Run(true);
    EXPECT_GT(express.sniffed.size(), 2 * express.totals.deliveredPackets - 1);
    ASSERT_EQ(express.ties, 0U);
    ExpectEqual(nodes, express);
}

// The worst case for ties: all rates equal, all flows start in the same nanosecond.
TEST(ExpressEquality, IsCloseForSynchronisedStarts)
{
    FabricScenario scenario;
    scenario.topologyAttributes = {{"K", "4"}};
    for (uint32_t round = 1; round <= 6; ++round)
    {
        for (HostId host = 0; host < 16; ++host)
        {
            scenario.flows.push_back({host, (host + 5 * round) % 16, 200'000, round * 8'000'000});
        }
    }
    const FabricOutcome nodes = RunScenario("nodes", scenario);
    const FabricOutcome express = RunScenario("express", scenario);
    ExpectConservation(express);
    ASSERT_EQ(express.flows.size(), scenario.flows.size());
    ASSERT_EQ(nodes.flows.size(), scenario.flows.size());
    EXPECT_GT(express.ties, 100U);
    double meanOfNodes = 0;
    double meanOfExpress = 0;
    for (std::size_t i = 0; i < scenario.flows.size(); ++i)
    {
        const auto start = static_cast<double>(scenario.flows[i].start);
        meanOfNodes += (static_cast<double>(nodes.flows[i].second) - start) / 96;
        meanOfExpress += (static_cast<double>(express.flows[i].second) - start) / 96;
    }
    RecordProperty("ratio", std::to_string(meanOfExpress / meanOfNodes));
    EXPECT_NEAR(meanOfExpress / meanOfNodes, 1, 0.02);
}
