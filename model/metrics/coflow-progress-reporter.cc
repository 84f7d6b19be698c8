/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-progress-reporter.h"

#include "ns3/coflow-format.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace ns3::coflow
{

using ::coflow::FormatRounded;

namespace
{

double
Seconds(std::chrono::steady_clock::duration duration)
{
    return std::chrono::duration<double>(duration).count();
}

/// @return "1:05" or "2:00:09"
std::string
Clocked(double seconds)
{
    const auto total = static_cast<long>(seconds + 0.5);
    char text[32];
    if (total < 3600)
    {
        std::snprintf(text, sizeof(text), "%ld:%02ld", total / 60, total % 60);
    }
    else
    {
        std::snprintf(text,
                      sizeof(text),
                      "%ld:%02ld:%02ld",
                      total / 3600,
                      total / 60 % 60,
                      total % 60);
    }
    return text;
}

} // namespace

ProgressReporter::ProgressReporter(Ptr<const CoflowTracker> tracker,
                                   uint64_t totalBytes,
                                   std::ostream& out,
                                   bool rewriteLine)
    : m_tracker(tracker),
      m_totalBytes(totalBytes),
      m_out(out),
      m_rewriteLine(rewriteLine),
      m_start(Clock::now()),
      m_lastTold(m_start),
      m_heartbeat([this] { Look(); })
{
}

ProgressReporter::~ProgressReporter()
{
    if (m_rewriteLine && m_lastTold != m_start)
    {
        m_out << std::endl;
    }
}

uint64_t
ProgressReporter::GetNEvents() const
{
    return m_heartbeat.GetNEvents();
}

void
ProgressReporter::Look()
{
    const auto now = Clock::now();
    // A terminal line may change often, a log file need not.
    if (Seconds(now - m_lastTold) >= (m_rewriteLine ? 0.5 : 5.0))
    {
        Tell(now);
    }
}

void
ProgressReporter::Tell(Clock::time_point now)
{
    const auto events = Simulator::GetEventCount();
    const double eventsPerSecond = static_cast<double>(events - m_eventsWhenLastTold) /
                                   std::max(1e-9, Seconds(now - m_lastTold));
    const double share = m_totalBytes == 0 ? 1
                                           : static_cast<double>(m_tracker->GetFinishedBytes()) /
                                                 static_cast<double>(m_totalBytes);
    m_out << (m_rewriteLine ? "\r" : "") << FormatRounded(Simulator::Now().GetSeconds())
          << " s simulated, " << m_tracker->GetNFinished() << "/"
          << m_tracker->GetCoflowRecords().size() << " coflows, " << FormatRounded(100 * share, 3)
          << " % of bytes, " << FormatRounded(eventsPerSecond / 1e6, 3) << " M events/s, ";
    if (share > 0)
    {
        m_out << Clocked(Seconds(now - m_start) * (1 - share) / share) << " left    ";
    }
    else
    {
        m_out << "time left unknown    ";
    }
    if (m_rewriteLine)
    {
        m_out.flush();
    }
    else
    {
        m_out << std::endl;
    }
    m_lastTold = now;
    m_eventsWhenLastTold = events;
}

} // namespace ns3::coflow
