/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Hosts that are told an order of coflows and no rates, and ports that serve classes strictly.

#include "coflow-expect-error.h"
#include "convergence.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-order-dispatcher.h"
#include "ns3/coflow-packet-experiment.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// A table with a coflow per list of sending hosts, all to host 9.
::coflow::FlowTable
MakeTable(const std::vector<std::vector<::coflow::HostId>>& senders)
{
    ::coflow::FlowTable table;
    for (std::size_t c = 0; c < senders.size(); ++c)
    {
        ::coflow::Coflow coflow;
        coflow.id = c + 1;
        for (const auto src : senders[c])
        {
            coflow.flows.push_back({static_cast<::coflow::FlowId>(coflow.flows.size()), src, 9, 1});
        }
        table.Add(coflow, static_cast<uint32_t>(c), 0);
    }
    return table;
}

/// Options with which control costs nothing and the order of Sincronia is served by ports.
const Attributes IN_NETWORK{{"enforceAt", "network"},
                            {"controlTransport", "ideal"},
                            {"controlBatch", "0s"},
                            {"bypassBytes", "0"}};

} // namespace

TEST(PlaceMaps, SayToEverySenderWhereItsCoflowsAre)
{
    // Coflows 1 to 4 in the order 3, 1, 4, 2. With three classes the third place is the last one,
    // and what is there is left out, as is coflow 2.
    const auto table = MakeTable({{0, 1}, {1}, {0, 0, 2}, {2}});
    const std::vector<::coflow::CoflowId> order{3, 1, 4, 2};
    const auto maps = MakePlaceMaps(table, order, 3);
    EXPECT_EQ(maps.at(0), (std::vector<PlaceRecord>{{1, 1}, {3, 0}}));
    EXPECT_EQ(maps.at(1), (std::vector<PlaceRecord>{{1, 1}}));
    EXPECT_EQ(maps.at(2), (std::vector<PlaceRecord>{{3, 0}}));
    EXPECT_EQ(MakePlaceMaps(table, order, 1).at(0).size(), 0U) << "one class is the last one";
    EXPECT_EQ(MakePlaceMaps(table, order, 7).at(2), (std::vector<PlaceRecord>{{3, 0}, {4, 2}}));
}

TEST(OrderDispatcher, TellsHostsForWhichAPlaceHasChanged)
{
    std::map<::coflow::HostId, int> told;
    uint64_t schedule = 0;
    bool reachable = true;
    OrderDispatcher dispatcher(
        [&](::coflow::HostId host, const CoflowOrderMessage& message) {
            EXPECT_EQ(message.schedule, schedule);
            told[host] += reachable;
            return reachable;
        },
        [&] { return ++schedule; });
    EXPECT_EQ(dispatcher.Dispatch({{0, {{1, 0}}}, {1, {}}}), 1U) << "host 1 has only last ones";
    EXPECT_EQ(dispatcher.Dispatch({{0, {{1, 0}}}, {1, {}}}), 0U);
    EXPECT_EQ(schedule, 1U) << "nobody was told a second one";
    EXPECT_EQ(dispatcher.Dispatch({{0, {}}, {1, {{2, 0}}}}), 2U);
    reachable = false;
    EXPECT_EQ(dispatcher.Dispatch({{1, {{2, 1}}}}), 0U);
    reachable = true;
    EXPECT_EQ(dispatcher.Dispatch({{1, {{2, 1}}}}), 1U) << "told when it can be";
    dispatcher.Forget(1);
    EXPECT_EQ(dispatcher.Dispatch({{1, {{2, 1}}}}), 1U);
    EXPECT_EQ(told[0], 2);
    EXPECT_EQ(told[1], 3);
}

TEST(OrderInNetwork, PortsServeOneCoflowAfterTheOther)
{
    // Coflows of 10, 2 and 3 units on one link, the shortest first: 15, 2, 5. TCP alone would let
    // each have a third: 15, 6, 8.
    auto workload = ThreeTasks();
    workload.coflows[2].flows[0].bytes = 3 * UNIT;
    ExpectUnits(RunOnBigSwitch("packet", workload, "sincronia", IN_NETWORK), {15, 2, 5});
}

TEST(OrderInNetwork, DoesWhatClassesDoToFluids)
{
    // Flows have a receiver of their own, so that a coflow is where its senders' ports let it be.
    for (uint32_t seed = 1; seed <= 3; ++seed)
    {
        const auto workload = Mix(seed, true);
        const auto packets = RunOnBigSwitch("packet", workload, "sincronia", IN_NETWORK);
        const auto fluid =
            RunOnBigSwitch("fluid", workload, "sincronia", {{"rates", "classes"}, {"levels", "7"}});
        EXPECT_NEAR(MeanCct(packets) / MeanCct(fluid), 1, 0.1) << "seed " << seed;
    }
}

TEST(OrderInNetwork, NobodyIsToldARate)
{
    ExperimentConfig config;
    config.scheduler = "sincronia";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "7"}};
    config.attributes.insert(config.attributes.end(), IN_NETWORK.begin(), IN_NETWORK.end());
    const auto text = RunPacketExperiment(Mix(1), config).control.ToString();
    EXPECT_EQ(text.find("UpdatedRates"), std::string::npos);
    EXPECT_NE(text.find("CoflowOrder"), std::string::npos);
}

TEST(OrderInNetwork, IsTheDefaultOfSincroniaButUnderMadd)
{
    const auto told = [](const Attributes& attributes) {
        ExperimentConfig config;
        config.scheduler = "sincronia";
        config.topology = "big-switch";
        config.attributes = {{"hosts", "7"}, {"bypassBytes", "0"}};
        config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
        const auto text = RunPacketExperiment(Mix(1), config).control.ToString();
        return std::pair(text.find("UpdatedRates") != std::string::npos,
                         text.find("CoflowOrder") != std::string::npos);
    };
    EXPECT_EQ(told({}), std::pair(false, true));
    EXPECT_EQ(told({{"rates", "classes"}}), std::pair(false, true));
    EXPECT_EQ(told({{"rates", "madd"}}), std::pair(true, false));
    EXPECT_EQ(told({{"rates", "greedy"}, {"enforceAt", "sender"}}), std::pair(true, false));
}

TEST(OrderInNetwork, CannotBeJumpedOver)
{
    ExperimentConfig config;
    config.scheduler = "sincronia";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "7"},
                         {"bypassBytes", "0"},
                         {"jump", "true"},
                         {"ratePhase", "spread"}};
    const auto error = ::coflow::test::ErrorOf([&] { RunPacketExperiment(Mix(1), config); });
    EXPECT_TRUE(error.starts_with("option --jump: under scheduler sincronia")) << error;
    EXPECT_NE(error.find("--enforceAt=sender"), std::string::npos) << error;
    config.attributes.emplace_back("enforceAt", "sender");
    const auto result = RunPacketExperiment(Mix(1), config);
    EXPECT_TRUE(result.jumps.has_value());
    EXPECT_EQ(result.end, RunEnd::COMPLETE);
}

TEST(OrderInNetwork, AFlowThatChangesItsClassOvertakesItselfUnlessPortsKeepItsOrder)
{
    // Nothing is dropped, and no flow waits for a whole timeout: what is sent again was overtaken.
    const auto again = [](const std::string& keepOrder) {
        ExperimentConfig config;
        config.scheduler = "sincronia";
        config.topology = "big-switch";
        config.attributes = {{"hosts", "7"}, {"minRto", "5s"}, {"keepOrder", keepOrder}};
        config.attributes.insert(config.attributes.end(), IN_NETWORK.begin(), IN_NETWORK.end());
        uint64_t sum = 0;
        for (uint32_t seed = 1; seed <= 2; ++seed)
        {
            const auto result = RunPacketExperiment(Mix(seed), config);
            EXPECT_EQ(result.network->droppedPackets, 0U);
            sum += result.network->retransmissions;
        }
        return sum;
    };
    EXPECT_GT(again("false"), 0U);
    EXPECT_EQ(again("true"), 0U);
}

TEST(OrderInNetwork, ASchedulerWithoutAnOrderIsRefused)
{
    ExperimentConfig config;
    config.scheduler = "nc-drf";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "7"}, {"enforceAt", "network"}};
    EXPECT_THROW(RunPacketExperiment(Mix(1), config), ::coflow::InputError);
}
