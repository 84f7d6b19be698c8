/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COMPARISON_H
#define COFLOW_COMPARISON_H

#include "ns3/coflow-comparison-table.h"
#include "ns3/coflow-diagnosis.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// The result of the process that runs one scheduler.
struct ComparedRun
{
    ComparisonRow row;                         ///< row of the comparison
    std::vector<::coflow::Finding> findings{}; ///< diagnosis of the run
};

/// Runs several schedulers, each in a process of its own, because ns-3 allows one simulation per
/// process.
/// @param names names of the schedulers
/// @param jobs number of processes at a time, at least 1
/// @param coflows number of coflows in the workload
/// @param baseline position of the scheduler whose CCTs normalise all others
/// @param run runs one scheduler and sets all coflows, which are unfinished before; called in the
///        new process
/// @param done called with a scheduler's name when its process has ended
/// @return the schedulers' rows in the order of @p names, after MakeComparable()
/// @throws ::coflow::InputError with the message of the first run in this order that threw an error
///         or died. All processes have ended by then
std::vector<ComparedRun> RunComparison(
    const std::vector<std::string>& names,
    unsigned jobs,
    std::size_t coflows,
    std::size_t baseline,
    const std::function<ComparedRun(const std::string&, std::span<ComparedCoflow>)>& run,
    const std::function<void(const std::string&)>& done);

} // namespace ns3::coflow

#endif // COFLOW_COMPARISON_H
