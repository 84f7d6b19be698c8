/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid-executor.h"

#include <algorithm>
#include <limits>

namespace coflow
{

void
FluidExecutor::Run()
{
    const Nanoseconds stop = m_run.Options().stop;
    while (true)
    {
        const Nanoseconds next = m_run.StepAfter(std::min(m_run.NextReady(), Next()));
        const Nanoseconds end = std::min(next, stop);
        Watch(end);
        if (next == NEVER || next > stop)
        {
            if (next == NEVER)
            {
                RecordStuck(m_now);
            }
            End(end);
            return;
        }
        if (m_run.CountEvent())
        {
            Poll();
        }
        Settle(next);
        m_now = next;
        while (m_run.NextReady() <= m_now)
        {
            const Nanoseconds ready = m_run.NextReady();
            const auto [index, left] = m_run.TakeReady();
            Start(index, ready);
            if (left)
            {
                Arrive(index, ready);
            }
        }
        Decide();
        if (IsStuck())
        {
            RecordStuck(m_lastProgress);
            End(m_now);
            return;
        }
    }
}

bool
FluidExecutor::IsStuck()
{
    constexpr std::uint64_t EVENTS_PER_CHECK = 4096;
    constexpr std::uint64_t MOST_IDLE_EVENTS = 10'000'000;
    const std::uint64_t flowsDone = m_run.Counters().flowsDone;
    if (flowsDone != m_flowsDone || m_run.NextReady() != NEVER)
    {
        m_flowsDone = flowsDone;
        m_leftBytes = std::numeric_limits<double>::infinity();
        m_lastProgress = m_now;
        m_idleEvents = 0;
        return false;
    }
    if (++m_idleEvents % EVENTS_PER_CHECK != 0)
    {
        return false;
    }
    m_flows.clear();
    AppendFlows(m_now, m_flows);
    double left = 0;
    bool moves = false; // a flow has a rate now
    bool ends = false;  // a flow finishes at a time that can be represented
    for (const FlowState& flow : m_flows)
    {
        left += flow.remaining;
        moves = moves || flow.rate > 0;
        ends = ends || TimeAfter(m_now, flow.remaining, flow.rate) != NEVER;
    }
    if (ends || (!moves && left < m_leftBytes))
    {
        m_leftBytes = left;
        m_lastProgress = m_now;
        m_idleEvents = 0;
        return false;
    }
    return m_now - m_lastProgress >= m_run.Options().patience || m_idleEvents >= MOST_IDLE_EVENTS;
}

void
FluidExecutor::RecordStuck(Nanoseconds since)
{
    m_flows.clear();
    AppendFlows(m_now, m_flows);
    m_run.SetStuck(since, m_flows);
}

void
FluidExecutor::Poll()
{
    if (m_run.Options().poll)
    {
        m_run.Options().poll();
    }
    if (m_run.Options().progress)
    {
        m_run.Options().progress([this] { return GetProgress(); });
    }
}

FluidProgress
FluidExecutor::GetProgress()
{
    m_flows.clear();
    AppendFlows(m_now, m_flows);
    double moved = m_run.MovedBytes();
    for (const FlowState& flow : m_flows)
    {
        const auto bytes = static_cast<double>(m_run.At(flow.coflow).flows[flow.flow].bytes);
        moved += std::clamp(bytes - flow.remaining, 0.0, bytes);
    }
    const double all = m_run.BytesToMove();
    return {.now = m_now,
            .finishedCoflows = m_run.FinishedCoflowCount(),
            .byteShare = all > 0 ? std::min(1.0, moved / all) : 1};
}

void
FluidExecutor::Watch(Nanoseconds end)
{
    if (end == NEVER)
    {
        return;
    }
    RunSampler& sampler = m_run.Sampler();
    while (sampler.Next() < end)
    {
        m_flows.clear();
        AppendFlows(sampler.Next(), m_flows);
        for (const FlowState& flow : m_flows)
        {
            sampler.AddFlow(flow.coflow, flow.src, flow.dst, flow.remaining, flow.rate);
        }
        sampler.Take();
        sampler.SkipEmpty(end);
    }
    if (m_run.Options().observer && end > m_now)
    {
        m_flows.clear();
        AppendFlows(m_now, m_flows);
        if (!m_flows.empty())
        {
            m_run.Options().observer({m_now, end, m_flows, m_run.Capacity()});
        }
    }
}

} // namespace coflow
