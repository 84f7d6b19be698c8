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

/// An unfinished flow of a run at some time.
struct FlowState
{
    std::uint32_t coflow{0}; ///< position of its coflow in the workload
    FlowId flow{0};          ///< its id
    HostId src{0};           ///< sending host
    HostId dst{0};           ///< receiving host
    double remaining{0};     ///< bytes left
    double rate{0};          ///< bytes per second
};

/// A stretch of time between two events. No rate changes in it, but flows may finish: a flow then
/// keeps its rate to itself until the end of the interval, and moves no more.
struct FluidInterval
{
    Nanoseconds from{0};              ///< start
    Nanoseconds to{0};                ///< end
    std::span<const FlowState> flows; ///< unfinished flows as they are at the start
    const PortRates& capacity;        ///< rates of the ports
};

/// How far a run is.
struct FluidProgress
{
    Nanoseconds now{0};             ///< time of the last event
    std::size_t finishedCoflows{0}; ///< how many coflows have finished
    /// Bytes that have moved, over the bytes of all flows that need the fabric. Flows of coflows
    /// that were rejected do not count.
    double byteShare{0};
};

/// How to run.
struct FluidOptions
{
    Nanoseconds stop{NEVER}; ///< end of the run
    /// Step of time, to compare with simulators that have one (CoflowSim: 8 ms). Arrivals are
    /// moved to the multiple of the step before them. Everything else happens at the multiple
    /// after its time; until then a flow that is through keeps its rate. 0: time is exact.
    Nanoseconds quantum{0};
    ControlModel control; ///< what control costs where a coordinator decides
    /// Coflows with a smaller bottleneck run without the coordinator; see BypassFlows. None:
    /// DEFAULT_BYPASS where control costs something, 0 where it is ideal. Without effect on
    /// policies that are decided locally.
    std::optional<Bytes> bypass{};
    /// For how long no flow may move, or none fast enough to end, where none is to arrive any more.
    /// The run ends then, or after ten million such decisions; see FluidResult::stuck.
    Nanoseconds patience{NEVER};
    /// Links inside the fabric that limit, too; null: only ports of hosts do. To be there until the
    /// run is over.
    const PathMap* paths{nullptr};
    /// Who chooses paths, where there are any and a coordinator decides whose policy does not.
    PathChoice pathChoice{PathChoice::FABRIC};
    Nanoseconds sampleInterval{0}; ///< take samples of the run, so far apart; 0: none
    /// Told every interval in which flows are present, whichever executor runs the policy. It
    /// changes nothing in the run and costs O(flows present) per interval; none: it costs nothing.
    std::function<void(const FluidInterval&)> observer{};
    CoflowListener listener{}; ///< told of coflows that start and finish
    std::function<void()>
        poll{}; ///< called now and then while it runs; what it throws ends the run
    /// Called as often as `poll`, with a function that tells how far the run is. That function
    /// takes time in proportion to the flows present.
    std::function<void(const std::function<FluidProgress()>& look)> progress{};
};

} // namespace coflow

#endif // COFLOW_FLUID_OPTIONS_H
