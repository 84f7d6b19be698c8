/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-watchdog.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

namespace
{

/// Number of checks in the limit of time without progress.
constexpr int64_t CHECKS = 4;

} // namespace

Watchdog::Watchdog(Ptr<const CoflowTracker> tracker,
                   std::vector<Ptr<const CoflowSink>> sinks,
                   std::function<Time()> limit,
                   std::function<Time()> lastPlanned,
                   std::function<void()> stalled)
    : m_tracker(std::move(tracker)),
      m_sinks(std::move(sinks)),
      m_limit(std::move(limit)),
      m_lastPlanned(std::move(lastPlanned)),
      m_stalled(std::move(stalled)),
      m_next(Simulator::Schedule(m_limit() / CHECKS, &Watchdog::Check, this))
{
}

Watchdog::~Watchdog()
{
    m_next.Cancel();
}

uint64_t
Watchdog::Count() const
{
    // All these numbers only grow.
    uint64_t count = m_tracker->GetNEvents();
    for (const auto& sink : m_sinks)
    {
        count += sink->GetTotalReceivedBytes();
    }
    return count;
}

void
Watchdog::Check()
{
    ++m_nEvents;
    const auto count = Count();
    const auto now = Simulator::Now();
    const auto planned = m_lastPlanned();
    const auto limit = m_limit();
    if (count != m_count || planned >= now)
    {
        m_count = count;
        m_lastProgress = Max(now, planned);
    }
    else if (now - m_lastProgress >= limit)
    {
        m_stalled();
        return;
    }
    // No check is needed before the last planned action.
    const auto next = limit / CHECKS + Max(Time(), planned - now);
    m_next = Simulator::Schedule(next, &Watchdog::Check, this);
}

} // namespace ns3::coflow
