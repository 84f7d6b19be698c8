/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-service-queue.h"

#include "ns3/simulator.h"

#include <iterator>
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
ServiceQueue::Add(std::function<void()> work, std::optional<Party> party)
{
    if (m_serviceTime.IsZero())
    {
        work();
        return;
    }
    m_items.push_back({std::move(work), Simulator::Now(), true, false, party});
    Start();
}

void
ServiceQueue::Renew(std::function<void()> work, Party party)
{
    const auto earlier = m_renewable.find(party);
    if (earlier != m_renewable.end())
    {
        earlier->second->work = std::move(work);
        return;
    }
    if (m_serviceTime.IsZero())
    {
        work();
        return;
    }
    m_items.push_back({std::move(work), Simulator::Now(), true, true, party});
    m_renewable[party] = std::prev(m_items.end());
    Start();
}

bool
ServiceQueue::IsRenewed(Party party) const
{
    return m_renewable.count(party) > 0;
}

void
ServiceQueue::WhenDone(std::function<void()> then)
{
    if (m_items.empty())
    {
        then();
        return;
    }
    m_items.push_back({std::move(then), Simulator::Now(), false, false});
}

void
ServiceQueue::Start()
{
    if (!m_next.IsPending() && !m_items.empty())
    {
        m_next = Simulator::Schedule(m_serviceTime, &ServiceQueue::Serve, this);
    }
}

ServiceQueue::Item
ServiceQueue::Pop()
{
    auto item = std::move(m_items.front());
    m_items.pop_front();
    if (item.renewed)
    {
        m_renewable.erase(*item.party);
    }
    return item;
}

void
ServiceQueue::Serve()
{
    const auto item = Pop();
    m_longestDelay = Max(m_longestDelay, Simulator::Now() - item.since);
    m_busyTime += m_serviceTime;
    item.work(); // may add work, or clear the queue
    // A function of WhenDone() may add work to the end of the queue.
    while (!m_items.empty() && !m_items.front().takesTime)
    {
        Pop().work();
    }
    Start();
}

void
ServiceQueue::Forget(Party party)
{
    for (auto item = m_items.begin(); item != m_items.end();)
    {
        if (item->party != party)
        {
            ++item;
        }
        else if (item == m_items.begin())
        {
            item->work = [] {};
            item->renewed = false;
            ++item;
        }
        else
        {
            item = m_items.erase(item);
        }
    }
    m_renewable.erase(party);
}

void
ServiceQueue::Clear()
{
    m_next.Cancel();
    m_items.clear();
    m_renewable.clear();
}

Time
ServiceQueue::GetLongestDelay() const
{
    return m_items.empty() ? m_longestDelay
                           : Max(m_longestDelay, Simulator::Now() - m_items.front().since);
}

Time
ServiceQueue::GetBusyTime() const
{
    return m_busyTime;
}

} // namespace ns3::coflow
