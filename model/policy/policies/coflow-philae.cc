/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-philae.h"

#include "ns3/coflow-order-by.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Philae>(
    "philae",
    "estimates sizes from pilot flows, then shortest first with contention; does not know sizes",
    Philae::Specs());

} // namespace

std::vector<ParameterSpec>
Philae::Specs()
{
    return {
        {"pilotShare",
         Unit::NUMBER,
         0.05,
         0,
         1,
         "share of a coflow's flows that are pilots; at least one flow is a pilot",
         "code of Philae: proportionalPilotFlowsRatio, of a number that is an option"},
        {"thinLimit",
         Unit::COUNT,
         7,
         0,
         1e9,
         "a coflow of at most this many flows is not sampled and goes first",
         "code of Philae: thinProbingLimit"},
        ParameterSpec::Choice(
            "key",
            {"length-contention", "size"},
            "impact of a sampled coflow: length-contention, the learnt size of a flow times the "
            "coflow's contention; size, the learnt size times the number of flows",
            "code of Philae: it has both, and others"),
        {"queues", Unit::COUNT, 10, 1, 64, "number of queues", "code of Philae"},
        {"firstThreshold",
         Unit::BYTES,
         1e6,
         1,
         1e18,
         "impact at which a coflow leaves the first queue",
         "code of Philae: 8 ms of a port of 1 Gbps",
         Scaling::WORKLOAD},
        {"factor",
         Unit::NUMBER,
         10,
         1.000001,
         1e6,
         "ratio of the thresholds of consecutive queues",
         "code of Philae: an option; Aalo has 10"},
        {"slots",
         Unit::COUNT,
         256,
         1,
         1e6,
         "number of time slots that the first queue with coflows gets before the next queue",
         "code of Philae: totalTimeSlotNum"},
        {"slotFactor",
         Unit::NUMBER,
         10,
         1,
         1e6,
         "each queue gets this many times fewer slots than the queue before it",
         "code of Philae: timeSplittingFactor"},
        {"slot",
         Unit::SECONDS,
         0.008,
         1e-6,
         1e6,
         "length of a time slot",
         "code of Philae: its cycle",
         Scaling::WORKLOAD},
        {"coalesce",
         Unit::SECONDS,
         0.008,
         0,
         1e6,
         "the coordinator decides this long after a flow has finished; flows that finish meanwhile "
         "share the decision",
         "code of Philae: it looks for events every 8 ms",
         Scaling::WORKLOAD},
    };
}

Philae::Philae(const Parameters& parameters)
    : m_pilotShare(parameters["pilotShare"]),
      m_thinLimit(static_cast<std::uint32_t>(parameters.Count("thinLimit"))),
      m_byContention(parameters.Is("key", "length-contention")),
      m_slots(parameters.Count("slots")),
      m_slotFactor(parameters["slotFactor"]),
      m_slot(parameters.Time("slot")),
      m_coalesce(parameters.Time("coalesce"))
{
    double limit = parameters["firstThreshold"];
    for (std::uint64_t queue = 1; queue < parameters.Count("queues"); ++queue)
    {
        m_limits.push_back(limit);
        limit *= parameters["factor"];
    }
}

std::optional<std::uint32_t>
Philae::PositionOf(const AttainedView& view, const CoflowRow& row, Ends& flow)
{
    // A flow only moves towards the first position of its row, by the number of flows before it
    // that have finished since the last call. This number is usually small.
    const auto flows = view.flow.subspan(row.begin, std::min(flow.within, row.Count()));
    std::size_t last = flows.size();
    std::size_t first = last;
    for (std::size_t step = 1; first > 0 && flows[first - 1] >= flow.flow; step *= 2)
    {
        last = first;
        first -= std::min(step, first);
    }
    const auto found =
        std::lower_bound(flows.begin() + first, flows.begin() + last, flow.flow) - flows.begin();
    const auto position = static_cast<std::uint32_t>(found);
    const bool present = position < flows.size() && flows[position] == flow.flow;
    flow.within = present ? position + 1 : 0;
    return present ? std::optional(row.begin + position) : std::nullopt;
}

void
Philae::NoteFlows(const AttainedView& view, const CoflowRow& row, Sample& sample)
{
    sample.service.clear();
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        sample.service.push_back({view.src[f], view.dst[f], view.flow[f], f - row.begin + 1});
    }
    // The flows are sorted by hosts, so that their order in the workload does not matter.
    std::ranges::sort(sample.service);
    sample.senders.clear();
    for (std::uint32_t i = 0; i < sample.service.size(); ++i)
    {
        if (i == 0 || sample.service[i].src != sample.service[i - 1].src)
        {
            sample.senders.push_back(i);
        }
    }
    for (Ends& pilot : sample.pilots)
    {
        pilot.within = UINT32_MAX;
    }
}

void
Philae::DropPilots(const AttainedView& view, const CoflowRow& row, Sample& sample)
{
    std::erase_if(sample.pilots, [&](Ends& pilot) {
        const bool over = !PositionOf(view, row, pilot);
        if (over)
        {
            --m_pilots[pilot.src];
            --m_pilots[m_pilots.size() / 2 + pilot.dst];
        }
        return over;
    });
}

void
Philae::ChoosePilots(const AttainedView& view, const CoflowRow& row, Sample& sample)
{
    const auto wanted = static_cast<std::uint32_t>(m_pilotShare * row.Count());
    const std::size_t hosts = m_pilots.size() / 2;
    const auto load = [&](std::uint32_t f) {
        return m_pilots[view.src[f]] + m_pilots[hosts + view.dst[f]];
    };
    // Loads only grow in this loop. If the first flow of the heap still has the load in its entry,
    // its load is the least. Otherwise the flow is put back with its present load.
    using Candidate = std::pair<std::uint32_t, std::uint32_t>; // load, position
    std::vector<Candidate> heap;
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        heap.emplace_back(load(f), f);
    }
    const auto later = std::greater<Candidate>();
    std::ranges::make_heap(heap, later);
    for (std::uint32_t n = 0; n < std::max(1U, wanted);)
    {
        const auto [least, best] = heap.front();
        std::ranges::pop_heap(heap, later);
        heap.pop_back();
        if (load(best) > least)
        {
            heap.emplace_back(load(best), best);
            std::ranges::push_heap(heap, later);
            continue;
        }
        sample.pilots.push_back(
            {view.src[best], view.dst[best], view.flow[best], best - row.begin + 1});
        ++m_pilots[view.src[best]];
        ++m_pilots[hosts + view.dst[best]];
        ++n;
    }
}

void
Philae::Learn(const AttainedView& view, std::size_t hosts)
{
    m_pilots.resize(2 * hosts, 0);
    std::vector<std::uint8_t> present(m_samples.size(), 0);
    for (const CoflowRow& row : view.coflows)
    {
        if (row.index < present.size())
        {
            present[row.index] = 1;
        }
    }
    // A coflow may leave the view before the policy has seen the completion of its last pilots.
    for (std::size_t index = 0; index < m_samples.size(); ++index)
    {
        if (present[index] == 0)
        {
            for (const Ends& pilot : std::exchange(m_samples[index].pilots, {}))
            {
                --m_pilots[pilot.src];
                --m_pilots[hosts + pilot.dst];
            }
        }
    }
    for (const CoflowRow& row : view.coflows)
    {
        m_samples.resize(std::max<std::size_t>(m_samples.size(), row.index + 1));
        Sample& sample = m_samples[row.index];
        const bool isNew = sample.flows == 0;
        if (isNew)
        {
            // After a restart of the coordinator, row.sent includes flows that this policy has
            // never seen.
            sample.sentBefore = row.sent;
        }
        if (isNew || sample.revision != row.revision)
        {
            // The number of added flows is the increase of the row's number of flows.
            sample.flows += row.Count() - std::min(sample.left, row.Count());
            sample.revision = row.revision;
            NoteFlows(view, row, sample);
        }
        else if (2 * row.Count() < sample.service.size())
        {
            NoteFlows(view, row, sample);
        }
        sample.left = row.Count();
        if (isNew && row.Count() > m_thinLimit)
        {
            sample.stage = Sample::Stage::SAMPLING;
            ChoosePilots(view, row, sample);
        }
        if (sample.stage != Sample::Stage::SAMPLING)
        {
            continue;
        }
        DropPilots(view, row, sample);
        const std::uint32_t over = sample.flows - row.Count();
        const double sent = row.sent - sample.sentBefore;
        if (sample.pilots.empty() && over > 0 && sent > 0)
        {
            // Only pilots have been sent so far.
            sample.stage = Sample::Stage::LEARNT;
            sample.length = sent / over;
            sample.entered = 0;
        }
        else if (sample.pilots.empty())
        {
            // The pilots left the view without being finished, for example because the daemon of
            // their host has failed.
            ChoosePilots(view, row, sample);
        }
    }
}

void
Philae::MoveToQueues(const AttainedView& view, const PortRates& capacity)
{
    m_loads.ComputeCounts(view, capacity);
    std::vector<std::uint8_t> groups;
    for (const CoflowRow& row : view.coflows)
    {
        const Sample& sample = m_samples[row.index];
        // A coflow without a queue, whose size has just been estimated, counts with the coflows
        // that are being sampled.
        const bool queued = sample.stage == Sample::Stage::LEARNT && sample.entered > 0;
        groups.push_back(queued ? static_cast<std::uint8_t>(2 + sample.queue)
                                : sample.stage != Sample::Stage::THIN);
    }
    m_contention.Compute(m_loads, groups);
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        Sample& sample = m_samples[view.coflows[r].index];
        if (sample.stage != Sample::Stage::LEARNT)
        {
            continue;
        }
        const double impact =
            sample.length * (m_byContention ? m_contention.Of(r) + 1.0 : sample.flows);
        const auto limit = std::ranges::upper_bound(m_limits, impact);
        const auto queue = static_cast<std::uint8_t>(limit - m_limits.begin());
        if (sample.entered == 0 || queue != sample.queue)
        {
            sample.queue = queue;
            sample.entered = ++m_entered;
        }
    }
}

Nanoseconds
Philae::TakeSlot(const AttainedView& view)
{
    std::vector<std::uint8_t> queues;
    for (const CoflowRow& row : view.coflows)
    {
        const Sample& sample = m_samples[row.index];
        if (sample.stage == Sample::Stage::LEARNT)
        {
            queues.push_back(sample.queue);
        }
    }
    std::ranges::sort(queues);
    queues.erase(std::unique(queues.begin(), queues.end()), queues.end());
    std::erase_if(m_turns, [&view](const Turn& turn) { return turn.end <= view.now; });
    if (m_turns.empty())
    {
        Nanoseconds end = view.now;
        for (const std::uint8_t queue : queues)
        {
            const double share = std::pow(m_slotFactor, queue - queues.front());
            const auto slots = static_cast<Nanoseconds>(static_cast<double>(m_slots) / share);
            if (slots > 0)
            {
                end += slots * m_slot;
                m_turns.push_back({queue, end});
            }
        }
    }
    return queues.size() > 1 ? m_turns.front().end : NEVER;
}

void
Philae::Sort(const AttainedView& view)
{
    using Key = std::tuple<std::uint8_t, bool, std::uint64_t, std::uint64_t>;
    std::vector<Key> keys;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const Sample& sample = m_samples[view.coflows[r].index];
        const auto stage = static_cast<std::uint8_t>(sample.stage);
        if (sample.stage == Sample::Stage::LEARNT)
        {
            const bool itsTurn = !m_turns.empty() && sample.queue == m_turns.front().queue;
            keys.emplace_back(stage, !itsTurn, sample.queue, sample.entered);
        }
        else
        {
            const bool thin = sample.stage == Sample::Stage::THIN;
            keys.emplace_back(stage, false, thin ? m_contention.Of(r) : 0, 0);
        }
    }
    OrderBy(m_order, keys);
}

void
Philae::Serve(const AttainedView& view, std::uint32_t r, std::span<double> rates)
{
    const CoflowRow& row = view.coflows[r];
    Sample& sample = m_samples[row.index];
    // Most coflows have no free port.
    const auto ports = m_loads.PortsOf(r);
    if (!m_open.HasPair(ports))
    {
        return;
    }
    const auto serve = [&](Ends& flow) {
        const HostPort from = m_budget.Sending(flow.src);
        const HostPort to = m_budget.Receiving(flow.dst);
        if (!m_open.Has(to) || !m_open.Has(from) || flow.within == 0)
        {
            return;
        }
        if (const auto position = PositionOf(view, row, flow))
        {
            rates[*position] = TakeAll(flow.src, flow.dst, m_budget);
            m_open.Look(from, m_budget);
            m_open.Look(to, m_budget);
        }
    };
    if (sample.stage == Sample::Stage::SAMPLING)
    {
        std::ranges::for_each(sample.pilots, serve);
        return;
    }
    const auto isOpen = [this](const Ends& flow) {
        return m_open.Has(m_budget.Receiving(flow.dst)) != 0;
    };
    for (std::size_t s = 0; s < sample.senders.size() && m_open.HasPair(ports); ++s)
    {
        const std::size_t end =
            s + 1 < sample.senders.size() ? sample.senders[s + 1] : sample.service.size();
        const auto flows =
            std::span(sample.service).subspan(sample.senders[s], end - sample.senders[s]);
        const HostPort sending = m_budget.Sending(flows.front().src);
        auto next = flows.begin();
        while (m_open.Has(sending) &&
               (next = std::find_if(next, flows.end(), isOpen)) != flows.end())
        {
            serve(*next++);
        }
    }
}

Decision
Philae::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    const std::size_t hosts = capacity.ingress.size();
    Learn(view, hosts);
    MoveToQueues(view, capacity);
    const Nanoseconds next = TakeSlot(view);
    Sort(view);
    m_budget.Reset(capacity);
    m_open.Reset(m_budget);
    for (const std::uint32_t row : m_order)
    {
        Serve(view, row, rates);
    }
    return {next, false, m_order};
}

} // namespace coflow
