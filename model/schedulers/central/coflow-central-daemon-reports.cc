/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a CentralDaemon tells how far its flows are.

#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-host-phase.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

void
CentralDaemon::SetReportPeriod(Time period)
{
    m_reportPeriod = period;
}

void
CentralDaemon::ReportProgress()
{
    for (auto& [key, sending] : m_sending)
    {
        const auto progress = GetSource().GetProgress(key);
        if (progress && progress->acknowledged > sending.reported)
        {
            m_outbox.AddProgress({key, progress->acknowledged - sending.reported, false});
            sending.reported = progress->acknowledged;
        }
    }
}

void
CentralDaemon::ExpectReports()
{
    if (m_reportPeriod == Time::Max() || m_nextReport.IsPending() || !IsAlive())
    {
        return;
    }
    // In the second half of every period, so that the coordinator has the report when the period
    // ends and it decides; each host at another time, so that reports do not arrive all at once.
    const Time phase = m_reportPeriod * GetHostPhase(GetHost());
    const Time now = Simulator::Now();
    const int64_t period = m_reportPeriod.GetTimeStep();
    Time next = TimeStep(now.GetTimeStep() / period * period) + phase;
    if (next <= now)
    {
        next += m_reportPeriod;
    }
    m_nextReport = Simulator::Schedule(next - now, &CentralDaemon::SendReport, this);
}

void
CentralDaemon::SendReport()
{
    ReportProgress();
    m_outbox.Flush();
    if (!m_sending.empty())
    {
        ExpectReports();
    }
}

} // namespace ns3::coflow
