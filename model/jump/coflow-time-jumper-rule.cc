/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The last bytes of flows that send bare segments, which arrive by rule while time is jumped over.

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/coflow-wire-times.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

Time
TimeJumper::GetDelay(const PortPath& path, uint32_t bytes) const
{
    const auto& topology = *m_fabric->GetTopology();
    Time delay;
    for (uint32_t i = 0; i < path.n; ++i)
    {
        // The network stands still: what waits in a queue now is what a packet meets that comes at
        // any time.
        const auto& link = topology.GetPort(path.ports[i]);
        const uint64_t ahead = m_channel->GetPorts().GetQueuedBytes(path.ports[i]);
        const WireTime time(link.rate.GetBitRate(), bytes + TransportProfile::FRAME_BYTES + ahead);
        delay += link.delay + TimeStep(static_cast<uint64_t>(time.RoundUp()));
    }
    return delay;
}

int64_t
TimeJumper::GetFirstEnd() const
{
    return m_ends.IsEmpty() ? m_evenUntil : std::min(m_evenUntil, m_ends.GetFirst().time);
}

bool
TimeJumper::EndFlows()
{
    while (!m_ends.IsEmpty() && m_ends.GetFirst().time <= Simulator::Now().GetTimeStep())
    {
        const auto end = m_ends.GetFirst();
        m_ends.Remove(*end.flow);
        if (!EndByRule(*end.flow, TimeStep(static_cast<uint64_t>(end.time))))
        {
            return false;
        }
    }
    return true;
}

bool
TimeJumper::EndByRule(EvenFlow& flow, Time due)
{
    Credit(flow);
    if (!flow.bare.sends)
    {
        return false; // it has gone back to TCP since, which sends what is left now
    }
    FindPaths(flow);
    SourceFlow& source = *flow.source;
    // With a link that has failed, or bytes that TCP has under way, packets are to tell.
    if (!flow.sink || !source.connection->IsRead() || BareFlows::IsRecovering(flow) ||
        flow.data.n == 0 || flow.answers.n == 0)
    {
        m_bareFlows->End(flow);
        return false;
    }
    // Jumps have cut the flow otherwise than its segments would be; the time when the last one
    // leaves is that of the uncut flow.
    const Time lag = source.connection->GetLagOfLast(source);
    const uint32_t size =
        source.connection->GetLastPayload(source) + TransportProfile::HEADER_BYTES;
    const uint64_t bytes = m_bareFlows->TakeLast(flow);
    source.connection->SkipWritten(source, bytes);
    SettleEnd(flow, bytes);
    Leave(flow);
    flow.bitsPerSecond = 0;
    ++m_endsByRule;
    flow.ending = static_cast<uint32_t>(m_endsByRule % UINT32_MAX) + 1;
    // While a message is under way, somebody looks a little later.
    const Time arrival = due + lag + GetDelay(flow.data, size);
    Simulator::ScheduleWithContext(
        m_fabric->GetHosts().Get(m_channel->GetHost(source.dst))->GetId(),
        std::max(Time(), arrival - Simulator::Now()),
        &TimeJumper::Arrive,
        Ptr<TimeJumper>(this),
        Ptr<EvenFlow>(&flow),
        flow.ending,
        bytes);
    return true;
}

void
TimeJumper::Arrive(const Ptr<EvenFlow>& flow, uint32_t ending, uint64_t bytes)
{
    // A flow that was cancelled, or whose connection broke, ends in another way.
    if (!m_fabric || flow->ending != ending || !flow->sink)
    {
        return;
    }
    flow->sink->Skip(bytes);
    AcknowledgeLast(flow, ending);
}

void
TimeJumper::AcknowledgeLast(const Ptr<EvenFlow>& flow, uint32_t ending)
{
    const uint32_t src = m_fabric->GetHosts().Get(flow->src)->GetId();
    Simulator::ScheduleWithContext(src,
                                   GetDelay(flow->answers, TransportProfile::HEADER_BYTES),
                                   [flow, ending] {
                                       if (flow->ending == ending)
                                       {
                                           flow->source->connection->SkipLast(*flow->source);
                                       }
                                   });
}

void
TimeJumper::SettleEnd(EvenFlow& flow, uint64_t bytes)
{
    m_skippedBytes += bytes;
    flow.owedBytes += bytes;
    SettleRest(flow);
    // The last segment ends the stream; its acknowledgement, and the other end's packet, come back,
    // and one more acknowledgement goes.
    constexpr uint32_t EMPTY = TransportProfile::HEADER_BYTES;
    CreditPath(flow.data, 1, EMPTY, flow.band);
    CreditPath(flow.answers, 2, 2 * EMPTY, GetAnswerBand(flow));
}

void
TimeJumper::SettleRest(EvenFlow& flow)
{
    Settle(flow);
    const uint64_t bytes = std::exchange(flow.owedBytes, 0);
    if (bytes == 0)
    {
        return;
    }
    FindPaths(flow);
    CreditPath(flow.data, 1, bytes + TransportProfile::HEADER_BYTES, flow.band);
}

} // namespace ns3::coflow
