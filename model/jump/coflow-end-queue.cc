/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-end-queue.h"

namespace ns3::coflow
{

bool
EndQueue::IsBefore(const End& a, const End& b)
{
    return a.time != b.time ? a.time < b.time : a.flow->key < b.flow->key;
}

void
EndQueue::Put(std::size_t place, const End& end)
{
    m_ends[place] = end;
    end.flow->endPlace = static_cast<uint32_t>(place);
}

void
EndQueue::Append(int64_t time, EvenFlow& flow)
{
    m_ends.push_back({time, &flow});
    flow.endPlace = static_cast<uint32_t>(m_ends.size() - 1);
}

void
EndQueue::Order()
{
    for (std::size_t place = m_ends.size() / 2; place-- > 0;)
    {
        Sink(place);
    }
}

void
EndQueue::Rise(std::size_t place)
{
    const End end = m_ends[place];
    while (place > 0)
    {
        const std::size_t above = (place - 1) / 2;
        if (!IsBefore(end, m_ends[above]))
        {
            break;
        }
        Put(place, m_ends[above]);
        place = above;
    }
    Put(place, end);
}

void
EndQueue::Sink(std::size_t place)
{
    const End end = m_ends[place];
    while (2 * place + 1 < m_ends.size())
    {
        std::size_t below = 2 * place + 1;
        if (below + 1 < m_ends.size() && IsBefore(m_ends[below + 1], m_ends[below]))
        {
            ++below;
        }
        if (!IsBefore(m_ends[below], end))
        {
            break;
        }
        Put(place, m_ends[below]);
        place = below;
    }
    Put(place, end);
}

void
EndQueue::Settle(std::size_t place)
{
    EvenFlow* flow = m_ends[place].flow;
    Rise(place);
    Sink(flow->endPlace);
}

bool
EndQueue::Remove(EvenFlow& flow)
{
    const std::size_t place = flow.endPlace;
    if (place == EvenFlow::NOWHERE)
    {
        return false;
    }
    flow.endPlace = EvenFlow::NOWHERE;
    const End last = m_ends.back();
    m_ends.pop_back();
    if (place < m_ends.size())
    {
        Put(place, last);
        Settle(place);
    }
    return true;
}

void
EndQueue::Clear()
{
    for (const End& end : m_ends)
    {
        end.flow->endPlace = EvenFlow::NOWHERE;
    }
    m_ends.clear();
}

} // namespace ns3::coflow
