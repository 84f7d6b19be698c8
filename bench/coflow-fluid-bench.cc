/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How the cost of a run of the fluid engine grows: 1, 2, 4 and 8 times the coflows, at the same
// load, once on the same ports and once on as many times the ports. What counts is CPU time per
// flow: where it stays the same, cost is linear in flow events.

#include "ns3/coflow-fluid.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-policy-registry.h"

#include <benchmark/benchmark.h>
#include <string>

using namespace coflow;

namespace
{

/// What a port carries, in bytes per second; the default link rate of the generator.
constexpr double PORT_RATE = 125e6;

/// Runs a policy on coflows like the Facebook trace's.
/// @param hosts number of hosts
/// @param coflows number of coflows
void
Run(benchmark::State& state, const std::string& policy, int64_t hosts, int64_t coflows)
{
    const Workload workload =
        Generate("fb-like",
                 {"hosts=" + std::to_string(hosts), "coflows=" + std::to_string(coflows)});
    FluidResult result;
    for (auto _ : state)
    {
        const auto made = MakePolicy(policy);
        result = RunFluid(workload, PortRates::Uniform(workload.hosts, PORT_RATE), *made);
    }
    const auto flows = static_cast<double>(result.counters.flowsDone);
    state.counters["flows"] = flows;
    state.counters["events"] = static_cast<double>(result.counters.events);
    state.counters["CPU/flow"] = benchmark::Counter(flows,
                                                    benchmark::Counter::kIsIterationInvariantRate |
                                                        benchmark::Counter::kInvert);
}

/// The trace's ports.
void
Coflows(benchmark::State& state, const std::string& policy)
{
    Run(state, policy, 150, 132 * state.range(0));
}

/// As many ports more as coflows. The generator lets wide coflows grow with the ports on both
/// sides, so that there are many more flows.
void
CoflowsAndPorts(benchmark::State& state, const std::string& policy)
{
    Run(state, policy, 25 * state.range(0), 132 * state.range(0));
}

} // namespace

int
main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
    {
        return 2;
    }
    for (const auto& [name, info] : Policies::All())
    {
        for (const auto& [family, function] :
             {std::pair("Coflows/", &Coflows), std::pair("CoflowsAndPorts/", &CoflowsAndPorts)})
        {
            benchmark::RegisterBenchmark((family + name).c_str(), function, name)
                ->RangeMultiplier(2)
                ->Range(1, 8)
                ->Iterations(1)
                ->Unit(benchmark::kSecond);
        }
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
