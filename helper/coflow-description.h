/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DESCRIPTION_H
#define COFLOW_DESCRIPTION_H

#include "ns3/coflow-engine.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-json.h"

#include <map>
#include <string>

namespace ns3::coflow
{

/// A scheduler, and the engines that have it.
struct SchedulerOffer
{
    SchedulerInfo info;  ///< its description by the first engine that has it
    std::string engines; ///< names of the engines, separated by commas
};

/// @return the schedulers of all engines, by name
std::map<std::string, SchedulerOffer> GetAllSchedulers();

/// @return everything that can be chosen or set, for tools: versions, engines with schedulers and
///         their parameters, topologies, fabrics, transport, source, driver, workload generators
///         and transforms, the columns of result files, the options of coflow-replay
::coflow::Json DescribeModule();

/// @param config names of the parts of a run, and their attributes
/// @return the description of DescribeModule(). In the packet engine, the sizes that follow the
///         network are added
/// @throws ::coflow::InputError where a name or value is not allowed
::coflow::Json DescribeRun(const ExperimentConfig& config);

} // namespace ns3::coflow

#endif // COFLOW_DESCRIPTION_H
