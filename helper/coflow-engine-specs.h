/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ENGINE_SPECS_H
#define COFLOW_ENGINE_SPECS_H

#include "ns3/coflow-parameter.h"

namespace ns3::coflow
{

/// Parameters that every engine has.

/// @param seconds the default, which depends on the engine: samples cost the fluid engine much of
///        its speed
/// @return how often samples are taken
::coflow::ParameterSpec SampleIntervalSpec(double seconds);

/// @return which coflows tables call short
::coflow::ParameterSpec ShortBytesSpec();

} // namespace ns3::coflow

#endif // COFLOW_ENGINE_SPECS_H
