/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-report.h"

#include "ns3/coflow-comparison-table.h"
#include "ns3/coflow-format.h"
#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text-table.h"
#include "ns3/coflow-version.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
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
        .Set("scale", workload.scale)
        .Set("hosts", workload.hosts)
        .Set("coflows", std::uint64_t{workload.coflows.size()})
        .Set("flows", flows)
        .Set("bytes", bytes);
}

/// @return per cent of control packets in all bytes that hosts have sent; null where no bytes were
///         counted
Json
GetWirePercent(const NetworkTotals& network)
{
    return network.sentBytes > 0 ? Json(100 * static_cast<double>(network.controlWire.bytes) /
                                        static_cast<double>(network.sentBytes))
                                 : Json();
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
        .Set("control_bytes", network.controlBytes)
        .Set("control_wire_packets", network.controlWire.packets)
        .Set("control_wire_bytes", network.controlWire.bytes)
        .Set("sent_bytes", network.sentBytes > 0 ? Json(network.sentBytes) : Json())
        .Set("control_percent", GetWirePercent(network))
        .Set("port_waits", network.portWaits);
}

Json
DescribeEnd(const ExperimentResult& result)
{
    static constexpr const char* REASONS[] = {"complete", "stopped", "stalled", "interrupted"};
    auto waits = Json::Array();
    for (const auto& line : result.waits)
    {
        waits.Add(line);
    }
    return Json::Object()
        .Set("reason", std::string(REASONS[static_cast<std::size_t>(result.end)]))
        .Set("waits", waits);
}

/// @return a ratio as text
std::string
FormatRatio(double ratio)
{
    return std::isinf(ratio) ? "infinite" : FormatRounded(ratio);
}

/// @return the CPU time of the process so far, and of each part of it with more than a tenth
std::string
DescribeCpu(const ExperimentResult& result)
{
    const double total = ProcessCost::Now().cpuSeconds;
    const std::pair<const char*, double> parts[] = {
        {"set-up", result.setUpCpuSeconds},
        {"run", result.cpuSeconds},
        {"lower bound", result.boundCpuSeconds},
        {"start, files and clean-up",
         total - result.setUpCpuSeconds - result.cpuSeconds - result.boundCpuSeconds}};
    std::string text;
    for (const auto& [name, seconds] : parts)
    {
        if (seconds > total / 10)
        {
            text +=
                (text.empty() ? " (" : ", ") + std::string(name) + " " + FormatRounded(seconds, 2);
        }
    }
    return FormatRounded(total, 3) + " s CPU" + text + (text.empty() ? "" : ")");
}

/// @return the reason for which most events ran without a jump, as text
std::string
DescribeWhyNotMore(const JumpTotals& jumps)
{
    const auto& simulated = jumps.simulated;
    const auto most = std::ranges::max_element(simulated, {}, &JumpTotals::Simulated::events);
    std::string reason = most == simulated.end() || most->events == 0 ? "" : most->reason;
    std::ranges::replace(reason, '_', ' ');
    return reason.empty() ? "" : "; most events ran since: " + reason;
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
                 .Set("commit", GetModuleCommit())
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
        .Set("short_bytes", result.binLimits.shortBytes)
        .Set("narrow_flows", std::uint64_t{result.binLimits.narrowFlows})
        .Set("control_scale", result.scale)
        .Set("configuration", result.configuration)
        .Set("workload", DescribeWorkload(workload))
        .Set("results", summary.ToJson())
        .Set("diagnosis", ::coflow::ToJson(summary.findings))
        .Set("end", DescribeEnd(result))
        .Set("delivered_bytes", result.deliveredBytes)
        .Set("network", result.network ? DescribeNetwork(*result.network) : Json())
        .Set("network_constants", result.sizes ? result.sizes->ToJson() : Json())
        .Set("control", result.control)
        .Set("jumps", result.jumps ? result.jumps->ToJson() : Json())
        .Set("simulated_s", result.simulatedSeconds)
        .Set("events", result.events)
        .Set("cost",
             Json::Object()
                 .Set("cpu_s", result.cpuSeconds)
                 .Set("set_up_cpu_s", result.setUpCpuSeconds)
                 .Set("bound_cpu_s", result.boundCpuSeconds)
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
    const double bound = summary.boundMeanCctSeconds;
    const double overBound = bound > 0 ? summary.cct.mean / bound : std::nan("");
    const auto format = [](const ::coflow::Distribution& values, double value) {
        return values.count > 0 ? FormatRounded(value) : "-";
    };
    std::ostringstream text;
    text << "scheduler " << config.scheduler << ", topology " << config.topology << ", "
         << (result.network ? "fabric " + config.fabric : "engine " + config.engine) << ": "
         << summary.finished << " of " << summary.coflows << " coflows finished\n"
         << ::coflow::FormatIdleHosts(summary.idleHosts, summary.hosts) << table.ToString()
         << "slowdown (CCT / Gamma): mean " << format(summary.slowdown, summary.slowdown.mean)
         << ", p95 " << format(summary.slowdown, summary.slowdown.p95);
    if (const auto& unloaded = summary.unloadedSlowdown)
    {
        text << "; over the unloaded network: mean " << format(*unloaded, unloaded->mean)
             << ", p95 " << format(*unloaded, unloaded->p95);
    }
    text << "; mean CCT / lower bound: " << FormatRounded(overBound) << "\nmakespan "
         << FormatRounded(summary.makespanSeconds) << " s, utilisation "
         << FormatRounded(100 * summary.utilisation, 3)
         << (std::isnan(summary.utilisation) ? "" : " %");
    if (const auto& network = result.network)
    {
        text << ", " << network->droppedPackets << " packets dropped, " << network->markedPackets
             << " marked, " << network->retransmissions << " retransmitted";
        if (network->portWaits > 0)
        {
            text << "\n"
                 << network->portWaits
                 << " connections waited for a port, as their hosts had all their "
                 << HostPorts::N_PORTS << " in use";
        }
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
    if (const auto& jumps = result.jumps)
    {
        text << "\n"
             << FormatRounded(jumps->skippedPercent, 3) << " % of packet-hops skipped, in "
             << jumps->jumps << " jumps over " << FormatRounded(jumps->skippedSeconds) << " of "
             << FormatRounded(result.simulatedSeconds) << " s" << DescribeWhyNotMore(*jumps);
    }
    text << "\n" << (result.sizes ? result.sizes->Describe() : "");
    text << DescribeScale(result.workloadScale, result.scale);
    text << result.deliveredBytes << " bytes delivered, ";
    if (result.network)
    {
        text << result.network->packetHops << " packet-hops, ";
    }
    text << result.events << " events, " << DescribeCpu(result) << ", "
         << FormatRounded(static_cast<double>(result.peakMemoryBytes) / 1e6, 3) << " MB\n"
         << ::coflow::Format(summary.findings);
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

} // namespace ns3::coflow
