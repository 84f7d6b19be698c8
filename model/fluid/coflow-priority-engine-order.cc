/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a PriorityEngine serves an order of coflows that changes (OrderForm).

#include "ns3/coflow-priority-engine.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace coflow
{

PriorityEngine::PriorityEngine(FluidRun& run, Policy& policy)
    : PriorityEngine(run, PriorityForm{PriorityForm::Major::NONE, true})
{
    m_policy = &policy;
    m_service.resize(run.CoflowCount());
    m_left.assign(run.FlowCount(), 0.0);
}

void
PriorityEngine::Empty()
{
    for (std::uint32_t port = 0; port < m_running.size(); ++port)
    {
        if (m_peer[port] != NONE)
        {
            const Running& running = m_running[port];
            const double seconds = static_cast<double>(m_now - running.since) * 1e-9;
            m_left[m_runKey[port].Flow()] = std::max(running.remaining - m_rate * seconds, 1e-6);
            Vacate(port);
        }
    }
    for (Link& link : m_links)
    {
        link.best = Waiting();
        link.behind.clear();
    }
    for (auto& candidates : m_candidates)
    {
        candidates.clear();
    }
    m_dirty.clear();
}

std::vector<std::uint32_t>
PriorityEngine::AskForOrder()
{
    std::sort(m_present.begin(), m_present.end(), [](const Present& a, const Present& b) {
        return std::tie(a.ready, a.index) < std::tie(b.ready, b.index);
    });
    FlowTable table;
    std::vector<Present> stay;
    std::vector<TableFlow> flows;
    for (const Present& present : m_present)
    {
        const Coflow& coflow = m_run.At(present.index);
        const std::size_t first = m_run.FirstFlow(present.index);
        CoflowRow row;
        row.id = coflow.id;
        row.index = present.index;
        row.ready = present.ready;
        row.width = static_cast<std::uint32_t>(coflow.flows.size());
        flows.clear();
        for (const Flow& flow : coflow.flows)
        {
            const double left = m_left[first + flow.id];
            row.sent += static_cast<double>(flow.bytes) - left;
            if (left > 0)
            {
                flows.push_back({flow.id, flow.src, flow.dst, flow.bytes, left});
            }
        }
        if (!flows.empty())
        {
            table.Insert(row, present.sizes, flows);
            stay.push_back(present);
        }
    }
    m_present = std::move(stay);
    const Decision decision = m_policy->Decide(table, m_now, m_run.Capacity(), {});
    std::vector<std::uint32_t> order;
    for (const std::uint32_t row : decision.order)
    {
        order.push_back(table.Rows()[row].index);
    }
    return order;
}

void
PriorityEngine::Reorder()
{
    Empty();
    std::uint32_t place = 0;
    std::uint32_t rank = 0;
    for (const std::uint32_t index : AskForOrder())
    {
        // From the best flow on: each runs if both its ports are still free.
        const auto first = static_cast<std::uint32_t>(m_run.FirstFlow(index));
        for (const Served& served : m_service[index])
        {
            const std::uint32_t number = first + served.flow;
            if (m_left[number] == 0)
            {
                continue;
            }
            const Waiting flow{Key::Of(place, rank++, number), m_left[number], index};
            const Link& link = m_links[served.link];
            if (m_peer[link.port[0]] == NONE && m_peer[link.port[1]] == NONE)
            {
                Start(served.link, flow);
            }
            else
            {
                Wait(served.link, flow);
            }
        }
        ++place;
    }
}

} // namespace coflow
