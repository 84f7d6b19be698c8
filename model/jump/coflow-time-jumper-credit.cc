/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a jump does: which ports flows pass, and what flows and ports are credited with.

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-owed-bytes.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

void
TimeJumper::FindPaths(EvenFlow& flow)
{
    const auto* connection = flow.source->connection;
    // A flow that has ended keeps the paths that it had, and one that was connected anew has
    // others.
    if (!connection || (flow.epoch == m_epoch && flow.port == connection->GetName().localPort &&
                        flow.label == flow.source->label))
    {
        return;
    }
    if (flow.isUnlimited)
    {
        CountAtPorts(flow, -1);
    }
    flow.epoch = m_epoch;
    flow.label = flow.source->label;
    flow.port = connection->GetName().localPort;
    const auto& topology = *m_fabric->GetTopology();
    const auto& name = connection->GetName();
    FlowTuple tuple;
    tuple.srcAddress = Fabric::GetHostAddress(flow.src).Get();
    tuple.dstAddress = name.remoteAddress;
    tuple.srcPort = name.localPort;
    tuple.dstPort = name.remotePort;
    tuple.protocol = ConnectionName::TCP;
    const ::coflow::HostId dst = m_channel->GetHost(flow.source->dst);
    const uint64_t hash = flow.label != 0 ? GetLabelHash(flow.label) : GetFlowHash(tuple);
    flow.data.n = topology.Path(flow.src, dst, hash, flow.data.ports);
    std::swap(tuple.srcAddress, tuple.dstAddress);
    std::swap(tuple.srcPort, tuple.dstPort);
    flow.answers.n = topology.Path(dst, flow.src, GetFlowHash(tuple), flow.answers.ports);
    if (flow.isUnlimited)
    {
        CountAtPorts(flow, 1);
    }
}

bool
TimeJumper::AnswersSlowly(const EvenFlow& flow) const
{
    const double interval =
        static_cast<double>(m_segment * BIT_NANOSECONDS) / static_cast<double>(flow.bitsPerSecond);
    return interval > m_slowestAnswer;
}

void
TimeJumper::Jump(int64_t steps)
{
    if (steps == 0)
    {
        return; // something else happens at the same time
    }
    ++m_jumps;
    m_owes = true;
    m_behind = true;
    WheelSimulatorImpl::Get()->SkipTime(steps);
}

void
TimeJumper::Credit(EvenFlow& flow)
{
    const int64_t skipped = WheelSimulatorImpl::Get()->GetSkipped();
    const int64_t steps = skipped - flow.creditedTo;
    flow.creditedTo = skipped;
    // Flows that were looked at had both ends; a flow that came since has missed no jump.
    const bool isBare = flow.bare.sends;
    if (steps == 0 || flow.bitsPerSecond == 0 ||
        (!isBare && (!flow.sink || !flow.source->connection)))
    {
        return;
    }
    uint64_t bytes = TakeOwedBytes(flow.bitsPerSecond, steps, flow.rest);
    // The last byte is not skipped: a jump ends within a step of the flow's last write. A flow that
    // has gone back to TCP meanwhile may have sent a whole segment since, where less was left.
    const uint64_t left = isBare ? flow.bare.left : flow.source->bytes - flow.source->written;
    bytes = std::min(bytes, left > 0 ? left - 1 : 0);
    const uint64_t all = isBare ? bytes : bytes + CreditUnsent(flow, bytes);
    flow.owedBytes += all;
    flow.owedAnswers += AnswersSlowly(flow) ? all * m_answered : all;
    m_skippedBytes += all;
    if (isBare)
    {
        BareFlows::Skip(flow, bytes);
        return;
    }
    flow.sink->Skip(all);
    // It may write, which neither ends nor pauses it: that takes an event.
    flow.source->connection->Skip(*flow.source, bytes);
}

uint64_t
TimeJumper::CreditUnsent(EvenFlow& flow, uint64_t bytes)
{
    auto& connection = *flow.source->connection;
    const uint64_t unsent = connection.GetUnsent();
    const uint64_t kept = connection.GetQuantum(*flow.source);
    if (unsent <= kept)
    {
        flow.ahead = 0;
        return 0;
    }
    flow.ahead += SourceConnection::GetAhead(bytes, m_segment);
    const uint64_t credited = std::min(flow.ahead, unsent - kept) / m_segment * m_segment;
    flow.ahead -= credited;
    connection.SkipUnsent(*flow.source, static_cast<uint32_t>(credited));
    return credited;
}

void
TimeJumper::CreditAll()
{
    if (!m_behind)
    {
        return;
    }
    m_behind = false;
    for (std::size_t i = 0; i < m_sending.size(); ++i)
    {
        PrefetchAhead(i);
        Credit(*m_sending[i]);
    }
}

void
TimeJumper::Settle(EvenFlow& flow)
{
    Credit(flow);
    const uint64_t packets = flow.owedBytes / m_segment;
    const uint64_t answers = flow.owedAnswers / (uint64_t{m_segment} * m_answered);
    if (packets == 0)
    {
        return; // what is less than a packet waits
    }
    FindPaths(flow);
    flow.owedBytes -= packets * m_segment;
    flow.owedAnswers -= answers * m_segment * m_answered;
    const uint64_t bytes = packets * (m_segment + TransportProfile::HEADER_BYTES);
    CreditPath(flow.data, packets, bytes, flow.band);
    CreditPath(flow.answers,
               answers,
               answers * TransportProfile::HEADER_BYTES,
               GetAnswerBand(flow));
}

void
TimeJumper::CreditPath(const PortPath& path, uint64_t packets, uint64_t bytes, uint8_t band)
{
    const uint8_t plain = m_bareFlows->GetDsField();
    const uint8_t dsField = band == PacketPriority::NO_BAND ? plain : GetDsFieldOfBand(band, plain);
    for (uint32_t i = 0; i < path.n; ++i)
    {
        m_channel->GetPorts().Credit(path.ports[i], packets, bytes, dsField);
    }
    m_skippedHops += packets * path.n;
}

uint8_t
TimeJumper::GetAnswerBand(const EvenFlow& flow) const
{
    return m_channel->GetAcknowledgementPriority(m_channel->GetHost(flow.source->dst)).band;
}

void
TimeJumper::SettleAll()
{
    if (!m_owes)
    {
        return;
    }
    m_owes = false;
    for (std::size_t i = 0; i < m_sending.size(); ++i)
    {
        PrefetchAhead(i);
        Settle(*m_sending[i]);
    }
}

} // namespace ns3::coflow
