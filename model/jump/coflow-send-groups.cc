/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-send-groups.h"

#include "ns3/coflow-owed-bytes.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-wheel-simulator.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3::coflow
{

void
SendGroups::Join(EvenFlow& flow)
{
    auto nic = flow.source->connection->GetNicScheduler();
    if (!nic)
    {
        return;
    }
    auto [entry, isNew] = m_groups.try_emplace({flow.src, flow.key.coflowId});
    SendGroup& group = entry->second;
    if (isNew)
    {
        group.nic = nic;
        group.host = flow.src;
        group.coflow = flow.key.coflowId;
        group.creditedTo = WheelSimulatorImpl::Get()->GetSkipped();
    }
    flow.group = &group;
    group.flows.push_back(&flow);
    Credit(group);
    group.bitsPerSecond += flow.bitsPerSecond;
}

void
SendGroups::Leave(EvenFlow& flow)
{
    if (flow.group)
    {
        NoteRate(flow, 0);
        std::erase(flow.group->flows, &flow);
        flow.group = nullptr;
    }
}

void
SendGroups::NoteRate(const EvenFlow& flow, uint64_t bitsPerSecond)
{
    if (flow.group)
    {
        Credit(*flow.group);
        flow.group->bitsPerSecond += bitsPerSecond;
        flow.group->bitsPerSecond -= flow.bitsPerSecond;
    }
}

void
SendGroups::Credit(SendGroup& group)
{
    const int64_t skipped = WheelSimulatorImpl::Get()->GetSkipped();
    const int64_t steps = skipped - group.creditedTo;
    group.creditedTo = skipped;
    if (steps == 0 || group.bitsPerSecond == 0)
    {
        return;
    }
    // The coflow may get another place by this. Whoever gives it one may ask how much was sent.
    const uint64_t bytes = TakeOwedBytes(group.bitsPerSecond, steps, group.rest);
    group.nic->Skip(group.coflow, static_cast<int64_t>(bytes));
}

void
SendGroups::Credit(::coflow::HostId host, ::coflow::CoflowId coflow)
{
    const auto found = m_groups.find({host, coflow});
    if (found != m_groups.end())
    {
        Credit(found->second);
    }
}

void
SendGroups::CreditAll()
{
    for (auto i = m_groups.begin(); i != m_groups.end();)
    {
        Credit(i->second);
        i = i->second.flows.empty() ? m_groups.erase(i) : std::next(i);
    }
}

int64_t
SendGroups::GetStepsToAlarm() const
{
    double first = 9e18;
    for (const auto& [name, group] : m_groups)
    {
        if (group.bitsPerSecond > 0)
        {
            const auto left = static_cast<double>(group.nic->GetLeftToAlarm(group.coflow));
            first = std::min(first,
                             left * static_cast<double>(BIT_NANOSECONDS) /
                                 static_cast<double>(group.bitsPerSecond));
        }
    }
    return first < 9e18 ? static_cast<int64_t>(std::ceil(first)) : INT64_MAX;
}

SendGroup*
SendGroups::GetNext(const SendGroup& group)
{
    const auto rank = [](const SendGroup& of) {
        return std::tuple(of.nic->GetPlace(of.coflow), of.coflow);
    };
    const auto own = rank(group);
    SendGroup* next = nullptr;
    for (auto i = m_groups.lower_bound({group.host, 0});
         i != m_groups.end() && i->first.first == group.host;
         ++i)
    {
        SendGroup& other = i->second;
        if (!other.flows.empty() && rank(other) > own &&
            std::get<0>(rank(other)).queue == std::get<0>(own).queue &&
            (!next || rank(other) < rank(*next)))
        {
            next = &other;
        }
    }
    return next;
}

bool
SendGroups::IsFirst(const SendGroup& group) const
{
    const auto place = group.nic->GetPlace(group.coflow);
    for (auto i = m_groups.lower_bound({group.host, 0});
         i != m_groups.end() && i->first.first == group.host;
         ++i)
    {
        const SendGroup& other = i->second;
        const auto otherPlace = other.nic->GetPlace(other.coflow);
        if (!other.flows.empty() && otherPlace.queue == place.queue &&
            std::tie(otherPlace, other.coflow) < std::tie(place, group.coflow))
        {
            return false;
        }
    }
    return true;
}

void
SendGroups::ClearMeasured()
{
    for (auto& [name, group] : m_groups)
    {
        group.own = group.weighed = 0;
        group.nOwn = 0;
    }
}

} // namespace ns3::coflow
