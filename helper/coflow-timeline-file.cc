/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-timeline-file.h"

#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-quantity.h"

#include <cmath>

namespace ns3::coflow
{

using ::coflow::InputError;

Timeline::Window
ParseTimelineWindow(const std::string& text)
{
    const auto comma = text.find(',');
    const auto parse = [](const std::string& part) {
        return ::coflow::ParseQuantity(part, ::coflow::Unit::SECONDS);
    };
    const auto begin = parse(text.substr(0, comma));
    const auto end = comma == std::string::npos ? begin : parse(text.substr(comma + 1));
    constexpr double MOST = 4e9;      // seconds
    constexpr double SHORTEST = 1e-6; // seconds; the timeline then looks every nanosecond
    if (!begin || !end || *begin < 0 || *end > MOST || !(*end - *begin >= SHORTEST))
    {
        throw InputError("option --timelineWindow is '" + text +
                         "'; allowed: two times, such as 0.5s,2s, the second at least 1us after "
                         "the first, from 0 to 4e9 s");
    }
    return {NanoSeconds(std::llround(*begin * 1e9)), NanoSeconds(std::llround(*end * 1e9))};
}

TimelineFile::TimelineFile(const std::string& name,
                           const Timeline::Window& window,
                           const CoflowInstallation& installation)
    : m_file("option --timeline", name),
      m_timeline(installation.GetTracker(), installation.GetSinks(), window)
{
    const auto scheduler = DynamicCast<CoordinatedScheduler>(installation.GetScheduler());
    if (scheduler)
    {
        m_timeline.FollowControl(scheduler->GetControl());
    }
    if (const auto fabric = DynamicCast<Fabric>(installation.GetNetwork()))
    {
        m_timeline.FollowNetwork(fabric);
    }
}

uint64_t
TimelineFile::GetNEvents() const
{
    return m_timeline.GetNEvents();
}

void
TimelineFile::Write()
{
    m_timeline.Write(m_file.Out());
    m_file.Commit();
}

} // namespace ns3::coflow
