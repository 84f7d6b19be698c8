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

/// What a process that runs one scheduler answers.
struct ComparedRun
{
    ComparisonRow row;                         ///< what its own run says
    std::vector<::coflow::Finding> findings{}; ///< what has decided its numbers
};

/// Runs several schedulers, each in a process of its own, for a simulation is a process-wide
/// thing in ns-3.
/// @param names of the schedulers
/// @param jobs processes at a time, at least 1
/// @param coflows number of coflows in the workload
/// @param baseline position of the scheduler that CCTs are normalised by
/// @param run runs one scheduler and fills in all coflows, given as unfinished; called in the new
///        process
/// @param done called with a scheduler's name whenever one has ended
/// @return the schedulers' rows, in the order of @p names, with what compares them
/// @throws ::coflow::InputError with the message of the first run, in this order, that threw one
///         or died; only after all have ended
std::vector<ComparedRun> RunComparison(
    const std::vector<std::string>& names,
    unsigned jobs,
    std::size_t coflows,
    std::size_t baseline,
    const std::function<ComparedRun(const std::string&, std::span<ComparedCoflow>)>& run,
    const std::function<void(const std::string&)>& done);

} // namespace ns3::coflow

#endif // COFLOW_COMPARISON_H
