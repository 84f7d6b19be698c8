/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SERVICE_QUEUE_H
#define COFLOW_SERVICE_QUEUE_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>

namespace ns3::coflow
{

/// Work of a process that does one thing at a time. Every piece of work takes the same time. Work
/// that comes meanwhile waits, first in, first out.
///
/// Work may belong to a *party*, such as a connection. The waiting work of a party can be removed.
/// Newer work of a party can replace earlier work. With these two rules the queue stays short even
/// if work comes faster than it is done.
class ServiceQueue
{
  public:
    /// Names the party that a piece of work belongs to.
    using Party = uint32_t;

    ~ServiceQueue();

    /// Sets the time that a piece of work takes.
    /// @param time the time; 0: work is done at once
    void SetServiceTime(Time time);

    /// @return whether work takes no time
    bool IsInstant() const
    {
        return m_serviceTime.IsZero();
    }

    /// Adds a piece of work. With a service time of 0 the work is done before this call returns.
    /// Otherwise it is done when all earlier work is done and the service time has passed.
    /// @param work the work
    /// @param party the party of the work; none: no party
    void Add(std::function<void()> work, std::optional<Party> party = {});

    /// Adds work that replaces earlier work which Renew() took for the same party. If the earlier
    /// work waits or is being done, the new work has its place.
    /// @param work the work
    /// @param party the party of the work
    void Renew(std::function<void()> work, Party party);

    /// @param party a party
    /// @return whether work that Renew() has taken for the party waits or is being done
    bool IsRenewed(Party party) const;

    /// Calls a function when all work that waits now is done. The call takes no service time.
    /// @param then the function; it is called before WhenDone() returns where no work waits
    void WhenDone(std::function<void()> then);

    /// Removes the waiting work of a party. Work of the party that is being done takes its time and
    /// has no effect.
    /// @param party the party
    void Forget(Party party);

    /// Removes all work, and the functions of WhenDone().
    void Clear();

    /// @return longest sum of waiting time and service time so far, including work that is not done
    Time GetLongestDelay() const;

    /// @return sum of the service times of all work that is done
    Time GetBusyTime() const;

  private:
    /// A piece of work, or a function of WhenDone().
    struct Item
    {
        std::function<void()> work;   ///< function of the work
        Time since;                   ///< time at which the item was added
        bool takesTime;               ///< false: a function of WhenDone()
        bool renewed;                 ///< the item comes from Renew()
        std::optional<Party> party{}; ///< party of the work
    };

    using Items = std::list<Item>;

    /// Schedules the service of the first item, if there is one.
    void Start();
    /// Does the first item.
    void Serve();
    /// Removes the first item from the queue.
    /// @return the item
    Item Pop();

    Time m_serviceTime;                           ///< time that a piece of work takes
    Items m_items;                                ///< items that wait; the first one is served
    std::map<Party, Items::iterator> m_renewable; ///< items of Renew() by party
    EventId m_next;                               ///< event of the next Serve()
    Time m_longestDelay;                          ///< longest delay of items that are done
    Time m_busyTime;                              ///< sum of service times
};

} // namespace ns3::coflow

#endif // COFLOW_SERVICE_QUEUE_H
