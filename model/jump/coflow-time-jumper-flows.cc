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
    const bool may = flow.bare.sends && flow.ending == 0 && flow.cap == 0 &&
                     allowance.GetKind() == Allowance::Kind::RATE;
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
TimeJumper::MayBeBare(const EvenFlow& flow) const
{
    // Before the first jump all is as without jumps.
    return m_bareSegments && m_jumps > 0 && flow.wasEven && !flow.shares && flow.sink &&
           flow.sink->ReadsEvenly();
}

void
TimeJumper::NotifyOpening(SourceFlow& flow)
{
    if (flow.even)
    {
        m_verified = false; // a SYN is on its way, of a flow that was silent until now
        Wake();
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
        flow.even->retryAt = -1; // the timer is gone
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
    std::erase(m_silent, flow.even);
    if (flow.even->shares)
    {
        --m_nShared;
        m_shares->HandOn(*flow.even);
        m_groups.Leave(*flow.even);
    }
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
    SetSilent(flow, false);
    Leave(flow);
    Enter(allowance.GetKind() == Allowance::Kind::PAUSED ? m_stopping : m_sending, flow);
    m_groups.Leave(flow);
    flow.bitsPerSecond =
        allowance.GetKind() == Allowance::Kind::RATE ? allowance.GetRate().GetBitRate() : 0;
    m_nShared -= flow.shares ? 1 : 0;
    flow.cap = 0; // until it is looked again what ports are given
    // A priority that follows what is left of a flow would change in the middle of a jump.
    flow.shares = m_shares && allowance.GetKind() == Allowance::Kind::UNLIMITED && !flow.isShort &&
                  !flow.source->priorityRule;
    if (flow.shares)
    {
        ++m_nShared;
        m_groups.Join(flow);
    }
    flow.ahead = 0;
    NoteChange();
}

void
TimeJumper::BringUpToDate(::coflow::HostId host, ::coflow::CoflowId coflow)
{
    if (m_fabric)
    {
        m_groups.Credit(host, coflow);
    }
}

void
TimeJumper::NotifyOrder()
{
    if (m_nShared > 0)
    {
        NoteChange();
    }
}

void
TimeJumper::NotifyOpen(const FlowKey& key, bool open)
{
    const auto found = m_flows.find(key);
    if (found == m_flows.end() || !found->second->shares || found->second->ending != 0)
    {
        return;
    }
    m_shares->NoteOpen(*found->second, open);
}

void
TimeJumper::SetRate(EvenFlow& flow, uint64_t bitsPerSecond)
{
    m_groups.NoteRate(flow, bitsPerSecond);
    flow.bitsPerSecond = bitsPerSecond;
}

void
TimeJumper::NotifyPriority(SourceFlow& flow)
{
    if (flow.even)
    {
        Settle(*flow.even); // in the band of before
        flow.even->band = flow.priority.band;
    }
    if (flow.even && flow.even->shares)
    {
        NoteChange(); // a flow with a rate has that rate, whatever its priority is
    }
}

} // namespace ns3::coflow
