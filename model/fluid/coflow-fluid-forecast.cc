/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid-forecast.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace coflow
{

namespace
{

/// Seconds of a time.
double
Seconds(Nanoseconds time)
{
    return static_cast<double>(time) * 1e-9;
}

} // namespace

FluidForecast::FluidForecast(const FluidRun& run)
    : m_run(run),
      m_groups(run.GetWorkload().coflows.size())
{
    for (std::uint32_t index = 0; index < m_groups.size(); ++index)
    {
        m_groups[index] = MakeForecastGroups(run.GetWorkload().coflows[index], index);
    }
}

FluidForecast::Work
FluidForecast::Left(Nanoseconds now, std::span<const FlowState> flows) const
{
    std::vector<ForecastGroup> groups;
    // Executors tell the flows in orders of their own: those of a group may stand anywhere.
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const FlowState& flow : flows)
    {
        const auto key = static_cast<std::uint64_t>(flow.coflow) << 32 | flow.dst;
        const auto [place, isNew] = places.try_emplace(key, groups.size());
        if (isNew)
        {
            groups.push_back({flow.coflow, flow.dst, Seconds(now), 0, 0});
        }
        groups[place->second].bytes += std::max(0.0, flow.remaining);
        ++groups[place->second].flows;
    }
    for (std::uint32_t index = 0; index < m_groups.size(); ++index)
    {
        const CoflowOutcome& outcome = m_run.GetOutcome(index);
        if (outcome.start == NEVER && outcome.admitted)
        {
            for (ForecastGroup group : m_groups[index])
            {
                group.from = std::max(group.from, Seconds(now));
                groups.push_back(group);
            }
        }
    }
    return WorkOf(std::move(groups));
}

const FluidForecast::Work&
FluidForecast::All()
{
    std::size_t rejected = 0;
    for (std::uint32_t index = 0; index < m_groups.size(); ++index)
    {
        rejected += m_run.GetOutcome(index).admitted ? 0 : 1;
    }
    // Which coflows are rejected is known only as the run goes on.
    if (!m_all || rejected != m_rejected)
    {
        std::vector<ForecastGroup> groups;
        for (std::uint32_t index = 0; index < m_groups.size(); ++index)
        {
            if (m_run.GetOutcome(index).admitted)
            {
                groups.insert(groups.end(), m_groups[index].begin(), m_groups[index].end());
            }
        }
        m_all = WorkOf(std::move(groups));
        m_rejected = rejected;
    }
    return *m_all;
}

FluidForecast::Work
FluidForecast::WorkOf(std::vector<ForecastGroup> groups) const
{
    const auto changes = ForecastChanges(std::move(groups), m_run.Capacity().egress);
    Work work;
    double present = 0;
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        present += changes[i].flows;
        // Times that differ by less than a nanosecond are one.
        if (i + 1 == changes.size() || changes[i + 1].time - changes[i].time > 1e-9)
        {
            ++work.events;
            work.present += present;
        }
    }
    return work;
}

double
FluidForecast::PaidShare(Nanoseconds now, std::span<const FlowState> flows, double weight)
{
    const Work& all = All();
    const Work left = Left(now, flows);
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    const double unpaid =
        weight * share(left.present, all.present) + (1 - weight) * share(left.events, all.events);
    return std::clamp(1 - unpaid, 0.0, 1.0);
}

} // namespace coflow
