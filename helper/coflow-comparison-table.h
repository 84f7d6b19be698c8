/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COMPARISON_TABLE_H
#define COFLOW_COMPARISON_TABLE_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-summary.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// What a comparison has to know of a coflow under a scheduler. Numbers only, so that processes can
/// share it.
struct ComparedCoflow
{
    double cct{std::nan("")}; ///< seconds; NaN: it has not finished
    double leastCct{0};       ///< Gamma, in seconds
    double slowdown{0};       ///< CCT / Gamma; NaN where there is none
    std::uint64_t bin{0};     ///< position in ALL_BINS

    /// @param record a coflow's
    /// @return what a comparison has of it
    static ComparedCoflow Of(const ::coflow::CoflowRecord& record);
};

/// One line of a comparison. Numbers only, so that a process can send it to another as it is.
struct ComparisonRow
{
    double meanCct{0};                ///< seconds, over the coflows that all have finished
    double p95Cct{0};                 ///< seconds, over the same
    double meanCctOfBin[4]{};         ///< seconds, over the same, in the order of ALL_BINS
    double meanSlowdown{0};           ///< CCT / Gamma, over the same
    double bound{0};                  ///< on the mean CCT of all coflows, in seconds
    double ratioToBound{0};           ///< mean CCT / lower bound, over the same
    double utilisation{0};            ///< 0 to 1
    double makespan{0};               ///< seconds
    double speedUp{0};                ///< mean CCT of the baseline / mean CCT
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
    double skipped{std::nan("")};     ///< fraction of packet-hops; NaN: without jumps over time
    std::uint64_t coflows{0};         ///< submitted
    std::uint64_t finished{0};        ///< coflows
    std::uint64_t unfinished{0};      ///< coflows
    std::uint64_t compared{0};        ///< coflows that all schedulers of the comparison finished
    std::uint64_t drops{0};           ///< packets
    std::uint64_t controlMessages{0}; ///< of the scheduler
    std::uint64_t controlBytes{0};    ///< of these messages
    std::uint64_t rejected{0};        ///< coflows
    std::uint64_t bypassed{0};        ///< coflows
    std::uint64_t deadlines{0};       ///< coflows that have one
    std::uint64_t met{0};             ///< coflows that finished by it
    std::uint64_t nearlyMet{0};       ///< coflows that did, or were late by DEADLINE_TOLERANCE
    std::uint64_t hosts{0};           ///< of the network
    std::uint64_t idleHosts{0};       ///< of them, those that no flow names
    double workloadScale{1};          ///< see Workload::scale
    double controlScale{1};           ///< what defaults that scale were multiplied by
    double packetTimeError{0};        ///< see NetworkSizes

    /// What the scheduler's own run says: everything but CCTs, slowdowns and ratios, which
    /// MakeComparable() adds.
    /// @param result of the run
    /// @param summary of the run
    /// @return the scheduler's line
    static ComparisonRow Of(const ExperimentResult& result, const ::coflow::RunSummary& summary);
};

/// Adds to rows what compares them: CCTs, slowdowns and ratios, over the coflows that all
/// schedulers have finished. Means over what each of them has finished would reward who leaves out
/// what is slow.
/// @param rows the schedulers'
/// @param coflows theirs, in the same order: all coflows in the order of the workload
/// @param baseline position of the scheduler that ratios are against
void MakeComparable(std::vector<ComparisonRow>& rows,
                    const std::vector<std::span<const ComparedCoflow>>& coflows,
                    std::size_t baseline);

/// @param workload its scale
/// @param control what defaults that scale were multiplied by
/// @return a line that says so; empty where both are 1
std::string DescribeScale(double workload, double control);

/// @param names of the schedulers
/// @param rows theirs, in the same order
/// @return a table; speed-up is above 1 where one is faster than the baseline, normalised CCT
///         below. Lines that follow say what has to be known of it
std::string FormatComparison(const std::vector<std::string>& names,
                             const std::vector<ComparisonRow>& rows);

/// @param names of the schedulers
/// @param rows theirs, in the same order
/// @param baseline position of the scheduler that ratios are against
/// @return the same with all columns as text of comparison.csv
std::string ToCsv(const std::vector<std::string>& names,
                  const std::vector<ComparisonRow>& rows,
                  std::size_t baseline);

} // namespace ns3::coflow

#endif // COFLOW_COMPARISON_TABLE_H
