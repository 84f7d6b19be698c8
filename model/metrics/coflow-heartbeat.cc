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

/// The state that the thread and the simulation share.
struct Heartbeat::Shared
{
    std::function<void()> beat; ///< called only by the simulation's thread
    std::mutex mutex;           ///< guards all members below
    std::condition_variable changed;
    bool over{false};    ///< the heartbeat was destroyed: no more calls
    bool waiting{false}; ///< an event is scheduled, so no second event is needed
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
    Simulator::Now(); // the first use of ns-3's simulator creates it, and must not be in the thread
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
