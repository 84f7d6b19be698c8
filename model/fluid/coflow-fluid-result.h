/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_RESULT_H
#define COFLOW_FLUID_RESULT_H

#include "ns3/coflow-fluid-options.h"
#include "ns3/coflow-run-sample.h"
#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coflow
{

/// The result of one coflow.
struct CoflowOutcome
{
    CoflowId id{0};            ///< id of the coflow
    Nanoseconds arrival{0};    ///< arrival in the workload
    Nanoseconds start{NEVER};  ///< arrival, or finish of its last parent
    Nanoseconds finish{NEVER}; ///< finish of its last flow; NEVER: not finished
    bool admitted{true};       ///< false: the policy has rejected the coflow
    bool bypassed{false};      ///< true: the coflow ran without the scheduler
    std::size_t firstFlow{0};  ///< position of its flow 0 in FluidResult::flowFinish

    /// Completion time, counted from the arrival; NEVER where the coflow has not finished.
    Nanoseconds Cct() const
    {
        return finish == NEVER ? NEVER : finish - arrival;
    }
};

/// Counters of a run.
struct FluidCounters
{
    std::uint64_t events{0};    ///< number of event times
    std::uint64_t decisions{0}; ///< number of computations of rates
    std::uint64_t flowsDone{0}; ///< number of finished flows
};

/// Outcome of a run.
struct FluidResult
{
    std::vector<CoflowOutcome> coflows;  ///< in the order of the workload
    std::vector<Nanoseconds> flowFinish; ///< finish times of all flows; NEVER: not finished
    Nanoseconds makespan{0};             ///< time from the first arrival to the last finish
    /// Bytes sent through the fabric, over the capacity of all sending ports from the first arrival
    /// to the last finish; 0 to 1.
    double utilisation{0};
    /// Bytes that finished flows could have sent at their rates until the policy's next decision,
    /// over all bytes sent; 0 where flows share ports without decisions.
    double idleShare{0};
    FluidCounters counters; ///< counters of the run
    /// Flows that would never have finished: there were no more events, or the time
    /// FluidOptions::patience was over. Their rates are 0, or too small to finish in any time that
    /// can be represented.
    std::vector<FlowState> stuck;
    Nanoseconds stuckAt{NEVER};     ///< time of the last progress, where flows are stuck
    std::vector<RunSample> samples; ///< see FluidOptions::sampleInterval

    /// Finish time of a flow.
    /// @param coflow position in `coflows`
    /// @param flow id of the flow
    Nanoseconds FlowFinish(std::size_t coflow, FlowId flow) const
    {
        return flowFinish[coflows[coflow].firstFlow + flow];
    }
};

} // namespace coflow

#endif // COFLOW_FLUID_RESULT_H
