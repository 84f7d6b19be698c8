/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Paths at packet level: that a coordinator chooses, told in messages and carried as labels, and
// that switches choose by flowlets. On both fabrics, with lean connections and with sockets.

#include "checked-experiment.h"
#include "coflow-effort.h"
#include "coflow-expect-error.h"
#include "fabric-scenario.h"

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-transform.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Workload;

namespace
{

constexpr int64_t BYTES = 1'500'000;

/// One coflow from every host of the first half of a leaf-spine with 4 hosts a leaf to one of the
/// second leaf: four flows and four spines.
Workload
Across()
{
    Workload workload;
    workload.hosts = 8;
    ::coflow::Coflow coflow;
    coflow.id = 1;
    for (uint32_t f = 0; f < 4; ++f)
    {
        coflow.flows.push_back({f, f, 4 + f, BYTES});
    }
    workload.coflows.push_back(coflow);
    return workload;
}

ExperimentConfig
LeafSpine(const std::string& scheduler, const std::string& pathChoice)
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "leaf-spine";
    config.attributes = {{"leaves", "2"},
                         {"spines", "4"},
                         {"hostsPerLeaf", "4"},
                         {"controlBatch", "100us"},
                         {"pathChoice", pathChoice}};
    return config;
}

/// @return the CCT of the only coflow, in seconds
double
RunAcross(ExperimentConfig config)
{
    if (config.scheduler == "varys")
    {
        config.attributes.emplace_back("bypassBytes", "0");
    }
    const auto result = FindEngine(config.engine).run(Across(), test::Checked(config));
    EXPECT_EQ(result.end, RunEnd::COMPLETE);
    return result.coflows.at(0).CctSeconds();
}

/// @return how long a flow takes that has a path for itself, in seconds, as a fluid at 0.94 Gbps
double
AloneSeconds()
{
    return BYTES / 0.94 / 125e6;
}

} // namespace

// By hashes, four flows on four spines nearly always collide. Paths that are chosen do not.
TEST(PathChoice, FlowsDoNotCollideOnEitherFabric)
{
    for (const std::string scheduler : {"varys", "max-min"})
    {
        for (const std::string fabric : {"express", "nodes"})
        {
            for (const std::string stack : {"lean", "ns3"})
            {
                const bool quick = fabric == "express" && stack == "lean";
                if ((fabric == "nodes" && stack == "lean") || (scheduler != "varys" && !quick))
                {
                    continue; // nodes have sockets only; one scheduler is enough for what is slow
                }
                SCOPED_TRACE(scheduler + ", " + fabric + ", " + stack);
                const auto run = [&](const std::string& choice) {
                    auto config = LeafSpine(scheduler, choice);
                    config.fabric = fabric;
                    config.attributes.emplace_back("hostStack", stack);
                    return RunAcross(config);
                };
                EXPECT_GT(run("fabric"), 1.8 * AloneSeconds()) << "the hashes of this run collide";
                EXPECT_LT(run("start"), 1.1 * AloneSeconds());
                EXPECT_LT(run("move"), 1.1 * AloneSeconds());
            }
        }
    }
}

// On both fabrics the coflow ends at the same time, but for packets that meet in one nanosecond,
// whose order may differ: all rates are equal here.
TEST(PathChoice, IsTheSameOnBothFabrics)
{
    auto config = LeafSpine("varys", "move");
    const double express = RunAcross(config);
    config.fabric = "nodes";
    EXPECT_NEAR(RunAcross(config), express, 1e-3 * express);
}

// A mix on a fat-tree takes what fluids on its links say, by hashes and with paths that are chosen.
TEST(PathChoice, FluidsAndPacketsAgreeOnAMix)
{
    auto workload = ::coflow::Generate("fb-like", {"coflows=20", "hosts=16", "seed=3", "load=0.9"});
    for (const auto& step : ::coflow::ParseTransforms("scale-bytes=0.002,scale-time=0.002"))
    {
        ::coflow::ApplyTransform(workload, step);
    }
    for (const std::string choice : {"fabric", "move"})
    {
        ExperimentConfig config;
        config.scheduler = "varys";
        config.attributes = {{"k", "4"}, {"bypassBytes", "0"}, {"pathChoice", choice}};
        auto packets = config;
        packets.attributes.emplace_back("controlTransport", "ideal");
        packets.attributes.emplace_back("controlBatch", "0s");
        const auto told = FindEngine("packet").run(workload, test::Checked(packets));
        config.engine = "fluid";
        config.attributes.emplace_back("limits", "links");
        const auto fluid = FindEngine("fluid").run(workload, config);
        double inPackets = 0;
        double asFluid = 0;
        for (std::size_t i = 0; i < workload.coflows.size(); ++i)
        {
            inPackets += told.coflows[i].CctSeconds();
            asFluid += fluid.coflows[i].CctSeconds();
        }
        EXPECT_LT(inPackets, 1.5 * asFluid) << choice;
        EXPECT_GT(inPackets, 0.9 * asFluid) << choice;
    }
}

TEST(PathChoice, TheLabelTravelsInBytesThatWereZero)
{
    UpdatedRatesMessage message({{{7, 3}, 1000, 0}, {{7, 4}, 2000, 40000}});
    EXPECT_EQ(message.GetSerializedSize(), 16U + 2 * 24U);
    Buffer buffer;
    buffer.AddAtStart(message.GetSerializedSize());
    message.Serialize(buffer.Begin());
    auto at = buffer.Begin();
    at.Next(16 + 8);
    EXPECT_EQ(at.ReadNtohU64(), 3U) << "without a label as it was";
    at.Next(8 + 8);
    EXPECT_EQ(at.ReadNtohU64(), (40000ULL << 32) + 4);
}

TEST(PathChoice, IsRefusedWhereItCannotBe)
{
    const auto run = [](std::initializer_list<std::pair<std::string, std::string>> attributes,
                        const std::string& engine = "packet") {
        auto config = LeafSpine("sincronia", "start");
        config.engine = engine;
        if (engine == "fluid")
        {
            config.attributes.pop_back();
        }
        for (const auto& attribute : attributes)
        {
            config.attributes.push_back(attribute);
        }
        return ::coflow::test::ErrorOf([&] { FindEngine(engine).run(Across(), config); });
    };
    EXPECT_NE(run({{"enforceAt", "network"}}).find("allowed: fabric"), std::string::npos);
    EXPECT_NE(run({{"pathChoice", "start"}}, "fluid").find("--limits=links"), std::string::npos);
    // Where no coordinator decides there is nobody who could choose. In a comparison, one that has
    // a coordinator is enough.
    const auto fluidFair = [](std::vector<std::string> others) {
        auto config = LeafSpine("fair", "start");
        config.engine = "fluid";
        config.attributes.emplace_back("limits", "links");
        config.others = std::move(others);
        return ::coflow::test::ErrorOf([&] { FindEngine("fluid").run(Across(), config); });
    };
    const auto refused = fluidFair({"fair", "dcas"});
    EXPECT_NE(refused.find("--pathChoice is of other schedulers than fair"), std::string::npos)
        << refused;
    EXPECT_NE(refused.find("varys"), std::string::npos) << refused;
    EXPECT_EQ(refused.find("dcas"), std::string::npos) << refused;
    EXPECT_EQ(fluidFair({"fair", "varys"}), "(no error)");
    EXPECT_NE(run({{"limits", "links"}, {"packetSpraying", "true"}}, "fluid").find("ports"),
              std::string::npos);
    EXPECT_NE(run({{"packetSpraying", "true"}, {"flowletTimeout", "1ms"}}).find("FlowletTimeout"),
              std::string::npos);
}

// Switches of both fabrics choose alike by flowlets: in a random network, all packets arrive at the
// same times.
TEST(Flowlets, AreTheSameOnBothFabrics)
{
    const auto seeds = ::coflow::test::Effort(16U, 40U);
    uint32_t untied = 0;
    uint32_t changed = 0;
    for (uint32_t seed = 0; seed < seeds; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        FabricScenario scenario = MakeRandomScenario(seed, false);
        const FabricOutcome ecmp = RunScenario("express", scenario);
        // Shorter than round trips, so that there are flowlets.
        scenario.topologyAttributes.emplace_back("FlowletTimeout", "30us");
        const FabricOutcome nodes = RunScenario("nodes", scenario);
        const FabricOutcome express = RunScenario("express", scenario);
        ExpectConservation(nodes);
        ExpectConservation(express);
        EXPECT_EQ(express.flows.size(), scenario.flows.size()) << "all flows finish";
        if (express.ties == 0)
        {
            ExpectEqual(nodes, express);
            ++untied;
            changed += express.flows != ecmp.flows;
        }
    }
    EXPECT_GE(2 * untied, seeds);
    EXPECT_GE(changed, 2U) << "flowlets are not flows";
}

// With a gap that never comes, flowlets are flows.
TEST(Flowlets, AreFlowsWithALongTimeout)
{
    FabricScenario scenario = MakeRandomScenario(5, false);
    const FabricOutcome ecmp = RunScenario("express", scenario);
    scenario.topologyAttributes.emplace_back("FlowletTimeout", "100s");
    ExpectEqual(ecmp, RunScenario("express", scenario));
}
