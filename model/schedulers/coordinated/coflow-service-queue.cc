/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-service-queue.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

ServiceQueue::~ServiceQueue()
{
    Clear();
}

void
ServiceQueue::SetServiceTime(Time time)
{
    m_serviceTime = time;
}

void
ServiceQueue::Add(std::function<void()> work)
{
    if (m_serviceTime.IsZero())
    {
        work();
        return;
    }
    m_items.push_back({std::move(work), Simulator::Now()});
    if (m_items.size() == 1)
    {
        m_next = Simulator::Schedule(m_serviceTime, &ServiceQueue::Serve, this);
    }
}

void
ServiceQueue::Serve()
{
    const auto item = std::move(m_items.front());
    m_items.pop_front();
    m_longestDelay = Max(m_longestDelay, Simulator::Now() - item.since);
    m_busyTime += m_serviceTime;
    if (!m_items.empty())
    {
        m_next = Simulator::Schedule(m_serviceTime, &ServiceQueue::Serve, this);
    }
    item.work(); // may add work, or clear the queue
}

void
ServiceQueue::Clear()
{
    m_next.Cancel();
    m_items.clear();
}

Time
ServiceQueue::GetLongestDelay() const
{
    return m_longestDelay;
}

Time
ServiceQueue::GetBusyTime() const
{
    return m_busyTime;
}

} // namespace ns3::coflow
