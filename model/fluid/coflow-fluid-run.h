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

/// When an amount is through: the first nanosecond at or after it, but for the slack of
/// ROUNDING_NS and ROUNDING_SHARE.
/// @param now start
/// @param amount how much, in bytes or any other unit
/// @param rate units per second; 0: never
inline Nanoseconds
TimeAfter(Nanoseconds now, double amount, double rate)
{
    const double ns = amount / rate * 1e9;
    if (!(ns < LONGEST_NS))
    {
        return NEVER;
    }
    const double rounded = std::ceil(ns * (1 - ROUNDING_SHARE) - ROUNDING_NS);
    return rounded > 0 ? now + static_cast<Nanoseconds>(rounded) : now;
}

/// What all executors of the fluid engine have in common: which coflow is ready when
/// (parents first), and the records of what finished.
class FluidRun
{
  public:
    /// @throws InputError if the workload names hosts without ports or unknown parents
    FluidRun(const Workload& workload, const PortRates& capacity, const FluidOptions& options);

    /// The coflow at a position of the workload.
    const Coflow& At(std::uint32_t index) const
    {
        return m_workload.coflows[index];
    }

    /// What is run.
    const Workload& GetWorkload() const
    {
        return m_workload;
    }

    /// What has happened so far to a coflow of the workload.
    const CoflowOutcome& GetOutcome(std::uint32_t index) const
    {
        return m_result.coflows[index];
    }

    /// Rates of the ports.
    const PortRates& Capacity() const
    {
        return m_capacity;
    }

    /// How to run.
    const FluidOptions& Options() const
    {
        return m_options;
    }

    /// The first time at or after another at which something may happen; see
    /// FluidOptions::quantum.
    Nanoseconds StepAfter(Nanoseconds time) const
    {
        const Nanoseconds quantum = m_options.quantum;
        return quantum == 0 || time == NEVER ? time : (time + quantum - 1) / quantum * quantum;
    }

    /// When the next coflow becomes ready; NEVER: none is left.
    Nanoseconds NextReady() const
    {
        return m_ready.empty() ? NEVER : m_ready.top().first;
    }

    /// Takes the next coflow. Its flows that move nothing through the fabric are finished
    /// at once, and so may be the coflow.
    /// @returns its position in the workload, and whether it has flows to serve
    std::pair<std::uint32_t, bool> TakeReady();

    /// Whether a flow needs the fabric.
    static bool UsesFabric(const Flow& flow)
    {
        return flow.bytes > 0 && !flow.IsLocal();
    }

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

    /// Where the flows of a coflow start in FluidResult::flowFinish.
    std::size_t FirstFlow(std::uint32_t index) const
    {
        return m_result.coflows[index].firstFlow;
    }

    /// Records that the coflow was not admitted.
    /// @param served it runs all the same; otherwise its descendants are rejected with it
    void Reject(std::uint32_t index, bool served);

    /// Records that the coflow runs without the scheduler.
    void Bypass(std::uint32_t index);

    /// Who takes samples.
    RunSampler& Sampler()
    {
        return m_sampler;
    }

    /// Records the finish of a flow, and of its coflow if it was the last one.
    /// @param time when it is through; the next step counts
    /// @returns whether it was the last one
    bool FinishFlow(std::uint32_t index, FlowId flow, Nanoseconds time);

    /// Counts a point in time at which something happens.
    /// @returns whether it is time to let the caller look in
    bool CountEvent()
    {
        constexpr std::uint64_t EVENTS_PER_POLL = 64;
        return ++m_result.counters.events % EVENTS_PER_POLL == 0;
    }

    /// Counts bytes that ended flows could have sent until the policy decided again.
    void AddIdle(double bytes)
    {
        m_idle += bytes;
    }

    /// Bytes of finished flows that needed the fabric.
    double MovedBytes() const
    {
        return m_moved;
    }

    /// Bytes of all flows that need the fabric, but for those of rejected coflows.
    double BytesToMove() const
    {
        return m_toMove;
    }

    /// Coflows that have finished.
    std::size_t FinishedCoflowCount() const
    {
        return m_finishedCoflows;
    }

    /// Records the flows that are left where nothing can happen to them any more. Those that end
    /// all the same are taken out by TakeResult().
    /// @param since when something had last happened
    void SetStuck(Nanoseconds since, std::vector<FlowState> flows)
    {
        m_result.stuckAt = since;
        m_result.stuck = std::move(flows);
    }

    /// What the run costs; to be counted by the executor.
    FluidCounters& Counters()
    {
        return m_result.counters;
    }

    /// Completes and gives away the result.
    FluidResult TakeResult();

  private:
    /// Takes the unfinished flows of a rejected coflow out of BytesToMove().
    void LeaveOut(std::uint32_t index);

    /// Records that all flows of a coflow are through.
    void Finish(std::uint32_t index, Nanoseconds time);

    /// Releases those for whom a coflow was the last one to wait for.
    void Release(std::uint32_t index, Nanoseconds time);

    /// (time, position): coflows sorted by (arrival, id) have positions in the same order.
    using Ready = std::pair<Nanoseconds, std::uint32_t>;

    const Workload& m_workload;       ///< what to run
    const PortRates& m_capacity;      ///< rates of the ports
    const FluidOptions& m_options;    ///< how
    FluidResult m_result;             ///< records
    RunSampler m_sampler;             ///< takes samples
    double m_moved{0};                ///< bytes through the fabric
    double m_idle{0};                 ///< see AddIdle()
    double m_toMove{0};               ///< see BytesToMove()
    std::size_t m_finishedCoflows{0}; ///< see FinishedCoflowCount()
    std::vector<std::size_t> m_left;  ///< per coflow: flows that are not finished
    ReleaseOrder m_releases;          ///< who waits for whom
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready; ///< by time
};

} // namespace coflow

#endif // COFLOW_FLUID_RUN_H
