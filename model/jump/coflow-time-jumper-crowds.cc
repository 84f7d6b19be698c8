/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which ports are given more than they carry by the rates of flows, and what becomes of the flows
// that pass these ports.

#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-time-jumper.h"

#include <algorithm>
#include <vector>

namespace ns3::coflow
{

bool
TimeJumper::IsFeasible()
{
    if (m_checked)
    {
        return m_feasible;
    }
    m_checked = true;
    std::fill(m_loads.begin(), m_loads.end(), 0);
    for (EvenFlow* flow : m_sending)
    {
        FindPaths(*flow);
        if (flow->shares && flow->cap == 0)
        {
            continue; // it gets what was measured
        }
        AddLoad(*flow, m_loads, 1);
    }
    const auto& topology = *m_fabric->GetTopology();
    m_feasible = true;
    for (LinkPort port = 0; port < topology.GetNPorts(); ++port)
    {
        const auto rate = static_cast<double>(topology.GetPort(port).rate.GetBitRate()) / 8;
        m_feasible = m_feasible && m_loads[port] <= rate;
        m_largestLoad = std::max(m_largestLoad, m_loads[port] / rate);
    }
    if (m_shares)
    {
        m_paced = m_loads;
        m_feasible = (m_feasible && !m_hasCrowd) || ShareCrowded();
        m_shares->SetPaced(m_paced);
    }
    return m_feasible;
}

void
TimeJumper::AddLoad(const EvenFlow& flow, std::vector<double>& loads, double factor) const
{
    constexpr double HEADERS = TransportProfile::HEADER_BYTES + TransportProfile::FRAME_BYTES;
    const uint64_t rate = flow.cap > 0 ? flow.cap : flow.bitsPerSecond;
    const double packets = factor * static_cast<double>(rate) / 8 / m_segment;
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        loads[flow.data.ports[i]] += packets * (m_segment + HEADERS);
    }
    const double answers = AnswersSlowly(flow) ? packets : packets / m_answered;
    for (uint32_t i = 0; i < flow.answers.n; ++i)
    {
        loads[flow.answers.ports[i]] += answers * HEADERS;
    }
}

bool
TimeJumper::IsCrowded(const PortPath& path) const
{
    const auto& topology = *m_fabric->GetTopology();
    for (uint32_t i = 0; i < path.n; ++i)
    {
        const auto& port = topology.GetPort(path.ports[i]);
        if (m_loads[path.ports[i]] > static_cast<double>(port.rate.GetBitRate()) / 8)
        {
            return true;
        }
    }
    return false;
}

bool
TimeJumper::IsCrowded(const EvenFlow& flow) const
{
    return IsCrowded(flow.data) || IsCrowded(flow.answers);
}

void
TimeJumper::EndBare(EvenFlow& flow)
{
    if (flow.bare.sends)
    {
        flow.wasEven = false;
        Credit(flow);
        m_bareFlows->End(flow);
    }
}

bool
TimeJumper::ShareCrowded()
{
    std::vector<Ptr<EvenFlow>> crowded;
    m_hasCrowd = false;
    bool all = true;
    for (EvenFlow* flow : m_sending)
    {
        // One whose connection broke sends nothing until there is another.
        if (flow->source->allowance.GetKind() != Allowance::Kind::RATE || !flow->source->connection)
        {
            continue;
        }
        if (!IsCrowded(*flow))
        {
            SetCap(*flow, 0);
            continue;
        }
        if (!MayBeCut(*flow))
        {
            all = false;
            continue;
        }
        crowded.emplace_back(flow);
    }
    for (const auto& flow : crowded)
    {
        EndBare(*flow);
        Cut(*flow);
    }
    return all;
}

bool
TimeJumper::MayBeCut(const EvenFlow& flow)
{
    // A flow that has lost bare segments may have no rate by now.
    return flow.source->allowance.GetKind() == Allowance::Kind::RATE &&
           !flow.source->priorityRule && !flow.source->connection->GetNicScheduler();
}

bool
TimeJumper::IsCutWhenBehind(const EvenFlow& flow) const
{
    // A port that is nearly full keeps one of ten thousand flows behind for seconds. After a change
    // flows catch up, so they are given the time in which TCP settles.
    const bool lasts = GetNetworkTimeStep() - m_changedAt >= m_steadyTime.GetTimeStep();
    return m_shares && (m_hasCrowd || lasts) && MayBeCut(flow);
}

void
TimeJumper::Cut(EvenFlow& flow)
{
    m_hasCrowd = true;    // until it is looked again what ports are given
    flow.wasEven = false; // or it would send bare segments, which do not hear of marks
    SetCap(flow, flow.source->allowance.GetRate().GetBitRate());
    // What the others are given is not for those that are measured.
    AddLoad(flow, m_paced, -1);
}

void
TimeJumper::SetCap(EvenFlow& flow, uint64_t bitsPerSecond)
{
    const bool isCut = bitsPerSecond > 0;
    if ((flow.cap > 0) != isCut)
    {
        Credit(flow); // as it was until now
        flow.bitsPerSecond = flow.source->allowance.GetRate().GetBitRate();
        flow.ahead = 0;
        flow.shares = isCut;
        m_nShared = isCut ? m_nShared + 1 : m_nShared - 1;
    }
    flow.cap = bitsPerSecond;
}

void
TimeJumper::ReturnCrowded()
{
    std::vector<Ptr<EvenFlow>> crowded;
    for (EvenFlow* flow : m_sending)
    {
        if (flow->bare.sends && IsCrowded(*flow))
        {
            crowded.emplace_back(flow);
        }
    }
    for (const auto& flow : crowded)
    {
        EndBare(*flow);
    }
}

} // namespace ns3::coflow
