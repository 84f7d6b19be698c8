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

/// Parameters of a control loop with a coordinator, declared once for both engines. The packet
/// engine and the fluid engine with `control=real` have the same defaults. With ideal control,
/// which is the fluid engine's default, the defaults of controlBatch and bypassBytes are 0.

/// The time for which hosts collect reports before they send them.
ParameterSpec ControlBatchSpec();

/// The bottleneck size below which coflows bypass the scheduler.
ParameterSpec BypassBytesSpec();

/// How the paths of flows are chosen; see PathChoice. In both engines, the default is the fabric's
/// choice.
ParameterSpec PathChoiceSpec();

} // namespace coflow

#endif // COFLOW_CONTROL_PARAMETERS_H
