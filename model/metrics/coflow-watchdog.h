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

/// Detects that a run makes no progress any more. A run makes no progress when for some time no
/// byte of a flow was delivered in order for the first time, no coflow was released, registered or
/// refused, no flow has started or finished, no coflow is going to arrive, and nothing else is
/// scheduled. Packets are not progress, because heartbeats, messages and TCP's retransmissions may
/// never end.
///
/// The watchdog checks four times per limit, and reads one number per host and check. Its events
/// change no other event. The watchdog must be destroyed before the simulation is destroyed.
class Watchdog
{
  public:
    /// @param tracker tracker of the run
    /// @param sinks sinks of all hosts
    /// @param limit returns the longest time without progress, > 0; called at every check, because
    ///        the limit may grow
    /// @param lastPlanned returns the time of the last scheduled action: arrivals, failures and
    ///        recoveries of processes, puts and gets
    /// @param stalled called once, at the end of the time without progress
    Watchdog(Ptr<const CoflowTracker> tracker,
             std::vector<Ptr<const CoflowSink>> sinks,
             std::function<Time()> limit,
             std::function<Time()> lastPlanned,
             std::function<void()> stalled);
    ~Watchdog();

    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// @return time of the last check that has seen progress
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
    /// @return a number that grows with every progress
    uint64_t Count() const;
    void Check();

    Ptr<const CoflowTracker> m_tracker;
    std::vector<Ptr<const CoflowSink>> m_sinks;
    std::function<Time()> m_limit;
    std::function<Time()> m_lastPlanned;
    std::function<void()> m_stalled;
    uint64_t m_count{0}; ///< Count() at the last progress
    Time m_lastProgress; ///< time of the check that has seen the last progress
    uint64_t m_nEvents{0};
    EventId m_next;
};

} // namespace ns3::coflow

#endif // COFLOW_WATCHDOG_H
