/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-port-forecast.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace coflow
{

std::vector<ForecastGroup>
MakeForecastGroups(const Coflow& coflow, std::uint32_t index)
{
    std::vector<ForecastGroup> groups;
    std::unordered_map<HostId, std::size_t> places;
    for (const Flow& flow : coflow.flows)
    {
        if (flow.bytes == 0 || flow.IsLocal())
        {
            continue;
        }
        const auto [place, isNew] = places.try_emplace(flow.dst, groups.size());
        if (isNew)
        {
            const double arrival = static_cast<double>(coflow.arrival) * 1e-9;
            groups.push_back({index, flow.dst, arrival, 0, 0});
        }
        groups[place->second].bytes += static_cast<double>(flow.bytes);
        ++groups[place->second].flows;
    }
    return groups;
}

std::vector<ForecastChange>
ForecastChanges(std::vector<ForecastGroup> groups, std::span<const double> rates)
{
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return std::tie(a.port, a.from) < std::tie(b.port, b.from);
    });
    std::vector<ForecastChange> changes;

    // A group at a port, by what each flow there has been given when the group is through.
    struct Due
    {
        double bytes;
        double flows;
        std::uint32_t coflow;

        bool operator>(const Due& other) const
        {
            return std::tie(bytes, flows, coflow) >
                   std::tie(other.bytes, other.flows, other.coflow);
        }
    };

    std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
    for (std::size_t next = 0; next < groups.size();)
    {
        const HostId port = groups[next].port;
        const double rate = rates[port];
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
                due.empty() || rate <= 0 ? 0 : now + (due.top().bytes - given) * present / rate;
            if (comes && (due.empty() || rate <= 0 || groups[next].from <= through))
            {
                const ForecastGroup& group = groups[next++];
                given += present > 0 ? (group.from - now) * rate / present : 0;
                now = group.from;
                const auto flows = static_cast<double>(group.flows);
                present += flows;
                due.push({given + group.bytes / flows, flows, group.coflow});
                changes.push_back({now, flows, group.coflow});
            }
            else
            {
                const Due first = due.top();
                due.pop();
                now = through;
                given = first.bytes;
                present -= first.flows;
                changes.push_back({now, -first.flows, first.coflow});
            }
        }
        due = {};
    }
    std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return std::tie(a.time, a.coflow) < std::tie(b.time, b.coflow);
    });
    return changes;
}

} // namespace coflow
