/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ENGINE_OPTIONS_H
#define COFLOW_ENGINE_OPTIONS_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-option-table.h"

namespace ns3::coflow
{

/// Adds the parameters that engines declare to the options of a program, each once: name, help,
/// default and whether it scales come from the declaration.
/// @param table gets the options
/// @param experiment gets the values that are given
void AddEngineParameters(OptionTable& table, ExperimentConfig& experiment);

} // namespace ns3::coflow

#endif // COFLOW_ENGINE_OPTIONS_H
