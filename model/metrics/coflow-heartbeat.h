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

/// Calls a function once per interval of real time while a simulation runs: to tell progress, or to
/// let a user interrupt it. How much simulated time passes meanwhile does not matter.
///
/// A thread measures the time and asks the simulator for an event at the present simulated time,
/// which is the one thing that ns-3 lets another thread do (Simulator::ScheduleWithContext()). The
/// function is called from that event, in the simulation's thread. These events change no other
/// event. A heartbeat has to be gone before the simulation is destroyed.
class Heartbeat
{
  public:
    /// @param beat called from within the simulation; what it throws ends Simulator::Run()
    /// @param interval of real time between two calls
    explicit Heartbeat(std::function<void()> beat,
                       std::chrono::nanoseconds interval = std::chrono::milliseconds(100));
    ~Heartbeat();

    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    /// @return events that the heartbeat itself has caused
    uint64_t GetNEvents() const;

  private:
    struct Shared;

    std::shared_ptr<Shared> m_shared; ///< with the thread, and with an event that is on its way
    std::thread m_thread;
};

} // namespace ns3::coflow

#endif // COFLOW_HEARTBEAT_H
