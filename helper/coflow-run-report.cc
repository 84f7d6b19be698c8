/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-report.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text-table.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-version.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace ns3::coflow
{

using ::coflow::ALL_BINS;
using ::coflow::BinName;
using ::coflow::FormatRounded;
using ::coflow::Json;
using ::coflow::RunSummary;
using ::coflow::TextTable;
using ::coflow::Workload;

namespace
{

Json
DescribeWorkload(const Workload& workload)
{
    auto history = Json::Array();
    for (const auto& step : workload.history)
    {
        history.Add(step);
    }
    uint64_t flows = 0;
    uint64_t bytes = 0;
    for (const auto& coflow : workload.coflows)
    {
        flows += coflow.flows.size();
        for (const auto& flow : coflow.flows)
        {
            bytes += static_cast<uint64_t>(flow.bytes);
        }
    }
    return Json::Object()
        .Set("history", history)
        .Set("hosts", workload.hosts)
        .Set("coflows", std::uint64_t{workload.coflows.size()})
        .Set("flows", flows)
        .Set("bytes", bytes);
}

Json
DescribeNetwork(const NetworkTotals& network)
{
    return Json::Object()
        .Set("dropped_packets", network.droppedPackets)
        .Set("marked_packets", network.markedPackets)
        .Set("retransmissions", network.retransmissions)
        .Set("packet_hops", network.packetHops)
        .Set("control_messages", network.controlMessages)
        .Set("control_bytes", network.controlBytes);
}

Json
DescribeEnd(const ExperimentResult& result)
{
    static constexpr const char* REASONS[] = {"complete", "stopped", "stalled"};
    auto waits = Json::Array();
    for (const auto& line : result.waits)
    {
        waits.Add(line);
    }
    return Json::Object()
        .Set("reason", std::string(REASONS[static_cast<std::size_t>(result.end)]))
        .Set("waits", waits);
}

double
Ratio(double a, double b)
{
    return b > 0 ? a / b : std::nan("");
}

/// @return a ratio for a person
std::string
FormatRatio(double ratio)
{
    return std::isinf(ratio) ? "infinite" : FormatRounded(ratio);
}

} // namespace

Json
MakeSummaryJson(const Workload& workload,
                const ExperimentConfig& config,
                const ExperimentResult& result,
                const RunSummary& summary,
                const std::string& reproduce)
{
    return Json::Object()
        .Set("program",
             Json::Object()
                 .Set("name", "ns3-coflow")
                 .Set("version", GetModuleVersion())
                 .Set("ns3_version", GetNs3Version())
                 .Set("build", GetBuildProfile()))
        .Set("reproduce", reproduce)
        .Set("engine", config.engine)
        .Set("scheduler", config.scheduler)
        .Set("topology", config.topology)
        .Set("fabric", config.fabric)
        .Set("rng_seed", RngSeedManager::GetSeed())
        .Set("rng_run", std::uint64_t{RngSeedManager::GetRun()})
        .Set("stop_s", config.stop ? Json(static_cast<double>(*config.stop) * 1e-9) : Json())
        .Set("short_bytes", config.binLimits.shortBytes)
        .Set("narrow_flows", std::uint64_t{config.binLimits.narrowFlows})
        .Set("configuration", result.configuration)
        .Set("workload", DescribeWorkload(workload))
        .Set("results", summary.ToJson())
        .Set("end", DescribeEnd(result))
        .Set("delivered_bytes", result.deliveredBytes)
        .Set("network", result.network ? DescribeNetwork(*result.network) : Json())
        .Set("control", result.control)
        .Set("simulated_s", result.simulatedSeconds)
        .Set("events", result.events)
        .Set("cost",
             Json::Object()
                 .Set("cpu_s", result.cpuSeconds)
                 .Set("set_up_cpu_s", result.setUpCpuSeconds)
                 .Set("wall_s", result.wallSeconds)
                 .Set("peak_memory_bytes", result.peakMemoryBytes));
}

std::string
FormatRun(const ExperimentConfig& config, const ExperimentResult& result, const RunSummary& summary)
{
    TextTable table({"bin", "coflows", "mean CCT s", "median", "p95", "p99", "max"});
    const auto add = [&table](const std::string& name, const ::coflow::Distribution& cct) {
        if (cct.count == 0)
        {
            table.AddRow({name, "0", "-", "-", "-", "-", "-"});
            return;
        }
        table.AddRow({name,
                      std::to_string(cct.count),
                      FormatRounded(cct.mean),
                      FormatRounded(cct.median),
                      FormatRounded(cct.p95),
                      FormatRounded(cct.p99),
                      FormatRounded(cct.max)});
    };
    add("all", summary.cct);
    for (std::size_t bin = 0; bin < ALL_BINS.size(); ++bin)
    {
        add(std::string(BinName(ALL_BINS[bin])), summary.cctOfBin[bin]);
    }
    std::ostringstream text;
    text << "scheduler " << config.scheduler << ", topology " << config.topology << ", "
         << (result.network ? "fabric " + config.fabric : "engine " + config.engine) << ": "
         << summary.finished << " of " << summary.coflows << " coflows finished\n"
         << table.ToString() << "slowdown (CCT / Gamma): mean "
         << FormatRounded(summary.slowdown.mean) << ", p95 " << FormatRounded(summary.slowdown.p95)
         << "; mean CCT / lower bound: "
         << FormatRounded(Ratio(summary.cct.mean, summary.boundMeanCctSeconds)) << "\nmakespan "
         << FormatRounded(summary.makespanSeconds) << " s, utilisation "
         << FormatRounded(100 * summary.utilisation, 3) << " %";
    if (const auto& network = result.network)
    {
        text << ", " << network->droppedPackets << " packets dropped, " << network->markedPackets
             << " marked, " << network->retransmissions << " retransmitted";
        if (network->controlMessages > 0)
        {
            text << "\n"
                 << network->controlMessages << " control messages of " << network->controlBytes
                 << " bytes";
        }
    }
    if (summary.withDeadline > 0)
    {
        text << "\n"
             << summary.metDeadline << " of " << summary.withDeadline << " deadlines met ("
             << summary.nearlyMetDeadline << " within "
             << FormatRounded(100 * ::coflow::DEADLINE_TOLERANCE, 1) << " %), " << summary.rejected
             << " coflows rejected";
    }
    if (summary.bypassed > 0)
    {
        text << "\n" << summary.bypassed << " coflows bypassed the scheduler";
    }
    if (const auto& disparity = summary.disparity)
    {
        text << "\nprogress disparity over time: median " << FormatRatio(disparity->median)
             << ", p95 " << FormatRatio(disparity->p95) << ", largest finite "
             << FormatRatio(disparity->largestFinite) << "; infinite "
             << FormatRounded(100 * disparity->infinite, 3) << " % of the time";
    }
    text << "\n" << result.deliveredBytes << " bytes delivered, ";
    if (result.network)
    {
        text << result.network->packetHops << " packet-hops, ";
    }
    text << result.events << " events, " << FormatRounded(result.cpuSeconds, 3) << " s CPU + "
         << FormatRounded(result.setUpCpuSeconds, 2) << " s set-up, "
         << FormatRounded(static_cast<double>(result.peakMemoryBytes) / 1e6, 3) << " MB\n";
    return text.str();
}

std::string
FormatUnfinished(const RunSummary& summary)
{
    constexpr std::size_t SHOWN = 20;
    std::string ids;
    for (std::size_t i = 0; i < std::min(SHOWN, summary.unfinished.size()); ++i)
    {
        ids += i == 0 ? "" : ", ";
        ids += std::to_string(summary.unfinished[i]);
    }
    const auto more = summary.unfinished.size() - std::min(SHOWN, summary.unfinished.size());
    std::string text = std::to_string(summary.unfinished.size()) + " coflows unfinished: " + ids +
                       (more > 0 ? " and " + std::to_string(more) + " more" : "");
    if (!summary.waits.empty())
    {
        text += "\nthe run has ended, as it could not go on:";
    }
    for (const auto& wait : summary.waits)
    {
        text += "\n" + wait;
    }
    return text;
}

ComparisonRow
ComparisonRow::Of(const ExperimentResult& result, const RunSummary& summary)
{
    ComparisonRow row;
    row.meanCct = summary.cct.mean;
    row.p95Cct = summary.cct.p95;
    for (std::size_t bin = 0; bin < ALL_BINS.size(); ++bin)
    {
        row.meanCctOfBin[bin] =
            summary.cctOfBin[bin].count > 0 ? summary.cctOfBin[bin].mean : std::nan("");
    }
    row.meanSlowdown = summary.slowdown.mean;
    row.ratioToBound = Ratio(summary.cct.mean, summary.boundMeanCctSeconds);
    row.utilisation = summary.utilisation;
    row.makespan = summary.makespanSeconds;
    row.rejected = summary.rejected;
    row.bypassed = summary.bypassed;
    row.deadlines = summary.withDeadline;
    row.met = summary.metDeadline;
    row.nearlyMet = summary.nearlyMetDeadline;
    row.cpuSeconds = result.cpuSeconds + result.setUpCpuSeconds;
    row.p95Disparity = summary.disparity ? summary.disparity->p95 : std::nan("");
    row.infiniteDisparity = summary.disparity ? summary.disparity->infinite : std::nan("");
    row.coflows = summary.coflows;
    row.finished = summary.finished;
    row.unfinished = summary.unfinished.size();
    row.drops = result.network ? result.network->droppedPackets : 0;
    row.controlMessages = result.network ? result.network->controlMessages : 0;
    row.controlBytes = result.network ? result.network->controlBytes : 0;
    return row;
}

void
Normalise(std::vector<ComparisonRow>& rows,
          const std::vector<std::vector<double>>& ccts,
          std::size_t baseline)
{
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        std::vector<double> ratios;
        std::vector<double> speedUps;
        for (std::size_t c = 0; c < ccts[i].size(); ++c)
        {
            const double base = ccts[baseline][c];
            const double cct = ccts[i][c];
            if (base > 0 && !std::isnan(cct))
            {
                ratios.push_back(cct / base);
            }
            if (cct > 0 && !std::isnan(base))
            {
                speedUps.push_back(base / cct);
            }
        }
        auto& row = rows[i];
        const auto distribution = ::coflow::Distribution::Of(std::move(ratios));
        row.normalisedCct = distribution.count > 0 ? distribution.mean : std::nan("");
        row.p95NormalisedCct = distribution.count > 0 ? distribution.p95 : std::nan("");

        std::sort(speedUps.begin(), speedUps.end());
        const bool none = speedUps.empty();
        const auto count = static_cast<double>(speedUps.size());
        const auto fraction = [count](auto from, auto to) {
            return Ratio(static_cast<double>(to - from), count);
        };
        row.medianSpeedUp = none ? std::nan("") : ::coflow::Quantile(speedUps, 0.5);
        row.p90SpeedUp = none ? std::nan("") : ::coflow::Quantile(speedUps, 0.9);
        row.meanSpeedUp = Ratio(std::accumulate(speedUps.begin(), speedUps.end(), 0.0), count);
        const auto [equal, above] = std::equal_range(speedUps.begin(), speedUps.end(), 1.0);
        row.slower = fraction(speedUps.begin(), equal);
        row.faster = fraction(above, speedUps.end());
    }
}

std::string
FormatComparison(const std::vector<std::string>& names,
                 const std::vector<ComparisonRow>& rows,
                 std::size_t baseline)
{
    const bool deadlines =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.deadlines > 0; });
    std::vector<std::string> titles{"scheduler",
                                    "done",
                                    "mean CCT s",
                                    "p95",
                                    "SN",
                                    "LN",
                                    "SW",
                                    "LW",
                                    "speed-up",
                                    "norm CCT",
                                    "slowdown",
                                    "/bound",
                                    "util %",
                                    "drops",
                                    "CPU s"};
    if (deadlines)
    {
        titles.insert(titles.end() - 2, {"admit %", "met %", "near %"});
    }
    const bool disparity = std::any_of(rows.begin(), rows.end(), [](const auto& row) {
        return !std::isnan(row.p95Disparity);
    });
    if (disparity)
    {
        titles.insert(titles.end() - 2, {"disparity", "inf %"});
    }
    const bool control = std::any_of(rows.begin(), rows.end(), [](const auto& row) {
        return row.controlMessages > 0;
    });
    if (control)
    {
        titles.insert(titles.end() - 1, {"messages", "ctl MB"});
    }
    TextTable table(titles);
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const auto& row = rows[i];
        auto done = std::to_string(row.finished);
        if (row.unfinished > 0)
        {
            done += " of " + std::to_string(row.finished + row.unfinished);
        }
        std::vector<std::string> cells{names[i],
                                       done,
                                       FormatRounded(row.meanCct),
                                       FormatRounded(row.p95Cct),
                                       FormatRounded(row.meanCctOfBin[0]),
                                       FormatRounded(row.meanCctOfBin[1]),
                                       FormatRounded(row.meanCctOfBin[2]),
                                       FormatRounded(row.meanCctOfBin[3]),
                                       FormatRounded(Ratio(rows[baseline].meanCct, row.meanCct), 3),
                                       FormatRounded(row.normalisedCct, 3),
                                       FormatRounded(row.meanSlowdown, 3),
                                       FormatRounded(row.ratioToBound, 3),
                                       FormatRounded(100 * row.utilisation, 3),
                                       std::to_string(row.drops),
                                       FormatRounded(row.cpuSeconds, 3)};
        if (deadlines)
        {
            const auto percent = [](std::uint64_t part, std::uint64_t whole) {
                return FormatRounded(
                    100 * Ratio(static_cast<double>(part), static_cast<double>(whole)),
                    3);
            };
            cells.insert(cells.end() - 2,
                         {percent(row.coflows - row.rejected, row.coflows),
                          percent(row.met, row.deadlines),
                          percent(row.nearlyMet, row.deadlines)});
        }
        if (disparity)
        {
            cells.insert(cells.end() - 2,
                         {FormatRounded(row.p95Disparity, 3),
                          FormatRounded(100 * row.infiniteDisparity, 3)});
        }
        if (control)
        {
            cells.insert(cells.end() - 1,
                         {std::to_string(row.controlMessages),
                          FormatRounded(static_cast<double>(row.controlBytes) / 1e6, 3)});
        }
        table.AddRow(cells);
    }
    return table.ToString();
}

std::string
ToCsv(const std::vector<std::string>& names,
      const std::vector<ComparisonRow>& rows,
      std::size_t baseline)
{
    std::string out =
        "scheduler,coflows,finished,unfinished,rejected,bypassed,mean_cct_s,p95_cct_s,"
        "mean_cct_sn_s,mean_cct_ln_s,mean_cct_sw_s,mean_cct_lw_s,baseline,speed_up,"
        "mean_normalised_cct,p95_normalised_cct,median_coflow_speed_up,mean_coflow_speed_up,"
        "p90_coflow_speed_up,faster_fraction,slower_fraction,mean_slowdown,ratio_to_bound,"
        "utilisation,makespan_s,deadlines,met_deadline,met_deadline_within_tolerance,drops,"
        "control_messages,control_bytes,p95_disparity,infinite_disparity,cpu_s\n";
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const auto& row = rows[i];
        const auto add = [&out](const std::string& field) { out += field + ","; };
        const auto addNumber = [&add](double value) {
            add(std::isnan(value) ? "" : std::isinf(value) ? "inf" : ::coflow::FormatNumber(value));
        };
        add(names[i]);
        for (const auto count :
             {row.coflows, row.finished, row.unfinished, row.rejected, row.bypassed})
        {
            add(std::to_string(count));
        }
        addNumber(row.meanCct);
        addNumber(row.p95Cct);
        for (const double mean : row.meanCctOfBin)
        {
            addNumber(mean);
        }
        add(names[baseline]);
        for (const double value : {Ratio(rows[baseline].meanCct, row.meanCct),
                                   row.normalisedCct,
                                   row.p95NormalisedCct,
                                   row.medianSpeedUp,
                                   row.meanSpeedUp,
                                   row.p90SpeedUp,
                                   row.faster,
                                   row.slower,
                                   row.meanSlowdown,
                                   row.ratioToBound,
                                   row.utilisation,
                                   row.makespan})
        {
            addNumber(value);
        }
        for (const auto count : {row.deadlines,
                                 row.met,
                                 row.nearlyMet,
                                 row.drops,
                                 row.controlMessages,
                                 row.controlBytes})
        {
            add(std::to_string(count));
        }
        addNumber(row.p95Disparity);
        addNumber(row.infiniteDisparity);
        addNumber(row.cpuSeconds);
        out.back() = '\n';
    }
    return out;
}

} // namespace ns3::coflow
