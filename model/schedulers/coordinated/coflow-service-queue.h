/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SERVICE_QUEUE_H
#define COFLOW_SERVICE_QUEUE_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstddef>
#include <deque>
#include <functional>

namespace ns3::coflow
{

/// Work of a process that does one thing at a time, each of which takes the same time; what comes
/// meanwhile waits its turn, first in, first out.
class ServiceQueue
{
  public:
    ~ServiceQueue();

    /// @param time that a piece of work takes; 0: it is done at once
    void SetServiceTime(Time time);

    /// @return whether work takes no time
    bool IsInstant() const
    {
        return m_serviceTime.IsZero();
    }

    /// Takes a piece of work. With a service time of 0 it is done before this returns; otherwise
    /// when all that came before is done and the service time has passed.
    void Add(std::function<void()> work);

    /// Forgets what waits.
    void Clear();

    /// @return the longest time that a piece of work waited and was served, in all
    Time GetLongestDelay() const;

    /// @return the time for which there was work
    Time GetBusyTime() const;

  private:
    /// A piece of work.
    struct Item
    {
        std::function<void()> work; ///< what is to be done
        Time since;                 ///< when it came
    };

    /// The first piece of work is done.
    void Serve();

    Time m_serviceTime;       ///< of a piece of work
    std::deque<Item> m_items; ///< what waits, the one that is served first
    EventId m_next;           ///< Serve()
    Time m_longestDelay;      ///< GetLongestDelay()
    Time m_busyTime;          ///< GetBusyTime()
};

} // namespace ns3::coflow

#endif // COFLOW_SERVICE_QUEUE_H
