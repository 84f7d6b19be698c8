/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ENGINE_PARAMETERS_H
#define COFLOW_ENGINE_PARAMETERS_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-parameter.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// @param specs what is declared
/// @param name of a parameter
/// @return whether it is declared
bool HasParameter(const std::vector<::coflow::ParameterSpec>& specs, const std::string& name);

/// Takes values out of a configuration.
/// @param config loses them
/// @param specs parameters
/// @return those that were given, as texts NAME=VALUE
std::vector<std::string> TakeParameters(ExperimentConfig& config,
                                        const std::vector<::coflow::ParameterSpec>& specs);

/// @param specs parameters
/// @param assignments those that were given, as texts NAME=VALUE
/// @return an object: name and value in force
::coflow::Json GetParameterValues(const std::vector<::coflow::ParameterSpec>& specs,
                                  const std::vector<std::string>& assignments);

/// @param defaultSeconds its default
/// @return the parameter sampleInterval, which every engine has
::coflow::ParameterSpec MakeSampleIntervalSpec(double defaultSeconds);

} // namespace ns3::coflow

#endif // COFLOW_ENGINE_PARAMETERS_H
