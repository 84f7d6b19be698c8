/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SCHEDULER_OPTIONS_H
#define COFLOW_SCHEDULER_OPTIONS_H

#include "ns3/coflow-experiment.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// Options of one scheduler: `--varys.T=8ms` is the option T of Varys. In a comparison, this option
/// is for Varys only. A plain `--T=1s` is for all schedulers that have an option T.

/// @param value value of the option --compare: names, separated by commas
/// @return the names
/// @throws ::coflow::InputError where there is no name, or where a name stands twice
std::vector<std::string> ParseSchedulerNames(const std::string& value);

/// @return whether the name of an option is SCHEDULER.NAME
bool IsOfOneScheduler(const std::string& name);

/// @param config the configuration, whose attributes may be options of one scheduler
/// @param schedulers the schedulers of the run
/// @throws ::coflow::InputError where an option belongs to a scheduler that is not run, or where
///         the scheduler has no such option
void CheckSchedulerOptions(const ExperimentConfig& config,
                           const std::vector<std::string>& schedulers);

/// @param config the configuration of several schedulers
/// @param scheduler one of them
/// @return the configuration of the scheduler's run. Its own options replace plain options of the
///         same name. Options of other schedulers are left out
ExperimentConfig MakeConfigOf(const ExperimentConfig& config, const std::string& scheduler);

/// @param config as for MakeConfigOf()
/// @param scheduler one scheduler
/// @return the options of this scheduler only, as on a command line, each after a space
std::string FormatSchedulerOptions(const ExperimentConfig& config, const std::string& scheduler);

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_OPTIONS_H
