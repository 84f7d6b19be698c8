/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The main job: runs a workload of coflows on a simulated network under one scheduler, or several
// side by side, prints a table and writes result files. See --help.

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-bounds.h"
#include "ns3/coflow-comparison.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-result-files.h"
#include "ns3/coflow-run-report.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-version.h"
#include "ns3/coflow-workload-driver.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <unistd.h>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::InputError;
using ::coflow::Json;
using ::coflow::ResultFiles;
using ::coflow::RunSummary;
using ::coflow::Workload;

namespace
{

constexpr int BAD_USAGE = 2;
constexpr int UNFINISHED = 3;

/// The result of one scheduler, with its files written.
struct Outcome
{
    ExperimentResult result;
    RunSummary summary;
};

/// @return a lower bound on the mean CCT under any scheduler, in seconds. The certified bound
/// counts from arrivals, CCTs from the finish of the last parent: with parents there is none.
double
BoundMeanCct(const Workload& workload, const ::coflow::PortRates& rates)
{
    const bool parents = std::any_of(workload.coflows.begin(),
                                     workload.coflows.end(),
                                     [](const auto& coflow) { return !coflow.parents.empty(); });
    return parents ? 0 : ::coflow::LowerBound(workload, rates).mean;
}

Outcome
RunOne(const Workload& workload,
       const ReplayOptions& options,
       const ExperimentConfig& config,
       const std::string& folder)
{
    std::optional<ResultFiles> files;
    if (!folder.empty())
    {
        files.emplace(
            folder,
            SUMMARY_FILE,
            std::vector<std::string>{"coflows.csv", "flows.csv", "timeseries.csv", SUMMARY_FILE});
    }
    Outcome outcome{.result = FindEngine(config.engine).run(workload, config), .summary = {}};
    outcome.summary = RunSummary::Of(outcome.result.coflows,
                                     outcome.result.rates,
                                     BoundMeanCct(workload, outcome.result.rates));
    if (!outcome.result.samples.empty())
    {
        outcome.summary.disparity = ::coflow::DisparitySummary::Of(outcome.result.samples);
    }
    if (files)
    {
        files->Write("coflows.csv", ToCsv(outcome.result.coflows));
        if (!outcome.result.samples.empty())
        {
            files->Write("timeseries.csv", ToCsv(outcome.result.samples));
        }
        if (options.flows)
        {
            files->Write("flows.csv", ToCsv(outcome.result.flows));
        }
        const auto reproduce =
            "coflow-replay" + options.reproduce + " --scheduler=" + config.scheduler;
        files->Write(SUMMARY_FILE,
                     MakeSummaryJson(workload, config, outcome.result, outcome.summary, reproduce)
                         .ToString());
        files->Commit();
    }
    return outcome;
}

int
Replay(const ReplayOptions& options)
{
    CheckNames(options.experiment);
    const auto workload = LoadWorkload(options);
    const auto outcome = RunOne(workload, options, options.experiment, options.out);
    std::cout << FormatRun(options.experiment, outcome.result, outcome.summary);
    if (!outcome.summary.unfinished.empty())
    {
        std::cerr << FormatUnfinished(outcome.summary) << "\n";
        return UNFINISHED;
    }
    return 0;
}

int
Compare(const ReplayOptions& options)
{
    const auto workload = LoadWorkload(options);
    const auto with = [&options](const std::string& scheduler) {
        auto config = options.experiment;
        config.scheduler = scheduler;
        config.progress = false; // the lines of several processes would mix
        return config;
    };
    for (const auto& scheduler : options.compare)
    {
        CheckNames(with(scheduler)); // a wrong name is told before a long run
    }
    std::optional<ResultFiles> files;
    if (!options.out.empty())
    {
        files.emplace(options.out, COMPARISON_FILE, std::vector<std::string>{COMPARISON_FILE});
    }
    const auto baseline = static_cast<std::size_t>(
        std::find(options.compare.begin(), options.compare.end(), options.baseline) -
        options.compare.begin());
    const auto against = baseline == options.compare.size() ? 0 : baseline;
    std::size_t done = 0;
    const auto rows = RunComparison(
        options.compare,
        options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency()),
        workload.coflows.size(),
        against,
        [&](const std::string& scheduler, std::span<double> ccts) {
            const auto folder = options.out.empty() ? "" : options.out + "/" + scheduler;
            const auto outcome = RunOne(workload, options, with(scheduler), folder);
            for (std::size_t c = 0; c < ccts.size(); ++c)
            {
                const auto& record = outcome.result.coflows[c];
                ccts[c] = record.IsFinished() ? record.CctSeconds() : ccts[c];
            }
            return ComparisonRow::Of(outcome.result, outcome.summary);
        },
        [&](const std::string& scheduler) {
            ++done;
            if (options.experiment.progress)
            {
                std::cerr << scheduler << " done (" << done << " of " << options.compare.size()
                          << ")\n";
            }
        });
    if (files)
    {
        files->Write(COMPARISON_FILE, ToCsv(options.compare, rows, against));
        files->Commit();
    }
    std::cout << FormatComparison(options.compare, rows, against);
    const bool unfinished =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.unfinished > 0; });
    return unfinished ? UNFINISHED : 0;
}

/// @return the engines' schedulers by name, each with the engines that offer it
std::map<std::string, std::pair<SchedulerInfo, std::string>>
GetSchedulers()
{
    std::map<std::string, std::pair<SchedulerInfo, std::string>> schedulers;
    for (const auto& engine : AllEngines())
    {
        for (const auto& scheduler : engine.getSchedulers())
        {
            auto& [info, engines] = schedulers[scheduler.name];
            info = info.name.empty() ? scheduler : info;
            engines += engines.empty() ? "" : ",";
            engines += engine.name;
        }
    }
    return schedulers;
}

void
List()
{
    for (const auto& [name, offer] : GetSchedulers())
    {
        std::printf("%-15s %-13s %s\n",
                    name.c_str(),
                    offer.second.c_str(),
                    offer.first.description.c_str());
    }
}

Json
DescribeEngines()
{
    auto engines = Json::Array();
    for (const auto& engine : AllEngines())
    {
        auto schedulers = Json::Array();
        for (const auto& scheduler : engine.getSchedulers())
        {
            schedulers.Add(Json::Object()
                               .Set("name", scheduler.name)
                               .Set("description", scheduler.description)
                               .Set("attributes", scheduler.parameters));
        }
        engines.Add(Json::Object()
                        .Set("name", engine.name)
                        .Set("description", engine.description)
                        .Set("attributes", engine.parameters)
                        .Set("schedulers", schedulers));
    }
    return engines;
}

Json
DescribeTypes(TypeId parent)
{
    auto types = Json::Array();
    for (const auto& type : GetNamedTypes(parent))
    {
        types.Add(Json::Object()
                      .Set("name", type.name)
                      .Set("type", type.typeId.GetName())
                      .Set("description", type.description)
                      .Set("attributes", DescribeAttributes(type.typeId)));
    }
    return types;
}

Json
DescribeType(TypeId type)
{
    return Json::Object().Set("type", type.GetName()).Set("attributes", DescribeAttributes(type));
}

void
Describe()
{
    std::cout << Json::Object()
                     .Set("version", GetModuleVersion())
                     .Set("ns3_version", GetNs3Version())
                     .Set("engines", DescribeEngines())
                     .Set("topologies", DescribeTypes(Topology::GetTypeId()))
                     .Set("fabrics", DescribeTypes(Fabric::GetTypeId()))
                     .Set("transport", DescribeType(TransportProfile::GetTypeId()))
                     .Set("source", DescribeType(CoflowSource::GetTypeId()))
                     .Set("driver", DescribeType(WorkloadDriver::GetTypeId()))
                     .ToString();
}

int
Run(const std::vector<std::string>& arguments)
{
    auto options = ParseReplayOptions(arguments);
    if (options.help)
    {
        std::cout << GetReplayHelp();
        return 0;
    }
    if (options.list)
    {
        List();
        return 0;
    }
    if (options.describe)
    {
        Describe();
        return 0;
    }
    if (GetBuildProfile() != "release")
    {
        std::cerr << "warning: this is a debug build, several times slower than a release build\n";
    }
    options.experiment.progress |= ::isatty(STDERR_FILENO) == 1;
    return options.compare.empty() ? Replay(options) : Compare(options);
}

} // namespace

int
main(int argc, char* argv[])
{
    try
    {
        return Run({argv + 1, argv + argc});
    }
    catch (const InputError& error)
    {
        std::cerr << "coflow-replay: " << error.what() << "\n";
        return BAD_USAGE;
    }
}
