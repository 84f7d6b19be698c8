/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which daemons a CentralCoordinator can hear of, and what becomes of those that it cannot.

#include "ns3/coflow-central-coordinator.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::HostId;

void
CentralCoordinator::CheckDaemons()
{
    auto& daemons = m_memory->daemons;
    for (auto daemon = daemons.begin(); daemon != daemons.end();)
    {
        const auto host = daemon->first;
        // A coordinator that is late must not take the daemon for silent.
        const auto silent = !daemon->second.resting && !HasHeartbeatOf(host) &&
                            Simulator::Now() - daemon->second.lastHeard >= m_daemonTimeout;
        ++daemon;
        if (silent)
        {
            Disconnect(host);
            DropPuts(host, false);
            daemons.erase(host);
            NoteAbsent(host);
            for (const auto coflow : m_memory->ledger.RegisteredBy(host))
            {
                Release(coflow);
            }
        }
    }
    const bool allRest = std::all_of(daemons.begin(), daemons.end(), [](const auto& daemon) {
        return daemon.second.resting;
    });
    if (!allRest)
    {
        WatchDaemons();
    }
}

void
CentralCoordinator::WatchDaemons()
{
    if (!m_checkDaemons.IsPending())
    {
        m_checkDaemons =
            Simulator::Schedule(m_daemonTimeout / 4, &CentralCoordinator::CheckDaemons, this);
    }
}

void
CentralCoordinator::WakeDaemons()
{
    for (auto& [host, daemon] : m_memory->daemons)
    {
        if (daemon.resting)
        {
            daemon.resting = false;
            daemon.lastHeard = Simulator::Now();
            HeartbeatMessage call;
            call.host = host;
            SendTo(host, call);
        }
    }
    WatchDaemons();
}

void
CentralCoordinator::NoteAbsent(HostId host)
{
    m_memory->absent.insert(host);
    for (const auto coflow : m_memory->ledger.Incomplete())
    {
        After(m_rebuildTime, &CentralCoordinator::StopWaitingForAbsent, coflow);
    }
}

void
CentralCoordinator::DropPuts(HostId host, bool doneToo)
{
    m_memory->dispatcher.Forget(host);
    m_memory->orders.Forget(host);
    if (m_memory->ledger.DropPuts(host, doneToo))
    {
        RequestRun(Simulator::Now());
    }
}

} // namespace ns3::coflow
