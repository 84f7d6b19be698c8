/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which ports are given more than they carry by the rates of flows, and which ones are used by
// flows without rates.

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
        AddLoad(*flow);
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
TimeJumper::AddLoad(const EvenFlow& flow)
{
    constexpr double HEADERS = TransportProfile::HEADER_BYTES + TransportProfile::FRAME_BYTES;
    const double packets = static_cast<double>(flow.bitsPerSecond) / 8 / m_segment;
    for (uint32_t i = 0; i < flow.data.n; ++i)
    {
        m_loads[flow.data.ports[i]] += packets * (m_segment + HEADERS);
    }
    const double answers = AnswersSlowly(flow) ? packets : packets / m_answered;
    for (uint32_t i = 0; i < flow.answers.n; ++i)
    {
        m_loads[flow.answers.ports[i]] += answers * HEADERS;
    }
}

bool
TimeJumper::IsCrowded(const PortPath& path) const
{
    const auto& topology = *m_fabric->GetTopology();
    return std::any_of(path.ports.begin(), path.ports.begin() + path.n, [&](LinkPort port) {
        const auto rate = static_cast<double>(topology.GetPort(port).rate.GetBitRate()) / 8;
        return m_loads[port] > rate;
    });
}

void
TimeJumper::ReturnCrowded()
{
    std::vector<Ptr<EvenFlow>> crowded; // what a flow writes may end it
    for (EvenFlow* flow : m_sending)
    {
        if (flow->bare.sends && (IsCrowded(flow->data) || IsCrowded(flow->answers)))
        {
            crowded.emplace_back(flow);
        }
    }
    for (const auto& flow : crowded)
    {
        if (flow->bare.sends)
        {
            flow->wasEven = false;
            Credit(*flow);
            m_bareFlows->End(*flow);
        }
    }
}

void
TimeJumper::SetUnlimited(EvenFlow& flow, bool isUnlimited)
{
    if (isUnlimited != flow.isUnlimited)
    {
        FindPaths(flow);
        flow.isUnlimited = isUnlimited;
        CountAtPorts(flow, isUnlimited ? 1 : -1);
        m_nUnlimited += isUnlimited ? 1 : -1;
    }
}

void
TimeJumper::CountAtPorts(const EvenFlow& flow, int by)
{
    for (const PortPath* path : {&flow.data, &flow.answers})
    {
        for (uint32_t i = 0; i < path->n; ++i)
        {
            m_unlimited[path->ports[i]] += by;
        }
    }
}

bool
TimeJumper::MeetsUnlimited(EvenFlow& flow)
{
    if (m_nUnlimited == 0)
    {
        return false;
    }
    FindPaths(flow);
    const auto meets = [this](const PortPath& path) {
        return std::any_of(path.ports.begin(), path.ports.begin() + path.n, [this](LinkPort port) {
            return m_unlimited[port] > 0;
        });
    };
    return meets(flow.data) || meets(flow.answers);
}

} // namespace ns3::coflow
