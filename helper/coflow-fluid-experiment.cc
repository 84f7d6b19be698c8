/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid-experiment.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-engine-parameters.h"
#include "ns3/coflow-fluid.h"
#include "ns3/coflow-parts.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-process-cost.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

using ::coflow::Json;
using ::coflow::NEVER;
using ::coflow::ParameterSpec;
using ::coflow::Policies;
using ::coflow::Workload;

namespace
{

/// Whether another scheduler of a comparison has a parameter.
bool
IsOfAnother(const ExperimentConfig& config, const std::string& name)
{
    return std::any_of(config.others.begin(), config.others.end(), [&](const auto& other) {
        return HasParameter(Policies::Find(other).parameters, name);
    });
}

/// How to run, from the values of FluidEngineSpecs().
/// @param assignments those that were given
::coflow::FluidOptions
MakeOptions(const std::vector<std::string>& assignments)
{
    const ::coflow::Parameters values("engine fluid", FluidEngineSpecs(), assignments);
    ::coflow::FluidOptions options;
    options.control.delay = values.Time("controlDelay");
    options.control.period = values.Time("controlPeriod");
    options.control.batch = values.Time("controlBatch");
    options.quantum = values.Time("quantum");
    options.sampleInterval = values.Time("sampleInterval");
    const bool given =
        std::any_of(assignments.begin(), assignments.end(), [](const std::string& assignment) {
            return assignment.starts_with("bypassBytes=");
        });
    if (given)
    {
        options.bypass = values.Size("bypassBytes");
    }
    return options;
}

/// Fills in what happened to flows and coflows.
void
Record(const Workload& workload, const ::coflow::FluidResult& outcome, ExperimentResult& result)
{
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& coflow = workload.coflows[i];
        const auto& told = outcome.coflows[i];
        auto& record = result.coflows[i];
        record.arrival = told.start == NEVER ? told.arrival : told.start;
        record.finish = told.finish;
        record.admitted = told.admitted;
        record.bypassed = told.bypassed;
        for (const auto& flow : coflow.flows)
        {
            const auto finish = outcome.FlowFinish(i, flow.id);
            result.flows.push_back({.coflow = coflow.id,
                                    .flow = flow,
                                    .start = told.admitted || finish != NEVER ? told.start : NEVER,
                                    .finish = finish});
            if (finish != NEVER)
            {
                result.deliveredBytes += static_cast<uint64_t>(flow.bytes);
                result.simulatedSeconds =
                    std::max(result.simulatedSeconds, static_cast<double>(finish) * 1e-9);
            }
        }
    }
}

} // namespace

std::vector<ParameterSpec>
FluidEngineSpecs()
{
    using ::coflow::Unit;
    const std::string source = "0: ideal control";
    return {
        {"controlDelay",
         Unit::SECONDS,
         0,
         0,
         1e6,
         "from the state that a coordinator decides on to the effect",
         source},
        {"controlPeriod",
         Unit::SECONDS,
         0,
         0,
         1e6,
         "a coordinator decides only at multiples of it; 0: at any time",
         source},
        {"controlBatch",
         Unit::SECONDS,
         0,
         0,
         1e6,
         "a coordinator hears of events so long after the first of an idle time",
         "Varys, SIGCOMM 2014: 0.1"},
        {"bypassBytes",
         Unit::BYTES,
         static_cast<double>(::coflow::DEFAULT_BYPASS),
         0,
         1e18,
         "coflows with a smaller bottleneck do not wait for a coordinator, under schedulers that "
         "may know sizes; not given: this where control costs something, 0 where it is ideal",
         "Varys, SIGCOMM 2014, section 5.3"},
        {"quantum",
         Unit::SECONDS,
         0,
         0,
         1e6,
         "artefact for comparison: the step of time of a simulator that has one. Arrivals are moved "
         "down to a multiple of it, and finishes and decisions up; 0: time is exact",
         "CoflowSim has 8 ms"},
        MakeSampleIntervalSpec(0)};
}

ExperimentResult
RunFluidExperiment(const Workload& workload, const ExperimentConfig& config)
{
    const auto& info = Policies::Find(config.scheduler);
    Parts parts(config);
    auto rest = config;
    const auto assignments = TakeParameters(rest, info.parameters);
    const auto ofEngine = TakeParameters(rest, FluidEngineSpecs());
    for (const auto& [name, value] : rest.attributes)
    {
        if (!parts.Set(name, value) && !IsOfAnother(config, name))
        {
            parts.RefuseUnknown(name);
        }
    }
    const auto topology = parts.Create<Topology>();
    topology->Build();
    CheckHosts(workload, *topology);
    const auto policy = ::coflow::MakePolicy(config.scheduler, assignments);
    auto options = MakeOptions(ofEngine);

    ExperimentResult result;
    result.rates = GetHostRates(*topology);
    result.configuration = Json::Object()
                               .Set("topology", GetAttributeValues(topology))
                               .Set("engine", GetParameterValues(FluidEngineSpecs(), ofEngine))
                               .Set("scheduler", GetParameterValues(info.parameters, assignments));
    result.coflows = ::coflow::MakeCoflowRecords(workload, result.rates, config.binLimits);
    options.stop = config.stop.value_or(NEVER);
    options.poll = config.poll;
    const ProcessCost before = ProcessCost::Now();
    auto outcome = ::coflow::RunFluid(workload, result.rates, *policy, options);
    const ProcessCost after = ProcessCost::Now();
    Record(workload, outcome, result);
    const bool stopped =
        std::any_of(result.coflows.begin(), result.coflows.end(), [](const auto& record) {
            return !record.IsFinished() && record.admitted;
        });
    result.end = stopped ? RunEnd::STOPPED : RunEnd::COMPLETE;
    result.samples = std::move(outcome.samples);
    result.events = outcome.counters.events;
    result.cpuSeconds = after.cpuSeconds - before.cpuSeconds;
    result.wallSeconds = after.wallSeconds - before.wallSeconds;
    result.peakMemoryBytes = after.peakMemoryBytes;
    topology->Dispose();
    return result;
}

} // namespace ns3::coflow
