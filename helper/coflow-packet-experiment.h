/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PACKET_EXPERIMENT_H
#define COFLOW_PACKET_EXPERIMENT_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-parameter.h"

#include <vector>

namespace ns3::coflow
{

/// @return parameters of the engine itself: the time between samples, and the limit of short
///         coflows. A configuration has their values among its attributes
std::vector<::coflow::ParameterSpec> PacketEngineSpecs();

/// Runs a workload at packet level. ns-3 allows one simulation per process at a time.
/// @param workload the workload; its hosts 0, 1, ... are the hosts of the topology
/// @param config scheduler, network and parameters of the run
/// @return records of all coflows and flows, and counts of the network
/// @throws ::coflow::InputError where a name or value is not allowed, or the workload has more
///         hosts than the topology
ExperimentResult RunPacketExperiment(const ::coflow::Workload& workload,
                                     const ExperimentConfig& config);

} // namespace ns3::coflow

#endif // COFLOW_PACKET_EXPERIMENT_H
