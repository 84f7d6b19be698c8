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

/// Runs a workload, event by event. This class does the work that all executors share: the end of
/// the run, ready coflows, samples, the observer, the count of events and the poll that can
/// interrupt the run. A derived class computes the rates and the progress of flows.
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
    /// Time of the next event other than an arrival; NEVER: no event.
    virtual Nanoseconds Next() = 0;

    /// Advances all flows from m_now to `time`, and removes the flows that finish by then.
    virtual void Settle(Nanoseconds time) = 0;

    /// A coflow has become ready, also one without flows to serve. Called before Arrive().
    /// @param index position of the coflow in the workload
    /// @param ready time at which the coflow became ready
    virtual void Start(std::uint32_t /* index */, Nanoseconds /* ready */)
    {
    }

    /// Adds a coflow with flows to serve, which has become ready at or before m_now.
    /// @param index position of the coflow in the workload
    /// @param ready time at which the coflow became ready
    virtual void Arrive(std::uint32_t index, Nanoseconds ready) = 0;

    /// Computes the rates from m_now on. Called once per event, after Settle() and Arrive().
    virtual void Decide() = 0;

    /// Appends the state of all unfinished flows.
    /// @param at a time at or after m_now and before Next()
    /// @param flows the list, which is appended to; `remaining` is at the time `at`
    virtual void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const = 0;

    /// The run ends before the next event. Executors for which a flow can finish without an event
    /// record these flows here.
    /// @param time end of the run; NEVER: there are no more events
    virtual void End(Nanoseconds /*time*/)
    {
    }

    /// Takes the samples before a time, and calls the observer for the intervals between them.
    void Watch(Nanoseconds end);

    /// Calls FluidOptions::poll and FluidOptions::progress.
    void Poll();

    /// Progress of the run at m_now.
    FluidProgress GetProgress();

    /// To be called at every event, after Decide().
    /// @return whether no flow has had a rate large enough to finish for longer than
    ///         FluidOptions::patience, and no event can change that
    bool IsStuck();

    /// Records the unfinished flows as stuck.
    void RecordStuck(Nanoseconds since);

    std::vector<FlowState> m_flows; ///< working memory

    std::uint64_t m_flowsDone{0};                                ///< number of finished flows at
                                                                 ///< the last progress
    double m_leftBytes{std::numeric_limits<double>::infinity()}; ///< bytes left of all flows at the
                                                                 ///< last progress
    Nanoseconds m_lastProgress{0};                               ///< time of the last progress
    std::uint64_t m_idleEvents{0};                               ///< events since the last progress
};

} // namespace coflow

#endif // COFLOW_FLUID_EXECUTOR_H
