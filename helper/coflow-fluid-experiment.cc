/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid-experiment.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-fluid.h"
#include "ns3/coflow-parts.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-process-cost.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::Json;
using ::coflow::NEVER;
using ::coflow::ParameterSpec;
using ::coflow::Policies;
using ::coflow::Workload;

namespace
{

/// The parameters of a policy as an object: name and value in force.
Json
GetParameterValues(const std::vector<ParameterSpec>& specs,
                   const std::vector<std::string>& assignments)
{
    auto values = Json::Object();
    for (const auto& spec : specs)
    {
        auto value = spec.Default();
        for (const auto& assignment : assignments)
        {
            if (assignment.starts_with(spec.name + "="))
            {
                value = assignment.substr(spec.name.size() + 1);
            }
        }
        values.Set(spec.name, value);
    }
    return values;
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
        for (const auto& flow : coflow.flows)
        {
            const auto finish = outcome.FlowFinish(i, flow.id);
            result.flows.push_back({.coflow = coflow.id,
                                    .flow = flow,
                                    .start = told.admitted ? told.start : NEVER,
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

ExperimentResult
RunFluidExperiment(const Workload& workload, const ExperimentConfig& config)
{
    const auto& info = Policies::Find(config.scheduler);
    Parts parts(config);
    std::vector<std::string> assignments;
    for (const auto& attribute : config.attributes)
    {
        const auto& name = attribute.first;
        const auto& value = attribute.second;
        const bool isParameter =
            std::any_of(info.parameters.begin(),
                        info.parameters.end(),
                        [&name](const ParameterSpec& spec) { return spec.name == name; });
        if (isParameter)
        {
            assignments.push_back(name + "=" + value);
        }
        else if (!parts.Set(name, value))
        {
            parts.RefuseUnknown(name);
        }
    }
    const auto topology = parts.Create<Topology>();
    topology->Build();
    CheckHosts(workload, *topology);
    const auto policy = ::coflow::MakePolicy(config.scheduler, assignments);

    ExperimentResult result;
    result.rates = GetHostRates(*topology);
    result.configuration = Json::Object()
                               .Set("topology", GetAttributeValues(topology))
                               .Set("scheduler", GetParameterValues(info.parameters, assignments));
    result.coflows = ::coflow::MakeCoflowRecords(workload, result.rates, config.binLimits);
    ::coflow::FluidOptions options;
    options.stop = config.stop.value_or(NEVER);
    const ProcessCost before = ProcessCost::Now();
    const auto outcome = ::coflow::RunFluid(workload, result.rates, *policy, options);
    const ProcessCost after = ProcessCost::Now();
    Record(workload, outcome, result);
    result.events = outcome.counters.events;
    result.cpuSeconds = after.cpuSeconds - before.cpuSeconds;
    result.wallSeconds = after.wallSeconds - before.wallSeconds;
    result.peakMemoryBytes = after.peakMemoryBytes;
    topology->Dispose();
    return result;
}

} // namespace ns3::coflow
