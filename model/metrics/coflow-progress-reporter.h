/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROGRESS_REPORTER_H
#define COFLOW_PROGRESS_REPORTER_H

#include "ns3/coflow-decision-forecast.h"
#include "ns3/coflow-delivered-bytes.h"
#include "ns3/coflow-heartbeat.h"
#include "ns3/coflow-progress-line.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-tracker.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <vector>

namespace ns3::coflow
{

/// Tells a person who waits how far a run at packet level is; see ProgressLine.
///
/// The work is what each flow costs the simulator; a flow that has been delivered in part has cost
/// that part. The reporter looks in from time to time by an event of its own, which changes nothing
/// in the simulated network; the number of these events is known, so that results need not count
/// them.
class ProgressReporter
{
  public:
    /// @param tracker knows how far the run is; it has been told the workload
    /// @param sinks of all hosts, in the order of hosts
    /// @param work of each flow, such as its packet-hops, in the order of the workload: 0 for flows
    ///        that need no network
    /// @param stop when the run ends at the latest; Time::Max(): at no time
    /// @param out where to tell, one line each time
    /// @param rewriteLine whether to write each line over the one before, for a terminal
    ProgressReporter(Ptr<const CoflowTracker> tracker,
                     std::vector<Ptr<const CoflowSink>> sinks,
                     std::vector<double> work,
                     Time stop,
                     std::ostream& out,
                     bool rewriteLine);

    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;

    /// Has the time that is left told by a forecast. Without one it follows from the work.
    /// @param forecast of the workload that the tracker was told
    /// @param isOpen says when the forecast says nothing; then the time left follows from the work
    /// @param count whether decisions that have been are counted, as they are made when coflows
    /// come
    ///        or end; else they cost what the forecast says
    void SetForecast(::coflow::DecisionForecast forecast, std::function<bool()> isOpen, bool count);

    /// @return share of the real time that the run takes which has passed, a guess; 0: unknown
    double GetPaidShare();

    /// @return events that the reporter itself has caused
    uint64_t GetNEvents() const;

    /// Looks at all flows that were not complete at the last call.
    /// @return share of the work that is done, from 0 to 1. Coflows that were refused and are not
    ///         sent are no work.
    double GetDoneShare();

  private:
    void Look();

    /// @return share of the cost of all decisions that has been paid, after GetDoneShare()
    double GetForetoldShare();

    /// Counts the decisions since the last call: coflows that have come or ended, each with the
    /// flows that were present.
    void CountDecisions();

    Ptr<const CoflowTracker> m_tracker;
    DeliveredBytes m_delivered;
    std::vector<double> m_work; ///< of every flow
    Time m_stop;
    std::optional<::coflow::DecisionForecast> m_forecast; ///< of what the run costs, or none
    std::function<bool()> m_isOpen;        ///< whether the forecast says nothing at present
    bool m_counts{false};                  ///< whether decisions that have been are counted
    double m_paid{0};                      ///< what decisions have cost, as the forecast has it
    double m_nPresent{0};                  ///< flows that were present when they were counted last
    ::coflow::Nanoseconds m_countedTo{-1}; ///< when that was
    std::vector<bool> m_counted;           ///< of every coflow, whether its end was
    double m_done{0};                      ///< work up to the last look
    std::size_t m_nFinished{0};            ///< coflows that had finished at the last look
    ProgressLine m_line;
    Heartbeat m_heartbeat;
};

} // namespace ns3::coflow

#endif // COFLOW_PROGRESS_REPORTER_H
