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
/// that comes meanwhile waits its turn, first in, first out.
///
/// Work may belong to a *party*, such as a connection. The work of a party can be forgotten. Newer
/// work of a party can replace older work that it makes needless. With these two rules the queue
/// stays short even if work comes faster than it is done.
class ServiceQueue
{
  public:
    /// Names the party that a piece of work belongs to.
    using Party = uint32_t;

    ~ServiceQueue();

    /// @param time that a piece of work takes; 0: it is done at once
    void SetServiceTime(Time time);

    /// @return whether work takes no time
    bool IsInstant() const
    {
        return m_serviceTime.IsZero();
    }

    /// Takes a piece of work. With a service time of 0 it is done before this returns. Otherwise it
    /// is done when all earlier work is done and the service time has passed.
    /// @param work the work
    /// @param party the party that it belongs to
    void Add(std::function<void()> work, std::optional<Party> party = {});

    /// Takes a piece of work that makes an earlier one of this function and of the same party
    /// needless. If the earlier one waits, or is being done, the new one takes its place.
    /// @param work the work
    /// @param party the party that it belongs to
    void Renew(std::function<void()> work, Party party);

    /// @param party a party
    /// @return whether work waits or is being done that Renew() has taken for it
    bool IsRenewed(Party party) const;

    /// Calls a function as soon as all work is done that waits now. That takes no time.
    /// @param then the function; with nothing to wait for it is called before this returns
    void WhenDone(std::function<void()> then);

    /// Forgets the waiting work of a party. Work of the party that is being done takes its time and
    /// has no effect.
    /// @param party the party
    void Forget(Party party);

    /// Forgets all that waits, and the functions that WhenDone() was to call.
    void Clear();

    /// @return the longest time that a piece of work waited and was served, in all, or has waited
    ///         so far
    Time GetLongestDelay() const;

    /// @return the time for which there was work
    Time GetBusyTime() const;

  private:
    /// A piece of work, or a function that WhenDone() is to call.
    struct Item
    {
        std::function<void()> work;   ///< what is to be done
        Time since;                   ///< when it came
        bool takesTime;               ///< false: of WhenDone()
        bool renewed;                 ///< of Renew()
        std::optional<Party> party{}; ///< the party that it belongs to
    };

    using Items = std::list<Item>;

    /// Sees to it that the first item is served, if there is one.
    void Start();
    /// The first item is done.
    void Serve();
    /// Takes the first item out of the queue.
    Item Pop();

    Time m_serviceTime;                           ///< of a piece of work
    Items m_items;                                ///< what waits, the one that is served first
    std::map<Party, Items::iterator> m_renewable; ///< items of Renew()
    EventId m_next;                               ///< Serve()
    Time m_longestDelay;                          ///< of what was served
    Time m_busyTime;                              ///< GetBusyTime()
};

} // namespace ns3::coflow

#endif // COFLOW_SERVICE_QUEUE_H
