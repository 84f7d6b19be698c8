/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-philae.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Philae>("philae",
                           "sizes learnt from pilot flows, then shortest first with contention; "
                           "knows no sizes",
                           Philae::Specs());

} // namespace

std::vector<ParameterSpec>
Philae::Specs()
{
    auto specs = StarvationGuard::Specs();
    specs.push_back({"pilotShare",
                     Unit::NUMBER,
                     0.05,
                     0,
                     1,
                     "part of a coflow's flows that are pilots; at least one is",
                     "code of Philae: proportionalPilotFlowsRatio, of a number that is an option"});
    specs.push_back({"thinLimit",
                     Unit::COUNT,
                     7,
                     0,
                     1e9,
                     "a coflow of at most so many flows is not sampled and goes first",
                     "code of Philae: thinProbingLimit"});
    specs.push_back(ParameterSpec::Choice("key",
                                          {"size-contention", "size"},
                                          "what sampled coflows go by, the smallest first",
                                          "Philae, 2021: learnt sizes and contention; its code "
                                          "has both, and others"));
    specs.push_back({"coalesce",
                     Unit::SECONDS,
                     0.008,
                     0,
                     1e6,
                     "the coordinator decides so long after the first flow that has finished",
                     "code of Philae: it looks every 8 ms whether something happened",
                     Scaling::WORKLOAD});
    return specs;
}

Philae::Philae(const Parameters& parameters)
    : m_pilotShare(parameters["pilotShare"]),
      m_thinLimit(static_cast<std::uint32_t>(parameters.Count("thinLimit"))),
      m_byContention(parameters.Is("key", "size-contention")),
      m_coalesce(parameters.Time("coalesce")),
      m_guard(parameters)
{
}

std::uint32_t
Philae::PositionOf(const AttainedView& view, const CoflowRow& row, FlowId flow)
{
    const auto first = view.flow.begin();
    return static_cast<std::uint32_t>(std::lower_bound(first + row.begin, first + row.end, flow) -
                                      first);
}

void
Philae::DropPilots(const AttainedView& view, const CoflowRow& row, Sample& sample)
{
    std::erase_if(sample.pilots, [&](const Pilot& pilot) {
        const auto at = PositionOf(view, row, pilot.flow);
        const bool over = at == row.end || view.flow[at] != pilot.flow;
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
    // The loads only grow here. So a flow whose load is still the one that it stands under is the
    // first of those that have least, and any other is put back under what it has now.
    using Candidate = std::pair<std::uint32_t, std::uint32_t>; // load, position
    std::vector<Candidate> heap;
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        heap.emplace_back(load(f), f);
    }
    const auto later = std::greater<Candidate>();
    std::make_heap(heap.begin(), heap.end(), later);
    for (std::uint32_t n = 0; n < std::max(1U, wanted);)
    {
        const auto [least, best] = heap.front();
        std::pop_heap(heap.begin(), heap.end(), later);
        heap.pop_back();
        if (load(best) > least)
        {
            heap.emplace_back(load(best), best);
            std::push_heap(heap.begin(), heap.end(), later);
            continue;
        }
        sample.pilots.push_back({view.flow[best], view.src[best], view.dst[best]});
        ++m_pilots[view.src[best]];
        ++m_pilots[hosts + view.dst[best]];
        ++n;
    }
    ++sample.turn;
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
    // A coflow may leave before it has learnt of its last pilots.
    for (std::size_t index = 0; index < m_samples.size(); ++index)
    {
        if (present[index] == 0)
        {
            for (const Pilot& pilot : std::exchange(m_samples[index].pilots, {}))
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
            // A coordinator that was dead did not see the flows of which this is the sum.
            sample.sentBefore = row.sent;
        }
        if (isNew || sample.revision != row.revision)
        {
            // Flows that were added are as many more as the row has more than before.
            sample.flows += row.Count() - std::min(sample.left, row.Count());
            sample.revision = row.revision;
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
            // Nothing but pilots has been sent so far.
            sample.stage = Sample::Stage::LEARNT;
            ++sample.turn;
            sample.length = sent / over;
        }
        else if (sample.pilots.empty())
        {
            // Its pilots left without being over, as those of a host whose daemon has died.
            ChoosePilots(view, row, sample);
        }
    }
}

void
Philae::Sort(const AttainedView& view)
{
    std::vector<std::uint8_t> stages;
    for (const CoflowRow& row : view.coflows)
    {
        stages.push_back(static_cast<std::uint8_t>(m_samples[row.index].stage));
    }
    m_contention.Compute(m_loads, stages);
    std::vector<std::pair<std::uint8_t, double>> keys;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        const Sample& sample = m_samples[row.index];
        double key = 0; // first in, first out
        if (sample.stage == Sample::Stage::THIN)
        {
            key = m_contention.Of(r);
        }
        else if (sample.stage == Sample::Stage::LEARNT)
        {
            key = sample.length * row.Count() * (m_byContention ? m_contention.Of(r) : 1);
        }
        keys.emplace_back(stages[r], key);
    }
    m_order.resize(keys.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return keys[a] < keys[b];
    });
}

void
Philae::ServeAll(const AttainedView& view, std::uint32_t row, std::span<double> rates)
{
    const CoflowRow& coflow = view.coflows[row];
    const auto ports = m_loads.Of(row);
    m_grants.resize(std::max<std::size_t>(m_grants.size(), coflow.index + 1));
    Grant& grant = m_grants[coflow.index];
    const auto own = rates.subspan(coflow.begin, coflow.Count());
    const auto free = m_budget.FreeRates();
    // The same flows with the same rates to share have the same result.
    const bool same = grant.flows == coflow.Count() && grant.revision == coflow.revision &&
                      std::equal(ports.begin(),
                                 ports.end(),
                                 grant.before.begin(),
                                 grant.before.end(),
                                 [free](const PortDemand& port, double before) {
                                     return free[port.port] == before;
                                 });
    if (same)
    {
        std::copy(grant.rates.begin(), grant.rates.end(), own.begin());
        for (std::size_t p = 0; p < ports.size(); ++p)
        {
            free[ports[p].port] = grant.after[p];
        }
        return;
    }
    const auto freeOf = [free](const PortDemand& port) { return free[port.port]; };
    grant.flows = coflow.Count();
    grant.revision = coflow.revision;
    grant.before.resize(ports.size());
    std::transform(ports.begin(), ports.end(), grant.before.begin(), freeOf);
    Backfill(view, {}, std::span(&row, 1), m_loads, m_budget, m_filler, rates);
    grant.after.resize(ports.size());
    std::transform(ports.begin(), ports.end(), grant.after.begin(), freeOf);
    grant.rates.assign(own.begin(), own.end());
}

void
Philae::Serve(const AttainedView& view, std::span<double> rates)
{
    for (std::size_t k = 0; k < m_order.size(); ++k)
    {
        const CoflowRow& row = view.coflows[m_order[k]];
        const Sample& sample = m_samples[row.index];
        if (sample.stage != Sample::Stage::SAMPLING)
        {
            ServeAll(view, m_order[k], rates);
            continue;
        }
        for (const Pilot& pilot : sample.pilots)
        {
            m_filler.Add(PositionOf(view, row, pilot.flow), pilot.src, pilot.dst, 1.0, m_budget);
        }
        m_filler.Fill(m_budget, rates);
    }
}

void
Philae::Choose(const AttainedView& view, const CoflowRow& row)
{
    const Sample& sample = m_samples[row.index];
    const bool all = sample.stage != Sample::Stage::SAMPLING;
    std::fill(m_amounts.begin() + row.begin, m_amounts.begin() + row.end, all ? 1.0 : 0.0);
    for (const Pilot& pilot : sample.pilots)
    {
        m_amounts[PositionOf(view, row, pilot.flow)] = 1;
    }
}

void
Philae::Load(const AttainedView& view, std::size_t hosts)
{
    m_amounts.resize(view.Positions());
    std::vector<std::uint32_t> turns;
    for (const CoflowRow& row : view.coflows)
    {
        turns.push_back(m_samples[row.index].turn);
    }
    m_loads.ComputeChanged(view, m_amounts, hosts, turns, [&](std::size_t row) {
        Choose(view, view.coflows[row]);
    });
}

Decision
Philae::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    const StarvationGuard::Phase phase = m_guard.Enter(view, false);
    if (phase == StarvationGuard::Phase::KEEP)
    {
        return {m_guard.AskAgain(view), true};
    }
    Learn(view, capacity.ingress.size());
    Load(view, capacity.ingress.size());
    m_budget.Reset(capacity);
    Sort(view);
    if (phase == StarvationGuard::Phase::RESCUE)
    {
        for (const CoflowRow& row : view.coflows)
        {
            Choose(view, row);
        }
        m_guard.Rescue(view, m_amounts, m_loads, m_budget, rates);
        return {m_guard.AskAgain(view), false, m_order};
    }
    Serve(view, rates);
    m_guard.Note(view, rates);
    return {m_guard.AskAgain(view), false, m_order};
}

} // namespace coflow
