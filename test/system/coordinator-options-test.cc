/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Options that say what a coordinator costs are refused where the fluid engine runs a scheduler
// without one.

#include "coflow-expect-error.h"

#include "ns3/coflow-engine.h"
#include "ns3/coflow-fluid-experiment.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::coflow;
using ::coflow::test::ErrorOf;

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// What ErrorOf() says where nothing is wrong.
const std::string NO_ERROR = "(no error)";

ExperimentConfig
Make(const std::string& scheduler, Attributes attributes)
{
    ExperimentConfig config;
    config.engine = "fluid";
    config.scheduler = scheduler;
    config.attributes = std::move(attributes);
    return config;
}

std::string
ErrorOfOptions(const ExperimentConfig& config)
{
    return ErrorOf([&config] { CheckNames(config); });
}

} // namespace

TEST(CoordinatorOptions, AreRefusedWhereThereIsNone)
{
    // Representatives of the families in which hosts decide.
    for (const std::string scheduler : {"fair", "pfabric", "edf", "baraat", "dcas", "graviton"})
    {
        for (const std::string option :
             {"control", "controlDelay", "controlPeriod", "controlBatch", "bypassBytes"})
        {
            const std::string value = option == "control" ? "real" : "1";
            auto config = Make(scheduler, {{option, value}});
            const auto error = ErrorOfOptions(config);
            EXPECT_NE(error.find("option --" + option), std::string::npos) << scheduler << error;
            EXPECT_NE(error.find("allowed: "), std::string::npos) << scheduler << error;
            config.others = {scheduler, "varys"};
            EXPECT_EQ(ErrorOfOptions(config), NO_ERROR) << scheduler << " --" << option;
            EXPECT_EQ(ErrorOfOptions(Make("varys", {{option, value}})), NO_ERROR);
        }
    }
    // No bypass for those who must not know sizes.
    EXPECT_NE(ErrorOfOptions(Make("nc-drf", {{"bypassBytes", "0"}})).find("must not know"),
              std::string::npos);
    EXPECT_EQ(ErrorOfOptions(Make("nc-drf", {{"controlDelay", "1ms"}})), NO_ERROR);
}

TEST(CoordinatorOptions, AreRefusedWhereAParameterTakesItAway)
{
    ::coflow::Workload workload{.hosts = 2};
    workload.coflows.push_back({.id = 1, .flows = {{0, 0, 1, 1000}}});
    const auto run = [&workload](Attributes attributes, std::vector<std::string> others) {
        auto config = Make("ps-p", std::move(attributes));
        config.topology = "big-switch";
        config.attributes.emplace_back("hosts", "2");
        config.others = std::move(others);
        return ErrorOf([&] { RunFluidExperiment(workload, config); });
    };
    const auto error = run({{"mode", "wfq"}, {"controlDelay", "1ms"}}, {});
    EXPECT_NE(error.find("option --controlDelay has no effect on ps-p with --mode=wfq"),
              std::string::npos)
        << error;
    EXPECT_EQ(run({{"mode", "static"}, {"controlDelay", "1ms"}}, {}), NO_ERROR);
    EXPECT_EQ(run({{"mode", "wfq"}, {"controlDelay", "1ms"}}, {"ps-p", "varys"}), NO_ERROR);
}
