/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a CentralDaemon makes of the messages of its coordinator.

#include "ns3/coflow-central-daemon.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::coflow
{

using ::coflow::CoflowId;

void
CentralDaemon::TellAll()
{
    m_toldShare = WHOLE_PORT; // as the coordinator takes it for with every hello
    ReportPort();
    // What was released is not told of any more. A coordinator that has forgotten it, and hears of
    // it from a host that was out of reach then, would wait for the flows of the others.
    for (const auto id : m_released)
    {
        RejectedCoflowMessage message;
        message.id = id;
        message.verdict = Verdict::RELEASED;
        Send(message);
    }
    for (auto& [id, driven] : m_driven)
    {
        SendRegistration(id, driven);
    }
    // What is held back is in what follows. What was sent may be lost, or nobody's memory any more.
    m_outbox.Clear();
    for (const auto& put : m_memory.GetPuts())
    {
        m_outbox.AddPut(put);
    }
    for (const auto& get : m_memory.GetGets())
    {
        m_outbox.AddGet(get);
    }
    for (auto& [key, sending] : m_sending)
    {
        sending.reported = 0;
    }
    m_places.clear(); // a coordinator that was dead tells nothing of coflows that are behind all
    Classify();
    ReportProgress();
    m_outbox.Flush();
}

void
CentralDaemon::OnHeartbeat(const HeartbeatMessage& message)
{
    for (const auto coflow : message.over)
    {
        Release(coflow); // nothing is left of it, as a rule
    }
    ConsiderRest(message.rest);
}

void
CentralDaemon::Release(CoflowId coflow)
{
    const auto begin = m_sending.lower_bound({coflow, 0});
    auto end = begin;
    for (; end != m_sending.end() && end->first.coflowId == coflow; ++end)
    {
        Unleash(end->first, end->second);
        const auto progress = GetSource().GetProgress(end->first);
        m_meter.AddSent(end->first, progress ? progress->acknowledged : 0);
    }
    m_sending.erase(begin, end);
    m_memory.Forget(coflow);
}

void
CentralDaemon::Drop(CoflowId coflow)
{
    const auto begin = m_sending.lower_bound({coflow, 0});
    auto end = begin;
    for (; end != m_sending.end() && end->first.coflowId == coflow; ++end)
    {
        GetSource().CancelFlow(end->first);
    }
    m_sending.erase(begin, end);
    m_memory.Forget(coflow);
}

void
CentralDaemon::OnRegistered(const RegisteredCoflowMessage& message)
{
    GetPending().Answer({message.id, true});
}

void
CentralDaemon::OnGotFlowDescs(const GotFlowDescsMessage&)
{
    // A host does not fetch what its tasks get: senders push.
}

void
CentralDaemon::OnRates(const UpdatedRatesMessage& message)
{
    // Changes of rates that this host does not know were sent before its coordinator heard that the
    // connection, or this daemon, is a new one; all rates follow.
    if (message.schedule <= m_schedule || (message.since > 0 && message.since != m_schedule))
    {
        return;
    }
    m_schedule = message.schedule;
    const bool all = std::exchange(m_mustEnforceAll, false) || message.since == 0;
    if (message.since == 0)
    {
        m_rates.clear();
    }
    std::vector<FlowKey> changed;
    changed.reserve(message.records.size());
    for (const auto& record : message.records)
    {
        changed.push_back(record.key);
        if (record.bitsPerSecond > 0)
        {
            m_rates[record.key] = {record.bitsPerSecond, record.label};
        }
        else
        {
            m_rates.erase(record.key);
        }
    }
    if (all)
    {
        for (auto& [key, sending] : m_sending)
        {
            Enforce(key, sending, GetGranted(key));
        }
    }
    else
    {
        // A host has thousands of flows, and most messages change the rates of some.
        std::sort(changed.begin(), changed.end());
        for (const auto& key : changed)
        {
            const auto sending = m_sending.find(key);
            if (sending != m_sending.end())
            {
                Enforce(key, sending->second, GetGranted(key));
            }
        }
    }
    m_scheduleAppliedTrace(m_schedule);
}

CentralDaemon::Granted
CentralDaemon::GetGranted(const FlowKey& key) const
{
    const auto rate = m_rates.find(key);
    return rate == m_rates.end() ? Granted() : rate->second;
}

void
CentralDaemon::OnRejected(const RejectedCoflowMessage& message)
{
    const auto driven = m_driven.find(message.id);
    switch (message.verdict)
    {
    case Verdict::RELEASED:
        Release(message.id);
        m_released.insert(message.id);
        m_driven.erase(message.id);
        GetPending().Answer({message.id, false});
        break;
    case Verdict::BEST_EFFORT:
        if (driven != m_driven.end() && !std::exchange(driven->second.refused, true))
        {
            m_coflowRejectedTrace(message.id, true);
        }
        break;
    case Verdict::DROPPED:
        Drop(message.id);
        if (driven != m_driven.end())
        {
            m_driven.erase(driven);
            GetPending().Remove(message.id);
            UnregisterCoflowMessage heard;
            heard.id = message.id;
            heard.happened = Simulator::Now();
            Send(heard);
            m_coflowRejectedTrace(message.id, false);
        }
    }
}

} // namespace ns3::coflow
