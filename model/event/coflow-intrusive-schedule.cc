/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-intrusive-schedule.h"

#include "ns3/event-impl.h"
#include "ns3/nstime.h"

#include <utility>

namespace ns3::coflow
{

namespace
{

/// An event of ns-3 that runs an intrusive event.
class Carrier final : public EventImpl
{
  public:
    Carrier(IntrusiveEvent& event, uint64_t order)
        : m_event(&event),
          m_order(order)
    {
    }

    ~Carrier() override
    {
        if (m_event)
        {
            m_event->kind->drop(*m_event);
        }
    }

  private:
    void Notify() override
    {
        IntrusiveEvent& event = *std::exchange(m_event, nullptr);
        event.kind->run(event, m_order);
    }

    IntrusiveEvent* m_event; ///< null after the event has begun to run
    uint64_t m_order;
};

} // namespace

uint64_t
ScheduleThroughNs3(IntrusiveEvent& event, int64_t delay)
{
    static uint64_t s_order = 0;
    const uint64_t order = ++s_order;
    Simulator::ScheduleWithContext(event.context,
                                   TimeStep(static_cast<uint64_t>(delay)),
                                   new Carrier(event, order));
    return order;
}

} // namespace ns3::coflow
