/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_INTRUSIVE_TIMER_H
#define COFLOW_INTRUSIVE_TIMER_H

#include "ns3/coflow-intrusive-event.h"
#include "ns3/coflow-intrusive-schedule.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ns3::coflow
{

/// A timer that is set anew far more often than it runs out, as TCP's are. It has an entry in the
/// event list; when that comes and the timer was set anew, the entry moves on. The timer runs out
/// at the place among the events of its time that an event of ns-3 would have had, scheduled when
/// the timer was set last.
/// @tparam Owner what it is a member of. The event list holds a reference to it (Ref(), Unref())
///         while it has an entry of the timer. Before the timer runs out, Prefetch() of the owner
///         is called with the stages of IntrusiveEventKind::prefetch
/// @tparam HANDLE a member function of the owner, or a function that takes the owner; it is called
///         when the timer runs out
template <typename Owner, auto HANDLE>
class IntrusiveTimer : private IntrusiveEvent
{
  public:
    /// @param owner what this is a member of
    /// @param node id of the node that it is at
    IntrusiveTimer(Owner& owner, uint32_t node)
        : m_owner(owner)
    {
        kind = &KIND;
        context = node;
    }

    IntrusiveTimer(const IntrusiveTimer&) = delete;
    IntrusiveTimer& operator=(const IntrusiveTimer&) = delete;

    /// Sets it, whether it is pending or not.
    /// @param delay how long from now
    void Schedule(Time delay)
    {
        const int64_t steps = delay.GetTimeStep();
        auto* simulator = WheelSimulatorImpl::Get();
        if (!simulator)
        {
            m_time = GetPacketTimeStep() + steps;
            m_order = ScheduleThroughNs3(*this, steps);
            m_entryTime = m_time;
            m_entryOrder = m_order;
            m_owner.Ref();
            return;
        }
        m_time = simulator->GetPacketTimeStep() + steps;
        m_order = simulator->TakeOrder();
        if (m_entryOrder == 0 || m_time < m_entryTime)
        {
            Enter(*simulator);
            m_owner.Ref();
        }
    }

    void Cancel()
    {
        m_order = 0;
    }

    /// @return whether it will run out
    bool IsPending() const
    {
        return m_order != 0;
    }

    /// @return whether it will not
    bool IsExpired() const
    {
        return m_order == 0;
    }

    /// @return how long from now it will run out; 0 where it will not
    Time GetDelayLeft() const
    {
        return TimeStep(static_cast<uint64_t>(IsPending() ? m_time - GetPacketTimeStep() : 0));
    }

  private:
    void Enter(WheelSimulatorImpl& simulator)
    {
        m_entryTime = m_time;
        m_entryOrder = m_order;
        simulator.Push(m_time, m_order, *this);
    }

    static void Run(IntrusiveEvent& event, uint64_t order)
    {
        static_cast<IntrusiveTimer&>(event).HandleEntry(order);
    }

    static void Drop(IntrusiveEvent& event)
    {
        static_cast<IntrusiveTimer&>(event).m_owner.Unref();
    }

    void HandleEntry(uint64_t order)
    {
        if (order == m_entryOrder)
        {
            m_entryOrder = 0;
            if (order == m_order)
            {
                m_order = 0;
                std::invoke(HANDLE, m_owner);
            }
            else if (m_order != 0)
            {
                // It was set anew since. The entry keeps its reference.
                Enter(*WheelSimulatorImpl::Get());
                return;
            }
        }
        m_owner.Unref();
    }

    template <std::size_t STAGE>
    static void Prefetch(const IntrusiveEvent& event)
    {
        const auto& timer = static_cast<const IntrusiveTimer&>(event);
        // Most entries of timers that are set anew all the time only move on.
        if (timer.m_order != 0 && timer.m_order == timer.m_entryOrder)
        {
            timer.m_owner.Prefetch(STAGE);
        }
    }

    static constexpr IntrusiveEventKind KIND{&IntrusiveTimer::Run,
                                             &IntrusiveTimer::Drop,
                                             {&IntrusiveTimer::Prefetch<0>,
                                              &IntrusiveTimer::Prefetch<1>,
                                              &IntrusiveTimer::Prefetch<2>,
                                              &IntrusiveTimer::Prefetch<3>}};

    Owner& m_owner;
    int64_t m_time{0};        ///< when it runs out, if it is pending
    uint64_t m_order{0};      ///< its place in the order then; 0: it is not pending
    int64_t m_entryTime{0};   ///< time of its entry in the event list that counts
    uint64_t m_entryOrder{0}; ///< place of that; 0: there is none
};

} // namespace ns3::coflow

#endif // COFLOW_INTRUSIVE_TIMER_H
