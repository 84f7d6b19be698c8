/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-philae.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <cmath>
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
    std::vector<std::uint8_t> taken(row.Count(), 0);
    for (std::uint32_t n = 0; n < std::max(1U, wanted); ++n)
    {
        std::uint32_t best = row.end;
        std::uint32_t least = 0;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const std::uint32_t load = m_pilots[view.src[f]] + m_pilots[hosts + view.dst[f]];
            if (taken[f - row.begin] == 0 && (best == row.end || load < least))
            {
                best = f;
                least = load;
            }
        }
        taken[best - row.begin] = 1;
        sample.pilots.push_back({view.flow[best], view.src[best], view.dst[best]});
        ++m_pilots[view.src[best]];
        ++m_pilots[hosts + view.dst[best]];
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
Philae::Serve(const AttainedView& view, std::span<double> rates)
{
    for (std::size_t k = 0; k < m_order.size(); ++k)
    {
        const CoflowRow& row = view.coflows[m_order[k]];
        const Sample& sample = m_samples[row.index];
        if (sample.stage != Sample::Stage::SAMPLING)
        {
            Backfill(view,
                     {},
                     std::span(m_order).subspan(k, 1),
                     m_loads,
                     m_budget,
                     m_filler,
                     rates);
            continue;
        }
        for (const Pilot& pilot : sample.pilots)
        {
            m_filler.Add(PositionOf(view, row, pilot.flow), pilot.src, pilot.dst, 1.0, m_budget);
        }
        m_filler.Fill(m_budget, rates);
    }
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
    m_amounts.assign(view.Positions(), 0.0);
    for (const CoflowRow& row : view.coflows)
    {
        const Sample& sample = m_samples[row.index];
        if (sample.stage != Sample::Stage::SAMPLING)
        {
            std::fill(m_amounts.begin() + row.begin, m_amounts.begin() + row.end, 1.0);
        }
        for (const Pilot& pilot : sample.pilots)
        {
            m_amounts[PositionOf(view, row, pilot.flow)] = 1;
        }
    }
    m_loads.Compute(view, m_amounts, capacity.ingress.size());
    m_budget.Reset(capacity);
    Sort(view);
    if (phase == StarvationGuard::Phase::RESCUE)
    {
        m_guard.Rescue(view, m_amounts, m_loads, m_budget, rates);
        return {m_guard.AskAgain(view), false, m_order};
    }
    Serve(view, rates);
    m_guard.Note(view, rates);
    return {m_guard.AskAgain(view), false, m_order};
}

} // namespace coflow
