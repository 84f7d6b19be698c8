/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EVENT_GROUP_H
#define COFLOW_EVENT_GROUP_H

#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <utility>
#include <vector>

namespace ns3::coflow
{

/// Events that are cancelled together.
class EventGroup
{
  public:
    EventGroup() = default;

    /// Cancels the events that have not happened.
    ~EventGroup()
    {
        for (auto& event : m_events)
        {
            event.Cancel();
        }
    }

    EventGroup(const EventGroup&) = delete;
    EventGroup& operator=(const EventGroup&) = delete;

    /// Schedules an event, as Simulator::Schedule() does.
    /// @param delay delay from now
    /// @param arguments function of the event and its arguments
    template <class... Arguments>
    void Schedule(Time delay, Arguments&&... arguments)
    {
        if (m_events.size() == m_events.capacity())
        {
            // Seldom, and at least half of the capacity is free afterwards.
            std::erase_if(m_events, [](const EventId& event) { return event.IsExpired(); });
            m_events.reserve(2 * m_events.size() + 1);
        }
        m_events.push_back(Simulator::Schedule(delay, std::forward<Arguments>(arguments)...));
    }

  private:
    std::vector<EventId> m_events; ///< events; some may have happened
};

} // namespace ns3::coflow

#endif // COFLOW_EVENT_GROUP_H
