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

/// Whether all ports have the same rate.
bool
Uniform(const PortRates& capacity)
{
    const auto same = [&](double rate) { return rate == capacity.ingress.front(); };
    return std::all_of(capacity.ingress.begin(), capacity.ingress.end(), same) &&
           std::all_of(capacity.egress.begin(), capacity.egress.end(), same);
}

} // namespace

FluidResult
RunFluid(const Workload& workload,
         const PortRates& capacity,
         Policy& policy,
         const FluidOptions& options)
{
    FluidRun run(workload, capacity, options);
    // What is decided where it happens costs no control.
    const bool coordinated = policy.GetControl() == Control::CENTRAL;
    const ControlModel control = coordinated ? options.control : ControlModel();
    // Whether a coflow is small is for those to ask who may know sizes.
    const bool asks = coordinated && policy.GetKnowledge() == Knowledge::CLAIRVOYANT;
    const Bytes bypass = asks ? options.bypass.value_or(control.Ideal() ? 0 : DEFAULT_BYPASS) : 0;
    const auto general = [&](std::monostate) {
        DecisionEngine(run, policy, control, bypass).Run();
    };
    const auto sharing = [&](const SharingForm& form) { SharingEngine(run, form).Run(); };
    const auto priority = [&](const PriorityForm& form) {
        if (Uniform(capacity) && PriorityEngine::Fits(run))
        {
            PriorityEngine(run, form).Run();
        }
        else
        {
            general({});
        }
    };
    const auto progress = [&](const ProgressForm& form) {
        if (options.quantum == 0)
        {
            ProgressEngine(run, form).Run();
        }
        else
        {
            general({});
        }
    };
    std::visit(Overloaded{general, sharing, priority, progress},
               options.useForm && control.Ideal() && bypass == 0 ? policy.GetForm() : FluidForm());
    return run.TakeResult();
}

} // namespace coflow
