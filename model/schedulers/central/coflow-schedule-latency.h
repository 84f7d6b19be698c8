/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SCHEDULE_LATENCY_H
#define COFLOW_SCHEDULE_LATENCY_H

#include "ns3/coflow-json.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>

namespace ns3::coflow
{

/// Measures the delay of schedules, for every daemon that puts a schedule in force. Latency is the
/// time since the oldest event that the schedule considers. Staleness is the time since the
/// coordinator decided.
class ScheduleLatency : public SimpleRefCount<ScheduleLatency>
{
  public:
    /// Connects to CentralCoordinator's trace source Schedule.
    /// @param before a number below the numbers of the schedule's messages
    /// @param event time of the oldest event that the schedule considers; Time::Max(): none
    /// @param decided time at which the coordinator read the state
    void NotifySchedule(uint64_t before, Time event, Time decided);

    /// Connects to CentralDaemon's trace source ScheduleApplied.
    /// @param number number of the schedule
    void NotifyApplied(uint64_t number);

    /// @return counts, means and maxima in seconds
    ::coflow::Json ToJson() const;

  private:
    /// A schedule.
    struct Schedule
    {
        Time event;   ///< time of the oldest event; Time::Max(): none
        Time decided; ///< time at which the coordinator read the state
    };

    /// Sum of durations.
    struct Sum
    {
        uint64_t count{0};
        double seconds{0};
        double max{0};

        void Add(Time duration);
        ::coflow::Json ToJson() const;
    };

    std::map<uint64_t, Schedule> m_schedules; ///< latest schedules, by `before`
    Sum m_latency;                            ///< times since the event
    Sum m_staleness;                          ///< times since the decision
};

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULE_LATENCY_H
