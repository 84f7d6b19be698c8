/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PACKET_TIMER_H
#define COFLOW_PACKET_TIMER_H

#include "ns3/coflow-intrusive-timer.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace ns3::coflow
{

/// What an application does after a while of packet time (see WheelSimulatorImpl), as
/// Simulator::Schedule() does it after a while of simulation time. It may be destroyed while it is
/// pending, and then does nothing.
class PacketTimer
{
  public:
    PacketTimer() = default;

    ~PacketTimer()
    {
        Cancel();
    }

    /// What a handler will touch.
    struct Touched
    {
        const void* object{nullptr};
        /// Brings it to the cache, with the stages of IntrusiveEventKind::prefetch. Called while
        /// the timer is pending only. Or null.
        void (*prefetch)(const void* object, std::size_t stage){nullptr};
    };

    PacketTimer(const PacketTimer&) = delete;
    PacketTimer& operator=(const PacketTimer&) = delete;

    /// Sets it, whether it is pending or not.
    /// @param node id of the node that it is at
    /// @param delay how long from now
    /// @param handler what is done then
    /// @param touched what that will touch
    void Schedule(uint32_t node, Time delay, std::function<void()> handler, Touched touched)
    {
        if (!m_body)
        {
            m_body = Create<Body>(node);
        }
        m_body->handler = std::move(handler);
        m_body->touched = touched;
        m_body->timer.Schedule(delay);
    }

    /// The same, where it is not known what the handler will touch.
    void Schedule(uint32_t node, Time delay, std::function<void()> handler)
    {
        Schedule(node, delay, std::move(handler), Touched());
    }

    void Cancel()
    {
        if (m_body)
        {
            m_body->timer.Cancel();
        }
    }

    /// Cancels it, and gives its memory back: it will not be set for long.
    void Release()
    {
        Cancel();
        m_body = nullptr;
    }

    /// @return whether it will run out
    bool IsPending() const
    {
        return m_body && m_body->timer.IsPending();
    }

  private:
    /// What the event list holds.
    struct Body : public SimpleRefCount<Body>
    {
        explicit Body(uint32_t node)
            : timer(*this, node)
        {
        }

        void Run()
        {
            // It may be set anew, or destroyed, from within.
            const auto run = handler;
            run();
        }

        void Prefetch(std::size_t stage) const
        {
            if (touched.prefetch)
            {
                touched.prefetch(touched.object, stage);
            }
        }

        std::function<void()> handler;
        Touched touched;
        IntrusiveTimer<Body, &Body::Run> timer;
    };

    Ptr<Body> m_body; ///< none until it is set for the first time
};

} // namespace ns3::coflow

#endif // COFLOW_PACKET_TIMER_H
