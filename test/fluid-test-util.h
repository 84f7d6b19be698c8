/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_TEST_UTIL_H
#define FLUID_TEST_UTIL_H

#include "ns3/coflow-decision-engine.h"
#include "ns3/coflow-fluid.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-types.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

namespace coflow::test
{

/// One unit of the worked examples: 0.1 s, and what a port moves in that time.
inline constexpr Nanoseconds UNIT = 100'000'000;
inline constexpr Bytes UNIT_BYTES = 12'500'000;

/// The rate of a port: one unit of bytes per unit of time, 1 Gbps.
inline constexpr double PORT_RATE = 125e6;

/// A flow in units.
struct UnitFlow
{
    HostId src;
    HostId dst;
    double size;
};

/// A coflow in units.
inline Coflow
MakeCoflow(CoflowId id, std::initializer_list<UnitFlow> flows, double arrival = 0)
{
    Coflow coflow;
    coflow.id = id;
    coflow.arrival = static_cast<Nanoseconds>(std::llround(arrival * UNIT));
    for (const UnitFlow& f : flows)
    {
        coflow.flows.push_back({static_cast<FlowId>(coflow.flows.size()),
                                f.src,
                                f.dst,
                                static_cast<Bytes>(std::llround(f.size * UNIT_BYTES))});
    }
    return coflow;
}

/// The same with a deadline, relative to the arrival, in units.
inline Coflow
WithDeadline(Coflow coflow, double deadline)
{
    coflow.deadline = static_cast<Nanoseconds>(std::llround(deadline * UNIT));
    return coflow;
}

/// A workload of these coflows.
inline Workload
MakeWorkload(HostId hosts, std::vector<Coflow> coflows)
{
    Workload workload;
    workload.hosts = hosts;
    workload.coflows = std::move(coflows);
    std::sort(workload.coflows.begin(), workload.coflows.end(), [](const auto& a, const auto& b) {
        return std::pair(a.arrival, a.id) < std::pair(b.arrival, b.id);
    });
    return workload;
}

/// Who runs a policy.
enum class Executor
{
    CHOSEN, ///< the one that RunFluid takes
    GENERAL ///< the one that asks any policy for the rates of all flows
};

/// All of them.
inline constexpr Executor EXECUTORS[] = {Executor::CHOSEN, Executor::GENERAL};

/// Runs a policy under ideal control, and asks it for the rates of all flows whatever its form is.
inline FluidResult
RunGeneral(const Workload& workload,
           const PortRates& capacity,
           Policy& policy,
           const FluidOptions& options = {})
{
    FluidRun run(workload, capacity, options);
    DecisionEngine(run, policy, ControlModel(), 0).Run();
    return run.TakeResult();
}

/// Runs a policy on ports of one unit.
inline FluidResult
RunUnits(const Workload& workload,
         const std::string& policy,
         const std::vector<std::string>& parameters = {},
         const FluidOptions& options = {},
         Executor executor = Executor::CHOSEN)
{
    const auto made = MakePolicy(policy, parameters);
    const PortRates capacity = PortRates::Uniform(workload.hosts, PORT_RATE);
    return executor == Executor::GENERAL ? RunGeneral(workload, capacity, *made, options)
                                         : RunFluid(workload, capacity, *made, options);
}

/// Completion times in units, in the order of the workload; -1: not finished.
inline std::vector<double>
Ccts(const FluidResult& result)
{
    std::vector<double> ccts;
    for (const CoflowOutcome& outcome : result.coflows)
    {
        ccts.push_back(outcome.finish == NEVER ? -1 : static_cast<double>(outcome.Cct()) / UNIT);
    }
    return ccts;
}

/// Mean of values.
inline double
Mean(const std::vector<double>& values)
{
    double sum = 0;
    for (double value : values)
    {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

/// Mean flow completion time in units, over all flows of all coflows.
inline double
MeanFct(const Workload& workload, const FluidResult& result)
{
    std::vector<double> fcts;
    for (std::size_t c = 0; c < workload.coflows.size(); ++c)
    {
        for (const Flow& flow : workload.coflows[c].flows)
        {
            fcts.push_back(
                static_cast<double>(result.FlowFinish(c, flow.id) - workload.coflows[c].arrival) /
                UNIT);
        }
    }
    return Mean(fcts);
}

/// What a random workload looks like.
struct RandomShape
{
    HostId hosts{6};
    int coflows{12};
    int maxFlows{8};
    Bytes maxBytes{4 * UNIT_BYTES};
    Nanoseconds lastArrival{10 * UNIT};
    double deadlineFactor{0}; ///< deadline: 1 to 1 + this times the bottleneck; 0: none
};

/// A random workload, the same on every platform.
inline Workload
RandomWorkload(unsigned seed, const RandomShape& shape = {})
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return boost::random::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    std::vector<Coflow> coflows;
    for (int c = 0; c < shape.coflows; ++c)
    {
        Coflow coflow;
        coflow.id = static_cast<CoflowId>(100 + c);
        coflow.arrival =
            draw(0, 3) == 0 && c > 0 ? coflows.back().arrival : draw(0, shape.lastArrival);
        const auto flows = draw(1, shape.maxFlows);
        for (int f = 0; f < flows; ++f)
        {
            coflow.flows.push_back({static_cast<FlowId>(f),
                                    static_cast<HostId>(draw(0, shape.hosts - 1)),
                                    static_cast<HostId>(draw(0, shape.hosts - 1)),
                                    draw(0, 9) == 0 ? 0 : draw(1, shape.maxBytes)});
        }
        if (shape.deadlineFactor > 0)
        {
            const double gamma = static_cast<double>(SizesOf(coflow).bottleneck) / PORT_RATE * 1e9;
            const double factor =
                1 + shape.deadlineFactor * static_cast<double>(draw(0, 1000)) / 1000;
            coflow.deadline = 1 + static_cast<Nanoseconds>(std::ceil(gamma * factor));
        }
        coflows.push_back(coflow);
    }
    return MakeWorkload(shape.hosts, std::move(coflows));
}

/// Shapes to draw from: sparse, dense, wide, all at once, with deadlines.
inline std::vector<RandomShape>
Shapes()
{
    return {{6, 12, 8, 4 * UNIT_BYTES, 10 * UNIT, 0},
            {3, 20, 6, 2 * UNIT_BYTES, 20 * UNIT, 0},
            {10, 6, 60, UNIT_BYTES, 3 * UNIT, 0},
            {5, 8, 10, 3000, 0, 0},
            {6, 12, 8, 4 * UNIT_BYTES, 30 * UNIT, 2}};
}

/// Number of coflows of a workload that finish by their deadline.
inline int
Met(const Workload& workload, const FluidResult& result)
{
    int met = 0;
    for (std::size_t c = 0; c < workload.coflows.size(); ++c)
    {
        const Coflow& coflow = workload.coflows[c];
        met += coflow.deadline && result.coflows[c].finish <= coflow.arrival + *coflow.deadline;
    }
    return met;
}

/// Options that show every interval.
inline FluidOptions
Watched(std::function<void(const FluidInterval&)> observer)
{
    FluidOptions options;
    options.observer = std::move(observer);
    return options;
}

} // namespace coflow::test

#endif // FLUID_TEST_UTIL_H
