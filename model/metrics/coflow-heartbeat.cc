/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-heartbeat.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace ns3::coflow
{

/// What the thread and the simulation share.
struct Heartbeat::Shared
{
    std::function<void()> beat; ///< called by the simulation's thread alone
    std::mutex mutex;           ///< guards all that follows
    std::condition_variable changed;
    bool over{false};    ///< the heartbeat is gone: no more beats
    bool waiting{false}; ///< an event is on its way; a second one would only pile up
    uint64_t nEvents{0}; ///< events that have been executed

    /// The event.
    void Beat()
    {
        {
            const std::lock_guard lock(mutex);
            waiting = false;
            ++nEvents;
            if (over)
            {
                return;
            }
        }
        beat();
    }
};

Heartbeat::Heartbeat(std::function<void()> beat, std::chrono::nanoseconds interval)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->beat = std::move(beat);
    Simulator::Now(); // ns-3 makes the simulator at its first use, which must not be the thread's
    m_thread = std::thread([shared = m_shared, interval] {
        std::unique_lock lock(shared->mutex);
        while (!shared->changed.wait_for(lock, interval, [&shared] { return shared->over; }))
        {
            if (!shared->waiting)
            {
                shared->waiting = true;
                Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, Time(0), [shared] {
                    shared->Beat();
                });
            }
        }
    });
}

Heartbeat::~Heartbeat()
{
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->over = true;
    }
    m_shared->changed.notify_one();
    m_thread.join();
}

uint64_t
Heartbeat::GetNEvents() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->nEvents;
}

} // namespace ns3::coflow
