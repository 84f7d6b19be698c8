/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-progress-line.h"

#include "ns3/coflow-format.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <ctime>

namespace ns3::coflow
{

using ::coflow::FormatRounded;

RunProgress
GetRunProgress(const CoflowTracker& tracker, const std::vector<Ptr<const CoflowSink>>& sinks)
{
    double all = 0;
    double arrived = 0;
    const auto& coflows = tracker.GetCoflowRecords();
    for (std::size_t index = 0; index < coflows.size(); ++index)
    {
        if (tracker.IsDropped(index))
        {
            continue;
        }
        const bool isPresent = tracker.GetPresent().count(index) > 0;
        for (const auto& record : tracker.GetFlowRecords(index))
        {
            if (record.flow.IsLocal())
            {
                continue;
            }
            all += static_cast<double>(record.flow.bytes);
            if (record.finish != ::coflow::NEVER)
            {
                arrived += static_cast<double>(record.flow.bytes);
            }
            else if (isPresent)
            {
                // The time of this call depends on the speed of the machine, so the call must not
                // change the run.
                arrived += static_cast<double>(
                    sinks[record.flow.dst]->GetReceivedBytes({record.coflow, record.flow.id}));
            }
        }
    }
    return {.simulatedSeconds = Simulator::Now().GetSeconds(),
            .byteShare = all > 0 ? arrived / all : 1,
            .finished = tracker.GetNFinished(),
            .coflows = coflows.size()};
}

namespace
{

/// @return the pause between lines, which is longer for a log file
std::chrono::steady_clock::duration
GetPause(bool rewriteLine)
{
    return std::chrono::milliseconds(rewriteLine ? 500 : 5000);
}

} // namespace

ProgressLine::ProgressLine(std::ostream& out, bool rewriteLine)
    : m_out(out),
      m_rewriteLine(rewriteLine),
      m_next(Clock::now() + GetPause(rewriteLine))
{
}

ProgressLine::~ProgressLine()
{
    // The next output must begin on a new line.
    if (m_rewriteLine && m_hasTold)
    {
        m_out << std::endl;
    }
}

void
ProgressLine::PrintIfDue(const std::function<RunProgress()>& look)
{
    const auto start = Clock::now();
    if (start >= m_next)
    {
        Print(look());
        // A call of look() with many flows takes long. All calls together take at most two per cent
        // of the time.
        const auto end = Clock::now();
        m_next = end + std::max(GetPause(m_rewriteLine), 50 * (end - start));
    }
}

void
ProgressLine::Print(const RunProgress& progress)
{
    const double cpuSeconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    m_out << (m_rewriteLine ? "\r" : "") << FormatRounded(progress.simulatedSeconds)
          << " s simulated, " << FormatRounded(100 * progress.byteShare, 3) << " % of bytes and "
          << progress.finished << " of " << progress.coflows << " coflows done, "
          << FormatRounded(cpuSeconds, 3) << " s of CPU time";
    if (m_rewriteLine)
    {
        // The blanks overwrite the end of a longer line before.
        m_out << "    " << std::flush;
    }
    else
    {
        m_out << std::endl;
    }
    m_hasTold = true;
}

} // namespace ns3::coflow
