/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-summary.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace coflow
{

Distribution
Distribution::Of(std::vector<double> values)
{
    if (values.empty())
    {
        return {};
    }
    std::ranges::sort(values);
    Distribution result;
    result.count = values.size();
    result.mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    result.median = Quantile(values, 0.5);
    result.p95 = Quantile(values, 0.95);
    result.p99 = Quantile(values, 0.99);
    result.max = values.back();
    return result;
}

Json
Distribution::ToJson() const
{
    return Json::Object()
        .Set("count", std::uint64_t{count})
        .Set("mean", mean)
        .Set("median", median)
        .Set("p95", p95)
        .Set("p99", p99)
        .Set("max", max);
}

RunSummary
RunSummary::Of(const std::vector<CoflowRecord>& records, const PortRates& rates, double bound)
{
    RunSummary summary;
    summary.coflows = records.size();
    std::vector<double> ccts;
    std::array<std::vector<double>, ALL_BINS.size()> cctsOfBin;
    std::vector<double> slowdowns;
    std::vector<double> unloadedSlowdowns;
    Nanoseconds firstArrival = NEVER;
    Nanoseconds lastFinish = 0;
    double fabricBytes = 0;
    std::vector<double> leastCcts;
    for (const auto& record : records)
    {
        firstArrival = std::min(firstArrival, record.arrival);
        summary.withDeadline += record.deadline.has_value();
        summary.metDeadline += record.MetDeadline().value_or(false);
        summary.nearlyMetDeadline += record.MetDeadline(DEADLINE_TOLERANCE).value_or(false);
        summary.rejected += !record.admitted;
        summary.bypassed += record.bypassed;
        if (!record.IsFinished())
        {
            if (record.admitted)
            {
                summary.unfinished.push_back(record.id);
            }
            continue;
        }
        ++summary.finished;
        lastFinish = std::max(lastFinish, record.finish);
        ccts.push_back(record.CctSeconds());
        cctsOfBin[static_cast<std::size_t>(record.shape.bin)].push_back(record.CctSeconds());
        if (const auto slowdown = record.Slowdown())
        {
            slowdowns.push_back(*slowdown);
        }
        if (const auto slowdown = record.UnloadedSlowdown())
        {
            unloadedSlowdowns.push_back(*slowdown);
        }
        fabricBytes += static_cast<double>(record.fabricBytes);
        leastCcts.push_back(record.MinCctSeconds());
    }
    if (summary.finished > 0)
    {
        // Distribution sums values in ascending order, as for the CCTs. So rounding cannot raise
        // the mean of the smaller values above the mean CCT.
        summary.boundMeanCctSeconds = Distribution::Of(std::move(leastCcts)).mean;
        if (summary.finished == summary.coflows)
        {
            summary.boundMeanCctSeconds = std::max(summary.boundMeanCctSeconds, bound);
        }
        summary.makespanSeconds = static_cast<double>(lastFinish - firstArrival) * 1e-9;
    }
    const double capacity = std::accumulate(rates.ingress.begin(), rates.ingress.end(), 0.0);
    if (!summary.unfinished.empty())
    {
        // The bytes that unfinished coflows have moved are not in their records.
        summary.utilisation = std::numeric_limits<double>::quiet_NaN();
    }
    else if (summary.makespanSeconds > 0 && capacity > 0)
    {
        summary.utilisation = fabricBytes / (capacity * summary.makespanSeconds);
    }
    summary.cct = Distribution::Of(std::move(ccts));
    for (std::size_t bin = 0; bin < ALL_BINS.size(); ++bin)
    {
        summary.cctOfBin[bin] = Distribution::Of(std::move(cctsOfBin[bin]));
    }
    summary.slowdown = Distribution::Of(std::move(slowdowns));
    if (!unloadedSlowdowns.empty())
    {
        summary.unloadedSlowdown = Distribution::Of(std::move(unloadedSlowdowns));
    }
    return summary;
}

Json
RunSummary::ToJson() const
{
    auto cctByBin = Json::Object().Set("all", cct.ToJson());
    for (std::size_t bin = 0; bin < ALL_BINS.size(); ++bin)
    {
        cctByBin.Set(std::string(BinName(ALL_BINS[bin])), cctOfBin[bin].ToJson());
    }
    auto ids = Json::Array();
    for (const auto id : unfinished)
    {
        ids.Add(std::uint64_t{id});
    }
    const auto fraction = [](std::size_t part, std::size_t whole) {
        return whole > 0 ? Json(static_cast<double>(part) / static_cast<double>(whole)) : Json();
    };
    auto bound = Json::Object().Set("mean_cct_s", boundMeanCctSeconds);
    bound.Set("rounds", std::int64_t{boundRounds});
    bound.Set("ratio", boundMeanCctSeconds > 0 ? Json(cct.mean / boundMeanCctSeconds) : Json());
    return Json::Object()
        .Set("coflows", std::uint64_t{coflows})
        .Set("finished", std::uint64_t{finished})
        .Set("rejected", std::uint64_t{rejected})
        .Set("bypassed", std::uint64_t{bypassed})
        .Set("contended", contended)
        .Set("unfinished", ids)
        .Set("cct_s", cctByBin)
        .Set("slowdown", slowdown.ToJson())
        .Set("unloaded_slowdown", unloadedSlowdown ? unloadedSlowdown->ToJson() : Json())
        .Set("max_over_min_fct", outOfSync.ToJson())
        .Set("makespan_s", makespanSeconds)
        .Set("utilisation", utilisation)
        .Set("lower_bound", bound)
        .Set("with_deadline", std::uint64_t{withDeadline})
        .Set("met_deadline", std::uint64_t{metDeadline})
        .Set("met_deadline_fraction", fraction(metDeadline, withDeadline))
        .Set("deadline_tolerance", DEADLINE_TOLERANCE)
        .Set("met_deadline_within_tolerance", std::uint64_t{nearlyMetDeadline})
        .Set("admitted_fraction", fraction(coflows - rejected, coflows))
        .Set("idle_hosts", idleHosts)
        .Set("progress_disparity", disparity ? disparity->ToJson() : Json());
}

std::string
FormatIdleHosts(std::uint64_t idleHosts, std::uint64_t hosts)
{
    return idleHosts == 0 ? std::string()
                          : std::to_string(idleHosts) + " of " + std::to_string(hosts) +
                                " hosts have no flow\n";
}

Distribution
OutOfSync(const std::vector<CoflowRecord>& coflows, const std::vector<FlowRecord>& flows)
{
    struct Range
    {
        std::size_t flows{0};
        Nanoseconds least{NEVER};
        Nanoseconds most{0};
    };

    std::map<CoflowId, Range> ranges;
    for (const auto& record : flows)
    {
        if (record.flow.src != record.flow.dst && record.flow.bytes > 0)
        {
            auto& range = ranges[record.coflow];
            ++range.flows;
            range.least = std::min(range.least, record.finish);
            range.most = std::max(range.most, record.finish);
        }
    }
    std::vector<double> ratios;
    for (const auto& coflow : coflows)
    {
        const auto range = ranges.find(coflow.id);
        if (coflow.IsFinished() && range != ranges.end() && range->second.flows > 1 &&
            range->second.least > coflow.arrival)
        {
            ratios.push_back(static_cast<double>(range->second.most - coflow.arrival) /
                             static_cast<double>(range->second.least - coflow.arrival));
        }
    }
    return Distribution::Of(std::move(ratios));
}

} // namespace coflow
