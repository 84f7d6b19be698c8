/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid.h"

#include "ns3/coflow-decision-engine.h"
#include "ns3/coflow-fluid-run.h"

namespace coflow
{

FluidResult
RunFluid(const Workload& workload,
         const PortRates& capacity,
         Policy& policy,
         const FluidOptions& options)
{
    FluidRun run(workload, capacity, options);
    DecisionEngine(run, policy).Run();
    return run.TakeResult();
}

} // namespace coflow
