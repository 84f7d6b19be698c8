/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-lm.h"

#include <iterator>

namespace ns3::coflow
{

FifoLm::FifoLm(const FifoLimits& limits, uint64_t heavyBytes)
    : m_limits(limits),
      m_heavyBytes(heavyBytes)
{
}

FifoLm::~FifoLm()
{
    // Slots and tasks must not be in a list or tree when they go.
    for (Task& task : m_waiting)
    {
        task.waiting.clear();
    }
    m_waiting.clear();
}

PortItem*
FifoLm::Enqueue(PortItem* item)
{
    item->next = nullptr;
    if (!m_limits.Admits(0, 0, item->bytes))
    {
        return item;
    }
    const uint64_t number = item->packetClass.priority.key;
    PortItem* dropped = nullptr;
    while (!m_limits.Admits(m_packets, m_bytes, item->bytes))
    {
        Task& last = *m_waiting.rbegin();
        if (last.number <= number || GetEndOfClass() == m_waiting.end())
        {
            item->next = dropped;
            return item;
        }
        PortItem* victim = Remove(last, last.waiting.back());
        victim->next = dropped;
        dropped = victim;
    }

    Task& task = m_tasks[number];
    Slot& slot = m_slots.Take();
    slot.item = item;
    slot.number = ++m_arrivals;
    task.number = number;
    task.waiting.push_back(slot);
    if (task.packets++ == 0)
    {
        m_waiting.insert(task);
    }
    task.bytes += item->bytes;
    if (item->ecnCapable && m_limits.Marks(m_packets, m_bytes, item->bytes) &&
        IsBehindTooMany(task))
    {
        item->Mark();
    }
    ++m_packets;
    m_bytes += item->bytes;
    return dropped;
}

FifoLm::TaskSet::iterator
FifoLm::GetEndOfClass()
{
    auto task = m_waiting.begin();
    while (task != m_waiting.end() && task->heavy)
    {
        ++task;
    }
    return task == m_waiting.end() ? task : std::next(task);
}

bool
FifoLm::IsBehindTooMany(const Task& task)
{
    const auto endOfClass = GetEndOfClass();
    const auto endOfTask = std::next(m_waiting.iterator_to(task));
    const bool active = endOfClass == m_waiting.end() || task.number < endOfClass->number;
    const TaskSet::const_iterator end = active ? endOfClass : endOfTask;
    uint32_t packets = 0;
    uint32_t bytes = 0;
    for (TaskSet::const_iterator before = m_waiting.begin(); before != end; ++before)
    {
        packets += before->packets;
        bytes += before->bytes;
    }
    // The arriving packet is one of them.
    const uint32_t size = task.waiting.back().item->bytes;
    return m_limits.Marks(packets - 1, bytes - size, size);
}

PortItem*
FifoLm::Dequeue()
{
    if (m_waiting.empty())
    {
        return nullptr;
    }
    Task* chosen = &*m_waiting.begin();
    const auto end = GetEndOfClass();
    for (auto task = std::next(m_waiting.begin()); task != end; ++task)
    {
        if (task->waiting.front().number < chosen->waiting.front().number)
        {
            chosen = &*task;
        }
    }
    PortItem* item = Remove(*chosen, chosen->waiting.front());
    chosen->sent += item->bytes;
    chosen->heavy = chosen->number != 0 && chosen->sent >= m_heavyBytes;
    return item;
}

PortItem*
FifoLm::Remove(Task& task, Slot& slot)
{
    PortItem* item = slot.item;
    task.waiting.erase(task.waiting.iterator_to(slot));
    m_slots.Return(slot);
    task.bytes -= item->bytes;
    if (--task.packets == 0)
    {
        m_waiting.erase(m_waiting.iterator_to(task));
    }
    --m_packets;
    m_bytes -= item->bytes;
    return item;
}

} // namespace ns3::coflow
