/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HEARTBEAT_H
#define COFLOW_HEARTBEAT_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

namespace ns3::coflow
{

/// Calls a function once per interval of real time while a simulation runs, to print progress, or
/// to let a user interrupt the run. The simulated time between two calls does not matter.
///
/// A thread measures the time and schedules an event at the present simulated time by
/// Simulator::ScheduleWithContext(), the only call of ns-3 for other threads. This event calls the
/// function in the simulation's thread. These events change no other event. A heartbeat must be
/// destroyed before the simulation is destroyed.
class Heartbeat
{
  public:
    /// @param beat called from an event of the simulation; an exception ends Simulator::Run()
    /// @param interval real time between two calls
    explicit Heartbeat(std::function<void()> beat,
                       std::chrono::nanoseconds interval = std::chrono::milliseconds(100));
    ~Heartbeat();

    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    /// @return events that the heartbeat itself has caused
    uint64_t GetNEvents() const;

  private:
    struct Shared;

    std::shared_ptr<Shared> m_shared; ///< shared with the thread, and with a scheduled event
    std::thread m_thread;
};

} // namespace ns3::coflow

#endif // COFLOW_HEARTBEAT_H
