/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_EXECUTOR_H
#define COFLOW_FLUID_EXECUTOR_H

#include "ns3/coflow-fluid-options.h"
#include "ns3/coflow-fluid-run.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace coflow
{

/// Runs a workload, event by event. What all executors have in common stands here once: when the
/// run ends, which coflows are ready, samples, the observer, the count of events and the poll that
/// can interrupt it. An executor adds how flows move and who gets which rate.
class FluidExecutor
{
  public:
    virtual ~FluidExecutor() = default;

    /// Runs to the end.
    void Run();

  protected:
    /// @param run workload and records
    explicit FluidExecutor(FluidRun& run)
        : m_run(run)
    {
    }

    FluidRun& m_run;      ///< workload and records
    Nanoseconds m_now{0}; ///< time of the last event

  private:
    /// When something has to happen, arrivals aside; NEVER: at no time.
    virtual Nanoseconds Next() = 0;

    /// Moves what flows from m_now to `time`, and takes out the flows that are through by then.
    virtual void Settle(Nanoseconds time) = 0;

    /// A coflow with flows to serve has become ready, at or before m_now.
    /// @param index its position in the workload
    /// @param ready when it became ready
    virtual void Arrive(std::uint32_t index, Nanoseconds ready) = 0;

    /// Works out the rates that hold from m_now on. Called once per event, after Settle and Arrive.
    virtual void Decide() = 0;

    /// Tells all unfinished flows.
    /// @param at a time at or after m_now and before Next()
    /// @param flows to be appended to; `remaining` is that of the time `at`
    virtual void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const = 0;

    /// The run ends before the next event. Executors for which a flow can finish without an event
    /// record these flows here.
    /// @param time up to when; NEVER: no event is left
    virtual void End(Nanoseconds /*time*/)
    {
    }

    /// Takes the samples that are due before a time, and tells the observer of what lies between.
    void Watch(Nanoseconds end);

    /// Lets the caller look in; see FluidOptions::poll and FluidOptions::progress.
    void Poll();

    /// How far the run is at m_now.
    FluidProgress GetProgress();

    /// To be called at every event, after Decide().
    /// @return whether no flow has moved for longer than FluidOptions::patience, or none fast
    /// enough
    ///         to end, and nothing is to come that could change that
    bool IsStuck();

    /// Records the flows that are left as stuck.
    void RecordStuck(Nanoseconds since);

    std::vector<FlowState> m_flows; ///< working memory

    std::uint64_t m_flowsDone{0}; ///< when IsStuck() last saw that something happened
    double m_leftBytes{std::numeric_limits<double>::infinity()}; ///< of all flows, then
    Nanoseconds m_lastProgress{0};                               ///< time of that
    std::uint64_t m_idleEvents{0};                               ///< events since then
};

} // namespace coflow

#endif // COFLOW_FLUID_EXECUTOR_H
