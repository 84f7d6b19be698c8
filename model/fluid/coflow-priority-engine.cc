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
      m_runKey(2 * run.Capacity().ingress.size(), FREE),
      m_offerKey(2 * run.Capacity().ingress.size(), FREE)
{
}

PriorityEngine::Key
PriorityEngine::KeyOf(const Active& active) const
{
    const double minor = m_form.staticSize
                             ? static_cast<double>(m_run.At(active.coflow).flows[active.flow].bytes)
                             : RemainingOf(active);
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
    if (m_form.staticSize)
    {
        return;
    }
    const std::size_t hosts = m_runs.size() / 2;
    for (std::size_t port = 0; port < hosts; ++port)
    {
        if (m_runs[port] != NONE)
        {
            const Active& active = m_active[m_runs[port]];
            const double minor = RemainingOf(active);
            m_runKey[port].minor = minor;
            m_runKey[active.to].minor = minor;
        }
    }
}

void
PriorityEngine::Offer(std::uint32_t port, const Key& key)
{
    if (key < m_offerKey[port])
    {
        m_offerKey[port] = key;
        m_offers.push({key, port});
    }
}

const PriorityEngine::Candidate*
PriorityEngine::BestAt(std::uint32_t port, const Key& from) const
{
    const bool sending = port < m_runs.size() / 2;
    const auto& candidates = m_candidates[port];
    auto best = std::lower_bound(candidates.begin(), candidates.end(), Candidate{from, 0, 0});
    for (; best != candidates.end() && MayTake(port, best->key); ++best)
    {
        // What a receiving port is going to look at is left to it.
        if (MayTake(best->other, best->key) && (!sending || best->key < m_offerKey[best->other]))
        {
            return &*best;
        }
    }
    return nullptr;
}

void
PriorityEngine::Repair()
{
    // Best first, so that what starts is displaced by little that starts later. An offer's rank is
    // a bound: ports are looked at when no better flow is left elsewhere.
    while (true)
    {
        for (; !m_dirty.empty(); m_dirty.pop_back())
        {
            if (!m_candidates[m_dirty.back()].empty())
            {
                Offer(m_dirty.back(), m_candidates[m_dirty.back()].front().key);
            }
        }
        if (m_offers.empty())
        {
            return;
        }
        const auto [key, port] = m_offers.top();
        m_offers.pop();
        if (m_offerKey[port] < key)
        {
            continue; // A better one has been looked at since, or is still to come.
        }
        m_offerKey[port] = FREE;
        const Candidate* best = BestAt(port, key);
        if (best == nullptr)
        {
            continue;
        }
        if (key < best->key)
        {
            Offer(port, best->key);
            continue;
        }
        const std::uint32_t l = best->link;
        const std::uint32_t active = m_links[l].waiting.top().active;
        m_links[l].waiting.pop();
        List(l);
        Start(active);
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
            active.to = hosts + flow.dst;
            active.remaining = static_cast<double>(flow.bytes);
            active.major = m_form.MajorOf(flow.dst, deadline);
            m_arrived.push_back({KeyOf(active), slot});
        }
    }
    // Best first: what starts is displaced by none of the others.
    std::sort(m_arrived.begin(), m_arrived.end(), [](const Waiting& a, const Waiting& b) {
        return a.key < b.key;
    });
    for (const auto& [key, slot] : m_arrived)
    {
        const std::uint32_t l = m_active[slot].link;
        const Link& link = m_links[l];
        const bool first = !link.listed || key < link.key;
        if (first && MayTake(link.port[0], key) && MayTake(link.port[1], key))
        {
            Start(slot);
        }
        else
        {
            Wait(slot);
        }
    }
    m_arrived.clear();
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
