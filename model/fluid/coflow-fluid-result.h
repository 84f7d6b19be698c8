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
    /// Bytes that ended flows could have sent at their rates until the policy decided again, over
    /// the bytes that were moved; 0 where flows share ports without decisions.
    double idleShare{0};
    FluidCounters counters; ///< what the run cost
    /// Flows that would never have ended: nothing was to happen any more, or FluidOptions::patience
    /// was over. Their rates are 0, or so low that they would end after all times that there are.
    std::vector<FlowState> stuck;
    Nanoseconds stuckAt{NEVER};     ///< when the last thing happened, where flows are stuck
    std::vector<RunSample> samples; ///< see FluidOptions::sampleInterval

    /// When a flow finished.
    /// @param coflow position in `coflows`
    /// @param flow its id
    Nanoseconds FlowFinish(std::size_t coflow, FlowId flow) const
    {
        return flowFinish[coflows[coflow].firstFlow + flow];
    }
};

} // namespace coflow

#endif // COFLOW_FLUID_RESULT_H
