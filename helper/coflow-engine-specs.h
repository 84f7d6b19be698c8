/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ENGINE_SPECS_H
#define COFLOW_ENGINE_SPECS_H

#include "ns3/coflow-parameter.h"

namespace ns3::coflow
{

/// Parameters that every engine has.

/// @param seconds the default. It depends on the engine, since samples slow the fluid engine down
/// @return the parameter for the time between samples
::coflow::ParameterSpec SampleIntervalSpec(double seconds);

/// @return the parameter for the size below which tables call a coflow short
::coflow::ParameterSpec ShortBytesSpec();

} // namespace ns3::coflow

#endif // COFLOW_ENGINE_SPECS_H
