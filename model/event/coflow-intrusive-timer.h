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

/// A timer that is set again far more often than the timer expires, such as TCP's timers. The timer
/// has an entry in the event list. If the timer was set again before the time of the entry, the
/// entry is then moved to the new time. The order among events of the same time is the order of an
/// ns-3 event that was scheduled when the timer was last set.
/// @tparam Owner class of the object that has the timer as a member. The event list has a reference
///         to the owner (Ref(), Unref()) while it has an entry of the timer. Before the timer
///         expires, Prefetch() of the owner is called with the stages of
///         IntrusiveEventKind::prefetch
/// @tparam HANDLE a member function of the owner, or a function that takes the owner; it is called
///         when the timer expires
template <typename Owner, auto HANDLE>
class IntrusiveTimer : private IntrusiveEvent
{
  public:
    /// @param owner the object that has the timer as a member
    /// @param node id of the owner's node
    IntrusiveTimer(Owner& owner, uint32_t node)
        : m_owner(owner)
    {
        kind = &KIND;
        context = node;
    }

    IntrusiveTimer(const IntrusiveTimer&) = delete;
    IntrusiveTimer& operator=(const IntrusiveTimer&) = delete;

    /// Sets the timer, whether or not it is pending.
    /// @param delay delay from now
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

    /// Cancels the timer. No effect if it is not pending.
    void Cancel()
    {
        m_order = 0;
    }

    /// @return whether the timer is set and will expire
    bool IsPending() const
    {
        return m_order != 0;
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
                // The timer was set again. The entry keeps its reference.
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
        // Most entries of timers that are set again often are only moved.
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
    int64_t m_time{0};        ///< time of expiry, if pending
    uint64_t m_order{0};      ///< position in the order of that time; 0: not pending
    int64_t m_entryTime{0};   ///< time of its valid entry in the event list
    uint64_t m_entryOrder{0}; ///< position of this entry; 0: no entry
};

} // namespace ns3::coflow

#endif // COFLOW_INTRUSIVE_TIMER_H
