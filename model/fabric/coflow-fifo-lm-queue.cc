/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-lm-queue.h"

#include <algorithm>
#include <bit>

namespace ns3::coflow
{

FifoLmQueue::FifoLmQueue(uint32_t maxBytes, uint64_t heavyBytes)
    : m_maxBytes(maxBytes),
      m_heavyBytes(heavyBytes)
{
}

uint32_t
FifoLmQueue::GetTask(uint64_t id)
{
    const auto found =
        std::lower_bound(m_tasks.begin(), m_tasks.end(), id, [](const Task& task, uint64_t other) {
            return task.id < other;
        });
    const auto number = static_cast<uint32_t>(found - m_tasks.begin());
    if (found == m_tasks.end() || found->id != id)
    {
        const bool room = m_tasks.size() < m_ranges.size() / 2;
        const bool last = found == m_tasks.end();
        m_tasks.insert(found, Task{id});
        if (!room || !last)
        {
            Rebuild();
        }
    }
    return number;
}

FifoLmQueue::Range
FifoLmQueue::Describe(uint32_t task) const
{
    const Task& t = m_tasks[task];
    Range result;
    if (t.first)
    {
        result.lastWaiting = task;
        if (t.id != 0 && t.sentBytes >= m_heavyBytes)
        {
            result.heavyOrder = t.first->order;
            result.heavyTask = task;
        }
        else
        {
            result.firstLight = task;
        }
    }
    return result;
}

FifoLmQueue::Range
FifoLmQueue::Join(const Range& a, const Range& b)
{
    Range result = a.heavyOrder < b.heavyOrder ? a : b;
    result.firstLight = std::min(a.firstLight, b.firstLight);
    result.lastWaiting = b.lastWaiting != UINT32_MAX ? b.lastWaiting : a.lastWaiting;
    return result;
}

void
FifoLmQueue::Rebuild()
{
    const auto leaves = static_cast<uint32_t>(std::bit_ceil(m_tasks.size()));
    m_ranges.assign(std::max<std::size_t>(2, 2 * leaves), Range());
    for (uint32_t task = 0; task < m_tasks.size(); ++task)
    {
        m_ranges[leaves + task] = Describe(task);
    }
    for (uint32_t i = leaves - 1; i > 0; --i)
    {
        m_ranges[i] = Join(m_ranges[2 * i], m_ranges[2 * i + 1]);
    }
}

void
FifoLmQueue::Update(uint32_t task)
{
    std::size_t i = m_ranges.size() / 2 + task;
    m_ranges[i] = Describe(task);
    for (i /= 2; i > 0; i /= 2)
    {
        const Range joined = Join(m_ranges[2 * i], m_ranges[2 * i + 1]);
        if (joined == m_ranges[i])
        {
            return;
        }
        m_ranges[i] = joined;
    }
}

FifoLmQueue::Range
FifoLmQueue::GetBefore(uint32_t end) const
{
    Range result;
    std::size_t i = m_ranges.size() / 2 + end;
    for (; i > 1; i /= 2)
    {
        if (i % 2 == 1)
        {
            result = Join(m_ranges[i - 1], result);
        }
    }
    return result;
}

PortItem*
FifoLmQueue::Enqueue(PortItem* item)
{
    const uint32_t number = GetTask(item->packetClass.priority.key);
    Task& task = m_tasks[number];
    item->order = m_order++;
    item->next = nullptr;
    item->previous = task.last;
    (task.last ? task.last->next : task.first) = item;
    task.last = item;
    m_bytes += item->bytes;
    if (task.first == item)
    {
        Update(number);
    }

    PortItem* dropped = nullptr;
    while (m_bytes > m_maxBytes)
    {
        const uint32_t latest = m_ranges[1].lastWaiting;
        Task& victim = m_tasks[latest];
        PortItem* newest = victim.last;
        victim.last = newest->previous;
        (victim.last ? victim.last->next : victim.first) = nullptr;
        if (!victim.first)
        {
            Update(latest);
        }
        m_bytes -= newest->bytes;
        newest->next = dropped;
        dropped = newest;
    }
    return dropped;
}

PortItem*
FifoLmQueue::Dequeue()
{
    const Range& all = m_ranges[1];
    if (all.lastWaiting == UINT32_MAX)
    {
        return nullptr;
    }
    uint32_t number = all.heavyTask;
    if (all.firstLight != UINT32_MAX)
    {
        const Range heavy = GetBefore(all.firstLight);
        number = heavy.heavyOrder < m_tasks[all.firstLight].first->order ? heavy.heavyTask
                                                                         : all.firstLight;
    }
    Task& task = m_tasks[number];
    PortItem* item = task.first;
    task.first = item->next;
    (task.first ? task.first->previous : task.last) = nullptr;
    task.sentBytes += item->bytes;
    m_bytes -= item->bytes;
    Update(number);
    item->next = nullptr;
    return item;
}

} // namespace ns3::coflow
