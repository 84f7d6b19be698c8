/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bypass-flows.h"

#include <algorithm>

namespace coflow
{

void
BypassFlows::Add(std::uint32_t index)
{
    m_run.AppendFlows(index, m_flows);
}

void
BypassFlows::Settle(Nanoseconds from, Nanoseconds to)
{
    const double seconds = to == NEVER ? 0 : static_cast<double>(to - from) * 1e-9;
    const auto through = [&](FlowState& flow) {
        const Nanoseconds finish = TimeAfter(from, flow.remaining, flow.rate);
        if (finish <= to && finish != NEVER)
        {
            m_run.FinishFlow(flow.coflow, flow.flow, finish);
            return true;
        }
        // An unfinished flow keeps at least 1e-6 bytes in spite of rounding.
        flow.remaining = std::max(flow.remaining - flow.rate * seconds, 1e-6);
        return false;
    };
    std::erase_if(m_flows, through);
}

void
BypassFlows::AppendFlows(Nanoseconds from, Nanoseconds at, std::vector<FlowState>& flows) const
{
    const double seconds = static_cast<double>(at - from) * 1e-9;
    for (const FlowState& flow : m_flows)
    {
        if (TimeAfter(from, flow.remaining, flow.rate) > at)
        {
            flows.push_back(flow);
            flows.back().remaining = flow.remaining - flow.rate * seconds;
        }
    }
}

void
BypassFlows::Share(FlowTable& table, Nanoseconds now)
{
    m_next = NEVER;
    if (m_flows.empty())
    {
        return;
    }
    m_budget.Reset(m_run.Capacity());
    m_shared.assign(m_budget.Ports(), 0);
    for (const FlowState& flow : m_flows)
    {
        m_shared[m_budget.Sending(flow.src)] = 1;
        m_shared[m_budget.Receiving(flow.dst)] = 1;
    }
    m_limited.clear();
    const auto rates = table.Rates();
    for (const CoflowRow& row : table.Rows())
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (rates[f] > 0 && (m_shared[m_budget.Sending(table.Src()[f])] |
                                 m_shared[m_budget.Receiving(table.Dst()[f])]) != 0)
            {
                m_limited.push_back(f);
            }
        }
    }
    std::uint32_t place = 0;
    for (std::uint32_t f : m_limited)
    {
        // The granted rates fit at a port without bypass flows, so such a port is no limit.
        HostPort limits[3] = {m_budget.AddLimit(rates[f])};
        std::size_t count = 1;
        for (HostPort port : {m_budget.Sending(table.Src()[f]), m_budget.Receiving(table.Dst()[f])})
        {
            if (m_shared[port] != 0)
            {
                limits[count++] = port;
            }
        }
        m_filler.Add(place++, std::span<const HostPort>(limits, count), 1.0, m_budget);
    }
    for (const FlowState& flow : m_flows)
    {
        m_filler.Add(place++, flow.src, flow.dst, 1.0, m_budget);
    }
    m_rates.assign(place, 0.0);
    m_filler.Fill(m_budget, m_rates);
    place = 0;
    for (std::uint32_t f : m_limited)
    {
        rates[f] = m_rates[place++];
        m_next = std::min(m_next, TimeAfter(now, table.Remaining()[f], rates[f]));
    }
    for (FlowState& flow : m_flows)
    {
        flow.rate = m_rates[place++];
        m_next = std::min(m_next, TimeAfter(now, flow.remaining, flow.rate));
    }
}

} // namespace coflow
