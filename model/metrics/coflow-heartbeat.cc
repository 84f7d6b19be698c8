/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-heartbeat.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// Real time between beats that is aimed at.
constexpr double BEAT_SECONDS = 0.1;

} // namespace

Heartbeat::Heartbeat(std::function<void()> beat)
    : m_beat(std::move(beat)),
      m_last(Clock::now()),
      m_interval(MicroSeconds(100))
{
    m_next = Simulator::Schedule(m_interval, &Heartbeat::Beat, this);
}

Heartbeat::~Heartbeat()
{
    m_next.Cancel();
}

uint64_t
Heartbeat::GetNEvents() const
{
    return m_nEvents;
}

void
Heartbeat::Beat()
{
    ++m_nEvents;
    const auto now = Clock::now();
    const double sinceLast = std::chrono::duration<double>(now - m_last).count();
    m_last = now;
    if (sinceLast < BEAT_SECONDS / 2)
    {
        m_interval = std::min(m_interval * 2, MilliSeconds(1000));
    }
    else if (sinceLast > BEAT_SECONDS * 2)
    {
        m_interval = std::max(m_interval / 2, MicroSeconds(1));
    }
    m_next = Simulator::Schedule(m_interval, &Heartbeat::Beat, this);
    m_beat();
}

} // namespace ns3::coflow
