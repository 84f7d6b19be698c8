/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-queue.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

RunQueue::RunQueue(Time delay, std::function<void()> begin, std::function<void()> end)
    : m_begin(std::move(begin)),
      m_end(std::move(end)),
      m_delay(delay)
{
}

RunQueue::~RunQueue()
{
    m_start.Cancel();
    m_timer.Cancel();
    m_finish.Cancel();
}

void
RunQueue::Request(Time delay)
{
    if (IsBusy() && delay.IsZero())
    {
        m_again = true;
        return;
    }
    if (m_start.IsPending())
    {
        if (Simulator::GetDelayLeft(m_start) <= delay)
        {
            return;
        }
        m_start.Cancel();
    }
    m_start = Simulator::Schedule(delay, &RunQueue::Begin, this);
}

void
RunQueue::SetTimer(Time at)
{
    m_timer.Cancel();
    if (at != Time::Max())
    {
        m_timer = Simulator::Schedule(at - Simulator::Now(), &RunQueue::Begin, this);
    }
}

void
RunQueue::Hold()
{
    ++m_holds;
}

void
RunQueue::Resume()
{
    --m_holds;
    if (!IsBusy() && std::exchange(m_again, false))
    {
        Request();
    }
}

bool
RunQueue::IsBusy() const
{
    return m_finish.IsPending() || m_holds > 0;
}

void
RunQueue::Begin()
{
    if (IsBusy())
    {
        m_again = true;
        return;
    }
    m_start.Cancel();
    m_timer.Cancel();
    m_begin();
    if (m_delay.IsZero())
    {
        End();
    }
    else
    {
        m_finish = Simulator::Schedule(m_delay, &RunQueue::End, this);
    }
}

void
RunQueue::End()
{
    m_end();
    if (std::exchange(m_again, false))
    {
        Request();
    }
}

} // namespace ns3::coflow
