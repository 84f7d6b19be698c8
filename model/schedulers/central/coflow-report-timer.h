/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_REPORT_TIMER_H
#define COFLOW_REPORT_TIMER_H

#include "ns3/coflow-types.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>

namespace ns3::coflow
{

/// Calls for the reports of a host on the progress of its flows: once in the second half of every
/// period. The coordinator decides at the end of the period, and has the report by then. Every host
/// has another time, so that reports do not arrive all at once.
class ReportTimer
{
  public:
    /// @param report function that is called when a report is due
    explicit ReportTimer(std::function<void()> report);
    ~ReportTimer();

    ReportTimer(const ReportTimer&) = delete;
    ReportTimer& operator=(const ReportTimer&) = delete;

    /// @param period the period, > 0; Time::Max(), the initial value: no reports
    void SetPeriod(Time period);

    /// @return the period
    Time GetPeriod() const
    {
        return m_period;
    }

    /// Schedules the next report, if none is scheduled.
    /// @param host the host, which determines the time within the period
    void Expect(::coflow::HostId host);

    /// Cancels the next report.
    void Cancel();

  private:
    std::function<void()> m_report; ///< function that is called when a report is due
    Time m_period{Time::Max()};     ///< period; Time::Max(): no reports
    EventId m_next;                 ///< event of the next report
};

} // namespace ns3::coflow

#endif // COFLOW_REPORT_TIMER_H
