/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_PARAMETERS_H
#define COFLOW_CONTROL_PARAMETERS_H

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-units.h"

namespace coflow
{

/// Coflows with a smaller bottleneck bypass the scheduler of Varys (SIGCOMM 2014, section 5.3).
inline constexpr Bytes DEFAULT_BYPASS = 25'000'000;

/// Parameters of a control loop with a coordinator that both engines have, declared once. They mean
/// the same in both, and have the same default where control is real: in the packet engine always,
/// in the fluid engine with `control=real`. Where control is ideal, which is the fluid engine's
/// default, the default of both is 0.

/// How long hosts hold back what they have to tell.
ParameterSpec ControlBatchSpec();

/// Which coflows bypass the scheduler.
ParameterSpec BypassBytesSpec();

/// Who chooses the paths of flows; see PathChoice. The default is the fabric in both engines.
ParameterSpec PathChoiceSpec();

} // namespace coflow

#endif // COFLOW_CONTROL_PARAMETERS_H
