/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid.h"

#include "ns3/coflow-control-parameters.h"
#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-decision-engine.h"
#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-hybrid-control.h"
#include "ns3/coflow-priority-engine.h"
#include "ns3/coflow-progress-engine.h"
#include "ns3/coflow-sharing-engine.h"

#include <algorithm>
#include <memory>
#include <optional>
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
    return std::ranges::all_of(capacity.ingress, same) &&
           std::ranges::all_of(capacity.egress, same);
}

/// Options of the executor that follow from the policy.
struct Needs
{
    ControlModel control{}; ///< costs of control
    Bytes bypass{0};        ///< coflows with a smaller bottleneck run without the policy
    FluidForm form{};       ///< form of the policy, where the form determines the rates in force
};

Needs
NeedsOf(const Policy& policy, const FluidOptions& options)
{
    Needs needs;
    // Local decisions have no costs of control.
    const bool coordinated = policy.GetControl() == Control::CENTRAL;
    needs.control = coordinated ? options.control : ControlModel();
    // Only a clairvoyant policy knows the sizes of coflows, so that small coflows can bypass it.
    const bool asks = coordinated && policy.GetKnowledge() == Knowledge::CLAIRVOYANT;
    needs.bypass = asks ? options.bypass.value_or(needs.control.Ideal() ? 0 : DEFAULT_BYPASS) : 0;
    // A form describes rates that change at every event, and that only ports limit. So the form is
    // not used with costs of control, with bypass flows, or with links inside the fabric.
    if (needs.control.Ideal() && needs.bypass == 0 && !options.paths)
    {
        needs.form = policy.GetForm();
    }
    return needs;
}

/// The executor that is fastest for a policy.
std::unique_ptr<FluidExecutor>
MakeExecutor(FluidRun& run, Policy& policy, const Needs& needs)
{
    if (const auto* sharing = std::get_if<SharingForm>(&needs.form))
    {
        return std::make_unique<SharingEngine>(run, *sharing);
    }
    if (const auto* progress = std::get_if<ProgressForm>(&needs.form))
    {
        return std::make_unique<ProgressEngine>(run, *progress);
    }
    if (Uniform(run.Capacity()) && PriorityEngine::Fits(run))
    {
        if (const auto* priority = std::get_if<PriorityForm>(&needs.form))
        {
            return std::make_unique<PriorityEngine>(run, *priority);
        }
        if (std::holds_alternative<OrderForm>(needs.form))
        {
            return std::make_unique<PriorityEngine>(run, policy);
        }
    }
    return std::make_unique<DecisionEngine>(run, policy, needs.control, needs.bypass);
}

} // namespace

FluidResult
RunFluid(const Workload& workload,
         const PortRates& capacity,
         Policy& policy,
         const FluidOptions& options)
{
    FluidRun run(workload, capacity, options);
    // If the coordinator has a period, hosts also decide. HybridControl replaces the policy and has
    // the triggers of the policy. Executors call no other virtual function of these policies.
    auto* dclas = dynamic_cast<DclasPolicy*>(&policy);
    std::optional<HybridControl> hybrid;
    if (dclas && dclas->Delta() > 0)
    {
        hybrid.emplace(*dclas);
    }
    Policy& decides = hybrid ? *hybrid : policy;
    MakeExecutor(run, decides, NeedsOf(decides, options))->Run();
    return run.TakeResult();
}

} // namespace coflow
