/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STORM_CASE_H
#define STORM_CASE_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// @file
/// Random runs at packet level, in which daemons and coordinators die and return, messages are
/// lost, and coflows have flows of all kinds. Whatever happens, every coflow finishes.

namespace ns3::coflow::test
{

/// A process that dies, and perhaps returns.
struct StormFailure
{
    std::optional<::coflow::HostId> daemon; ///< its host; none: the coordinator
    Time at;                                ///< when it dies
    Time downTime;                          ///< how long; Time::Max(): for good
};

/// A run. All of it follows from the seed, and from the scheduler where that is given.
struct StormCase
{
    uint64_t seed{0};
    ExperimentConfig config;
    ::coflow::Workload workload;
    std::vector<StormFailure> failures;

    /// @return what is run: options, failures, and the workload as flow CSV
    std::string Describe() const;
};

/// @param seed of all that is drawn
/// @param scheduler its name; empty: drawn as well
/// @return a run
StormCase MakeStormCase(uint64_t seed, const std::string& scheduler = "");

/// Runs a case in this process.
/// @return what came out
ExperimentResult RunStormExperiment(const StormCase& storm);

/// Runs a case in this process.
/// @return what is wrong; empty where every coflow has finished or was rejected by an admission
///         control, none faster than its ports allow, and all bytes have arrived
std::string RunStormCase(const StormCase& storm);

/// Runs a case in a process of its own, so that one that aborts, or does not end, is a verdict too.
/// @param cpuSeconds CPU time after which it counts as without an end
/// @return as RunStormCase
std::string RunStormCaseApart(const StormCase& storm, unsigned cpuSeconds);

/// @return the command that runs a case alone
std::string GetStormCommand(uint64_t seed, const std::string& scheduler);

} // namespace ns3::coflow::test

#endif // STORM_CASE_H
