/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-queue.h"

namespace ns3::coflow
{

PfabricQueue::PfabricQueue(const FifoLimits& limits)
    : m_limits(limits)
{
}

PfabricQueue::~PfabricQueue()
{
    // Slots must not be in a tree when they go.
    m_byUrgency.clear();
    m_byFlow.clear();
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
        Slot& last = *m_byUrgency.rbegin();
        if (last.key <= key)
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
    slot.flow = item->packetClass.flow;
    slot.key = key;
    slot.number = ++m_arrivals;
    m_byUrgency.insert(slot);
    m_byFlow.insert(slot);
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
PfabricQueue::IsBehindTooMany(const Slot& slot) const
{
    uint32_t packets = 0;
    uint32_t bytes = 0;
    const auto isTooMany = [&](const Slot& before) {
        ++packets;
        bytes += before.item->bytes;
        return m_limits.Marks(packets, bytes, slot.item->bytes);
    };
    for (auto before = m_byUrgency.begin(); &*before != &slot; ++before)
    {
        if (isTooMany(*before))
        {
            return true;
        }
    }
    // Earlier packets of its flow leave before it even if their keys are worse.
    for (auto before = m_byFlow.iterator_to(slot); before != m_byFlow.begin();)
    {
        --before;
        if (before->flow != slot.flow)
        {
            break;
        }
        if (before->key > slot.key && isTooMany(*before))
        {
            return true;
        }
    }
    return m_limits.Marks(packets, bytes, slot.item->bytes);
}

PortItem*
PfabricQueue::Dequeue()
{
    if (m_byUrgency.empty())
    {
        return nullptr;
    }
    Slot& first = *m_byUrgency.begin();
    if (first.flow.coflowId == PacketClass::NO_COFLOW)
    {
        return Remove(first);
    }
    Slot earliest;
    earliest.flow = first.flow;
    return Remove(*m_byFlow.lower_bound(earliest));
}

PortItem*
PfabricQueue::Remove(Slot& slot)
{
    m_byUrgency.erase(m_byUrgency.iterator_to(slot));
    m_byFlow.erase(m_byFlow.iterator_to(slot));
    --m_packets;
    m_bytes -= slot.item->bytes;
    PortItem* item = slot.item;
    m_slots.Return(slot);
    return item;
}

} // namespace ns3::coflow
