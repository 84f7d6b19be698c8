/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_RUN_H
#define COFLOW_FLUID_RUN_H

#include "ns3/coflow-fluid-options.h"
#include "ns3/coflow-fluid-result.h"
#include "ns3/coflow-least-time.h"
#include "ns3/coflow-release-order.h"
#include "ns3/coflow-run-sampler.h"

#include <cmath>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace coflow
{

/// Finish time of an amount: the first nanosecond at or after the exact finish, less the slack of
/// ROUNDING_NS and ROUNDING_SHARE.
/// @param now start
/// @param amount the amount, in bytes or any other unit
/// @param rate units per second; 0 or -0: never
inline Nanoseconds
TimeAfter(Nanoseconds now, double amount, double rate)
{
    const double ns = amount / rate * 1e9;
    if (!(std::abs(ns) < LONGEST_NS)) // a division by a rate of -0 gives -infinity
    {
        return NEVER;
    }
    const double rounded = std::ceil(ns * (1 - ROUNDING_SHARE) - ROUNDING_NS);
    return rounded > 0 ? now + static_cast<Nanoseconds>(rounded) : now;
}

/// The common state of all executors of the fluid engine: the ready times of coflows (parents
/// first), and the records of finished flows and coflows.
class FluidRun
{
  public:
    /// @throws InputError where the workload names hosts without ports, or unknown parents
    FluidRun(const Workload& workload, const PortRates& capacity, const FluidOptions& options);

    /// The coflow at a position of the workload.
    const Coflow& At(std::uint32_t index) const
    {
        return m_workload.coflows[index];
    }

    /// The workload.
    const Workload& GetWorkload() const
    {
        return m_workload;
    }

    /// The present record of a coflow of the workload.
    const CoflowOutcome& GetOutcome(std::uint32_t index) const
    {
        return m_result.coflows[index];
    }

    /// Deadline of a coflow that has started: its deadline after its start; NEVER: none.
    Nanoseconds DeadlineOf(std::uint32_t index) const
    {
        return At(index).deadline ? GetOutcome(index).start + *At(index).deadline : NEVER;
    }

    /// Rates of the ports.
    const PortRates& Capacity() const
    {
        return m_capacity;
    }

    /// The options of the run.
    const FluidOptions& Options() const
    {
        return m_options;
    }

    /// The first time step at or after a time; see FluidOptions::quantum.
    Nanoseconds StepAfter(Nanoseconds time) const
    {
        const Nanoseconds quantum = m_options.quantum;
        return quantum == 0 || time == NEVER ? time : (time + quantum - 1) / quantum * quantum;
    }

    /// Time at which the next coflow becomes ready; NEVER: none.
    Nanoseconds NextReady() const
    {
        return m_ready.empty() ? NEVER : m_ready.top().first;
    }

    /// Takes the next coflow. Its flows that do not use the fabric finish at once, and the coflow
    /// may finish with them.
    /// @returns position of the coflow in the workload, and whether it has flows to serve
    std::pair<std::uint32_t, bool> TakeReady();

    /// Whether a flow uses the fabric.
    static bool UsesFabric(const Flow& flow)
    {
        return flow.bytes > 0 && !flow.IsLocal();
    }

    /// Appends the flows of a coflow that use the fabric, with all their bytes and the rate 0.
    void AppendFlows(std::uint32_t index, std::vector<FlowState>& flows) const;

    /// Number of coflows of the workload.
    std::size_t CoflowCount() const
    {
        return m_result.coflows.size();
    }

    /// Number of flows of the workload.
    std::size_t FlowCount() const
    {
        return m_result.flowFinish.size();
    }

    /// Position of a coflow's first flow in FluidResult::flowFinish.
    std::size_t FirstFlow(std::uint32_t index) const
    {
        return m_result.coflows[index].firstFlow;
    }

    /// Records that a coflow was not admitted.
    /// @param served whether it is served nevertheless; otherwise its descendants are also rejected
    void Reject(std::uint32_t index, bool served);

    /// Records that a coflow runs without the scheduler.
    void Bypass(std::uint32_t index);

    /// The sampler of the run.
    RunSampler& Sampler()
    {
        return m_sampler;
    }

    /// Records the finish of a flow, and of its coflow if this was the last flow.
    /// @param time finish time, which is rounded up to a time step
    /// @returns whether it was the last flow
    bool FinishFlow(std::uint32_t index, FlowId flow, Nanoseconds time);

    /// Counts an event time.
    /// @returns whether the caller is to be polled now
    bool CountEvent()
    {
        constexpr std::uint64_t EVENTS_PER_POLL = 64;
        return ++m_result.counters.events % EVENTS_PER_POLL == 0;
    }

    /// Counts bytes that finished flows could have sent until the policy's next decision.
    void AddIdle(double bytes)
    {
        m_idle += bytes;
    }

    /// Bytes of finished flows that use the fabric.
    double MovedBytes() const
    {
        return m_moved;
    }

    /// Bytes of all flows that use the fabric, without rejected coflows.
    double BytesToMove() const
    {
        return m_toMove;
    }

    /// Number of finished coflows.
    std::size_t FinishedCoflowCount() const
    {
        return m_finishedCoflows;
    }

    /// Records the unfinished flows where no event can change their rates. TakeResult() removes
    /// flows that finish nevertheless.
    /// @param since time of the last progress
    void SetStuck(Nanoseconds since, std::vector<FlowState> flows)
    {
        m_result.stuckAt = since;
        m_result.stuck = std::move(flows);
    }

    /// The counters of the run, which the executor increments.
    FluidCounters& Counters()
    {
        return m_result.counters;
    }

    /// Completes the result and moves it to the caller.
    FluidResult TakeResult();

  private:
    /// Removes the unfinished flows of a rejected coflow from BytesToMove().
    void LeaveOut(std::uint32_t index);

    /// Records the finish of a coflow.
    void Finish(std::uint32_t index, Nanoseconds time);

    /// Releases the children of a coflow that wait for no other coflow.
    void Release(std::uint32_t index, Nanoseconds time);

    /// Ready time and position of a coflow. Positions have the order of (arrival, id).
    using Ready = std::pair<Nanoseconds, std::uint32_t>;

    const Workload& m_workload;       ///< the workload
    const PortRates& m_capacity;      ///< rates of the ports
    const FluidOptions& m_options;    ///< options of the run
    FluidResult m_result;             ///< records
    RunSampler m_sampler;             ///< takes samples
    double m_moved{0};                ///< bytes of finished flows that use the fabric
    double m_idle{0};                 ///< see AddIdle()
    double m_toMove{0};               ///< see BytesToMove()
    std::size_t m_finishedCoflows{0}; ///< see FinishedCoflowCount()
    std::vector<std::size_t> m_left;  ///< per coflow: number of unfinished flows
    ReleaseOrder m_releases;          ///< dependencies of coflows
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready; ///< ready coflows, the
                                                                            ///< earliest first
};

} // namespace coflow

#endif // COFLOW_FLUID_RUN_H
