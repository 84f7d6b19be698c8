/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid.h"

#include "ns3/coflow-decision-engine.h"
#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-priority-engine.h"
#include "ns3/coflow-progress-engine.h"
#include "ns3/coflow-sharing-engine.h"

#include <algorithm>
#include <memory>
#include <variant>

namespace coflow
{

namespace
{

/// Whether all ports have the same rate.
bool
Uniform(const PortRates& capacity)
{
    const auto same = [&](double rate) { return rate == capacity.ingress.front(); };
    return std::all_of(capacity.ingress.begin(), capacity.ingress.end(), same) &&
           std::all_of(capacity.egress.begin(), capacity.egress.end(), same);
}

/// The executor that is fastest for a policy.
std::unique_ptr<FluidExecutor>
MakeExecutor(FluidRun& run, Policy& policy)
{
    // What is decided where it happens costs no control.
    const bool coordinated = policy.GetControl() == Control::CENTRAL;
    const ControlModel control = coordinated ? run.Options().control : ControlModel();
    // Whether a coflow is small is for those to ask who may know sizes.
    const bool asks = coordinated && policy.GetKnowledge() == Knowledge::CLAIRVOYANT;
    const Bytes bypass =
        asks ? run.Options().bypass.value_or(control.Ideal() ? 0 : DEFAULT_BYPASS) : 0;
    const FluidForm form = policy.GetForm();
    // Forms say what rates are in force, not what a coordinator decides now and then, and what
    // ports give, not what links inside the fabric do.
    if (control.Ideal() && bypass == 0 && !run.Options().paths)
    {
        if (const auto* sharing = std::get_if<SharingForm>(&form))
        {
            return std::make_unique<SharingEngine>(run, *sharing);
        }
        if (const auto* progress = std::get_if<ProgressForm>(&form))
        {
            return std::make_unique<ProgressEngine>(run, *progress);
        }
        if (const auto* priority = std::get_if<PriorityForm>(&form);
            priority && Uniform(run.Capacity()) && PriorityEngine::Fits(run))
        {
            return std::make_unique<PriorityEngine>(run, *priority);
        }
    }
    return std::make_unique<DecisionEngine>(run, policy, control, bypass);
}

} // namespace

FluidResult
RunFluid(const Workload& workload,
         const PortRates& capacity,
         Policy& policy,
         const FluidOptions& options)
{
    FluidRun run(workload, capacity, options);
    MakeExecutor(run, policy)->Run();
    return run.TakeResult();
}

} // namespace coflow
