/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-queue.h"

#include <iterator>

namespace ns3::coflow
{

PfabricQueue::PfabricQueue(const FifoLimits& limits)
    : m_limits(limits),
      m_border(m_byUrgency.end())
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
    return m_border == m_byUrgency.end() || ByUrgency()(slot, *m_border);
}

void
PfabricQueue::MoveBorderForward()
{
    while (m_border != m_byUrgency.begin())
    {
        const auto last = std::prev(m_border);
        const uint32_t size = last->item->bytes;
        if (!m_limits.Marks(m_packetsBefore - 1, m_bytesBefore - size, size))
        {
            return;
        }
        m_border = last;
        --m_packetsBefore;
        m_bytesBefore -= size;
    }
}

void
PfabricQueue::MoveBorderBack()
{
    while (m_border != m_byUrgency.end() &&
           !m_limits.Marks(m_packetsBefore, m_bytesBefore, m_border->item->bytes))
    {
        ++m_packetsBefore;
        m_bytesBefore += m_border->item->bytes;
        ++m_border;
    }
}

bool
PfabricQueue::IsBehindTooMany(const Slot& slot) const
{
    if (!IsBeforeBorder(slot))
    {
        return true;
    }
    uint32_t packets = 0;
    uint32_t bytes = 0;
    const auto isTooMany = [&](const Slot& before) {
        ++packets;
        bytes += before.item->bytes;
        return m_limits.Marks(packets, bytes, slot.item->bytes);
    };
    // Earlier packets of its flow leave before it even if their keys are worse.
    if (slot.flow.coflowId != PacketClass::NO_COFLOW)
    {
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
    }
    if (packets == 0)
    {
        return false;
    }
    for (auto before = m_byUrgency.begin(); &*before != &slot; ++before)
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
    const auto place = m_byUrgency.iterator_to(slot);
    if (place == m_border)
    {
        ++m_border;
    }
    else if (IsBeforeBorder(slot))
    {
        --m_packetsBefore;
        m_bytesBefore -= slot.item->bytes;
    }
    m_byUrgency.erase(place);
    m_byFlow.erase(m_byFlow.iterator_to(slot));
    MoveBorderBack();
    --m_packets;
    m_bytes -= slot.item->bytes;
    PortItem* item = slot.item;
    m_slots.Return(slot);
    return item;
}

} // namespace ns3::coflow
