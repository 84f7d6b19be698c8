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

/// @return parameters of the engine itself: what control costs, which coflows bypass the scheduler,
///         how often to take samples. They are given as attributes of a configuration
std::vector<::coflow::ParameterSpec> FluidEngineSpecs();

/// @param scheduler name of a policy
/// @return parameters of the engine that a run has only under some schedulers: who chooses paths,
///         where a coordinator decides
std::vector<::coflow::ParameterSpec> FluidSchedulerSpecs(const std::string& scheduler);

/// Runs a workload in the fluid engine: flows without packets, on a network of which only the
/// hosts' ports limit. The run has the parameters of the engine, the policy and the topology; those
/// of a part that only packets have, such as the fabric, are errors.
/// @param workload what to run; its hosts 0, 1, ... are those of the topology
/// @param config what to run it on
/// @return records of all coflows and flows
/// @throws ::coflow::InputError where a name or value is not allowed, or the workload has more
///         hosts than the topology
ExperimentResult RunFluidExperiment(const ::coflow::Workload& workload,
                                    const ExperimentConfig& config);

} // namespace ns3::coflow

#endif // COFLOW_FLUID_EXPERIMENT_H
