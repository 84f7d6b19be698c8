/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The main job: runs a workload of coflows on a simulated network under one scheduler, or several
// side by side, prints a table and writes result files. See --help.

#include "ns3/coflow-comparison.h"
#include "ns3/coflow-description.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-interruption.h"
#include "ns3/coflow-main.h"
#include "ns3/coflow-output-file.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-run-report.h"
#include "ns3/coflow-run.h"
#include "ns3/coflow-scheduler-options.h"
#include "ns3/coflow-version.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <span>
#include <thread>
#include <unistd.h>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

constexpr int UNFINISHED = 3;

/// @return the command line that gives the same result again
std::string
Reproduce(const ReplayOptions& options, const std::string& scheduler)
{
    return "coflow-replay" + options.reproduce +
           FormatSchedulerOptions(options.experiment, scheduler) + " --scheduler=" + scheduler;
}

int
Replay(const ReplayOptions& options)
{
    auto config = MakeConfigOf(options.experiment, options.experiment.scheduler);
    CheckNames(config);
    const auto workload = LoadWorkload(options);
    // A run in packets may take a night. Fluids take seconds.
    std::optional<Interruption> interruption;
    if (config.engine == "packet")
    {
        interruption.emplace();
        config.isInterrupted = Interruption::HasCome;
    }
    const auto outcome = RunExperiment(workload,
                                       config,
                                       Reproduce(options, options.experiment.scheduler),
                                       options.out,
                                       options.flows,
                                       options.force);
    std::cout << FormatRun(options.experiment, outcome.result, outcome.summary);
    ::coflow::FinishStandardOutput();
    if (!outcome.summary.unfinished.empty())
    {
        std::cerr << FormatUnfinished(outcome.summary) << "\n";
        if (outcome.result.end == RunEnd::INTERRUPTED)
        {
            std::cerr << "interrupted at " << outcome.result.simulatedSeconds
                      << " s of simulated time: results are of what was done by then\n";
            Interruption::EndProcess();
        }
        return UNFINISHED;
    }
    return 0;
}

int
Compare(const ReplayOptions& options)
{
    const auto workload = LoadWorkload(options);
    const auto with = [&options](const std::string& scheduler) {
        auto config = MakeConfigOf(options.experiment, scheduler);
        config.others = options.compare;
        config.progress = false; // the lines of several processes would mix
        return config;
    };
    for (const auto& scheduler : options.compare)
    {
        CheckNames(with(scheduler)); // a wrong name is told before a long run
    }
    std::optional<ComparisonFile> file;
    if (!options.out.empty())
    {
        file.emplace(options.out, options.force);
    }
    const auto baseline = static_cast<std::size_t>(
        std::find(options.compare.begin(), options.compare.end(), options.baseline) -
        options.compare.begin());
    const auto against = baseline == options.compare.size() ? 0 : baseline;
    const unsigned jobs =
        options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
    std::size_t done = 0;
    const auto runs = RunComparison(
        options.compare,
        jobs,
        workload.coflows.size(),
        against,
        [&](const std::string& scheduler, std::span<ComparedCoflow> coflows) {
            const auto folder = options.out.empty() ? "" : options.out + "/" + scheduler;
            const auto outcome = RunExperiment(workload,
                                               with(scheduler),
                                               Reproduce(options, scheduler),
                                               folder,
                                               options.flows,
                                               options.force);
            std::transform(outcome.result.coflows.begin(),
                           outcome.result.coflows.end(),
                           coflows.begin(),
                           ComparedCoflow::Of);
            return ComparedRun{ComparisonRow::Of(outcome.result, outcome.summary),
                               outcome.summary.findings};
        },
        [&](const std::string& scheduler) {
            ++done;
            if (options.experiment.progress)
            {
                std::cerr << scheduler << " done (" << done << " of " << options.compare.size()
                          << ")\n";
            }
        });
    std::vector<ComparisonRow> rows;
    std::vector<std::vector<::coflow::Finding>> findings;
    for (const auto& run : runs)
    {
        rows.push_back(run.row);
        findings.push_back(run.findings);
    }
    if (file)
    {
        file->Write(options.compare, ToCsv(options.compare, rows, against));
    }
    std::cout << FormatComparison(options.compare, rows)
              << ::coflow::Format(options.compare, findings);
    const bool unfinished =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.unfinished > 0; });
    return unfinished ? UNFINISHED : 0;
}

void
List()
{
    for (const auto& [name, offer] : GetAllSchedulers())
    {
        std::printf("%-15s %-13s %s\n",
                    name.c_str(),
                    offer.engines.c_str(),
                    offer.info.description.c_str());
    }
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
    if (options.version)
    {
        std::cout << "coflow-replay " << GetModuleVersion() << " (ns-3 " << GetNs3Version()
                  << ")\n";
        return 0;
    }
    if (options.list)
    {
        List();
        return 0;
    }
    if (options.describe)
    {
        std::cout << DescribeRun(options.experiment).ToString();
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
    // ns-3 keeps a set of all Time objects until the resolution is set, or the simulation runs.
    Time::SetResolution(Time::NS);
    return RunMain(argc, argv, [](int count, char* words[]) {
        return Run({words + 1, words + count});
    });
}
