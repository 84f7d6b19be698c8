/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_H
#define COFLOW_FLUID_H

#include "ns3/coflow-fluid-options.h"
#include "ns3/coflow-fluid-result.h"
#include "ns3/coflow-policy.h"

namespace coflow
{

/// Runs a workload to its end under a policy: flows are fluids, time is exact.
///
/// There is no time step: the next event is the earliest of an arrival, the completion
/// that the policy wants to hear of, and the time at which it asked to be asked. Event
/// times are integer nanoseconds; a flow finishes in the first nanosecond in which its
/// last byte is through.
///
/// Where a coordinator decides (Policy::GetControl), FluidOptions::control delays decisions: a
/// coflow has no rate before the first decision that knows it takes effect, and between
/// decisions rates stay as they are, so what a flow had that finished is left unused.
///
/// @param workload what to run
/// @param capacity rates of the ports
/// @param policy who decides; its state must be fresh
/// @param options how
/// @return when every flow and coflow has finished, and what the run took
/// @throws InputError if the workload names hosts without ports or parents that do not exist
FluidResult RunFluid(const Workload& workload,
                     const PortRates& capacity,
                     Policy& policy,
                     const FluidOptions& options = {});

} // namespace coflow

#endif // COFLOW_FLUID_H
