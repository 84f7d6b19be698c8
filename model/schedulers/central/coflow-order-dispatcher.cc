/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-order-dispatcher.h"

#include "ns3/coflow-send-changes.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ns3::coflow
{

PlaceMaps
MakePlaceMaps(const ::coflow::FlowTable& table,
              std::span<const ::coflow::CoflowId> order,
              uint32_t classes)
{
    std::unordered_map<::coflow::CoflowId, uint32_t> places;
    for (const auto coflow : order)
    {
        const auto place = static_cast<uint32_t>(places.size());
        if (place + 1 >= classes)
        {
            break; // this coflow and all later ones come last
        }
        places.emplace(coflow, place);
    }
    PlaceMaps maps;
    for (const auto& row : table.Rows())
    {
        const auto place = places.find(row.id);
        for (auto f = row.begin; f < row.end; ++f)
        {
            auto& map = maps[table.Src()[f]];
            if (place != places.end() && (map.empty() || map.back().coflow != row.id))
            {
                map.push_back({row.id, place->second});
            }
        }
    }
    for (auto& [host, map] : maps)
    {
        std::ranges::sort(map, {}, &PlaceRecord::coflow);
    }
    return maps;
}

OrderDispatcher::OrderDispatcher(Send send, std::function<uint64_t()> nextSchedule)
    : m_send(std::move(send)),
      m_nextSchedule(std::move(nextSchedule))
{
}

std::size_t
OrderDispatcher::Dispatch(PlaceMaps maps)
{
    // On a host without places, all coflows come last. So unknown places count as empty.
    const auto whole = [](::coflow::HostId, const auto*, const auto& map) {
        return CoflowOrderMessage(map);
    };
    return SendChanges<CoflowOrderMessage, PlaceRecord>(maps,
                                                        m_known,
                                                        true,
                                                        m_nextSchedule,
                                                        whole,
                                                        m_send);
}

void
OrderDispatcher::Forget(::coflow::HostId host)
{
    m_known.erase(host);
}

} // namespace ns3::coflow
