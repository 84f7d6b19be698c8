/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run.h"

#include "ns3/coflow-bounds.h"
#include "ns3/coflow-contention.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-run-report.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::coflow
{

using ::coflow::COMPARISON_FILE;
using ::coflow::RunSummary;
using ::coflow::SUMMARY_FILE;
using ::coflow::Workload;

namespace
{

/// @return a lower bound on the mean CCT under any scheduler. The bound counts from arrivals, and
/// CCTs count from the finish of the last parent. So with parents there is no bound.
::coflow::CctBound
BoundMeanCct(const Workload& workload,
             const ::coflow::PortRates& rates,
             const ::coflow::PathMap* paths)
{
    const bool parents = std::ranges::any_of(workload.coflows, [](const auto& coflow) {
        return !coflow.parents.empty();
    });
    return parents ? ::coflow::CctBound() : ::coflow::LowerBound(workload, rates, 80, paths);
}

/// @return the names of the runs in the file of a comparison; empty where the file does not exist
std::vector<std::string>
ReadNames(const std::filesystem::path& path)
{
    std::vector<std::string> names;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line); // the first line has the names of columns
    while (std::getline(file, line))
    {
        const auto name = line.substr(0, line.find(','));
        if (!name.empty() && name.find('/') == std::string::npos && name.front() != '.')
        {
            names.push_back(name);
        }
    }
    return names;
}

/// Removes the files of a run, and the folder where the folder is then empty.
void
RemoveRun(const std::filesystem::path& folder)
{
    if (!::coflow::HoldsResult(folder, SUMMARY_FILE))
    {
        return;
    }
    std::error_code ignored; // files that remain are not part of the comparison
    for (const auto& name : GetRunFileNames())
    {
        std::filesystem::remove(folder / name, ignored);
    }
    std::filesystem::remove(folder, ignored);
}

/// @return number of hosts of the network that no flow names
std::uint64_t
CountIdleHosts(const Workload& workload, std::size_t hosts)
{
    std::vector<bool> used(hosts);
    for (const auto& coflow : workload.coflows)
    {
        for (const auto& flow : coflow.flows)
        {
            used.at(flow.src) = true;
            used.at(flow.dst) = true;
        }
    }
    return static_cast<std::uint64_t>(std::ranges::count(used, false));
}

/// @return the findings of the diagnosis of a run
std::vector<::coflow::Finding>
FindFindings(const Workload& workload, const ExperimentResult& result, const RunSummary& summary)
{
    auto facts = result.facts;
    facts.Add(workload, result.coflows, result.flows, result.rates);
    facts.contended = summary.contended;
    facts.utilisation = summary.utilisation;
    if (result.jumps)
    {
        facts.skippedHops = result.jumps->skippedPercent / 100;
    }
    return ::coflow::Diagnose(facts);
}

} // namespace

RunOutcome
SummariseRun(const Workload& workload,
             const ExperimentConfig& config,
             ExperimentResult result,
             const std::string& reproduce)
{
    RunOutcome outcome{.result = std::move(result), .summary = {}, .summaryJson = {}};
    const ProcessCost before = ProcessCost::Now();
    const auto bound = BoundMeanCct(workload, outcome.result.rates, outcome.result.paths.get());
    outcome.result.boundCpuSeconds = ProcessCost::Now().cpuSeconds - before.cpuSeconds;
    outcome.summary = RunSummary::Of(outcome.result.coflows, outcome.result.rates, bound.mean);
    outcome.summary.boundRounds = bound.rounds;
    outcome.summary.hosts = outcome.result.rates.ingress.size();
    outcome.summary.idleHosts = CountIdleHosts(workload, outcome.summary.hosts);
    outcome.summary.contended = ::coflow::WasContended(
        workload,
        outcome.result.coflows,
        outcome.result.linksMayLimit ? ::coflow::ContendedResources::PORTS_AND_LINKS
                                     : ::coflow::ContendedResources::PORTS);
    outcome.summary.waits = outcome.result.waits;
    outcome.summary.outOfSync = ::coflow::OutOfSync(outcome.result.coflows, outcome.result.flows);
    outcome.summary.disparity = ::coflow::DisparitySummary::Of(outcome.result.samples);
    outcome.summary.findings = FindFindings(workload, outcome.result, outcome.summary);
    outcome.summaryJson =
        MakeSummaryJson(workload, config, outcome.result, outcome.summary, reproduce);
    return outcome;
}

const std::vector<std::string>&
GetRunFileNames()
{
    static const std::vector<std::string> names{"coflows.csv",
                                                "flows.csv",
                                                "timeseries.csv",
                                                SUMMARY_FILE};
    return names;
}

RunFiles::RunFiles(const std::string& folder, bool replace)
    : m_files(folder, SUMMARY_FILE, GetRunFileNames(), replace)
{
}

void
RunFiles::Write(const RunOutcome& outcome, bool flows)
{
    m_files.Write("coflows.csv", ToCsv(outcome.result.coflows));
    if (!outcome.result.samples.empty())
    {
        m_files.Write("timeseries.csv", ToCsv(outcome.result.samples));
    }
    if (flows)
    {
        m_files.Write("flows.csv", ToCsv(outcome.result.flows));
    }
    m_files.Write(SUMMARY_FILE, outcome.summaryJson.ToString());
    m_files.Commit();
}

ComparisonFile::ComparisonFile(const std::string& folder, bool replace)
    : m_folder(folder),
      m_files(folder, COMPARISON_FILE, {COMPARISON_FILE}, replace)
{
}

void
ComparisonFile::Write(const std::vector<std::string>& names, const std::string& table)
{
    for (const auto& earlier : ReadNames(m_folder / COMPARISON_FILE))
    {
        if (std::ranges::find(names, earlier) == names.end())
        {
            RemoveRun(m_folder / earlier);
        }
    }
    m_files.Write(COMPARISON_FILE, table);
    m_files.Commit();
}

RunOutcome
RunExperiment(const Workload& workload,
              const ExperimentConfig& config,
              const std::string& reproduce,
              const std::string& folder,
              bool flows,
              bool replace)
{
    std::optional<RunFiles> files;
    if (!folder.empty())
    {
        files.emplace(folder, replace);
    }
    auto outcome =
        SummariseRun(workload, config, FindEngine(config.engine).run(workload, config), reproduce);
    if (files)
    {
        files->Write(outcome, flows);
    }
    return outcome;
}

} // namespace ns3::coflow
