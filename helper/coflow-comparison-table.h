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

/// The result of a coflow under one scheduler, for a comparison. All members are numbers, so that
/// processes can share the struct.
struct ComparedCoflow
{
    double cct{std::nan("")}; ///< seconds; NaN: the coflow has not finished
    double leastCct{0};       ///< Gamma, in seconds
    double slowdown{0};       ///< CCT / Gamma; NaN: the coflow has no slowdown
    std::uint64_t bin{0};     ///< position in ALL_BINS

    /// @param record the record of a coflow
    /// @return the members of the record that a comparison uses
    static ComparedCoflow Of(const ::coflow::CoflowRecord& record);
};

/// One line of a comparison. The struct holds numbers only, so that a process can send it to
/// another process without conversion.
struct ComparisonRow
{
    double meanCct{0};           ///< seconds, over the coflows that all schedulers have finished
    double p95Cct{0};            ///< seconds, over the same coflows
    double meanCctOfBin[4]{};    ///< seconds, over the same coflows, in the order of ALL_BINS
    double meanSlowdown{0};      ///< CCT / Gamma, over the same coflows
    double bound{0};             ///< lower bound of the mean CCT of all coflows, in seconds
    double ratioToBound{0};      ///< mean CCT / lower bound, over the same coflows
    double utilisation{0};       ///< 0 to 1
    double makespan{0};          ///< seconds
    double speedUp{0};           ///< mean CCT of the baseline / mean CCT
    double normalisedCct{0};     ///< mean over coflows of CCT / CCT of the baseline
    double p95NormalisedCct{0};  ///< 95th percentile over coflows of CCT / CCT of the baseline
    double medianSpeedUp{0};     ///< median over coflows of CCT of the baseline / CCT
    double meanSpeedUp{0};       ///< mean over coflows of CCT of the baseline / CCT
    double p90SpeedUp{0};        ///< 90th percentile over coflows of CCT of the baseline / CCT
    double faster{0};            ///< fraction of coflows with a speed-up above 1
    double slower{0};            ///< fraction of coflows with a speed-up below 1
    double cpuSeconds{0};        ///< CPU time of run, set-up and lower bound
    double p95Disparity{0};      ///< 95th percentile over time of the disparity of progress, may be
                                 ///< infinite; NaN: no samples
    double infiniteDisparity{0}; ///< fraction of the time with infinite disparity; NaN: no samples
    double skipped{std::nan("")};     ///< fraction of packet-hops that were jumped over; NaN: no
                                      ///< jumps
    std::uint64_t coflows{0};         ///< coflows of the workload
    std::uint64_t finished{0};        ///< coflows that have finished
    std::uint64_t unfinished{0};      ///< coflows that have not finished
    std::uint64_t compared{0};        ///< coflows that all schedulers of the comparison finished
    std::uint64_t drops{0};           ///< number of dropped packets
    std::uint64_t controlMessages{0}; ///< control messages of the scheduler
    std::uint64_t controlBytes{0};    ///< bytes of these messages
    std::uint64_t rejected{0};        ///< coflows that the scheduler has refused
    std::uint64_t bypassed{0};        ///< coflows that the scheduler did not schedule
    std::uint64_t deadlines{0};       ///< coflows that have a deadline
    std::uint64_t met{0};             ///< coflows that finished by their deadline
    /// Coflows that met their deadline, or were late by at most DEADLINE_TOLERANCE.
    std::uint64_t nearlyMet{0};
    std::uint64_t hosts{0};     ///< hosts of the network
    std::uint64_t idleHosts{0}; ///< hosts of the network that no flow uses
    double workloadScale{1};    ///< see Workload::scale
    double controlScale{1};     ///< factor by which defaults that scale were multiplied
    double packetTimeError{0};  ///< relative error; see NetworkSizes

    /// Makes a line from the scheduler's own run. MakeComparable() adds CCTs, slowdowns and ratios.
    /// @param result result of the run
    /// @param summary summary of the run
    /// @return the scheduler's line
    static ComparisonRow Of(const ExperimentResult& result, const ::coflow::RunSummary& summary);
};

/// Adds CCTs, slowdowns and ratios to rows, over the coflows that all schedulers have finished. A
/// mean over the coflows that one scheduler has finished would favour a scheduler that leaves slow
/// coflows unfinished.
/// @param rows one per scheduler
/// @param coflows one span per scheduler, in the order of rows: all coflows in the order of the
///        workload
/// @param baseline position in rows of the baseline, with which ratios compare the other schedulers
void MakeComparable(std::vector<ComparisonRow>& rows,
                    const std::vector<std::span<const ComparedCoflow>>& coflows,
                    std::size_t baseline);

/// @param workload scale of the workload
/// @param control factor by which defaults that scale were multiplied
/// @return a line with both numbers; empty where both are 1
std::string DescribeScale(double workload, double control);

/// @param names names of the schedulers
/// @param rows one per scheduler, in the same order
/// @return a table, with notes below it. A scheduler is faster than the baseline where its speed-up
///         is above 1, or where its normalised CCT is below 1
std::string FormatComparison(const std::vector<std::string>& names,
                             const std::vector<ComparisonRow>& rows);

/// @param names names of the schedulers
/// @param rows one per scheduler, in the same order
/// @param baseline position in rows of the baseline, with which ratios compare the other schedulers
/// @return the text of comparison.csv: the table with all columns
std::string ToCsv(const std::vector<std::string>& names,
                  const std::vector<ComparisonRow>& rows,
                  std::size_t baseline);

} // namespace ns3::coflow

#endif // COFLOW_COMPARISON_TABLE_H
