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

/// What a policy asks of its executor.
struct Needs
{
    ControlModel control{}; ///< what decisions cost
    Bytes bypass{0};        ///< coflows with a smaller bottleneck run without it
    FluidForm form{};       ///< what it says of itself, where that says what rates are in force
};

Needs
NeedsOf(const Policy& policy, const FluidOptions& options)
{
    Needs needs;
    // What is decided where it happens costs no control.
    const bool coordinated = policy.GetControl() == Control::CENTRAL;
    needs.control = coordinated ? options.control : ControlModel();
    // Whether a coflow is small is for those to ask who may know sizes.
    const bool asks = coordinated && policy.GetKnowledge() == Knowledge::CLAIRVOYANT;
    needs.bypass = asks ? options.bypass.value_or(needs.control.Ideal() ? 0 : DEFAULT_BYPASS) : 0;
    // Forms say what rates are in force, not what a coordinator decides now and then, and what
    // ports give, not what links inside the fabric do.
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
    // With a period of the coordinator, hosts decide, too. HybridControl has the triggers of the
    // policy; executors ask a policy of this family for nothing else that is virtual.
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
