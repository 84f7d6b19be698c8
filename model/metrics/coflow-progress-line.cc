/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-progress-line.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-time-left.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::EstimateSecondsLeft;
using ::coflow::FormatRounded;
using ::coflow::FormatTimeLeft;

namespace
{

double
Seconds(std::chrono::steady_clock::duration duration)
{
    return std::chrono::duration<double>(duration).count();
}

} // namespace

ProgressLine::ProgressLine(std::ostream& out, bool rewriteLine)
    : m_out(out),
      m_rewriteLine(rewriteLine),
      m_start(Clock::now()),
      m_lastTold(m_start)
{
}

ProgressLine::~ProgressLine()
{
    // What is written next should not stand behind the last line.
    if (m_rewriteLine && m_lastTold != m_start)
    {
        m_out << std::endl;
    }
}

bool
ProgressLine::IsDue() const
{
    // A line on a terminal may change often; a log file would only grow.
    // A look at a large run takes long; 50: looks cost 2 % of the run at most.
    return Seconds(Clock::now() - m_lastTold) >=
           std::max(m_rewriteLine ? 0.5 : 5.0, 50 * m_lookSeconds);
}

void
ProgressLine::TellIfDue(const std::function<RunProgress()>& look)
{
    if (IsDue())
    {
        const auto start = Clock::now();
        const RunProgress progress = look();
        m_lookSeconds = Seconds(Clock::now() - start);
        Tell(progress);
    }
}

void
ProgressLine::Tell(const RunProgress& progress)
{
    const auto now = Clock::now();
    const double eventsPerSecond = static_cast<double>(progress.events - m_eventsWhenLastTold) /
                                   std::max(1e-9, Seconds(now - m_lastTold));
    m_out << (m_rewriteLine ? "\r" : "") << FormatRounded(progress.simulatedSeconds)
          << " s simulated, " << progress.finished << "/" << progress.coflows << " coflows, "
          << FormatRounded(100 * progress.doneShare, 3) << " % done, "
          << FormatRounded(eventsPerSecond / 1e6, 3) << " M events/s, "
          << FormatTimeLeft(EstimateSecondsLeft(Seconds(now - m_start), progress.paidShare));
    if (m_rewriteLine)
    {
        // Blanks wipe out what a longer line before has left.
        m_out << "    " << std::flush;
    }
    else
    {
        m_out << std::endl;
    }
    m_lastTold = now;
    m_eventsWhenLastTold = progress.events;
}

} // namespace ns3::coflow
