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

/// The progress of a run of any engine.
struct RunProgress
{
    double simulatedSeconds{0}; ///< simulated time
    double byteShare{0};        ///< arrived bytes over all bytes to be sent, 0 to 1
    std::size_t finished{0};    ///< coflows that have finished
    std::size_t coflows{0};     ///< coflows of the workload
};

/// Computes the progress of a run at packet level from all flows. Flows within a host and refused
/// coflows have no bytes to be sent.
/// @param tracker tracker of the flows
/// @param sinks sinks of all hosts, in the order of hosts
/// @return the progress of the run
RunProgress GetRunProgress(const CoflowTracker& tracker,
                           const std::vector<Ptr<const CoflowSink>>& sinks);

/// Prints the progress of a run, in one line each time: simulated time, the shares of bytes and
/// coflows that are done, and the CPU time of the process.
class ProgressLine
{
  public:
    /// @param out the stream
    /// @param rewriteLine whether each line overwrites the line before, for a terminal
    ProgressLine(std::ostream& out, bool rewriteLine);
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Prints a line, if half a second of real time has passed since the last line on a terminal,
    /// or five seconds elsewhere.
    /// @param look returns the progress of the run
    void PrintIfDue(const std::function<RunProgress()>& look);

    /// Writes a line.
    void Print(const RunProgress& progress);

  private:
    using Clock = std::chrono::steady_clock;

    std::ostream& m_out;
    bool m_rewriteLine;
    bool m_hasTold{false};
    Clock::time_point m_next; ///< earliest time of the next line
};

} // namespace ns3::coflow

#endif // COFLOW_PROGRESS_LINE_H
