/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRESS_CASE_H
#define STRESS_CASE_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

/// @file
/// Runs at packet level in which daemons and coordinators die and return, messages are lost, and
/// coflows have flows of all kinds. Whatever happens, every coflow finishes. A case is drawn at
/// random, or read from a file: what once failed stands as a file in test/stress/cases.

namespace ns3::coflow::test
{

/// A process that dies, and perhaps returns.
struct StressFailure
{
    std::optional<::coflow::HostId> daemon; ///< its host; none: the coordinator
    Time at;                                ///< when it dies
    Time downTime;                          ///< how long; Time::Max(): for good
};

/// A run.
struct StressCase
{
    uint64_t rngRun{1}; ///< of delays, losses and paths that are random
    ExperimentConfig config;
    ::coflow::Workload workload;
    std::vector<StressFailure> failures;

    /// @return what is run, as ReadStressCase() reads it
    std::string Describe() const;
};

/// Draws a scheduler. Another one in the list takes over a few seeds and leaves the others as they
/// are.
/// @param seed of the draw
/// @param names of schedulers
/// @return one of them
std::string DrawScheduler(uint64_t seed, const std::vector<std::string>& names);

/// Draws a run. Every option and every part of the workload has random numbers of its own, from the
/// seed and its name, so that a new one changes no other.
/// @param seed of all that is drawn
/// @param scheduler its name; empty: drawn as well
/// @return a run
StressCase MakeStressCase(uint64_t seed, const std::string& scheduler = "");

/// Reads a run:
///
///     # why the case is kept
///     --scheduler=varys
///     --topology=big-switch
///     --RngRun=113503
///     --linkRate=10Gbps
///     daemon 1 dies at 145345ns for 2000000000ns
///     coordinator dies at 30249181ns for good
///
///     # hosts=7
///     coflow_id,arrival_s,src,dst,bytes
///     1,0,3,6,100
///
/// Options are those of coflow-replay. After an empty line the workload stands as flow CSV.
/// @param in where the text comes from
/// @param name of the file for messages
/// @return the run
/// @throws ::coflow::InputError where a line is malformed
StressCase ReadStressCase(std::istream& in, const std::string& name);

/// Runs a case in this process.
/// @return what came out
ExperimentResult RunStressExperiment(const StressCase& stress);

/// Runs a case in this process.
/// @return what is wrong; empty where every coflow has finished or was rejected by an admission
///         control, none faster than its ports allow, and all bytes have arrived
std::string RunStressCase(const StressCase& stress);

/// Runs a case in a process of its own, so that one that aborts, or does not end, is a verdict too.
/// @param cpuSeconds CPU time after which it counts as without an end
/// @return as RunStressCase
std::string RunStressCaseApart(const StressCase& stress, unsigned cpuSeconds);

/// @return the command that runs a case alone
std::string GetStressCommand(uint64_t seed, const std::string& scheduler);

} // namespace ns3::coflow::test

#endif // STRESS_CASE_H
