/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whether time is jumped over: whether all flows that send do so evenly, and until when.

#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

void
TimeJumper::PrefetchAhead(std::size_t place) const
{
    // Each stage reads what the one before has brought.
    constexpr std::size_t FLOW = 24;
    constexpr std::size_t ENDS = 18;
    constexpr std::size_t AT_ENDS = 12;
    constexpr std::size_t BEHIND_ENDS = 6;
    const std::size_t n = m_sending.size();
    if (place + FLOW < n)
    {
        m_sending[place + FLOW]->PrefetchCredit();
    }
    if (place + ENDS < n && !m_sending[place + ENDS]->bare.sends)
    {
        m_sending[place + ENDS]->PrefetchEnds();
    }
    if (place + AT_ENDS < n && !m_sending[place + AT_ENDS]->bare.sends)
    {
        const EvenFlow& flow = *m_sending[place + AT_ENDS];
        ::coflow::Prefetch(&flow.source->allowance);
        ::coflow::Prefetch(&flow.source->connection);
        if (flow.sink)
        {
            flow.sink->PrefetchProgress(0);
        }
    }
    if (place + BEHIND_ENDS < n && !m_sending[place + BEHIND_ENDS]->bare.sends)
    {
        const EvenFlow& flow = *m_sending[place + BEHIND_ENDS];
        if (const auto* connection = flow.source->connection)
        {
            connection->PrefetchSending();
        }
        if (flow.sink)
        {
            flow.sink->PrefetchProgress(1);
        }
    }
}

TimeJumper::Reason
TimeJumper::TryToJump()
{
    auto* simulator = WheelSimulatorImpl::Get();
    if (m_verified && !EndFlows())
    {
        m_verified = false;
    }
    if (simulator->IsHeld())
    {
        return HELD;
    }
    if (!IsVerified())
    {
        const Reason reason = Verify(simulator->GetNextWorldEvent());
        if (reason != JUMPED)
        {
            return reason;
        }
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    if (!EndFlows() || m_evenUntil - now < m_shortest.GetTimeStep())
    {
        m_verified = false; // the next look sees whether the flow has ended
        return ENDING;
    }
    const int64_t untilEvent = simulator->GetNextWorldEvent();
    const int64_t end = GetFirstEnd();
    if (end == INT64_MAX && untilEvent == INT64_MAX)
    {
        return NEAR; // nothing sends, and nothing else will happen
    }
    Jump(std::min(end - now, untilEvent));
    return JUMPED;
}

bool
TimeJumper::IsVerified() const
{
    // As long as nobody changes a flow, what was seen is so. While the network stands still that is
    // certain; while it goes on, whoever begins to fall behind is found after a while, as after a
    // change.
    return m_verified && GetNetworkTimeStep() - m_lastVerified <= m_settle.GetTimeStep();
}

bool
TimeJumper::IsEndNear() const
{
    const int64_t margin = m_settle.GetTimeStep() + 2 * m_interval.GetTimeStep();
    const int64_t end = GetFirstEnd();
    return end != INT64_MAX && end - Simulator::Now().GetTimeStep() < margin;
}

TimeJumper::Reason
TimeJumper::Verify(int64_t untilEvent)
{
    const int64_t now = GetNetworkTimeStep();
    const int64_t settled = now - m_lastChange;
    if (settled < m_settle.GetTimeStep())
    {
        if (!m_noted && 2 * settled >= m_settle.GetTimeStep())
        {
            NoteUnsent();
        }
        return SETTLING;
    }
    if (untilEvent < m_shortest.GetTimeStep())
    {
        return NEAR;
    }
    if (!IsFeasible())
    {
        CreditAll();
        m_ends.Clear(); // packets end them, as there will be no jump
        ReturnCrowded();
        return OVERLOADED;
    }
    CreditAll();
    int64_t even = 0;
    Reason reason = FindStopping();
    reason = reason == JUMPED ? FindUneven(even) : reason;
    if (reason == CATCHING_UP || reason == BEHIND || reason == RECOVERING)
    {
        m_lastChange = now;
        m_noted = false;
    }
    m_verified = reason == JUMPED;
    m_lastVerified = now;
    m_evenUntil = even == INT64_MAX ? even : Simulator::Now().GetTimeStep() + even;
    m_ends.Order();
    return reason;
}

void
TimeJumper::NoteUnsent()
{
    m_noted = true;
    for (EvenFlow* flow : m_sending)
    {
        if (flow->bare.sends)
        {
            continue;
        }
        if (const auto* connection = flow->source->connection)
        {
            flow->seenAt = GetNetworkTimeStep();
            flow->unsent = connection->GetUnsent();
        }
    }
}

TimeJumper::Reason
TimeJumper::GetReason(SourceConnection::Sending sending)
{
    switch (sending)
    {
    case SourceConnection::Sending::NOTHING:
    case SourceConnection::Sending::EVENLY:
        return JUMPED;
    case SourceConnection::Sending::OPENING:
        return OPENING;
    case SourceConnection::Sending::STOPPING:
        return STOPPING;
    case SourceConnection::Sending::UNLIMITED:
        return UNLIMITED;
    case SourceConnection::Sending::ENDING:
        return ENDING;
    case SourceConnection::Sending::CATCHING_UP:
        return CATCHING_UP;
    case SourceConnection::Sending::BEHIND:
        return BEHIND;
    case SourceConnection::Sending::RECOVERING:
        break;
    }
    return RECOVERING;
}

TimeJumper::Reason
TimeJumper::FindStopping()
{
    while (!m_stopping.empty())
    {
        EvenFlow& flow = *m_stopping.front();
        const auto& source = *flow.source;
        Reason reason =
            source.connection ? GetReason(source.connection->GetSending(source)) : OPENING;
        if (reason == JUMPED && !BareFlows::IsAnswered(flow))
        {
            reason = BareFlows::IsRecovering(flow) ? RECOVERING : STOPPING;
        }
        if (reason == JUMPED)
        {
            Leave(flow); // until it may send again; another one has its place now
            continue;
        }
        return reason;
    }
    return JUMPED;
}

bool
TimeJumper::IsFallingBehind(EvenFlow& flow) const
{
    // A rate that falls leaves TCP with what was written at the old one, which it then sends a few
    // percent faster than the new rate: Credit() does the same. What becomes more shows a flow
    // that does not get its rate.
    const SourceFlow& source = *flow.source;
    const uint32_t unsent = source.connection->GetUnsent();
    if (flow.seenAt < m_lastChange)
    {
        flow.seenAt = GetNetworkTimeStep();
        flow.unsent = unsent;
    }
    // Between two writes it goes up and down by what is written at once.
    return unsent > flow.unsent + source.connection->GetQuantum(source);
}

TimeJumper::Reason
TimeJumper::FindUneven(EvenFlow& flow, int64_t& steps)
{
    if (flow.isShort)
    {
        return SHORT;
    }
    if (flow.bare.sends)
    {
        if (BareFlows::IsRecovering(flow))
        {
            return RECOVERING;
        }
        m_ends.Append(Simulator::Now().GetTimeStep() + m_bareFlows->GetStepsToLast(flow), flow);
        return JUMPED;
    }
    if (BareFlows::IsRecovering(flow))
    {
        return RECOVERING;
    }
    SourceFlow& source = *flow.source;
    Reason reason = source.connection ? GetReason(source.connection->GetSending(source)) : OPENING;
    if (reason == CATCHING_UP)
    {
        reason = IsFallingBehind(flow) ? CATCHING_UP : JUMPED;
    }
    if (reason == JUMPED && !(flow.sink && flow.sink->ReadsEvenly()))
    {
        reason = OPENING;
    }
    if (reason != JUMPED)
    {
        return reason;
    }
    flow.wasEven = true;
    BeginBare(flow);
    if (flow.bare.sends)
    {
        return FindUneven(flow, steps);
    }
    steps = std::min(steps, SourceConnection::GetStepsToLast(source));
    return steps < m_shortest.GetTimeStep() ? ENDING : JUMPED;
}

void
TimeJumper::BeginBare(EvenFlow& flow)
{
    SourceFlow& source = *flow.source;
    if (MayBeBare(flow) && m_bareFlows->HasEnough(source) && source.connection->Yield(source) &&
        !m_bareFlows->Begin(flow, m_channel->GetHost(source.dst)))
    {
        source.connection->Resume(source, source.bucket.GetLevel(GetNetworkTime()));
    }
}

TimeJumper::Reason
TimeJumper::FindUneven(int64_t& steps)
{
    steps = INT64_MAX;
    m_ends.Clear();
    std::size_t first = m_suspect;
    const std::size_t n = m_sending.size();
    for (std::size_t i = 0; i < n; ++i)
    {
        // The one that was uneven last is so again, mostly.
        const std::size_t place = m_suspect + i < n ? m_suspect + i : (m_suspect + i) % n;
        PrefetchAhead(place);
        const int64_t before = steps;
        const Reason reason = FindUneven(*m_sending[place], steps);
        if (reason != JUMPED)
        {
            m_suspect = place;
            return reason;
        }
        first = steps < before ? place : first;
    }
    m_suspect = first; // what ends first is what will be uneven
    return JUMPED;
}

} // namespace ns3::coflow
