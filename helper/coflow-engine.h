/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ENGINE_H
#define COFLOW_ENGINE_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-parameter.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// A scheduler that an engine offers.
struct SchedulerInfo
{
    std::string name;          ///< name on the command line
    std::string description;   ///< one line
    ::coflow::Json parameters; ///< name, default, allowed values, help
};

/// A way to run a workload.
struct Engine
{
    std::string name;        ///< name on the command line
    std::string description; ///< one line
    /// Returns the schedulers that the engine offers, sorted by name.
    std::function<std::vector<SchedulerInfo>()> getSchedulers;
    std::vector<::coflow::ParameterSpec> parameters; ///< parameters of the engine itself
    /// Runs a workload; see RunPacketExperiment() and RunFluidExperiment().
    std::function<ExperimentResult(const ::coflow::Workload&, const ExperimentConfig&)> run;
};

/// @return all engines, the default first
const std::vector<Engine>& AllEngines();

/// @param name such as "packet" or "fluid"
/// @return the engine
/// @throws ::coflow::InputError where no engine has the name
const Engine& FindEngine(const std::string& name);

/// @param config the configuration
/// @throws ::coflow::InputError where a name in the configuration is unknown, or the value of an
///         option is malformed; see ResolveOptions()
void CheckNames(const ExperimentConfig& config);

} // namespace ns3::coflow

#endif // COFLOW_ENGINE_H
