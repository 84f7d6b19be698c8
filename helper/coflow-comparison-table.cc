/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-comparison-table.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-rounded-times.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text-table.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace ns3::coflow
{

using ::coflow::ALL_BINS;
using ::coflow::Distribution;
using ::coflow::FormatRounded;
using ::coflow::RunSummary;

namespace
{

double
Ratio(double a, double b)
{
    return b > 0 ? a / b : std::nan("");
}

double
Number(std::uint64_t count)
{
    return static_cast<double>(count);
}

/// Computes the CCTs and slowdowns of a row.
/// @param chosen coflows that all schedulers have finished
void
Measure(ComparisonRow& row,
        std::span<const ComparedCoflow> coflows,
        const std::vector<std::size_t>& chosen)
{
    std::vector<double> ccts;
    std::vector<double> slowdowns;
    std::array<std::vector<double>, ALL_BINS.size()> cctsOfBin;
    std::vector<double> leastCcts;
    for (const auto c : chosen)
    {
        const auto& coflow = coflows[c];
        ccts.push_back(coflow.cct);
        cctsOfBin[coflow.bin].push_back(coflow.cct);
        leastCcts.push_back(coflow.leastCct);
        if (!std::isnan(coflow.slowdown))
        {
            slowdowns.push_back(coflow.slowdown);
        }
    }
    const auto meanOf = [](const Distribution& distribution) {
        return distribution.count > 0 ? distribution.mean : std::nan("");
    };
    const auto cct = Distribution::Of(std::move(ccts));
    row.meanCct = meanOf(cct);
    row.p95Cct = cct.count > 0 ? cct.p95 : std::nan("");
    row.meanSlowdown = meanOf(Distribution::Of(std::move(slowdowns)));
    for (std::size_t bin = 0; bin < ALL_BINS.size(); ++bin)
    {
        row.meanCctOfBin[bin] = meanOf(Distribution::Of(std::move(cctsOfBin[bin])));
    }
    // The bound of the run is a bound on the mean over all coflows. For a part of the coflows, the
    // mean Gamma is the bound.
    const bool all = chosen.size() == coflows.size();
    row.ratioToBound =
        Ratio(row.meanCct, all ? row.bound : Distribution::Of(std::move(leastCcts)).mean);
}

/// Computes the ratios of a row to the baseline.
void
Relate(ComparisonRow& row,
       std::span<const ComparedCoflow> coflows,
       std::span<const ComparedCoflow> base,
       const std::vector<std::size_t>& chosen)
{
    std::vector<double> ratios;
    std::vector<double> speedUps;
    for (const auto c : chosen)
    {
        if (base[c].cct > 0)
        {
            ratios.push_back(coflows[c].cct / base[c].cct);
        }
        if (coflows[c].cct > 0)
        {
            speedUps.push_back(base[c].cct / coflows[c].cct);
        }
    }
    const auto distribution = Distribution::Of(std::move(ratios));
    row.normalisedCct = distribution.count > 0 ? distribution.mean : std::nan("");
    row.p95NormalisedCct = distribution.count > 0 ? distribution.p95 : std::nan("");

    std::ranges::sort(speedUps);
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

/// A column of comparison.csv, and of the table in the terminal where it has a title.
struct Column
{
    std::string csv;                                   ///< name in comparison.csv
    std::string title;                                 ///< title in the table; empty: not in the
                                                       ///< table
    std::function<double(const ComparisonRow&)> value; ///< returns the value; NaN: no value
    int digits{4};                                     ///< significant digits in the table; 0: a
                                                       ///< whole number
    double factor{1};                                  ///< factor in the table, such as 100 for per
                                                       ///< cent
    /// Whether a row makes the table show the column; none: the table always shows the column.
    std::function<bool(const ComparisonRow&)> shown{};
    /// Returns the text in the table; none: the text is the formatted value.
    std::function<std::string(const ComparisonRow&)> text{};
};

/// @return the number of finished coflows, and the number of all coflows if some have not finished
std::string
FormatFinished(const ComparisonRow& row)
{
    auto text = std::to_string(row.finished);
    if (row.unfinished > 0)
    {
        text += " of " + std::to_string(row.finished + row.unfinished);
    }
    return text;
}

/// @return all columns, in order
const std::vector<Column>&
Columns()
{
    using Row = ComparisonRow;
    const auto hasDeadlines = [](const Row& row) { return row.deadlines > 0; };
    const auto hasControl = [](const Row& row) { return row.controlMessages > 0; };
    const auto hasSamples = [](const Row& row) { return !std::isnan(row.p95Disparity); };
    const auto hasJumps = [](const Row& row) { return !std::isnan(row.skipped); };
    const auto count = [](std::uint64_t Row::* member) {
        return [member](const Row& row) { return Number(row.*member); };
    };
    const auto number = [](double Row::* member) {
        return [member](const Row& row) { return row.*member; };
    };
    const auto bin = [](std::size_t at) {
        return [at](const Row& row) { return row.meanCctOfBin[at]; };
    };
    const auto ofDeadlines = [](std::uint64_t Row::* member) {
        return [member](const Row& row) {
            return FormatRounded(100 * Ratio(Number(row.*member), Number(row.deadlines)), 3);
        };
    };
    static const std::vector<Column> COLUMNS{
        {"coflows", "", count(&Row::coflows), 0},
        {"finished", "done", count(&Row::finished), 0, 1, {}, FormatFinished},
        {"unfinished", "", count(&Row::unfinished), 0},
        {"rejected", "", count(&Row::rejected), 0},
        {"bypassed", "bypassed", count(&Row::bypassed), 0},
        {"compared", "", count(&Row::compared), 0},
        {"mean_cct_s", "mean CCT s", number(&Row::meanCct)},
        {"p95_cct_s", "p95", number(&Row::p95Cct)},
        {"mean_cct_sn_s", "SN", bin(0)},
        {"mean_cct_ln_s", "LN", bin(1)},
        {"mean_cct_sw_s", "SW", bin(2)},
        {"mean_cct_lw_s", "LW", bin(3)},
        {"speed_up", "speed-up", number(&Row::speedUp), 3},
        {"mean_normalised_cct", "norm CCT", number(&Row::normalisedCct), 3},
        {"p95_normalised_cct", "", number(&Row::p95NormalisedCct)},
        {"median_coflow_speed_up", "", number(&Row::medianSpeedUp)},
        {"mean_coflow_speed_up", "", number(&Row::meanSpeedUp)},
        {"p90_coflow_speed_up", "", number(&Row::p90SpeedUp)},
        {"faster_fraction", "", number(&Row::faster)},
        {"slower_fraction", "", number(&Row::slower)},
        {"mean_slowdown", "slowdown", number(&Row::meanSlowdown), 3},
        {"ratio_to_bound", "/bound", number(&Row::ratioToBound), 3},
        {"utilisation", "util %", number(&Row::utilisation), 3, 100},
        {"makespan_s", "", number(&Row::makespan)},
        {"deadlines",
         "admit %",
         count(&Row::deadlines),
         0,
         1,
         hasDeadlines,
         [](const Row& row) {
             return FormatRounded(
                 100 * Ratio(Number(row.coflows - row.rejected), Number(row.coflows)),
                 3);
         }},
        {"met_deadline", "met %", count(&Row::met), 0, 1, hasDeadlines, ofDeadlines(&Row::met)},
        {"met_deadline_within_tolerance",
         "near %",
         count(&Row::nearlyMet),
         0,
         1,
         hasDeadlines,
         ofDeadlines(&Row::nearlyMet)},
        {"drops", "drops", count(&Row::drops), 0},
        {"control_messages", "messages", count(&Row::controlMessages), 0, 1, hasControl},
        {"control_bytes", "ctl MB", count(&Row::controlBytes), 3, 1e-6, hasControl},
        {"skipped_fraction", "skipped %", number(&Row::skipped), 3, 100, hasJumps},
        {"p95_disparity", "disparity", number(&Row::p95Disparity), 3, 1, hasSamples},
        {"infinite_disparity", "inf %", number(&Row::infiniteDisparity), 3, 100, hasSamples},
        {"cpu_s", "CPU s", number(&Row::cpuSeconds), 3},
    };
    return COLUMNS;
}

std::string
FormatCell(const Column& column, const ComparisonRow& row)
{
    if (column.text)
    {
        return column.text(row);
    }
    const double value = column.value(row);
    return column.digits == 0 ? std::to_string(static_cast<std::uint64_t>(value))
                              : FormatRounded(column.factor * value, column.digits);
}

} // namespace

ComparedCoflow
ComparedCoflow::Of(const ::coflow::CoflowRecord& record)
{
    return {record.IsFinished() ? record.CctSeconds() : std::nan(""),
            record.MinCctSeconds(),
            record.Slowdown().value_or(std::nan("")),
            static_cast<std::uint64_t>(record.shape.bin)};
}

ComparisonRow
ComparisonRow::Of(const ExperimentResult& result, const RunSummary& summary)
{
    ComparisonRow row;
    row.bound = summary.boundMeanCctSeconds;
    row.utilisation = summary.utilisation;
    row.makespan = summary.makespanSeconds;
    row.rejected = summary.rejected;
    row.bypassed = summary.bypassed;
    row.deadlines = summary.withDeadline;
    row.met = summary.metDeadline;
    row.nearlyMet = summary.nearlyMetDeadline;
    row.cpuSeconds = result.cpuSeconds + result.setUpCpuSeconds + result.boundCpuSeconds;
    row.p95Disparity = summary.disparity ? summary.disparity->p95 : std::nan("");
    row.infiniteDisparity = summary.disparity ? summary.disparity->infinite : std::nan("");
    row.skipped = result.jumps ? result.jumps->skippedPercent / 100 : std::nan("");
    row.coflows = summary.coflows;
    row.finished = summary.finished;
    row.unfinished = summary.unfinished.size();
    row.drops = result.network ? result.network->droppedPackets : 0;
    row.controlMessages = result.network ? result.network->controlMessages : 0;
    row.controlBytes = result.network ? result.network->controlBytes : 0;
    row.hosts = summary.hosts;
    row.idleHosts = summary.idleHosts;
    row.workloadScale = result.workloadScale;
    row.controlScale = result.scale;
    row.packetTimeError = result.sizes ? result.sizes->packetTimeError : 0;
    return row;
}

void
MakeComparable(std::vector<ComparisonRow>& rows,
               const std::vector<std::span<const ComparedCoflow>>& coflows,
               std::size_t baseline)
{
    std::vector<std::size_t> common;
    for (std::size_t c = 0; c < coflows[baseline].size(); ++c)
    {
        if (std::ranges::none_of(coflows, [c](const auto& ofScheduler) {
                return std::isnan(ofScheduler[c].cct);
            }))
        {
            common.push_back(c);
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        rows[i].compared = common.size();
        Measure(rows[i], coflows[i], common);
        Relate(rows[i], coflows[i], coflows[baseline], common);
    }
    for (auto& row : rows)
    {
        row.speedUp = Ratio(rows[baseline].meanCct, row.meanCct);
    }
}

std::string
DescribeScale(double workload, double control)
{
    if (workload == 1 && control == 1)
    {
        return "";
    }
    const auto factor = ::coflow::FormatNumber(workload);
    const auto ofControl = ::coflow::FormatNumber(control);
    if (workload == control)
    {
        return "sizes are scaled by " + factor +
               ", and so are defaults that scale (--scaleControl=no leaves them)\n";
    }
    return "sizes are scaled by " + factor + ", defaults that scale by " + ofControl +
           " (--scaleControl)\n";
}

std::string
FormatComparison(const std::vector<std::string>& names, const std::vector<ComparisonRow>& rows)
{
    std::vector<const Column*> columns;
    std::vector<std::string> titles{"scheduler"};
    for (const auto& column : Columns())
    {
        if (!column.title.empty() && (!column.shown || std::ranges::any_of(rows, column.shown)))
        {
            columns.push_back(&column);
            titles.push_back(column.title);
        }
    }
    ::coflow::TextTable table(titles);
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        std::vector<std::string> cells{names[i]};
        for (const auto* column : columns)
        {
            cells.push_back(FormatCell(*column, rows[i]));
        }
        table.AddRow(cells);
    }
    std::string notes;
    if (!rows.empty())
    {
        notes.append(DescribeScale(rows.front().workloadScale, rows.front().controlScale));
        const auto rounded = RoundedTimes::Describe(rows.front().packetTimeError);
        notes.append(rounded.empty() ? "" : rounded + "\n");
    }
    if (std::ranges::any_of(rows, [](const auto& row) { return row.finished != row.compared; }))
    {
        notes.append("CCTs, slowdowns and ratios are over the ")
            .append(std::to_string(rows.front().compared))
            .append(" coflows that all have finished\n");
    }
    if (!rows.empty())
    {
        notes.append(::coflow::FormatIdleHosts(rows.front().idleHosts, rows.front().hosts));
    }
    if (std::ranges::any_of(rows, [](const auto& row) { return !std::isnan(row.skipped); }))
    {
        notes.append("skipped %: of packet-hops, which were not simulated\n");
    }
    return table.ToString() + notes;
}

std::string
ToCsv(const std::vector<std::string>& names,
      const std::vector<ComparisonRow>& rows,
      std::size_t baseline)
{
    std::string out = "scheduler,baseline";
    for (const auto& column : Columns())
    {
        out += "," + column.csv;
    }
    out += "\n";
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        out += names[i] + "," + names[baseline];
        for (const auto& column : Columns())
        {
            const double value = column.value(rows[i]);
            out += ",";
            if (std::isinf(value))
            {
                out += "inf";
            }
            else if (!std::isnan(value))
            {
                out += column.digits == 0 ? std::to_string(static_cast<std::uint64_t>(value))
                                          : ::coflow::FormatNumber(value);
            }
        }
        out += "\n";
    }
    return out;
}

} // namespace ns3::coflow
