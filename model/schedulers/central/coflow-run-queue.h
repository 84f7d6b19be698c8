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

/// Starts the runs of a coordinator, which compute schedules: one at a time, each for a while. All
/// requests that come during a run cause one more run together, right afterwards. Requests of the
/// same time cause one run together.
class RunQueue
{
  public:
    /// @param delay duration of a run
    /// @param begin called when a run begins; reads the state and computes
    /// @param end called when a run ends; uses the outcome
    RunQueue(Time delay, std::function<void()> begin, std::function<void()> end);
    ~RunQueue();

    RunQueue(const RunQueue&) = delete;
    RunQueue& operator=(const RunQueue&) = delete;

    /// Requests a run. A run that is requested for an earlier time stays; one that is requested for
    /// a later time is moved.
    /// @param delay time until the run; 0: as soon as possible
    void Request(Time delay = Time());

    /// Sets the time of the next run without a request.
    /// @param at the time
    void SetTimer(Time at);

    /// Prevents new runs until Resume() was called as often as Hold(). A run that is being computed
    /// goes on. Requests that come meanwhile cause one run afterwards.
    void Hold();

    /// Ends one Hold().
    void Resume();

  private:
    /// @return whether no run may begin now
    bool IsBusy() const;
    void Begin();
    void End();

    std::function<void()> m_begin; ///< function that begins a run
    std::function<void()> m_end;   ///< function that ends a run
    Time m_delay;                  ///< duration of a run
    EventId m_start;               ///< start of a requested run
    EventId m_timer;               ///< start of a run without a request
    EventId m_finish;              ///< end of the run that is being computed
    bool m_again{false};           ///< one more run follows the present one
    uint32_t m_holds{0};           ///< number of Hold() without Resume()
};

} // namespace ns3::coflow

#endif // COFLOW_RUN_QUEUE_H
