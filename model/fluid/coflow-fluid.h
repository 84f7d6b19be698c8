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

/// Runs a workload to its end under a policy, with flows that have rates and no packets, and with
/// exact times.
///
/// There is no time step. The next event is the earliest of the next arrival, the next completion
/// at which the policy is asked, and the time that the policy has requested. Event times are
/// integer nanoseconds. A flow finishes in the first nanosecond in which its last byte has been
/// sent.
///
/// Where a coordinator decides (Policy::GetControl()), FluidOptions::control delays decisions. A
/// coflow has no rate before the first decision that includes it takes effect. Rates do not change
/// between decisions, so the rate of a finished flow stays unused until the next decision.
///
/// @param workload the workload
/// @param capacity rates of the ports
/// @param policy the policy, in its initial state
/// @param options options of the run
/// @return finish times of all flows and coflows, and counters of the run
/// @throws InputError if the workload names hosts without ports or parents that do not exist
FluidResult RunFluid(const Workload& workload,
                     const PortRates& capacity,
                     Policy& policy,
                     const FluidOptions& options = {});

} // namespace coflow

#endif // COFLOW_FLUID_H
