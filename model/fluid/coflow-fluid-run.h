/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_RUN_H
#define COFLOW_FLUID_RUN_H

#include "ns3/coflow-fluid-options.h"
#include "ns3/coflow-fluid-result.h"
#include "ns3/coflow-identified.h"
#include "ns3/coflow-least-time.h"
#include "ns3/coflow-release-order.h"
#include "ns3/coflow-run-sampler.h"

#include <cmath>
#include <cstdint>
#include <optional>
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
///
/// Executors are about coflows as the scheduler sees them: those of the workload or, where flows
/// are taken for those of other coflows, the identified ones. Records are about the coflows of the
/// workload.
class FluidRun
{
  public:
    /// @param workload what to run
    /// @param capacity rates of the ports
    /// @param options how
    /// @param identified the scheduler sees identified coflows, where there are any
    /// @throws InputError if the workload names hosts without ports or unknown parents
    FluidRun(const Workload& workload,
             const PortRates& capacity,
             const FluidOptions& options,
             bool identified = true);

    /// The coflow at a position, as the scheduler sees it. Where flows come in batches these are
    /// all that ever come.
    const Coflow& At(std::uint32_t index) const
    {
        return m_identified ? m_identified->Coflows()[index] : m_workload.coflows[index];
    }

    /// Whether the scheduler sees other coflows than those of the workload.
    bool Identified() const
    {
        return m_identified.has_value();
    }

    /// Which flow of the workload one is that the scheduler sees.
    FlowPlace OriginOf(std::uint32_t index, FlowId flow) const
    {
        return m_identified ? m_identified->OriginOf(index, flow) : FlowPlace{index, flow};
    }

    /// Whether a flow that the scheduler sees has finished.
    bool IsFinished(std::uint32_t index, FlowId flow) const
    {
        const FlowPlace origin = OriginOf(index, flow);
        return m_result.flowFinish[m_result.coflows[origin.coflow].firstFlow + origin.flow] !=
               NEVER;
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
    /// @returns its flows, by coflow as the scheduler sees them; those without flows to serve are
    ///          left out. Valid until the next call
    std::span<const FlowBatch> TakeReady();

    /// Whether a flow needs the fabric.
    static bool UsesFabric(const Flow& flow)
    {
        return flow.bytes > 0 && !flow.IsLocal();
    }

    /// Number of coflows that the scheduler sees.
    std::size_t CoflowCount() const
    {
        return m_identified ? m_identified->Coflows().size() : m_result.coflows.size();
    }

    /// Number of flows of the workload.
    std::size_t FlowCount() const
    {
        return m_result.flowFinish.size();
    }

    /// The number of flow 0 of a coflow, where the flows of all coflows that the scheduler sees are
    /// counted.
    std::size_t FirstFlow(std::uint32_t index) const
    {
        return m_identified ? m_identified->FirstFlow(index) : m_result.coflows[index].firstFlow;
    }

    /// Records that the coflow was not admitted.
    /// @param served it runs all the same; otherwise its descendants are rejected with it
    /// @throws InputError for an identified coflow: others have flows in it
    void Reject(std::uint32_t index, bool served);

    /// Records that flows run without the scheduler. Where all flows of a coflow do, it does.
    void Bypass(const FlowBatch& batch);

    /// Who takes samples.
    RunSampler& Sampler()
    {
        return m_sampler;
    }

    /// Records the finish of a flow, and of its coflow if it was the last one.
    /// @param time when it is through; the next step counts
    /// @returns whether it was the last one that has come of the coflow that the scheduler sees
    bool FinishFlow(std::uint32_t index, FlowId flow, Nanoseconds time);

    /// Counts a point in time at which something happens.
    /// @returns whether it is time to let the caller look in
    bool CountEvent()
    {
        constexpr std::uint64_t EVENTS_PER_POLL = 64;
        return ++m_result.counters.events % EVENTS_PER_POLL == 0;
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
    double m_toMove{0};               ///< see BytesToMove()
    std::size_t m_finishedCoflows{0}; ///< see FinishedCoflowCount()
    std::vector<std::size_t> m_left;  ///< per coflow: flows that are not finished
    /// What the scheduler sees; none: the coflows of the workload.
    std::optional<IdentifiedCoflows> m_identified;
    std::vector<std::size_t> m_present;   ///< per identified coflow: flows that came, not finished
    std::vector<std::size_t> m_bypassing; ///< per coflow: flows that run without the scheduler
    std::vector<FlowBatch> m_taken;       ///< what TakeReady() gave
    ReleaseOrder m_releases;              ///< who waits for whom
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> m_ready; ///< by time
};

} // namespace coflow

#endif // COFLOW_FLUID_RUN_H
