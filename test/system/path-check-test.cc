/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// That links which have failed are known before a run: what needs a path that is not there is
// refused, and what needs none runs.

#include "coflow-expect-error.h"

#include "ns3/coflow-fluid-experiment.h"
#include "ns3/coflow-packet-experiment.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Workload;
using ::coflow::test::ErrorOf;

namespace
{

/// Two leaves of two hosts each, and the link of the first leaf to the only spine has failed.
ExperimentConfig
Parted(const std::string& scheduler)
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "leaf-spine";
    config.attributes = {{"leaves", "2"},
                         {"spines", "1"},
                         {"hostsPerLeaf", "2"},
                         {"failedLinks", "leaf0-spine0"}};
    return config;
}

Workload
OneFlow(::coflow::HostId src, ::coflow::HostId dst)
{
    Workload workload;
    workload.hosts = 4;
    auto& coflow = workload.coflows.emplace_back();
    coflow.id = 7;
    coflow.flows = {{0, 2, 3, 1'000'000}, {1, src, dst, 1'000'000}};
    return workload;
}

std::string
Refused(const Workload& workload, const ExperimentConfig& config)
{
    return ErrorOf([&] { RunPacketExperiment(workload, config); });
}

} // namespace

TEST(PathCheck, AFlowWithoutAPathIsRefusedInBothEngines)
{
    const auto workload = OneFlow(3, 0);
    const std::string error =
        "links that have failed leave no path between host 3 and host 0, which flow 1 of coflow 7 "
        "needs; allowed: failedLinks that leave one, or a workload without it";
    EXPECT_EQ(Refused(workload, Parted("fair")), error);
    EXPECT_EQ(ErrorOf([&] { RunFluidExperiment(workload, Parted("fair")); }), error);
}

TEST(PathCheck, WhoNeedsNoPathRuns)
{
    const auto result = RunPacketExperiment(OneFlow(3, 2), Parted("fair"));
    EXPECT_TRUE(result.coflows.front().IsFinished());
}

TEST(PathCheck, ControlWithoutAPathIsRefused)
{
    auto config = Parted("varys");
    config.attributes.emplace_back("coordinatorHost", "1");
    config.attributes.emplace_back("bypassBytes", "0");
    EXPECT_EQ(Refused(OneFlow(3, 2), config),
              "links that have failed leave no path between host 2 and host 1, which the control "
              "of coflow 7 needs; allowed: failedLinks that leave one, or another coordinatorHost, "
              "or --controlTransport=ideal");
    config.attributes[4].second = "3";
    EXPECT_TRUE(RunPacketExperiment(OneFlow(3, 2), config).coflows.front().IsFinished());
    config.attributes[4].second = "1";
    config.attributes.emplace_back("controlTransport", "ideal");
    EXPECT_TRUE(RunPacketExperiment(OneFlow(3, 2), config).coflows.front().IsFinished());
    // Each flow has its path, and the driver at host 2 cannot be told of the second one.
    EXPECT_EQ(Refused(OneFlow(0, 1), Parted("fair")),
              "links that have failed leave no path between host 1 and host 2, which the control "
              "of coflow 7 needs; allowed: failedLinks that leave one, or --completion=instant");
}
