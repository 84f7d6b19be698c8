/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-priority-engine.h"

#include <algorithm>

namespace coflow
{

PriorityEngine::PriorityEngine(FluidRun& run, const PriorityForm& form)
    : m_run(run),
      m_form(form),
      m_rate(run.Capacity().ingress.empty() ? 0 : run.Capacity().ingress.front()),
      m_candidates(2 * run.Capacity().ingress.size()),
      m_runs(2 * run.Capacity().ingress.size(), NONE),
      m_runKey(2 * run.Capacity().ingress.size(), FREE)
{
}

PriorityEngine::Key
PriorityEngine::KeyOf(const Active& active) const
{
    double minor = active.remaining;
    if (m_form.staticSize)
    {
        minor = static_cast<double>(m_run.At(active.coflow).flows[active.flow].bytes);
    }
    else if (active.running)
    {
        minor -= m_rate * static_cast<double>(m_now - active.since) * 1e-9;
    }
    return {active.major, minor, std::uint64_t{active.coflow} << 32 | active.flow};
}

void
PriorityEngine::Wait(std::uint32_t active)
{
    const std::uint32_t link = m_active[active].link;
    m_links[link].waiting.push({KeyOf(m_active[active]), active});
    List(link);
}

void
PriorityEngine::List(std::uint32_t l)
{
    Link& link = m_links[l];
    const bool waits = !link.waiting.empty();
    if (waits && link.listed && link.waiting.top().key.flow == link.key.flow)
    {
        // Ranks do not change while flows wait.
        return;
    }
    ListAt(l, 0);
    ListAt(l, 1);
    link.listed = waits;
    link.key = waits ? link.waiting.top().key : FREE;
}

void
PriorityEngine::ListAt(std::uint32_t l, int end)
{
    const Link& link = m_links[l];
    auto& candidates = m_candidates[link.port[end]];
    const auto place = [&](const Key& key) {
        return std::lower_bound(candidates.begin(), candidates.end(), Candidate{key, 0, 0});
    };
    if (link.waiting.empty())
    {
        if (link.listed)
        {
            candidates.erase(place(link.key));
        }
        return;
    }
    const Candidate best{link.waiting.top().key, l, link.port[1 - end]};
    const auto to = place(best.key);
    if (!link.listed)
    {
        candidates.insert(to, best);
        return;
    }
    // Only those between the old and the new place move.
    const auto from = place(link.key);
    if (to <= from)
    {
        std::move_backward(to, from, from + 1);
        *to = best;
    }
    else
    {
        std::move(from + 1, to, from);
        *(to - 1) = best;
    }
}

void
PriorityEngine::Start(std::uint32_t active)
{
    Active& a = m_active[active];
    a.running = true;
    a.since = m_now;
    ++a.version;
    for (std::uint32_t port : m_links[a.link].port)
    {
        if (m_runs[port] != NONE)
        {
            Stop(m_runs[port]);
        }
    }
    Occupy(active);
    m_finish.push({m_run.FinishAt(TimeAfter(m_now, a.remaining, m_rate)), active, a.version});
}

void
PriorityEngine::Stop(std::uint32_t active)
{
    Active& a = m_active[active];
    const double seconds = static_cast<double>(m_now - a.since) * 1e-9;
    // An unfinished flow has something left, whatever rounding says.
    a.remaining = std::max(a.remaining - m_rate * seconds, 1e-6);
    a.running = false;
    ++a.version;
    Vacate(active);
    Wait(active);
}

void
PriorityEngine::Occupy(std::uint32_t active)
{
    const Key key = KeyOf(m_active[active]);
    for (std::uint32_t port : m_links[m_active[active].link].port)
    {
        m_runs[port] = active;
        m_runKey[port] = key;
    }
}

void
PriorityEngine::Vacate(std::uint32_t active)
{
    for (std::uint32_t port : m_links[m_active[active].link].port)
    {
        m_runs[port] = NONE;
        m_runKey[port] = FREE;
        m_dirty.push_back(port);
    }
}

void
PriorityEngine::UpdateKeys()
{
    const std::size_t hosts = m_runs.size() / 2;
    for (std::size_t port = 0; port < hosts; ++port)
    {
        if (m_runs[port] != NONE)
        {
            Occupy(m_runs[port]);
        }
    }
}

const PriorityEngine::Candidate*
PriorityEngine::BestAt(std::uint32_t port) const
{
    for (const Candidate& candidate : m_candidates[port])
    {
        if (!MayTake(port, candidate.key))
        {
            return nullptr;
        }
        if (MayTake(candidate.other, candidate.key))
        {
            return &candidate;
        }
    }
    return nullptr;
}

void
PriorityEngine::Repair()
{
    while (!m_dirty.empty())
    {
        const Candidate* best = BestAt(m_dirty.back());
        m_dirty.pop_back();
        if (best != nullptr)
        {
            const std::uint32_t link = best->link;
            const std::uint32_t active = m_links[link].waiting.top().active;
            m_links[link].waiting.pop();
            List(link);
            Start(active);
        }
    }
}

void
PriorityEngine::TakeReady()
{
    while (m_run.NextReady() <= m_now)
    {
        const std::uint32_t index = m_run.TakeReady().first;
        const Coflow& coflow = m_run.At(index);
        const Nanoseconds deadline = coflow.deadline ? coflow.arrival + *coflow.deadline : NEVER;
        for (const Flow& flow : coflow.flows)
        {
            if (!m_run.UsesFabric(flow))
            {
                continue;
            }
            const auto hosts = static_cast<std::uint32_t>(m_candidates.size() / 2);
            const auto [place, added] =
                m_linkOf.emplace(static_cast<std::uint64_t>(flow.src) << 32 | flow.dst,
                                 m_links.size());
            if (added)
            {
                m_links.emplace_back();
                m_links.back().port[0] = flow.src;
                m_links.back().port[1] = hosts + flow.dst;
            }
            if (m_freeSlots.empty())
            {
                m_freeSlots.push_back(static_cast<std::uint32_t>(m_active.size()));
                m_active.emplace_back();
            }
            const std::uint32_t slot = m_freeSlots.back();
            m_freeSlots.pop_back();
            Active& active = m_active[slot];
            active.coflow = index;
            active.flow = flow.id;
            active.link = place->second;
            active.remaining = static_cast<double>(flow.bytes);
            active.major = m_form.MajorOf(flow.dst, deadline);
            Wait(slot);
            m_dirty.push_back(flow.src);
            m_dirty.push_back(hosts + flow.dst);
        }
    }
}

void
PriorityEngine::TakeFinished()
{
    while (NextFinish() <= m_now)
    {
        const std::uint32_t slot = m_finish.top().active;
        m_finish.pop();
        Active& active = m_active[slot];
        active.running = false;
        ++active.version;
        Vacate(slot);
        m_run.FinishFlow(active.coflow, active.flow, m_now);
        m_freeSlots.push_back(slot);
    }
}

Nanoseconds
PriorityEngine::NextFinish()
{
    while (!m_finish.empty() && m_finish.top().version != m_active[m_finish.top().active].version)
    {
        m_finish.pop();
    }
    return m_finish.empty() ? NEVER : m_finish.top().time;
}

void
PriorityEngine::SampleBefore(Nanoseconds end)
{
    m_run.SampleBefore(end, [this](Nanoseconds at, RunSampler& sampler) {
        std::vector<std::uint8_t> free(m_active.size(), 0);
        for (std::uint32_t slot : m_freeSlots)
        {
            free[slot] = 1;
        }
        for (std::size_t slot = 0; slot < m_active.size(); ++slot)
        {
            const Active& active = m_active[slot];
            if (free[slot] == 0)
            {
                const Flow& flow = m_run.At(active.coflow).flows[active.flow];
                const double rate = active.running ? m_rate : 0.0;
                const double seconds = static_cast<double>(at - active.since) * 1e-9;
                sampler.AddFlow(active.coflow,
                                flow.src,
                                flow.dst,
                                active.remaining - rate * seconds,
                                rate);
            }
        }
    });
}

void
PriorityEngine::Run()
{
    while (true)
    {
        const Nanoseconds next = std::min(m_run.NextReady(), NextFinish());
        SampleBefore(std::min(next, m_run.Options().stop));
        if (next == NEVER || next > m_run.Options().stop)
        {
            return;
        }
        m_run.CountEvent();
        ++m_run.Counters().decisions;
        m_now = next;
        TakeFinished();
        TakeReady();
        UpdateKeys();
        std::sort(m_dirty.begin(), m_dirty.end());
        m_dirty.erase(std::unique(m_dirty.begin(), m_dirty.end()), m_dirty.end());
        Repair();
    }
}

} // namespace coflow
