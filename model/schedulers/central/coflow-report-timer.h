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

/// When a host reports the progress of its flows: once in the second half of every period. The
/// coordinator decides at the end of the period, and has the report then. Every host has another
/// time, so that reports do not arrive all at once.
class ReportTimer
{
  public:
    /// @param report is called when a report is due
    explicit ReportTimer(std::function<void()> report);
    ~ReportTimer();

    ReportTimer(const ReportTimer&) = delete;
    ReportTimer& operator=(const ReportTimer&) = delete;

    /// @param period > 0; Time::Max(), as at first: there are no reports
    void SetPeriod(Time period);

    /// @return SetPeriod()
    Time GetPeriod() const
    {
        return m_period;
    }

    /// Calls for the next report, unless it is called for.
    /// @param host says when within the period
    void Expect(::coflow::HostId host);

    /// There is no report.
    void Cancel();

  private:
    std::function<void()> m_report; ///< is called
    Time m_period{Time::Max()};     ///< SetPeriod()
    EventId m_next;                 ///< the next report
};

} // namespace ns3::coflow

#endif // COFLOW_REPORT_TIMER_H
