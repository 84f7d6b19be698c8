/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-schedule-latency.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::Json;

void
ScheduleLatency::Sum::Add(Time duration)
{
    ++count;
    seconds += duration.GetSeconds();
    max = std::max(max, duration.GetSeconds());
}

Json
ScheduleLatency::Sum::ToJson() const
{
    return Json::Object()
        .Set("count", count)
        .Set("mean", count > 0 ? Json(seconds / static_cast<double>(count)) : Json())
        .Set("max", max);
}

void
ScheduleLatency::NotifySchedule(uint64_t before, Time event, Time decided)
{
    constexpr std::size_t KEPT = 1000; // messages under way are of the last few schedules
    m_schedules[before] = {event, decided};
    if (m_schedules.size() > KEPT)
    {
        m_schedules.erase(m_schedules.begin());
    }
}

void
ScheduleLatency::NotifyApplied(uint64_t number)
{
    auto schedule = m_schedules.lower_bound(number);
    if (schedule == m_schedules.begin())
    {
        return;
    }
    --schedule;
    const auto now = Simulator::Now();
    m_staleness.Add(now - schedule->second.decided);
    if (schedule->second.event != Time::Max())
    {
        m_latency.Add(now - schedule->second.event);
    }
}

Json
ScheduleLatency::ToJson() const
{
    return Json::Object()
        .Set("event_to_rate_s", m_latency.ToJson())
        .Set("staleness_s", m_staleness.ToJson());
}

} // namespace ns3::coflow
