/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_QUEUE_H
#define COFLOW_RUN_QUEUE_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>

namespace ns3::coflow
{

/// When a coordinator computes schedules: one at a time, each for a while. All requests that come
/// during a run get one more run together, right afterwards. Requests of the same moment get one
/// run together.
class RunQueue
{
  public:
    /// @param delay how long a run takes
    /// @param begin looks at the state and computes; called when a run begins
    /// @param end puts the outcome to use; called when it is computed
    RunQueue(Time delay, std::function<void()> begin, std::function<void()> end);
    ~RunQueue();

    RunQueue(const RunQueue&) = delete;
    RunQueue& operator=(const RunQueue&) = delete;

    /// Asks for a run, unless an earlier one is asked for. No such request is lost.
    /// @param delay until the run; 0: as soon as possible
    void Request(Time delay = Time());

    /// Replaces the time at which there is to be a run even if nothing happens.
    void SetTimer(Time at);

    /// Begins no run until Resume() was called as often as Hold(). A run that is being computed
    /// goes on. Requests that come meanwhile get one run afterwards.
    void Hold();

    /// Ends one Hold().
    void Resume();

  private:
    /// @return whether no run may begin now
    bool IsBusy() const;
    void Begin();
    void End();

    std::function<void()> m_begin; ///< looks at the state
    std::function<void()> m_end;   ///< puts the outcome to use
    Time m_delay;                  ///< how long a run takes
    EventId m_start;               ///< begins a run that was asked for
    EventId m_timer;               ///< begins a run though nothing happened
    EventId m_finish;              ///< ends the run that is being computed
    bool m_again{false};           ///< one more run afterwards
    uint32_t m_holds{0};           ///< Hold() without Resume()
};

} // namespace ns3::coflow

#endif // COFLOW_RUN_QUEUE_H
