/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_H
#define COFLOW_FLUID_H

#include "ns3/coflow-control-model.h"
#include "ns3/coflow-control-parameters.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-run-sample.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace coflow
{

/// What happened to one coflow.
struct CoflowOutcome
{
    CoflowId id{0};            ///< identifier
    Nanoseconds arrival{0};    ///< as in the workload
    Nanoseconds start{NEVER};  ///< when it was ready: arrival, or the finish of its last parent
    Nanoseconds finish{NEVER}; ///< when its last flow finished; NEVER: it did not
    bool admitted{true};       ///< false: the policy rejected it
    bool bypassed{false};      ///< true: it ran without the scheduler
    std::size_t firstFlow{0};  ///< place of its flow 0 in FluidResult::flowFinish

    /// Completion time, counted from the arrival; NEVER if it did not finish.
    Nanoseconds Cct() const
    {
        return finish == NEVER ? NEVER : finish - arrival;
    }
};

/// What a run cost.
struct FluidCounters
{
    std::uint64_t events{0};    ///< points in time at which something happened
    std::uint64_t decisions{0}; ///< times that rates were computed
    std::uint64_t flowsDone{0}; ///< flows that finished
};

/// Outcome of a run.
struct FluidResult
{
    std::vector<CoflowOutcome> coflows;  ///< in the order of the workload
    std::vector<Nanoseconds> flowFinish; ///< of all flows; NEVER: not finished
    Nanoseconds makespan{0};             ///< from the first arrival to the last finish
    /// Bytes moved through the fabric, over what all sending ports could have moved from
    /// the first arrival to the last finish; 0 to 1.
    double utilisation{0};
    FluidCounters counters;         ///< what the run cost
    std::vector<RunSample> samples; ///< see FluidOptions::sampleInterval

    /// When a flow finished.
    /// @param coflow position in `coflows`
    /// @param flow its id
    Nanoseconds FlowFinish(std::size_t coflow, FlowId flow) const
    {
        return flowFinish[coflows[coflow].firstFlow + flow];
    }
};

/// A flow that runs without the scheduler.
struct BypassFlow
{
    std::uint32_t coflow; ///< position of its coflow in the workload
    FlowId flow;          ///< its id
    HostId src;           ///< sending host
    HostId dst;           ///< receiving host
    double remaining;     ///< bytes left
    double rate;          ///< bytes per second
};

/// A stretch of time in which no rate changed, except that flows finish.
struct FluidInterval
{
    Nanoseconds from{0};                 ///< start
    Nanoseconds to{0};                   ///< end
    const FlowTable& table;              ///< flows at the start, with their rates
    std::span<const Nanoseconds> finish; ///< per flow: when it finishes at that rate
    const PortRates& capacity;           ///< rates of the ports
    std::span<const BypassFlow> bypass;  ///< flows that run without the scheduler
};

/// How to run.
struct FluidOptions
{
    Nanoseconds stop{NEVER};   ///< end of the run
    bool localUsePorts{false}; ///< flows within a host pay both its ports, as in CoflowSim
    /// Artefact for comparison, CoflowSim has 8 ms: arrivals are moved to the multiple of this
    /// before them, finishes to the one after them. 0: none. For policies without an own clock.
    Nanoseconds quantum{0};
    bool useForm{true};   ///< let the engine use Policy::GetForm
    ControlModel control; ///< what control costs where a coordinator decides
    /// Coflows with a smaller bottleneck run without the coordinator; see BypassFlows. None:
    /// DEFAULT_BYPASS where control costs something, 0 where it is ideal. Without effect on
    /// policies that are decided locally.
    std::optional<Bytes> bypass{};
    Nanoseconds sampleInterval{0}; ///< take samples of the run, so far apart; 0: none
    std::function<void(const FluidInterval&)>
        observer{}; ///< told every interval; needs useForm false
    std::function<void()>
        poll{}; ///< called now and then while it runs; what it throws ends the run
};

/// Runs a workload to its end under a policy: flows are fluids, time is exact.
///
/// There is no time step: the next event is the earliest of an arrival, the completion
/// that the policy wants to hear of, and the time at which it asked to be asked. Event
/// times are integer nanoseconds; a flow finishes in the first nanosecond in which its
/// last byte is through.
///
/// Where a coordinator decides (Policy::GetControl), FluidOptions::control delays decisions: a
/// coflow has no rate before the first decision that knows it takes effect, and between
/// decisions rates stay as they are, so what a flow had that finished is left unused.
///
/// @param workload what to run
/// @param capacity rates of the ports
/// @param policy who decides; its state must be fresh
/// @param options how
/// @throws InputError if the workload names hosts without ports or parents that do not exist
FluidResult RunFluid(const Workload& workload,
                     const PortRates& capacity,
                     Policy& policy,
                     const FluidOptions& options = {});

} // namespace coflow

#endif // COFLOW_FLUID_H
