/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-queue.h"

#include <functional>
#include <iterator>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// @return the list of a key; made from memory that is left over, if there is any
template <typename Map>
typename Map::iterator
FindOrMake(Map& map, std::vector<typename Map::node_type>& spare, const typename Map::key_type& key)
{
    auto found = map.find(key);
    if (found != map.end())
    {
        return found;
    }
    if (spare.empty())
    {
        return map.try_emplace(key).first;
    }
    spare.back().key() = key;
    found = map.insert(std::move(spare.back())).position;
    spare.pop_back();
    return found;
}

} // namespace

std::size_t
PfabricQueue::FlowHash::operator()(const FlowKey& flow) const
{
    constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // spreads neighbours over all bits
    const std::size_t coflow = std::hash<::coflow::CoflowId>()(flow.coflowId) * ODD;
    return (coflow ^ std::hash<::coflow::FlowId>()(flow.flowId)) * ODD;
}

PfabricQueue::PfabricQueue(const FifoLimits& limits)
    : m_limits(limits)
{
}

PfabricQueue::~PfabricQueue()
{
    // Slots must not be in a list when they go.
    m_keys.clear();
    m_flows.clear();
}

bool
PfabricQueue::IsBefore(const Slot& slot, const Slot& other)
{
    const uint64_t key = slot.ofKey->first;
    const uint64_t otherKey = other.ofKey->first;
    return key != otherKey ? key < otherKey : slot.number < other.number;
}

PfabricQueue::Slot*
PfabricQueue::GetNext(Slot& slot)
{
    auto& equal = slot.ofKey->second;
    const auto next = std::next(equal.iterator_to(slot));
    if (next != equal.end())
    {
        return &*next;
    }
    const auto worse = std::next(slot.ofKey);
    return worse == m_keys.end() ? nullptr : &worse->second.front();
}

PfabricQueue::Slot*
PfabricQueue::GetPrevious(Slot& slot)
{
    auto& equal = slot.ofKey->second;
    const auto place = equal.iterator_to(slot);
    if (place != equal.begin())
    {
        return &*std::prev(place);
    }
    return slot.ofKey == m_keys.begin() ? nullptr : &std::prev(slot.ofKey)->second.back();
}

PfabricQueue::Slot*
PfabricQueue::GetLast()
{
    return m_keys.empty() ? nullptr : &m_keys.rbegin()->second.back();
}

void
PfabricQueue::Insert(Slot& slot, uint64_t key, const FlowKey& flow)
{
    slot.ofKey = FindOrMake(m_keys, m_spareKeys, key);
    slot.ofKey->second.push_back(slot);
    slot.ofFlow = nullptr;
    if (flow.coflowId != PacketClass::NO_COFLOW)
    {
        slot.ofFlow = &*FindOrMake(m_flows, m_spareFlows, flow);
        slot.ofFlow->second.push_back(slot);
    }
}

PortItem*
PfabricQueue::Enqueue(PortItem* item)
{
    item->next = nullptr;
    if (!m_limits.Admits(0, 0, item->bytes))
    {
        return item;
    }
    const uint64_t key = item->packetClass.priority.key;
    PortItem* dropped = nullptr;
    while (!m_limits.Admits(m_packets, m_bytes, item->bytes))
    {
        Slot& last = *GetLast();
        if (last.ofKey->first <= key)
        {
            item->next = dropped;
            return item;
        }
        PortItem* victim = Remove(last);
        victim->next = dropped;
        dropped = victim;
    }

    Slot& slot = m_slots.Take();
    slot.item = item;
    slot.bytes = item->bytes;
    slot.number = ++m_arrivals;
    Insert(slot, key, item->packetClass.flow);
    if (IsBeforeBorder(slot))
    {
        ++m_packetsBefore;
        m_bytesBefore += item->bytes;
        MoveBorderForward();
    }
    if (item->ecnCapable && m_limits.Marks(m_packets, m_bytes, item->bytes) &&
        IsBehindTooMany(slot))
    {
        item->Mark();
    }
    ++m_packets;
    m_bytes += item->bytes;
    return dropped;
}

bool
PfabricQueue::IsBeforeBorder(const Slot& slot) const
{
    return !m_border || IsBefore(slot, *m_border);
}

void
PfabricQueue::MoveBorderForward()
{
    while (Slot* last = m_border ? GetPrevious(*m_border) : GetLast())
    {
        if (!m_limits.Marks(m_packetsBefore - 1, m_bytesBefore - last->bytes, last->bytes))
        {
            return;
        }
        m_border = last;
        --m_packetsBefore;
        m_bytesBefore -= last->bytes;
    }
}

void
PfabricQueue::MoveBorderBack()
{
    while (m_border && !m_limits.Marks(m_packetsBefore, m_bytesBefore, m_border->bytes))
    {
        ++m_packetsBefore;
        m_bytesBefore += m_border->bytes;
        m_border = GetNext(*m_border);
    }
}

bool
PfabricQueue::IsBehindTooMany(Slot& slot)
{
    if (!IsBeforeBorder(slot))
    {
        return true;
    }
    uint32_t packets = 0;
    uint32_t bytes = 0;
    const auto isTooMany = [&](const Slot& before) {
        ++packets;
        bytes += before.bytes;
        return m_limits.Marks(packets, bytes, slot.bytes);
    };
    // Earlier packets of its flow leave before it even if their keys are worse.
    if (slot.ofFlow)
    {
        auto& flow = slot.ofFlow->second;
        for (auto before = flow.iterator_to(slot); before != flow.begin();)
        {
            --before;
            if (before->ofKey->first > slot.ofKey->first && isTooMany(*before))
            {
                return true;
            }
        }
    }
    if (packets == 0)
    {
        return false;
    }
    for (Slot* before = &m_keys.begin()->second.front(); before != &slot; before = GetNext(*before))
    {
        if (isTooMany(*before))
        {
            return true;
        }
    }
    return false;
}

PortItem*
PfabricQueue::Dequeue()
{
    if (m_keys.empty())
    {
        return nullptr;
    }
    Slot& first = m_keys.begin()->second.front();
    return Remove(first.ofFlow ? first.ofFlow->second.front() : first);
}

PortItem*
PfabricQueue::Remove(Slot& slot)
{
    if (&slot == m_border)
    {
        m_border = GetNext(slot);
    }
    else if (IsBeforeBorder(slot))
    {
        --m_packetsBefore;
        m_bytesBefore -= slot.bytes;
    }
    auto& equal = slot.ofKey->second;
    equal.erase(equal.iterator_to(slot));
    if (equal.empty())
    {
        m_spareKeys.push_back(m_keys.extract(slot.ofKey));
    }
    if (slot.ofFlow)
    {
        auto& flow = slot.ofFlow->second;
        flow.erase(flow.iterator_to(slot));
        if (flow.empty())
        {
            m_spareFlows.push_back(m_flows.extract(slot.ofFlow->first));
        }
    }
    MoveBorderBack();
    --m_packets;
    m_bytes -= slot.bytes;
    PortItem* item = slot.item;
    m_slots.Return(slot);
    return item;
}

} // namespace ns3::coflow
