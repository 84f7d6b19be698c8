/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_EXPERIMENT_H
#define COFLOW_FLUID_EXPERIMENT_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-parameter.h"

#include <vector>

namespace ns3::coflow
{

/// @return parameters of the engine itself, such as costs of control, the bypass of small coflows,
///         and the time between samples. A configuration has their values among its attributes
std::vector<::coflow::ParameterSpec> FluidEngineSpecs();

/// @param scheduler name of a policy
/// @return parameters of the engine that exist only with some schedulers. A scheduler with a
///         coordinator has a parameter for the choice of paths
std::vector<::coflow::ParameterSpec> FluidSchedulerSpecs(const std::string& scheduler);

/// Runs a workload in the fluid engine. Flows have rates and no packets. The hosts' ports limit the
/// rates; with limits=links, links inside the fabric also limit the rates. The configuration may
/// have parameters of the engine, the policy and the topology. A parameter of a part that only the
/// packet engine has, such as the fabric, is an error.
/// @param workload the workload; its hosts 0, 1, ... are the hosts of the topology
/// @param config scheduler, network and parameters of the run
/// @return records of all coflows and flows
/// @throws ::coflow::InputError where a name or value is not allowed, or the workload has more
///         hosts than the topology
ExperimentResult RunFluidExperiment(const ::coflow::Workload& workload,
                                    const ExperimentConfig& config);

} // namespace ns3::coflow

#endif // COFLOW_FLUID_EXPERIMENT_H
