/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a jump does: which ports flows pass, whether those carry what rates say, and what flows and
// ports are credited with.

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"

#include <algorithm>

namespace ns3::coflow
{

namespace
{

/// Bits per second times nanoseconds, in a byte.
constexpr uint64_t BIT_NANOSECONDS = 8'000'000'000;

/// What a frame has around an IPv4 packet: the two bytes of PPP.
constexpr uint32_t FRAME_BYTES = 2;

} // namespace

void
TimeJumper::FindPaths(EvenFlow& flow) const
{
    const auto* connection = flow.source->connection;
    // A flow that has ended keeps the paths that it had, and one that was connected anew has
    // others.
    if (!connection || (flow.epoch == m_epoch && flow.port == connection->GetName().localPort))
    {
        return;
    }
    flow.epoch = m_epoch;
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
    flow.data.n = topology.Path(flow.src, dst, GetFlowHash(tuple), flow.data.ports);
    std::swap(tuple.srcAddress, tuple.dstAddress);
    std::swap(tuple.srcPort, tuple.dstPort);
    flow.answers.n = topology.Path(dst, flow.src, GetFlowHash(tuple), flow.answers.ports);
}

bool
TimeJumper::AnswersSlowly(const EvenFlow& flow) const
{
    const double interval =
        static_cast<double>(m_segment * BIT_NANOSECONDS) / static_cast<double>(flow.bitsPerSecond);
    return interval > m_slowestAnswer;
}

bool
TimeJumper::IsFeasible()
{
    if (m_checked)
    {
        return m_feasible;
    }
    m_checked = true;
    std::fill(m_loads.begin(), m_loads.end(), 0);
    constexpr double HEADERS = TransportProfile::HEADER_BYTES + FRAME_BYTES;
    for (EvenFlow* flow : m_sending)
    {
        FindPaths(*flow);
        const double packets = static_cast<double>(flow->bitsPerSecond) / 8 / m_segment;
        for (uint32_t i = 0; i < flow->data.n; ++i)
        {
            m_loads[flow->data.ports[i]] += packets * (m_segment + HEADERS);
        }
        const double answers = AnswersSlowly(*flow) ? packets : packets / m_answered;
        for (uint32_t i = 0; i < flow->answers.n; ++i)
        {
            m_loads[flow->answers.ports[i]] += answers * HEADERS;
        }
    }
    const auto& topology = *m_fabric->GetTopology();
    m_feasible = true;
    for (LinkPort port = 0; port < topology.GetNPorts(); ++port)
    {
        const auto rate = static_cast<double>(topology.GetPort(port).rate.GetBitRate()) / 8;
        m_feasible = m_feasible && m_loads[port] <= rate;
        m_largestLoad = std::max(m_largestLoad, m_loads[port] / rate);
    }
    return m_feasible;
}

void
TimeJumper::Jump(int64_t steps)
{
    ++m_jumps;
    m_owes = true;
    WheelSimulatorImpl::Get()->SkipTime(steps);
    // Flows that are credited may write, which neither ends nor pauses one: that takes an event.
    for (EvenFlow* flow : m_sending)
    {
        const auto owed =
            static_cast<unsigned __int128>(flow->bitsPerSecond) * static_cast<uint64_t>(steps) +
            flow->rest;
        const auto bytes = static_cast<uint64_t>(owed / BIT_NANOSECONDS);
        flow->rest = static_cast<uint64_t>(owed % BIT_NANOSECONDS);
        flow->owedBytes += bytes;
        flow->owedAnswers += AnswersSlowly(*flow) ? bytes * m_answered : bytes;
        m_skippedBytes += bytes;
        flow->sink->Skip(bytes);
        flow->source->connection->Skip(*flow->source, bytes);
    }
}

void
TimeJumper::Settle(EvenFlow& flow)
{
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
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        m_channel->Credit(flow.data.ports[i], packets, bytes);
    }
    for (uint32_t i = 0; i < flow.answers.n; ++i)
    {
        m_channel->Credit(flow.answers.ports[i], answers, answers * TransportProfile::HEADER_BYTES);
    }
    m_skippedHops += packets * flow.data.n + answers * flow.answers.n;
}

void
TimeJumper::SettleAll()
{
    if (!m_owes)
    {
        return;
    }
    m_owes = false;
    for (auto& [key, flow] : m_flows)
    {
        Settle(*flow);
    }
}

} // namespace ns3::coflow
