/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-rate-allocator.h"

#include "ns3/coflow-baraat-rule.h"

#include <algorithm>

namespace ns3::coflow
{

RateAllocator::RateAllocator(uint64_t heavyBytes, Time timeout)
    : m_heavyBytes(heavyBytes),
      m_timeout(timeout)
{
}

void
RateAllocator::CountSent(uint64_t task, uint32_t bytes)
{
    m_sent[task] += bytes;
}

bool
RateAllocator::IsHeavy(uint64_t task) const
{
    const auto sent = m_sent.find(task);
    return sent != m_sent.end() && ::coflow::BaraatRule::IsHeavy(static_cast<double>(sent->second),
                                                                 static_cast<double>(m_heavyBytes));
}

uint64_t
RateAllocator::GetLastOfClass() const
{
    uint64_t last = 0;
    ::coflow::BaraatRule::TaskRun run;
    for (auto flow = m_flows.begin(); flow != m_flows.end() && !run.IsComplete();
         flow = m_flows.upper_bound({last, UINT32_MAX}))
    {
        last = flow->first.coflowId;
        run = run + ::coflow::BaraatRule::TaskRun::Of(IsHeavy(last));
    }
    return last;
}

uint64_t
RateAllocator::GetShare(uint64_t available)
{
    std::ranges::sort(m_demands);
    std::size_t left = m_demands.size();
    for (const uint64_t other : m_demands)
    {
        const uint64_t equal = available / left;
        if (other >= equal)
        {
            return equal;
        }
        available -= other;
        --left;
    }
    return available;
}

void
RateAllocator::Handle(const FlowKey& flow, RateRequest& request, Time now)
{
    std::erase_if(m_flows,
                  [this, now](const auto& entry) { return now - entry.second.seen > m_timeout; });
    if (request.demand == 0)
    {
        m_flows.erase(flow);
        return;
    }
    Flow& asking = m_flows[flow];
    const bool isNew = asking.seen.IsZero() && asking.demand == 0;
    const bool limitedHere = !isNew && request.demand + request.demand / 256 >= asking.entitled;
    asking.demand = limitedHere ? std::max(m_capacity, request.demand) : request.demand;
    asking.allocated = 0;
    asking.seen = now;

    const uint64_t task = flow.coflowId;
    const uint64_t lastOfClass = GetLastOfClass();
    const bool active = task <= lastOfClass;
    uint64_t before = 0; // sum of the demands of earlier tasks, where the task is not active
    uint64_t others = 0; // sum of the rates of other flows
    // The flow is entitled to its share for a demand of the whole capacity.
    m_demands.assign(1, m_capacity);
    for (const auto& [key, other] : m_flows)
    {
        others += other.allocated;
        if (key == flow)
        {
            continue;
        }
        if (active ? key.coflowId <= lastOfClass : key.coflowId == task)
        {
            m_demands.push_back(other.demand);
        }
        else if (!active && key.coflowId < task)
        {
            before += other.demand;
        }
    }
    const uint64_t nominal = GetShare(m_capacity - std::min(m_capacity, before));
    const uint64_t free = m_capacity - std::min(m_capacity, others);
    request.nominal = std::min(request.nominal, nominal);
    request.actual = std::min({request.actual, request.demand, nominal, free});
    asking.entitled = nominal;
    asking.allocated = request.actual;
}

uint64_t
RateAllocator::GetAllocated() const
{
    uint64_t sum = 0;
    for (const auto& [key, flow] : m_flows)
    {
        sum += flow.allocated;
    }
    return sum;
}

} // namespace ns3::coflow
