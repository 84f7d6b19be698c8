/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROGRESS_LINE_H
#define COFLOW_PROGRESS_LINE_H

#include "ns3/coflow-sink.h"
#include "ns3/coflow-tracker.h"
#include "ns3/ptr.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <vector>

namespace ns3::coflow
{

/// How far a run of any engine is.
struct RunProgress
{
    double simulatedSeconds{0}; ///< simulated time
    double byteShare{0};        ///< bytes that have arrived over all that are to be sent, 0 to 1
    std::size_t finished{0};    ///< coflows that have finished
    std::size_t coflows{0};     ///< coflows of the workload
};

/// Looks at all flows of a run at packet level. Flows within a host have no bytes to be sent, nor
/// have coflows that were refused.
/// @param tracker knows the flows
/// @param sinks of all hosts, in the order of hosts
/// @return how far the run is
RunProgress GetRunProgress(const CoflowTracker& tracker,
                           const std::vector<Ptr<const CoflowSink>>& sinks);

/// Tells a person who waits how far a run is, in one line each time: simulated time, the share of
/// the bytes and of the coflows that are done, and the CPU time of the process.
class ProgressLine
{
  public:
    /// @param out where to tell
    /// @param rewriteLine whether to write each line over the one before, for a terminal
    ProgressLine(std::ostream& out, bool rewriteLine);
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Writes a line, if enough real time has passed since the last one: half a second on a
    /// terminal, and otherwise five seconds.
    /// @param look tells how far the run is
    void PrintIfDue(const std::function<RunProgress()>& look);

    /// Writes a line.
    void Print(const RunProgress& progress);

  private:
    using Clock = std::chrono::steady_clock;

    std::ostream& m_out;
    bool m_rewriteLine;
    bool m_hasTold{false};
    Clock::time_point m_next; ///< when the next line is due
};

} // namespace ns3::coflow

#endif // COFLOW_PROGRESS_LINE_H
