/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-sharing-engine.h"

#include "ns3/coflow-max-min-levels.h"

#include <algorithm>

namespace coflow
{

SharingEngine::SharingEngine(FluidRun& run, const SharingForm& form)
    : FluidExecutor(run),
      m_form(form),
      m_hosts(static_cast<std::uint32_t>(run.Capacity().ingress.size())),
      m_capacity(run.Capacity().ingress)
{
    m_capacity.insert(m_capacity.end(), run.Capacity().egress.begin(), run.Capacity().egress.end());
    if (m_form.levels == SharingForm::Levels::MAX_MIN)
    {
        m_levels = std::make_unique<MaxMinLevels>(m_capacity);
    }
    else if (m_form.levels == SharingForm::Levels::PER_COFLOW_QUEUES)
    {
        auto queues = std::make_unique<FairQueueLevels>(m_capacity);
        m_queues = queues.get();
        m_levels = std::move(queues);
    }
    else
    {
        auto split = std::make_unique<SplitLevels>();
        m_split = split.get();
        m_levels = std::move(split);
    }
    if (HasCoflowNodes())
    {
        m_portParts.resize(m_capacity.size());
        return;
    }
    for (double rate : m_capacity)
    {
        m_clocks.AddNode();
        if (m_split != nullptr)
        {
            m_split->AddNode(rate);
        }
    }
}

double
SharingEngine::Weight(const Flow& flow) const
{
    return m_form.sizeWeights ? static_cast<double>(flow.bytes) : 1.0;
}

std::uint32_t
SharingEngine::CoflowNode(std::uint32_t index, std::uint32_t port)
{
    const auto [place, added] =
        m_nodes.emplace(static_cast<std::uint64_t>(index) << 32 | port, m_parts.size());
    if (added)
    {
        m_parts.push_back({port, false});
        m_clocks.AddNode();
        if (m_queues != nullptr)
        {
            m_queues->AddNode(port);
        }
        else
        {
            m_split->AddNode(0);
        }
    }
    return place->second;
}

std::uint32_t
SharingEngine::LinkOf(std::uint32_t index, const Flow& flow)
{
    std::uint32_t nodeA = flow.src;
    std::uint32_t nodeB = m_hosts + flow.dst;
    if (HasCoflowNodes())
    {
        nodeA = CoflowNode(index, nodeA);
        nodeB = CoflowNode(index, nodeB);
    }
    const auto [place, added] = m_links.emplace(static_cast<std::uint64_t>(nodeA) << 32 | nodeB, 0);
    if (added)
    {
        place->second = m_levels->AddLink(nodeA, nodeB);
        m_clocks.AddLink();
        m_linkEnds[0].push_back(nodeA);
        m_linkEnds[1].push_back(nodeB);
    }
    return place->second;
}

void
SharingEngine::SplitPort(std::uint32_t port)
{
    for (std::uint32_t node : m_portParts[port])
    {
        m_split->SetRate(node, m_capacity[port] / static_cast<double>(m_portParts[port].size()));
    }
}

Nanoseconds
SharingEngine::Next()
{
    return m_clocks.Next(m_now);
}

void
SharingEngine::Settle(Nanoseconds time)
{
    m_finished.clear();
    m_clocks.TakeFinished(time, m_finished);
    for (const ServiceClocks::Finished& done : m_finished)
    {
        m_levels->ChangeWeight(done.link, -Weight(m_run.At(done.coflow).flows[done.flow]));
        m_run.FinishFlow(done.coflow, done.flow, time);
    }
}

void
SharingEngine::Arrive(std::uint32_t index, Nanoseconds /*ready*/)
{
    for (const Flow& flow : m_run.At(index).flows)
    {
        if (!m_run.UsesFabric(flow))
        {
            continue;
        }
        const std::uint32_t link = LinkOf(index, flow);
        const double weight = Weight(flow);
        m_levels->ChangeWeight(link, weight);
        m_clocks.AddFlow(link, static_cast<double>(flow.bytes) / weight, index, flow.id, m_now);
        if (!m_clocks.IsBound(link))
        {
            m_toBind.push_back(link);
        }
    }
}

void
SharingEngine::SplitPorts()
{
    const auto count = [this](std::uint32_t link) {
        for (const auto& ends : m_linkEnds)
        {
            const std::uint32_t node = ends[link];
            Part& part = m_parts[node];
            const bool present = m_split->Weight(node) > 0;
            if (present != part.counted)
            {
                part.counted = present;
                auto& parts = m_portParts[part.port];
                parts.erase(std::remove(parts.begin(), parts.end(), node), parts.end());
                if (present)
                {
                    parts.push_back(node);
                }
                SplitPort(part.port);
            }
        }
    };
    for (const ServiceClocks::Finished& done : m_finished)
    {
        count(done.link);
    }
    std::ranges::for_each(m_toBind, count);
}

void
SharingEngine::Decide()
{
    ++m_run.Counters().decisions;
    if (m_form.levels == SharingForm::Levels::PER_COFLOW_SPLIT)
    {
        SplitPorts();
    }
    m_levels->Update();
    // Links are bound before levels change, because the service of a link so far is at the old
    // level of its old node.
    for (std::uint32_t link : m_toBind)
    {
        // The list has a link once for every flow that arrived while the link had no node.
        if (!m_clocks.IsBound(link))
        {
            m_clocks.Bind(link, m_levels->Limit(link), m_now);
        }
    }
    m_toBind.clear();
    for (std::uint32_t link : m_levels->Moved())
    {
        if (m_clocks.IsBound(link))
        {
            m_clocks.Bind(link, m_levels->Limit(link), m_now);
        }
    }
    for (std::uint32_t node : m_levels->Recomputed())
    {
        m_clocks.SetLevel(node, m_levels->Level(node), m_now);
    }
}

void
SharingEngine::AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const
{
    m_clocks.ForEachFlow(
        at,
        [&](std::uint32_t link, const ServiceClocks::Entry& entry, double service) {
            const Flow& flow = m_run.At(entry.coflow).flows[entry.flow];
            const double remaining = (entry.target - service) * Weight(flow);
            if (remaining > 0)
            {
                flows.push_back({entry.coflow,
                                 flow.id,
                                 flow.src,
                                 flow.dst,
                                 remaining,
                                 m_clocks.LevelOf(link) * Weight(flow)});
            }
        });
}

} // namespace coflow
