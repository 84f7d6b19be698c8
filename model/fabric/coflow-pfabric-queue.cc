/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-queue.h"

#include <iterator>

namespace ns3::coflow
{

template <typename T>
T*
PFabricQueue::Pool<T>::Take()
{
    if (free.empty())
    {
        return &all.emplace_back();
    }
    T* object = free.back();
    free.pop_back();
    return object;
}

PFabricQueue::PFabricQueue(uint32_t maxBytes)
    : m_maxBytes(maxBytes)
{
}

PortItem*
PFabricQueue::Enqueue(PortItem* item)
{
    Entry* entry = m_entryPool.Take();
    entry->item = item;
    entry->order = m_order++;
    Flow* flow = m_flowPool.Take();
    flow->hash = item->flowHash;
    const auto [position, isNew] = m_flows.insert(*flow);
    if (!isNew)
    {
        m_flowPool.Return(flow);
    }
    entry->flow = &*position;
    entry->flow->packets.push_back(*entry);
    m_packets.insert(*entry);
    m_bytes += item->bytes;

    PortItem* dropped = nullptr;
    while (m_bytes > m_maxBytes)
    {
        PortItem* worst = Remove(*std::prev(m_packets.end()));
        worst->next = dropped;
        dropped = worst;
    }
    return dropped;
}

PortItem*
PFabricQueue::Dequeue()
{
    return m_packets.empty() ? nullptr : Remove(m_packets.begin()->flow->packets.front());
}

PortItem*
PFabricQueue::Remove(Entry& entry)
{
    PortItem* item = entry.item;
    Flow& flow = *entry.flow;
    m_packets.erase(m_packets.iterator_to(entry));
    flow.packets.erase(flow.packets.iterator_to(entry));
    if (flow.packets.empty())
    {
        m_flows.erase(m_flows.iterator_to(flow));
        m_flowPool.Return(&flow);
    }
    m_entryPool.Return(&entry);
    m_bytes -= item->bytes;
    item->next = nullptr;
    return item;
}

} // namespace ns3::coflow
