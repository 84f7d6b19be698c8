/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROGRESS_REPORTER_H
#define COFLOW_PROGRESS_REPORTER_H

#include "ns3/coflow-heartbeat.h"
#include "ns3/coflow-tracker.h"

#include <chrono>
#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// Tells a person who waits how far a run is: simulated time, coflows done, events per second
/// and the time that is left at the present pace of bytes.
///
/// It looks in from time to time by an event of its own, which changes nothing in the simulated
/// network; the number of these events is known, so that results need not count them.
class ProgressReporter
{
  public:
    /// @param tracker knows how far the run is
    /// @param totalBytes of the whole workload
    /// @param out where to tell, one line each time
    /// @param rewriteLine whether to write each line over the one before, for a terminal
    ProgressReporter(Ptr<const CoflowTracker> tracker,
                     uint64_t totalBytes,
                     std::ostream& out,
                     bool rewriteLine);
    ~ProgressReporter();

    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;

    /// @return events that the reporter itself has caused
    uint64_t GetNEvents() const;

  private:
    using Clock = std::chrono::steady_clock;

    void Look();
    void Tell(Clock::time_point now);

    Ptr<const CoflowTracker> m_tracker;
    uint64_t m_totalBytes;
    std::ostream& m_out;
    bool m_rewriteLine;
    Clock::time_point m_start;
    Clock::time_point m_lastTold;
    uint64_t m_eventsWhenLastTold{0};
    Heartbeat m_heartbeat;
};

} // namespace ns3::coflow

#endif // COFLOW_PROGRESS_REPORTER_H
