/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid-experiment.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-control-parameters.h"
#include "ns3/coflow-engine-specs.h"
#include "ns3/coflow-fluid.h"
#include "ns3/coflow-host-rates.h"
#include "ns3/coflow-link-share.h"
#include "ns3/coflow-path-check.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-progress-line.h"
#include "ns3/coflow-run-parts.h"
#include "ns3/coflow-stall-report.h"
#include "ns3/coflow-topology-paths.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <unistd.h>
#include <utility>

namespace ns3::coflow
{

using ::coflow::Json;
using ::coflow::ParameterSpec;
using ::coflow::Workload;

namespace
{

/// The engine's parameters with the defaults of this run. With ideal control, the default of
/// controlBatch is 0. If control then has no costs, the default of bypassBytes is also 0.
::coflow::Parameters
GetValuesInForce(const RunParts& parts)
{
    auto values = parts.GetEngine();
    if (values.Is("control", "real"))
    {
        return values;
    }
    values.SetDefault("controlBatch", 0);
    if (values["controlBatch"] == 0 && values["controlDelay"] == 0 && values["controlPeriod"] == 0)
    {
        values.SetDefault("bypassBytes", 0);
    }
    return values;
}

/// @return the options of the run, from the values of the engine's parameters
::coflow::FluidOptions
MakeOptions(const ::coflow::Parameters& values)
{
    ::coflow::FluidOptions options;
    options.control.delay = values.Time("controlDelay");
    options.control.period = values.Time("controlPeriod");
    options.control.batch = values.Time("controlBatch");
    options.quantum = values.Time("quantum");
    options.bypass = values.Size("bypassBytes");
    options.sampleInterval = values.Time("sampleInterval");
    return options;
}

/// @return the rule that chooses paths, from the values of the engine's parameters
::coflow::PathChoice
GetPathChoice(const ::coflow::Parameters& values, const std::string& scheduler)
{
    if (FluidSchedulerSpecs(scheduler).empty())
    {
        return ::coflow::PathChoice::FABRIC; // the scheduler has no coordinator, and so no other
                                             // rule
    }
    return values.Is("pathChoice", "move")    ? ::coflow::PathChoice::MOVE
           : values.Is("pathChoice", "start") ? ::coflow::PathChoice::START
                                              : ::coflow::PathChoice::FABRIC;
}

/// @return the paths of a topology, where links inside the topology limit rates; else null
std::shared_ptr<const ::coflow::PathMap>
MakePaths(const ::coflow::Parameters& values,
          ::coflow::PathChoice choice,
          Ptr<const Topology> topology)
{
    if (!values.Is("limits", "links"))
    {
        if (choice != ::coflow::PathChoice::FABRIC)
        {
            throw ::coflow::InputError("option --pathChoice has no effect where only the hosts' "
                                       "ports limit; allowed: --limits=links, or "
                                       "--pathChoice=fabric");
        }
        return nullptr;
    }
    if (topology->IsSprayingPackets() || topology->GetFlowletTimeout().IsStrictlyPositive())
    {
        throw ::coflow::InputError("option --limits is 'links', but a flow of a fluid has one path "
                                   "at a time; allowed: ports, or neither --packetSpraying nor "
                                   "--flowletTimeout");
    }
    return std::make_shared<TopologyPaths>(topology);
}

/// @return four times the sum of all times among the parameters of the run, at least a second
::coflow::Nanoseconds
GetPatience(const Workload& workload, const RunParts& parts, const ::coflow::Parameters& values)
{
    constexpr double FACTOR = 4;
    constexpr double MOST_SECONDS = 1e9;
    double seconds = 0;
    for (const auto* each : {&parts.GetPolicy(), &values})
    {
        for (const auto& spec : each->Specs())
        {
            seconds += spec.unit == ::coflow::Unit::SECONDS ? (*each)[spec.name] : 0;
        }
    }
    ::coflow::Nanoseconds deadline = 0;
    for (const auto& coflow : workload.coflows)
    {
        deadline = std::max(deadline, coflow.deadline.value_or(0));
    }
    seconds += static_cast<double>(deadline) * 1e-9;
    return static_cast<::coflow::Nanoseconds>(1e9 *
                                              std::clamp(FACTOR * seconds, 1.0, MOST_SECONDS));
}

/// Writes the results of flows and coflows to the records.
void
Record(const Workload& workload, const ::coflow::FluidResult& outcome, ExperimentResult& result)
{
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& coflow = workload.coflows[i];
        const auto& told = outcome.coflows[i];
        auto& record = result.coflows[i];
        record.arrival = told.start == ::coflow::NEVER ? told.arrival : told.start;
        record.finish = told.finish;
        record.admitted = told.admitted;
        record.bypassed = told.bypassed;
        for (const auto& flow : coflow.flows)
        {
            const auto finish = outcome.FlowFinish(i, flow.id);
            result.flows.push_back(
                {.coflow = coflow.id,
                 .flow = flow,
                 .start = told.admitted || finish != ::coflow::NEVER ? told.start : ::coflow::NEVER,
                 .finish = finish});
            if (finish != ::coflow::NEVER)
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
        ParameterSpec::Choice(
            "control",
            {"ideal", "real"},
            "cost of control, if no other option sets it: ideal, none; real, controlBatch and "
            "bypassBytes have their defaults of the packet engine",
            "ideal: the reference for results of the packet engine"),
        ParameterSpec{
            "controlDelay",
            Unit::SECONDS,
            0,
            0,
            1e6,
            "time from the state on which the coordinator decides to the effect of the decision",
            source}
            .AsControlPeriod(),
        ParameterSpec{"controlPeriod",
                      Unit::SECONDS,
                      0,
                      0,
                      1e6,
                      "the coordinator decides only at multiples of this time; 0: at any time",
                      source}
            .AsControlPeriod(),
        ::coflow::ControlBatchSpec(),
        ::coflow::BypassBytesSpec(),
        {"quantum",
         Unit::SECONDS,
         0,
         0,
         1e6,
         "artefact of CoflowSim, for comparison: step of time. Arrivals are rounded down to a "
         "multiple of it, ends and decisions up; 0: time is exact",
         "CoflowSim has 8 ms"},
        ParameterSpec::Choice("limits",
                              {"ports", "links"},
                              "what limits flows: ports, only the ports of hosts; links, also the "
                              "links inside the fabric, on the single path of each flow",
                              "ports: the model of the papers"),
        SampleIntervalSpec(0),
        ShortBytesSpec()};
}

std::vector<ParameterSpec>
FluidSchedulerSpecs(const std::string& scheduler)
{
    if (::coflow::MakePolicy(scheduler)->GetControl() != ::coflow::Control::CENTRAL)
    {
        return {};
    }
    return {::coflow::PathChoiceSpec()};
}

ExperimentResult
RunFluidExperiment(const Workload& workload, const ExperimentConfig& config)
{
    auto scaled = config;
    scaled.scale = config.scale.value_or(workload.scale);
    const RunParts parts("fluid", scaled);
    const auto topology = parts.Create<Topology>();
    topology->Build();
    CheckHosts(workload, *topology);
    CheckFlowPaths(workload, *topology);
    const auto policy = ::coflow::Policies::Find(config.scheduler).make(parts.GetPolicy());
    const auto values = GetValuesInForce(parts);
    auto options = MakeOptions(values);
    options.pathChoice = GetPathChoice(values, config.scheduler);
    if (policy->ChoosesPaths() && options.pathChoice != ::coflow::PathChoice::FABRIC)
    {
        throw ::coflow::InputError("option --pathChoice: scheduler " + config.scheduler +
                                   " chooses paths itself; allowed: fabric");
    }
    const auto paths = MakePaths(values, options.pathChoice, topology);
    options.paths = paths.get();

    ExperimentResult result;
    result.rates = GetHostRates(*topology);
    result.paths = paths;
    result.linksMayLimit = paths != nullptr;
    result.workloadScale = workload.scale;
    result.scale = parts.GetScale();
    result.binLimits.shortBytes = values.Size("shortBytes");
    result.configuration = Json::Object()
                               .Set("topology", GetAttributeValues(topology))
                               .Set("engine", DescribeValues(values))
                               .Set("scheduler", parts.DescribePolicy());
    using ::coflow::LinkShare;
    result.facts.linksWithoutOrder =
        paths && LinkShare::DemandOf(*policy) == LinkShare::Demand::GRANTED_FIRST;
    result.facts.controlPeriods = parts.GetControlPeriods();
    // The control periods of the engine have an effect only where a coordinator decides.
    if (policy->GetControl() == ::coflow::Control::CENTRAL)
    {
        for (auto& period : FindControlPeriods(values))
        {
            result.facts.controlPeriods.push_back(std::move(period));
        }
    }
    result.coflows = ::coflow::MakeCoflowRecords(workload, result.rates, result.binLimits);
    options.stop = config.stop.value_or(::coflow::NEVER);
    options.patience = GetPatience(workload, parts, values);
    options.listener = config.listener;
    options.poll = config.poll;
    std::optional<ProgressLine> line;
    if (config.progress)
    {
        line.emplace(std::cerr, ::isatty(STDERR_FILENO));
        options.progress = [&](const std::function<::coflow::FluidProgress()>& look) {
            line->PrintIfDue([&] {
                const auto progress = look();
                return RunProgress{.simulatedSeconds = static_cast<double>(progress.now) * 1e-9,
                                   .byteShare = progress.byteShare,
                                   .finished = progress.finishedCoflows,
                                   .coflows = workload.coflows.size()};
            });
        };
    }
    const ProcessCost before = ProcessCost::Now();
    auto outcome = ::coflow::RunFluid(workload, result.rates, *policy, options);
    const ProcessCost after = ProcessCost::Now();
    line.reset(); // the next output begins on a new line
    Record(workload, outcome, result);
    const bool stopped = std::ranges::any_of(result.coflows, [](const auto& record) {
        return !record.IsFinished() && record.admitted;
    });
    result.end = stopped ? RunEnd::STOPPED : RunEnd::COMPLETE;
    if (!outcome.stuck.empty())
    {
        result.end = RunEnd::STALLED;
        result.waits = DescribeStuck(workload, outcome);
    }
    result.samples = std::move(outcome.samples);
    result.facts.idleShare = outcome.idleShare;
    result.events = outcome.counters.events;
    result.cpuSeconds = after.cpuSeconds - before.cpuSeconds;
    result.wallSeconds = after.wallSeconds - before.wallSeconds;
    result.peakMemoryBytes = after.peakMemoryBytes;
    topology->Dispose();
    return result;
}

} // namespace ns3::coflow
