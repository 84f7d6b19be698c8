/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid.h"

#include "ns3/coflow-decision-engine.h"
#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-sharing-engine.h"

namespace coflow
{

namespace
{

/// One function object made of several, for std::visit.
template <class... Functions>
struct Overloaded : Functions...
{
    using Functions::operator()...;
};

template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace

FluidResult RunFluid(const Workload& workload,
                     const PortRates& capacity,
                     Policy& policy,
                     const FluidOptions& options)
{
    FluidRun run(workload, capacity, options);
    const auto general = [&](std::monostate) { DecisionEngine(run, policy).Run(); };
    const auto sharing = [&](const SharingForm& form) { SharingEngine(run, form).Run(); };
    const auto priority = [&](const PriorityForm&) { DecisionEngine(run, policy).Run(); };
    std::visit(Overloaded{general, sharing, priority},
               options.useForm ? policy.GetForm() : FluidForm());
    return run.TakeResult();
}

} // namespace coflow
