/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid-forecast.h"

#include <algorithm>
#include <functional>
#include <queue>
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

/// Flows that come at a time, or finish: then they are negative.
struct Change
{
    double time;  ///< in seconds
    double flows; ///< how many
};

} // namespace

FluidForecast::FluidForecast(const FluidRun& run)
    : m_run(run),
      m_groups(run.GetWorkload().coflows.size())
{
    std::unordered_map<HostId, std::size_t> places;
    for (std::size_t index = 0; index < m_groups.size(); ++index)
    {
        const Coflow& coflow = run.GetWorkload().coflows[index];
        std::vector<Group>& groups = m_groups[index];
        places.clear();
        for (const Flow& flow : coflow.flows)
        {
            if (FluidRun::UsesFabric(flow))
            {
                const auto [place, isNew] = places.try_emplace(flow.dst, groups.size());
                if (isNew)
                {
                    groups.push_back({flow.dst, Seconds(coflow.arrival), 0, 0});
                }
                groups[place->second].bytes += static_cast<double>(flow.bytes);
                ++groups[place->second].flows;
            }
        }
    }
}

FluidForecast::Work
FluidForecast::Left(Nanoseconds now, std::span<const FlowState> flows) const
{
    std::vector<Group> groups;
    // Executors tell the flows in orders of their own: those of a group may stand anywhere.
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (const FlowState& flow : flows)
    {
        const auto key = static_cast<std::uint64_t>(flow.coflow) << 32 | flow.dst;
        const auto [place, isNew] = places.try_emplace(key, groups.size());
        if (isNew)
        {
            groups.push_back({flow.dst, Seconds(now), 0, 0});
        }
        groups[place->second].bytes += std::max(0.0, flow.remaining);
        ++groups[place->second].flows;
    }
    for (std::uint32_t index = 0; index < m_groups.size(); ++index)
    {
        const CoflowOutcome& outcome = m_run.GetOutcome(index);
        if (outcome.start == NEVER && outcome.admitted)
        {
            for (Group group : m_groups[index])
            {
                group.from = std::max(group.from, Seconds(now));
                groups.push_back(group);
            }
        }
    }
    return WorkOf(groups);
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
        std::vector<Group> groups;
        for (std::uint32_t index = 0; index < m_groups.size(); ++index)
        {
            if (m_run.GetOutcome(index).admitted)
            {
                groups.insert(groups.end(), m_groups[index].begin(), m_groups[index].end());
            }
        }
        m_all = WorkOf(groups);
        m_rejected = rejected;
    }
    return *m_all;
}

FluidForecast::Work
FluidForecast::WorkOf(std::vector<Group>& groups) const
{
    std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return std::pair(a.port, a.from) < std::pair(b.port, b.from);
    });
    std::vector<Change> changes;
    // Groups at a port, by what each flow there has been given when they are through.
    using Due = std::pair<double, double>; // bytes, flows
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
    for (std::size_t next = 0; next < groups.size();)
    {
        const HostId port = groups[next].port;
        const double rate = m_run.Capacity().egress[port];
        double now = 0;
        double given = 0; // bytes that a flow has been given that was there all the time
        double present = 0;
        while (true)
        {
            const bool comes = next < groups.size() && groups[next].port == port;
            if (!comes && (due.empty() || rate <= 0))
            {
                break;
            }
            const double through =
                due.empty() ? 0 : now + (due.top().first - given) * present / rate;
            if (comes && (due.empty() || rate <= 0 || groups[next].from <= through))
            {
                const Group& group = groups[next++];
                given += present > 0 ? (group.from - now) * rate / present : 0;
                now = group.from;
                const auto flows = static_cast<double>(group.flows);
                present += flows;
                due.emplace(given + group.bytes / flows, flows);
                changes.push_back({now, flows});
            }
            else
            {
                const auto [bytes, flows] = due.top();
                due.pop();
                now = through;
                given = bytes;
                present -= flows;
                changes.push_back({now, -flows});
            }
        }
        due = {};
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.time < b.time;
    });
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
