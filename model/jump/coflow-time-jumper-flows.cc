/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the simulator hears of flows while time is jumped over: when they begin, change and end, and
// who asks how far they are.

#include "ns3/coflow-light-schedule.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/simulator.h"

#include <utility>
#include <vector>

namespace ns3::coflow
{

void
TimeJumper::BringUpToDate(const FlowKey& key)
{
    if (!m_fabric || (!m_behind && m_bareFlows->GetNSent() == 0))
    {
        return;
    }
    const auto flow = m_flows.find(key);
    if (flow != m_flows.end())
    {
        Credit(*flow->second);
        m_bareFlows->Credit(*flow->second);
    }
}

void
TimeJumper::BringUpToDate(const SourceFlow& flow)
{
    Credit(*flow.even);
    m_bareFlows->Credit(*flow.even);
}

void
TimeJumper::GiveBack(const SourceFlow& flow)
{
    Credit(*flow.even);
    flow.even->bare.resumes = flow.even->bare.sends;
    m_bareFlows->End(*flow.even);
}

bool
TimeJumper::Follow(SourceFlow& source, const Allowance& allowance)
{
    // Coordinators change the rates of hundreds of thousands of flows at a time. Those that send
    // bare segments go on to, and nothing else is touched: neither TCP's ends nor who receives.
    EvenFlow& flow = *source.even;
    Credit(flow); // what was jumped over at the old rate
    const bool may =
        flow.bare.sends && flow.ending == 0 && allowance.GetKind() == Allowance::Kind::RATE;
    if (!may || !m_bareFlows->Follow(flow, allowance))
    {
        GiveBack(source);
        return false;
    }
    flow.bitsPerSecond = allowance.GetRate().GetBitRate();
    flow.ahead = 0;
    NoteChange();
    return true;
}

void
TimeJumper::BringAllUpToDate()
{
    if (!m_fabric)
    {
        return;
    }
    CreditAll();
    // Flows have something to be told of if anything was sent, or skipped, since. Neither sum ever
    // falls.
    const auto skipped = static_cast<uint64_t>(WheelSimulatorImpl::Get()->GetSkipped());
    const uint64_t version = m_bareFlows->GetVersion() + skipped;
    if (std::exchange(m_bareCredited, version) == version)
    {
        return;
    }
    for (EvenFlow* flow : m_sending)
    {
        m_bareFlows->Credit(*flow);
    }
}

void
TimeJumper::NotifyStarted(SourceFlow& flow)
{
    auto& entry = m_flows[flow.key];
    entry = Create<EvenFlow>(*m_bareFlows, flow.connection->GetNodeId());
    entry->key = flow.key;
    entry->source = &flow;
    entry->band = flow.priority.band;
    entry->src = m_hosts.at(flow.connection->GetNodeId());
    entry->isShort = flow.bytes < uint64_t{m_fewest} * m_segment;
    entry->creditedTo = WheelSimulatorImpl::Get()->GetSkipped();
    flow.even = PeekPointer(entry);
    Enter(m_stopping, *entry);
    Sort(*entry);
}

void
TimeJumper::NotifyAllowance(SourceFlow& flow)
{
    if (!flow.even || flow.even->ending != 0)
    {
        return;
    }
    Sort(*flow.even);
    if (std::exchange(flow.even->bare.resumes, false) && MayBeBare(*flow.even) &&
        flow.connection->Yield(flow) &&
        !m_bareFlows->Begin(*flow.even, m_channel->GetHost(flow.dst)))
    {
        flow.connection->Resume(flow, flow.bucket.GetLevel(GetNetworkTime()));
    }
}

bool
TimeJumper::TakeOver(SourceFlow& flow)
{
    return MayBeBare(*flow.even) && m_bareFlows->Begin(*flow.even, m_channel->GetHost(flow.dst));
}

bool
TimeJumper::MayBeBare(EvenFlow& flow)
{
    // Before the first jump all is as without jumps.
    return m_bareSegments && m_jumps > 0 && flow.wasEven && flow.sink && flow.sink->ReadsEvenly() &&
           !MeetsUnlimited(flow);
}

void
TimeJumper::NotifyOpening(SourceFlow& flow)
{
    if (flow.even)
    {
        m_verified = false; // a SYN is on its way
        Wake();
        if (flow.even->isUnlimited)
        {
            FindPaths(*flow.even); // a new connection has a new port
        }
    }
}

void
TimeJumper::NotifyBroken(SourceFlow& flow)
{
    if (flow.even)
    {
        m_bareFlows->Credit(*flow.even);
        m_bareFlows->Forget(*flow.even);
        flow.even->wasEven = false;
        if (std::exchange(flow.even->ending, 0) != 0)
        {
            Sort(*flow.even); // its last bytes are sent once more
        }
    }
}

void
TimeJumper::NotifyEnded(SourceFlow& flow)
{
    if (!flow.even)
    {
        return;
    }
    m_bareFlows->Forget(*flow.even);
    // Less load is no reason to look anew at what ports carry.
    SettleRest(*flow.even);
    Leave(*flow.even);
    SetUnlimited(*flow.even, false);
    if (m_ends.Remove(*flow.even))
    {
        m_verified = false; // when the next flow ends is to be looked at
    }
    flow.even->ending = 0;
    flow.even = nullptr;
    m_flows.erase(flow.key);
    if (m_asleepSince >= 0)
    {
        Wake(); // it may have been the one that all looks ended at
    }
}

void
TimeJumper::NotifyRecord(const FlowKey& key, SinkConnection& connection)
{
    const auto flow = m_flows.find(key);
    if (flow != m_flows.end())
    {
        flow->second->sink = &connection;
    }
}

void
TimeJumper::NotifyRecordEnd(const FlowKey& key, SinkConnection& connection)
{
    const auto flow = m_flows.find(key);
    if (flow != m_flows.end() && flow->second->sink == &connection)
    {
        Credit(*flow->second);
        m_bareFlows->End(*flow->second);
        flow->second->sink = nullptr;
    }
}

void
TimeJumper::FollowPort(LinkPort)
{
    SettleAll();
    ++m_epoch;
    for (EvenFlow* flow : m_sending)
    {
        if (flow->isUnlimited)
        {
            FindPaths(*flow);
        }
    }
    NoteChange();
}

void
TimeJumper::Enter(std::vector<EvenFlow*>& list, EvenFlow& flow)
{
    flow.sends = &list == &m_sending;
    flow.place = static_cast<uint32_t>(list.size());
    list.push_back(&flow);
}

void
TimeJumper::Leave(EvenFlow& flow)
{
    if (flow.place == EvenFlow::NOWHERE)
    {
        return;
    }
    auto& list = flow.sends ? m_sending : m_stopping;
    list[flow.place] = list.back();
    list[flow.place]->place = flow.place;
    list.pop_back();
    flow.place = EvenFlow::NOWHERE;
}

void
TimeJumper::Sort(EvenFlow& flow)
{
    const auto& allowance = flow.source->allowance;
    Credit(flow); // whose rate was 0 until now has missed jumps for which nothing is due
    if (allowance.GetKind() == Allowance::Kind::PAUSED)
    {
        Settle(flow); // SettleAll() passes it over
    }
    Leave(flow);
    Enter(allowance.GetKind() == Allowance::Kind::PAUSED ? m_stopping : m_sending, flow);
    SetUnlimited(flow, allowance.GetKind() == Allowance::Kind::UNLIMITED);
    flow.bitsPerSecond =
        allowance.GetKind() == Allowance::Kind::RATE ? allowance.GetRate().GetBitRate() : 0;
    flow.ahead = 0;
    NoteChange();
}

void
TimeJumper::NotifyPriority(SourceFlow& flow)
{
    if (flow.even)
    {
        Settle(*flow.even); // in the band of before
        flow.even->band = flow.priority.band;
    }
}

} // namespace ns3::coflow
