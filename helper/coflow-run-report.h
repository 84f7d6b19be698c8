/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_REPORT_H
#define COFLOW_RUN_REPORT_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-summary.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// The file of a result folder that is written last: where it is, the result is complete.
inline constexpr const char* SUMMARY_FILE = "summary.json";

/// The file of a comparison: a line per scheduler.
inline constexpr const char* COMPARISON_FILE = "comparison.csv";

/// @param workload what was run
/// @param config what it was run on
/// @param result what came out
/// @param summary of the result
/// @param reproduce the command line that gives this result again
/// @return the content of summary.json. All of it but the member "cost" depends only on the
///         configuration, the seed and the versions.
::coflow::Json MakeSummaryJson(const ::coflow::Workload& workload,
                               const ExperimentConfig& config,
                               const ExperimentResult& result,
                               const ::coflow::RunSummary& summary,
                               const std::string& reproduce);

/// @return a table of CCTs by bin and a few lines on the run, for a person
std::string FormatRun(const ExperimentConfig& config,
                      const ExperimentResult& result,
                      const ::coflow::RunSummary& summary);

/// @return one line that lists unfinished coflows, the first few by id; where the run stalled,
///         lines follow that say what they wait for
std::string FormatUnfinished(const ::coflow::RunSummary& summary);

/// One line of a comparison. Numbers only, so that a process can send it to another as it is.
struct ComparisonRow
{
    double meanCct{0};                ///< seconds
    double p95Cct{0};                 ///< seconds
    double meanCctOfBin[4]{};         ///< seconds, in the order of ALL_BINS
    double meanSlowdown{0};           ///< CCT / Gamma
    double ratioToBound{0};           ///< mean CCT / lower bound
    double utilisation{0};            ///< 0 to 1
    double makespan{0};               ///< seconds
    double normalisedCct{0};          ///< mean over coflows of CCT / CCT of the baseline
    double p95NormalisedCct{0};       ///< 95th percentile of the same
    double medianSpeedUp{0};          ///< median over coflows of CCT of the baseline / CCT
    double meanSpeedUp{0};            ///< mean of the same
    double p90SpeedUp{0};             ///< 90th percentile of the same
    double faster{0};                 ///< fraction of coflows where that is above 1
    double slower{0};                 ///< fraction of coflows where that is below 1
    double cpuSeconds{0};             ///< set-up included
    double p95Disparity{0};           ///< of progress over time, may be infinite; NaN: no samples
    double infiniteDisparity{0};      ///< fraction of the time; NaN: no samples
    std::uint64_t coflows{0};         ///< submitted
    std::uint64_t finished{0};        ///< coflows
    std::uint64_t unfinished{0};      ///< coflows
    std::uint64_t drops{0};           ///< packets
    std::uint64_t controlMessages{0}; ///< of the scheduler
    std::uint64_t controlBytes{0};    ///< of these messages
    std::uint64_t rejected{0};        ///< coflows
    std::uint64_t bypassed{0};        ///< coflows
    std::uint64_t deadlines{0};       ///< coflows that have one
    std::uint64_t met{0};             ///< coflows that finished by it
    std::uint64_t nearlyMet{0};       ///< coflows that did, or were late by DEADLINE_TOLERANCE

    static ComparisonRow Of(const ExperimentResult& result, const ::coflow::RunSummary& summary);
};

/// Fills in the normalised CCTs of all rows, and the speed-ups of their coflows.
/// @param rows the schedulers'
/// @param ccts theirs, in the same order: CCTs in seconds in the order of the workload, NaN for
///        what has none
/// @param baseline position of the scheduler that they are normalised by
void Normalise(std::vector<ComparisonRow>& rows,
               const std::vector<std::vector<double>>& ccts,
               std::size_t baseline);

/// @param names of the schedulers
/// @param rows theirs, in the same order
/// @param baseline position of the scheduler that ratios are against
/// @return a table; speed-up is above 1 where one is faster than the baseline, normalised CCT
///         below
std::string FormatComparison(const std::vector<std::string>& names,
                             const std::vector<ComparisonRow>& rows,
                             std::size_t baseline);

/// @return the same with all columns as text of comparison.csv
std::string ToCsv(const std::vector<std::string>& names,
                  const std::vector<ComparisonRow>& rows,
                  std::size_t baseline);

} // namespace ns3::coflow

#endif // COFLOW_RUN_REPORT_H
