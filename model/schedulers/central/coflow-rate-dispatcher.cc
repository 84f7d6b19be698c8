/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-rate-dispatcher.h"

#include "ns3/coflow-send-changes.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// @return records that change the list `from` into the list `to`; rate 0 removes a flow
std::vector<RateRecord>
Changes(const std::vector<RateRecord>& from, const std::vector<RateRecord>& to)
{
    std::vector<RateRecord> changes;
    auto before = from.begin();
    for (const auto& record : to)
    {
        for (; before != from.end() && before->key < record.key; ++before)
        {
            changes.push_back({before->key, 0});
        }
        const bool isKnown = before != from.end() && before->key == record.key;
        if (!isKnown || *before != record)
        {
            changes.push_back(record);
        }
        before += isKnown ? 1 : 0;
    }
    for (; before != from.end(); ++before)
    {
        changes.push_back({before->key, 0});
    }
    return changes;
}

} // namespace

RateMaps
MakeRateMaps(const ::coflow::FlowTable& table, const ::coflow::PathMap* paths)
{
    const auto label = [&](uint32_t f) -> uint32_t {
        if (!paths || table.Paths()[f] == ::coflow::NO_PATH)
        {
            return 0;
        }
        return paths->Between(table.Src()[f], table.Dst()[f])[table.Paths()[f] - 1].label;
    };
    const auto hosts = table.Src();
    RateMaps maps;
    std::vector<RateMaps::mapped_type*> mapOf; // by host
    for (const auto& row : table.Rows())
    {
        for (auto f = row.begin; f < row.end; ++f)
        {
            mapOf.resize(std::max<std::size_t>(mapOf.size(), hosts[f] + 1));
            auto*& map = mapOf[hosts[f]];
            map = map ? map : &maps[hosts[f]];
            if (table.Rates()[f] > 0)
            {
                // A rate above 0 must not become 0, or the flow would wait for ever.
                const auto rate = static_cast<uint64_t>(table.Rates()[f] * 8);
                map->push_back(
                    {{row.id, table.FlowIds()[f]}, std::max<uint64_t>(rate, 1), label(f)});
            }
        }
    }
    for (auto& [host, map] : maps)
    {
        std::ranges::sort(map, {}, &RateRecord::key);
    }
    return maps;
}

RateDispatcher::RateDispatcher(Send send, Waits waits, std::function<uint64_t()> nextSchedule)
    : m_send(std::move(send)),
      m_waits(std::move(waits)),
      m_nextSchedule(std::move(nextSchedule))
{
}

std::size_t
RateDispatcher::Dispatch(RateMaps maps)
{
    for (const auto& [host, known] : m_known)
    {
        if (!known.empty())
        {
            maps[host]; // a host that has no flows any more also gets a message
        }
    }
    return SendChanges<UpdatedRatesMessage, RateRecord>(
        maps,
        m_known,
        false,
        m_nextSchedule,
        [this](::coflow::HostId host, const auto* known, const auto& map) {
            return MakeMessage(host, known, map);
        },
        [this](::coflow::HostId host, const UpdatedRatesMessage& message) {
            const bool reached = m_send(host, message);
            if (reached)
            {
                m_toldAt[host] = message.schedule;
            }
            return reached;
        });
}

UpdatedRatesMessage
RateDispatcher::MakeMessage(::coflow::HostId host,
                            const std::vector<RateRecord>* known,
                            const std::vector<RateRecord>& map) const
{
    if (known && !m_waits(host))
    {
        auto changes = Changes(*known, map);
        if (changes.size() < map.size())
        {
            UpdatedRatesMessage message(std::move(changes));
            message.since = m_toldAt.at(host);
            return message;
        }
    }
    return UpdatedRatesMessage(map);
}

void
RateDispatcher::FlowDone(::coflow::HostId host, const FlowKey& key)
{
    const auto known = m_known.find(host);
    if (known == m_known.end())
    {
        return;
    }
    auto& map = known->second;
    const auto place = std::ranges::lower_bound(map, key, {}, &RateRecord::key);
    if (place != map.end() && place->key == key)
    {
        map.erase(place);
    }
}

void
RateDispatcher::Forget(::coflow::HostId host)
{
    m_known.erase(host);
}

} // namespace ns3::coflow
