/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PYTHON_RUN_H
#define COFLOW_PYTHON_RUN_H

#include "bindings.h"

#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-run.h"

#include <string>
#include <vector>

namespace [[gnu::visibility("hidden")]] ns3coflow
{

/// Understands arguments in a process whose attributes and global values are as at its start.
/// @param arguments those of coflow-replay
/// @param workloadGiven whether the workload is given in the place of --trace and --generate
/// @throws ::coflow::InputError where an option, part or scheduler is wrong
ns3::coflow::ReplayOptions Parse(std::vector<std::string> arguments, bool workloadGiven);

/// The workload of a run: the one that is given, changed as options say, or the one that they name.
::coflow::Workload ReadWorkload(const ::coflow::Workload* given,
                                const ns3::coflow::ReplayOptions& options);

/// What came out of a run, for the class Result of Python.
nb::dict ToDict(const ns3::coflow::ExperimentConfig& config,
                const ns3::coflow::RunOutcome& outcome);

} // namespace ns3coflow

#endif // COFLOW_PYTHON_RUN_H
