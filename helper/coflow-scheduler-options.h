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

/// Options of one scheduler alone: `--varys.T=8ms` is the option T of Varys. In a comparison it
/// holds for that scheduler, where a plain `--T=1s` holds for all that have it.

/// @param value of the option --compare, names with commas between
/// @return the names
/// @throws ::coflow::InputError where there is none, or one is there twice
std::vector<std::string> ParseSchedulerNames(const std::string& value);

/// @return whether the name of an option is SCHEDULER.NAME
bool IsOfOneScheduler(const std::string& name);

/// @param config its attributes may be options of one scheduler
/// @param schedulers that are run
/// @throws ::coflow::InputError where an option is of a scheduler that is not run, or that has no
///         such option
void CheckSchedulerOptions(const ExperimentConfig& config,
                           const std::vector<std::string>& schedulers);

/// @param config what several schedulers are run with
/// @param scheduler one of them
/// @return the configuration of its run: its own options in place of plain ones of the same name,
///         those of others left out
ExperimentConfig MakeConfigOf(const ExperimentConfig& config, const std::string& scheduler);

/// @param config as for MakeConfigOf()
/// @param scheduler one scheduler
/// @return the options of this one scheduler alone, as one types them, each after a space
std::string FormatSchedulerOptions(const ExperimentConfig& config, const std::string& scheduler);

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_OPTIONS_H
