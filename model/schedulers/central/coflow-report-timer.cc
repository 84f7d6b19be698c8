/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-report-timer.h"

#include "ns3/coflow-host-phase.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

ReportTimer::ReportTimer(std::function<void()> report)
    : m_report(std::move(report))
{
}

ReportTimer::~ReportTimer()
{
    m_next.Cancel();
}

void
ReportTimer::SetPeriod(Time period)
{
    m_period = period;
}

void
ReportTimer::Expect(::coflow::HostId host)
{
    if (m_period == Time::Max() || m_next.IsPending())
    {
        return;
    }
    const Time phase = m_period * GetHostPhase(host);
    const Time now = Simulator::Now();
    const int64_t period = m_period.GetTimeStep();
    Time next = TimeStep(now.GetTimeStep() / period * period) + phase;
    if (next <= now)
    {
        next += m_period;
    }
    m_next = Simulator::Schedule(next - now, [this] { m_report(); });
}

void
ReportTimer::Cancel()
{
    m_next.Cancel();
}

} // namespace ns3::coflow
