/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ENGINE_OPTIONS_H
#define COFLOW_ENGINE_OPTIONS_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-option-table.h"

namespace ns3::coflow
{

/// Adds the parameters that engines declare to the options of a program, each once. Name, help,
/// default and scaling come from the declaration.
/// @param table the table, which the options are added to
/// @param experiment the configuration, which given values are added to
void AddEngineParameters(OptionTable& table, ExperimentConfig& experiment);

} // namespace ns3::coflow

#endif // COFLOW_ENGINE_OPTIONS_H
