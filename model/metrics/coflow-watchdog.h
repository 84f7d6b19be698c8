/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WATCHDOG_H
#define COFLOW_WATCHDOG_H

#include "ns3/coflow-sink.h"
#include "ns3/coflow-tracker.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::coflow
{

/// Notices that nothing brings a coflow nearer to its end any more: for some time no byte of a flow
/// has been delivered in order for the first time, no coflow was released, registered or refused,
/// no flow has started or finished, no coflow is yet to arrive, and nothing else is planned.
/// Packets alone do not count: heartbeats, messages and what TCP repeats may go on for ever.
///
/// It looks four times in its limit, and reads one number per host and look. Its events change no
/// other event. It has to be gone before the simulation is destroyed.
class Watchdog
{
  public:
    /// @param tracker of the run
    /// @param sinks of all hosts
    /// @param limit says how long nothing may happen, > 0; asked at every look, as it may grow
    /// @param lastPlanned says when the last thing happens that is planned by now: arrivals,
    ///        deaths and returns of processes, puts and gets
    /// @param stalled called once, at the end of that time
    Watchdog(Ptr<const CoflowTracker> tracker,
             std::vector<Ptr<const CoflowSink>> sinks,
             std::function<Time()> limit,
             std::function<Time()> lastPlanned,
             std::function<void()> stalled);
    ~Watchdog();

    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// @return when it last saw that something had happened
    Time GetLastProgress() const
    {
        return m_lastProgress;
    }

    /// @return events that the watchdog itself has caused
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    /// @return a number that grows whenever something happens
    uint64_t Count() const;
    void Check();

    Ptr<const CoflowTracker> m_tracker;
    std::vector<Ptr<const CoflowSink>> m_sinks;
    std::function<Time()> m_limit;
    std::function<Time()> m_lastPlanned;
    std::function<void()> m_stalled;
    uint64_t m_count{0}; ///< Count() when something had last happened
    Time m_lastProgress; ///< when that was seen
    uint64_t m_nEvents{0};
    EventId m_next;
};

} // namespace ns3::coflow

#endif // COFLOW_WATCHDOG_H
