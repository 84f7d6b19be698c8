/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROGRESS_LINE_H
#define COFLOW_PROGRESS_LINE_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>

namespace ns3::coflow
{

/// How far a run of any engine is.
struct RunProgress
{
    double simulatedSeconds{0}; ///< simulated time
    std::size_t finished{0};    ///< coflows that have finished
    std::size_t coflows{0};     ///< coflows of the workload
    double doneShare{0};        ///< share of the work that is done, from 0 to 1
    double paidShare{0}; ///< share of the real time that the run takes which has passed, a guess
    uint64_t events{0};  ///< events so far
};

/// Tells a person who waits how far a run is, in one line each time: simulated time, coflows done,
/// the share of the work that is done, events per second, and the time that is left.
class ProgressLine
{
  public:
    /// @param out where to tell
    /// @param rewriteLine whether to write each line over the one before, for a terminal
    ProgressLine(std::ostream& out, bool rewriteLine);
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// @return whether enough real time has passed since the last line: half a second on a
    ///         terminal, and otherwise five seconds; and so much that looking costs the run little
    bool IsDue() const;

    /// Writes a line, if one is due.
    /// @param look tells how far the run is
    void TellIfDue(const std::function<RunProgress()>& look);

    /// Writes a line.
    void Tell(const RunProgress& progress);

  private:
    using Clock = std::chrono::steady_clock;

    std::ostream& m_out;
    bool m_rewriteLine;
    Clock::time_point m_start;
    Clock::time_point m_lastTold;
    uint64_t m_eventsWhenLastTold{0};
    double m_lookSeconds{0}; ///< real time that the last look took
};

} // namespace ns3::coflow

#endif // COFLOW_PROGRESS_LINE_H
