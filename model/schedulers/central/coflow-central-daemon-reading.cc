/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a daemon does as a receiver, above all where receivers enforce rates, and what it leaves to
// ClairvoyantDaemon.

#include "ns3/coflow-central-daemon.h"

namespace ns3::coflow
{

bool
CentralDaemon::Bypasses(const CoflowOptions&) const
{
    return false;
}

std::optional<uint64_t>
CentralDaemon::TellSize(SealedBytes) const
{
    return std::nullopt;
}

void
CentralDaemon::EnforceAtReceiver()
{
    m_atReceiver = true;
    GetSink().LimitReading();
}

void
CentralDaemon::EnforceReading()
{
    for (const auto& key : m_getting)
    {
        const auto rate = m_rates.find(key);
        if (rate != m_rates.end())
        {
            m_free.erase(key);
            GetSink().SetAllowance(key, Allowance::Rate(DataRate(rate->second.bitsPerSecond)));
        }
        else if (m_free.count(key) == 0)
        {
            GetSink().SetAllowance(key, Allowance::Paused());
        }
    }
}

void
CentralDaemon::UnleashReading()
{
    for (const auto& key : m_getting)
    {
        m_free.insert(key);
        GetSink().SetAllowance(key, Allowance::Unlimited());
    }
}

void
CentralDaemon::ReportReading()
{
    for (const auto& key : m_getting)
    {
        auto& told = m_read[key];
        const auto read = GetSink().GetReceivedBytes(key);
        if (read > told)
        {
            m_outbox.AddProgress({key, read - told, false});
            told = read;
        }
    }
}

void
CentralDaemon::StopReading(::coflow::CoflowId coflow)
{
    const auto begin = m_getting.lower_bound({coflow, 0});
    auto end = begin;
    for (; end != m_getting.end() && end->coflowId == coflow; ++end)
    {
        m_read.erase(*end);
        m_free.erase(*end);
        if (m_atReceiver)
        {
            GetSink().SetAllowance(*end, Allowance::Unlimited());
        }
    }
    m_getting.erase(begin, end);
}

void
CentralDaemon::EndReading(const FlowKey& key, bool scheduled, uint64_t bytes)
{
    const auto told = m_read.extract(key);
    m_rates.erase(key); // as the coordinator does when it hears of the end
    m_free.erase(key);
    if (!scheduled)
    {
        return;
    }
    m_memory.NoteRead(key, bytes);
    if (IsAlive())
    {
        m_outbox.AddProgress({key, bytes - (told.empty() ? 0 : told.mapped()), true});
    }
}

void
CentralDaemon::OnFlowReceived(::coflow::CoflowId coflow,
                              ::coflow::FlowId flow,
                              uint64_t bytes,
                              Time)
{
    const FlowKey key{coflow, flow};
    const bool scheduled = m_getting.erase(key) > 0;
    if (m_atReceiver)
    {
        EndReading(key, scheduled, bytes);
    }
    m_meter.FinishReceived({coflow, flow}, bytes);
}

} // namespace ns3::coflow
