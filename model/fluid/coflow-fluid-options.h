/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_OPTIONS_H
#define COFLOW_FLUID_OPTIONS_H

#include "ns3/coflow-control-model.h"
#include "ns3/coflow-listener.h"
#include "ns3/coflow-path-chooser.h"
#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace coflow
{

/// The state of an unfinished flow.
struct FlowState
{
    std::uint32_t coflow{0}; ///< position of its coflow in the workload
    FlowId flow{0};          ///< id of the flow
    HostId src{0};           ///< sending host
    HostId dst{0};           ///< receiving host
    double remaining{0};     ///< bytes left
    double rate{0};          ///< rate, in bytes per second
};

/// The time between two events. No rate changes in this interval, but flows may finish. The rate of
/// a finished flow is unused until the end of the interval.
struct FluidInterval
{
    Nanoseconds from{0};              ///< start
    Nanoseconds to{0};                ///< end
    std::span<const FlowState> flows; ///< unfinished flows at the start
    const PortRates& capacity;        ///< rates of the ports
};

/// The progress of a run.
struct FluidProgress
{
    Nanoseconds now{0};             ///< time of the last event
    std::size_t finishedCoflows{0}; ///< number of finished coflows
    /// Bytes sent, over the bytes of all flows that need the fabric. Flows of rejected coflows do
    /// not count.
    double byteShare{0};
};

/// Options of a run.
struct FluidOptions
{
    Nanoseconds stop{NEVER}; ///< end of the run
    /// Time step, for comparisons with simulators that have one (CoflowSim: 8 ms). Arrivals are
    /// rounded down to a multiple of the time step. All other events are rounded up, and the rate
    /// of a finished flow is unused until then. 0: exact times.
    Nanoseconds quantum{0};
    ControlModel control; ///< costs of control where a coordinator decides
    /// Coflows with fewer bytes at their bottleneck port run without the coordinator; see
    /// BypassFlows. None: DEFAULT_BYPASS where control has costs, 0 where control is ideal. No
    /// effect on policies that decide locally.
    std::optional<Bytes> bypass{};
    /// Time without progress after which the run ends. A run makes no progress when, after the last
    /// arrival, all flows have the rate 0, or rates too small to finish. The run also ends after
    /// ten million decisions without progress; see FluidResult::stuck.
    Nanoseconds patience{NEVER};
    /// Links inside the fabric that also limit rates; null: only ports of hosts limit rates. The
    /// object must exist until the end of the run.
    const PathMap* paths{nullptr};
    /// The rule that chooses paths. It has an effect where the option `paths` is set, and the
    /// policy of a coordinator does not choose paths.
    PathChoice pathChoice{PathChoice::FABRIC};
    Nanoseconds sampleInterval{0}; ///< time between samples; 0: no samples
    /// Called for every interval with unfinished flows, in every executor. The calls do not change
    /// the run. They cost O(unfinished flows) per interval. Empty: no calls.
    std::function<void(const FluidInterval&)> observer{};
    CoflowListener listener{};    ///< called when coflows start and finish
    std::function<void()> poll{}; ///< called from time to time; an exception ends the run
    /// Called as often as `poll`. The argument is a function that returns the progress of the run.
    /// A call of the argument takes time in proportion to the number of unfinished flows.
    std::function<void(const std::function<FluidProgress()>& look)> progress{};
};

} // namespace coflow

#endif // COFLOW_FLUID_OPTIONS_H
