/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-known-daemons.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::HostId;

KnownDaemons::KnownDaemons(HostId hosts,
                           Time timeout,
                           std::function<bool(HostId)> hasHeartbeat,
                           std::function<void(HostId)> lose)
    : m_timeout(timeout),
      m_hasHeartbeat(std::move(hasHeartbeat)),
      m_lose(std::move(lose)),
      m_check(Simulator::Schedule(timeout, &KnownDaemons::Check, this))
{
    for (HostId host = 0; host < hosts; ++host)
    {
        m_absent.insert(host);
    }
}

KnownDaemons::~KnownDaemons()
{
    m_check.Cancel();
}

void
KnownDaemons::Connect(HostId host, const std::vector<CoflowId>& registered)
{
    m_absent.erase(host);
    m_daemons[host] = {.lastHeard = Simulator::Now(),
                       .unconfirmed = {registered.begin(), registered.end()}};
}

void
KnownDaemons::Disconnect(HostId host)
{
    m_absent.insert(host);
}

bool
KnownDaemons::AnyIsAbsent() const
{
    return !m_absent.empty();
}

std::set<CoflowId>
KnownDaemons::Hear(HostId host, bool idle)
{
    auto& daemon = m_daemons[host];
    daemon.lastHeard = Simulator::Now();
    daemon.idle = idle;
    return std::exchange(daemon.unconfirmed, {});
}

void
KnownDaemons::Confirm(HostId host, CoflowId coflow)
{
    m_daemons[host].unconfirmed.erase(coflow);
}

void
KnownDaemons::NoteOver(HostId host, CoflowId coflow)
{
    const auto daemon = m_daemons.find(host);
    if (daemon != m_daemons.end())
    {
        daemon->second.over.push_back(coflow);
    }
}

std::vector<CoflowId>
KnownDaemons::Answer(HostId host)
{
    Watch();
    return std::exchange(m_daemons[host].over, {});
}

std::vector<HostId>
KnownDaemons::Wake()
{
    std::vector<HostId> woken;
    for (auto& [host, daemon] : m_daemons)
    {
        if (std::exchange(daemon.idle, false))
        {
            daemon.lastHeard = Simulator::Now();
            woken.push_back(host);
        }
    }
    Watch();
    return woken;
}

void
KnownDaemons::Check()
{
    for (auto daemon = m_daemons.begin(); daemon != m_daemons.end();)
    {
        const auto& [host, state] = *daemon++;
        // A daemon is not silent while its heartbeat waits for the coordinator.
        if (!state.idle && !m_hasHeartbeat(host) && Simulator::Now() - state.lastHeard >= m_timeout)
        {
            const auto lost = host;
            m_daemons.erase(lost);
            m_lose(lost);
        }
    }
    if (std::ranges::any_of(m_daemons, [](const auto& daemon) { return !daemon.second.idle; }))
    {
        Watch();
    }
}

void
KnownDaemons::Watch()
{
    if (!m_check.IsPending())
    {
        m_check = Simulator::Schedule(m_timeout / 4, &KnownDaemons::Check, this);
    }
}

} // namespace ns3::coflow
