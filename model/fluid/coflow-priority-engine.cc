/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-priority-engine.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace coflow
{

namespace
{

/// The place of the first key of every coflow in the order of all first keys. Not used where the
/// receiver is the first key.
std::vector<std::uint32_t>
MajorKeys(const FluidRun& run, const PriorityForm& form)
{
    std::vector<Nanoseconds> keys;
    for (std::uint32_t c = 0; c < run.CoflowCount(); ++c)
    {
        const Coflow& coflow = run.At(c);
        keys.push_back(
            form.MajorOf(0, coflow.deadline ? coflow.arrival + *coflow.deadline : NEVER));
    }
    // Only the order of the first keys matters, so every key is replaced by its place in this
    // order. The place has 32 bits, so that place, second key and number of the flow fit into the
    // 128 bits of a rank. Equal keys get the same place.
    std::vector<Nanoseconds> sorted = keys;
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> places;
    for (Nanoseconds key : keys)
    {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), key);
        places.push_back(static_cast<std::uint32_t>(place - sorted.begin()));
    }
    return places;
}

} // namespace

PriorityEngine::PriorityEngine(FluidRun& run, const PriorityForm& form)
    : FluidExecutor(run),
      m_form(form),
      m_rate(run.Capacity().ingress.empty() ? 0 : run.Capacity().ingress.front()),
      m_major(MajorKeys(run, form)),
      m_candidates(2 * run.Capacity().ingress.size()),
      m_running(run.Capacity().ingress.size()),
      m_finish(run.Capacity().ingress.size(), NEVER),
      m_peer(2 * run.Capacity().ingress.size(), NONE),
      m_runKey(2 * run.Capacity().ingress.size(), FREE),
      m_offerKey(2 * run.Capacity().ingress.size(), FREE)
{
}

std::uint32_t
PriorityEngine::LinkBetween(std::uint32_t from, std::uint32_t to)
{
    const auto [place, added] = m_linkOf.try_emplace(std::uint64_t{from} << 32 | to,
                                                     static_cast<std::uint32_t>(m_links.size()));
    if (added)
    {
        m_links.emplace_back();
        m_links.back().port[0] = from;
        m_links.back().port[1] = to;
    }
    return place->second;
}

void
PriorityEngine::Wait(std::uint32_t l, const Waiting& flow)
{
    Link& link = m_links[l];
    // Only the best flow of a link is a candidate at the two ports, because no other flow of the
    // link can run before it.
    if (!(flow.key < link.best.key))
    {
        link.behind.push_back(flow);
        std::push_heap(link.behind.begin(), link.behind.end());
        return;
    }
    // The flow is better than all waiting flows of the link. The best flow so far goes behind it.
    if (link.best.key < FREE)
    {
        link.behind.push_back(link.best);
        std::push_heap(link.behind.begin(), link.behind.end());
    }
    SetBest(l, flow);
}

PriorityEngine::Waiting
PriorityEngine::TakeBest(std::uint32_t l)
{
    Link& link = m_links[l];
    const Waiting taken = link.best;
    if (link.behind.empty())
    {
        SetBest(l, Waiting());
    }
    else
    {
        std::pop_heap(link.behind.begin(), link.behind.end());
        SetBest(l, link.behind.back());
        link.behind.pop_back();
    }
    return taken;
}

void
PriorityEngine::SetBest(std::uint32_t l, const Waiting& flow)
{
    Link& link = m_links[l];
    for (int end = 0; end < 2; ++end)
    {
        // A sorted array is faster than a tree here, because OfferBest() visits the candidates in
        // order. A port has at most one candidate per peer.
        auto& candidates = m_candidates[link.port[end]];
        const auto place = [](auto begin, auto last, const Key& key) {
            return std::partition_point(begin, last, [&key](const Candidate& candidate) {
                return candidate.key < key;
            });
        };
        // FREE means no flow. The entry of the link in the port's array is inserted where the link
        // had no best flow, removed where it has none now, and otherwise moved to its new place.
        const Candidate best{flow.key, l, link.port[1 - end]};
        if (link.best.key == FREE)
        {
            candidates.insert(place(candidates.begin(), candidates.end(), best.key), best);
            continue;
        }
        const auto from = place(candidates.begin(), candidates.end(), link.best.key);
        if (flow.key == FREE)
        {
            candidates.erase(from);
            continue;
        }
        // Only the entries between the old and the new place move.
        if (flow.key < link.best.key)
        {
            const auto to = place(candidates.begin(), from, best.key);
            std::move_backward(to, from, from + 1);
            *to = best;
        }
        else
        {
            const auto to = place(from + 1, candidates.end(), best.key);
            std::move(from + 1, to, from);
            *(to - 1) = best;
        }
    }
    link.best = flow;
}

void
PriorityEngine::Start(std::uint32_t l, const Waiting& flow)
{
    const std::uint32_t from = m_links[l].port[0];
    const std::uint32_t to = m_links[l].port[1];
    // The running flows of the two ports stop. Each of them frees a port at its other end, and
    // Repair() visits this port next.
    for (std::uint32_t port : {from, to})
    {
        if (const std::uint32_t peer = m_peer[port]; peer != NONE)
        {
            // `port` needs no repair, because the new flow takes it at once.
            Stop(SenderAt(port));
            m_dirty.push_back(peer);
        }
    }
    m_peer[from] = to;
    m_peer[to] = from;
    m_runKey[from] = flow.key;
    m_runKey[to] = flow.key;
    m_running[from] = {flow.remaining, m_now, l, flow.coflow};
    m_finish[from] = TimeAfter(m_now, flow.remaining, m_rate);
}

void
PriorityEngine::Stop(std::uint32_t port)
{
    const Running& running = m_running[port];
    const double seconds = static_cast<double>(m_now - running.since) * 1e-9;
    // An unfinished flow keeps at least 1e-6 bytes in spite of rounding.
    const double remaining = std::max(running.remaining - m_rate * seconds, 1e-6);
    // The rank of a flow that is ranked by its bytes left has become better while the flow ran. The
    // flow waits with the new rank, which does not change while it waits.
    const Key key = m_form.staticSize ? m_runKey[port] : m_runKey[port].With(remaining);
    Vacate(port);
    if (m_policy)
    {
        m_left[key.Flow()] = remaining;
    }
    Wait(running.link, {key, remaining, running.coflow});
}

void
PriorityEngine::Vacate(std::uint32_t port)
{
    m_finish[port] = NEVER;
    for (std::uint32_t end : {m_peer[port], port})
    {
        m_peer[end] = NONE;
        m_runKey[end] = FREE;
    }
}

const PriorityEngine::Key&
PriorityEngine::UpdateKey(std::uint32_t port)
{
    // The rank of a flow that is ranked by its bytes left becomes better while the flow runs. The
    // rank is computed only when another flow is compared with the flow, and is then stored at both
    // ports.
    if (!m_form.staticSize)
    {
        const std::uint32_t from = SenderAt(port);
        const Running& running = m_running[from];
        const auto time = static_cast<double>(m_now - running.since);
        const Key key = m_runKey[port].With(running.remaining - m_rate * time * 1e-9);
        m_runKey[from] = key;
        m_runKey[m_peer[from]] = key;
    }
    return m_runKey[port];
}

void
PriorityEngine::OfferBest(std::uint32_t port, const Key& from)
{
    // The last offer of the port is no longer valid. It stays in the queue m_offers, because
    // entries cannot be removed there. Repair() compares the offer with m_offerKey and skips it.
    m_offerKey[port] = FREE;
    const auto& candidates = m_candidates[port];
    if (candidates.empty())
    {
        return;
    }
    const bool sending = port < m_running.size();
    // Candidates are sorted by rank, the best first. The port offers the first candidate that may
    // also take the port at its other end. The search ends at the rank of the port's running flow,
    // because a worse flow must not displace the running flow.
    const Key limit = m_peer[port] == NONE ? FREE : UpdateKey(port);
    for (auto best = std::lower_bound(candidates.begin(), candidates.end(), Candidate{from, 0, 0});
         best != candidates.end() && best->key < limit;
         ++best)
    {
        // The cheapest test is first. The upper half of the rank alone excludes most candidates.
        // MayTake() computes the present rank of the running flow at the other end. A sending port
        // skips a flow where the receiving port offers this flow or a better one: either that offer
        // is accepted, and the receiving port is taken, or the receiving port offers this flow
        // later.
        if (best->key.high <= m_runKey[best->other].high && best->key < m_runKey[best->other] &&
            (!sending || best->key < m_offerKey[best->other]) && MayTake(best->other, best->key))
        {
            m_offerKey[port] = best->key;
            m_offers.push({best->key, port, best->link});
            return;
        }
    }
}

void
PriorityEngine::Repair()
{
    // Ports in m_dirty have become free. Each of them offers its best waiting flow that may take
    // both its ports. The best of all offers starts. The flow may displace a running flow at its
    // other port. This frees a third port, which is added to m_dirty. The loop ends when no port
    // has an offer. Then no waiting flow is better than the running flows at both its ports, so the
    // matching is greedy. The loop ends because every start replaces a worse flow by a better flow.
    // The best offer starts first, because such a flow is rarely displaced again.
    while (true)
    {
        for (; !m_dirty.empty(); m_dirty.pop_back())
        {
            OfferBest(m_dirty.back(), Key());
        }
        if (m_offers.empty())
        {
            return;
        }
        const Offer offer = m_offers.top();
        m_offers.pop();
        if (m_offerKey[offer.port] != offer.key)
        {
            continue; // The port has made another offer since.
        }
        m_offerKey[offer.port] = FREE;
        if (!MayTake(offer.port, offer.key))
        {
            continue; // The port runs a better flow by now.
        }
        // Since the offer, the flow may have started by an offer of its other port, or the other
        // port may run a better flow. Then the port makes its next best offer. All better
        // candidates have been tried, so the search starts at this rank.
        const Link& link = m_links[offer.link];
        const std::uint32_t other = link.port[offer.port == link.port[0] ? 1 : 0];
        if (link.best.key == offer.key && MayTake(other, offer.key))
        {
            Start(offer.link, TakeBest(offer.link));
        }
        else
        {
            OfferBest(offer.port, offer.key);
        }
    }
}

Nanoseconds
PriorityEngine::Next()
{
    return m_finish.empty() ? NEVER : *std::ranges::min_element(m_finish);
}

void
PriorityEngine::Settle(Nanoseconds time)
{
    // Flows that finish at the same time are recorded in the order of their sending ports.
    for (std::uint32_t port = 0; port < m_finish.size(); ++port)
    {
        if (m_finish[port] <= time)
        {
            const std::uint32_t coflow = m_running[port].coflow;
            const std::size_t flow = m_runKey[port].Flow() - m_run.FirstFlow(coflow);
            m_dirty.push_back(port);
            m_dirty.push_back(m_peer[port]);
            if (m_policy)
            {
                m_left[m_runKey[port].Flow()] = 0;
            }
            Vacate(port);
            m_changed |= m_run.FinishFlow(coflow, static_cast<FlowId>(flow), time);
        }
    }
}

PriorityEngine::Arrival
PriorityEngine::ArrivalOf(std::uint32_t index, const Flow& flow)
{
    const auto hosts = static_cast<std::uint32_t>(m_running.size());
    const auto number = static_cast<std::uint32_t>(m_run.FirstFlow(index)) + flow.id;
    const auto bytes = static_cast<double>(flow.bytes);
    const auto major = m_form.major == PriorityForm::Major::RECEIVER ? flow.dst : m_major[index];
    return {{Key::Of(major, bytes, number), bytes, index}, LinkBetween(flow.src, hosts + flow.dst)};
}

void
PriorityEngine::Arrive(std::uint32_t index, Nanoseconds ready)
{
    const auto& flows = m_run.At(index).flows;
    if (!m_policy)
    {
        for (const Flow& flow : flows)
        {
            if (m_run.UsesFabric(flow))
            {
                // StartArrived() starts flows when all arrivals of this time are known.
                m_arrived.push_back(ArrivalOf(index, flow));
            }
        }
        return;
    }
    m_changed = true;
    m_present.push_back({index, ready, SizesOf(m_run.At(index))});
    m_present.back().sizes.deadline = m_run.DeadlineOf(index);
    auto& service = m_service[index];
    for (const Flow& flow : flows)
    {
        if (m_run.UsesFabric(flow))
        {
            service.push_back({flow.id, ArrivalOf(index, flow).link});
            m_left[m_run.FirstFlow(index) + flow.id] = static_cast<double>(flow.bytes);
        }
    }
    std::ranges::sort(service, [&flows](const Served& a, const Served& b) {
        return std::tie(flows[a.flow].src, flows[a.flow].dst, a.flow) <
               std::tie(flows[b.flow].src, flows[b.flow].dst, b.flow);
    });
}

void
PriorityEngine::StartArrived()
{
    // The best flow is first, so that no flow that starts here is displaced by another flow of the
    // same time.
    std::ranges::sort(m_arrived,
                      [](const Arrival& a, const Arrival& b) { return a.flow.key < b.flow.key; });
    for (const auto& [flow, l] : m_arrived)
    {
        const Link& link = m_links[l];
        if (flow.key < link.best.key && MayTake(link.port[0], flow.key) &&
            MayTake(link.port[1], flow.key))
        {
            Start(l, flow);
        }
        else
        {
            Wait(l, flow);
        }
    }
    m_arrived.clear();
}

void
PriorityEngine::Decide()
{
    ++m_run.Counters().decisions;
    if (std::exchange(m_changed, false) && m_policy)
    {
        Reorder();
        return;
    }
    StartArrived();
    Repair();
}

void
PriorityEngine::AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const
{
    const auto hosts = static_cast<std::uint32_t>(m_running.size());
    const auto append = [&](const Link& link, const Waiting& flow, double rate, double seconds) {
        flows.push_back({flow.coflow,
                         static_cast<FlowId>(flow.key.Flow() - m_run.FirstFlow(flow.coflow)),
                         link.port[0],
                         link.port[1] - hosts,
                         flow.remaining - rate * seconds,
                         rate});
    };
    for (std::size_t port = 0; port < m_running.size(); ++port)
    {
        if (m_peer[port] != NONE)
        {
            const Running& running = m_running[port];
            append(m_links[running.link],
                   {m_runKey[port], running.remaining, running.coflow},
                   m_rate,
                   static_cast<double>(at - running.since) * 1e-9);
        }
    }
    for (const Link& link : m_links)
    {
        if (link.best.key < FREE)
        {
            append(link, link.best, 0.0, 0.0);
        }
        for (const Waiting& flow : link.behind)
        {
            append(link, flow, 0.0, 0.0);
        }
    }
}

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
    std::ranges::sort(m_present, [](const Present& a, const Present& b) {
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
        // In the order of the policy, every flow runs if both its ports are still free.
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
