/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HEARTBEAT_H
#define COFLOW_HEARTBEAT_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <chrono>
#include <cstdint>
#include <functional>

namespace ns3::coflow
{

/// Calls a function about every 100 ms of real time while a simulation runs: to tell progress, or
/// to let a user interrupt it. Its events change no other event. It has to be gone before the
/// simulation is destroyed.
class Heartbeat
{
  public:
    /// @param beat called from within the simulation; what it throws ends Simulator::Run()
    explicit Heartbeat(std::function<void()> beat);
    ~Heartbeat();

    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    /// @return events that the heartbeat itself has caused
    uint64_t GetNEvents() const;

  private:
    using Clock = std::chrono::steady_clock;

    void Beat();

    std::function<void()> m_beat;
    Clock::time_point m_last;
    Time m_interval; ///< simulated time between two beats, adapted to real time
    EventId m_next;
    uint64_t m_nEvents{0};
};

} // namespace ns3::coflow

#endif // COFLOW_HEARTBEAT_H
