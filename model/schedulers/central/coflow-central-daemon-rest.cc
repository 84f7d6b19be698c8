/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Daemons that have nothing to do: they say so, and then send nothing.

#include "ns3/coflow-central-daemon.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

bool
CentralDaemon::IsIdle() const
{
    // What it remembers is of coflows that the coordinator has not yet said are over.
    return m_driven.empty() && m_sending.empty() && m_memory.GetSize() == 0 && m_meter.IsIdle();
}

void
CentralDaemon::ConsiderRest(bool allowed)
{
    // So many beats later, what the coordinator has averaged of the host's traffic is gone.
    constexpr uint32_t LEAST_IDLE_BEATS = 60;
    if (!allowed)
    {
        NoteCoordinator();
    }
    else if (!m_resting)
    {
        NoteCoordinator();
        if (m_idleBeats >= LEAST_IDLE_BEATS && IsIdle())
        {
            BeginRest();
        }
    }
}

void
CentralDaemon::BeginRest()
{
    m_resting = true;
    m_nextHeartbeat.Cancel();
    m_check.Cancel();
    HeartbeatMessage message;
    message.host = GetHost();
    message.rest = true;
    Send(message);
}

void
CentralDaemon::EndRest()
{
    if (!m_resting)
    {
        return;
    }
    m_resting = false;
    m_idleBeats = 0;
    ExpectCoordinator();
    m_check = Simulator::Schedule(m_masterTimeout, &CentralDaemon::CheckCoordinator, this);
    SendHeartbeat();
}

} // namespace ns3::coflow
