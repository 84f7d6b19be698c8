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

/// An application's timer in packet time (see WheelSimulatorImpl). Simulator::Schedule() uses
/// simulation time. A timer that is destroyed while it is pending does not expire.
class PacketTimer
{
  public:
    PacketTimer() = default;

    ~PacketTimer()
    {
        Cancel();
    }

    PacketTimer(const PacketTimer&) = delete;
    PacketTimer& operator=(const PacketTimer&) = delete;

    /// Sets the timer, whether or not it is pending.
    /// @param node id of the application's node
    /// @param delay delay from now
    /// @param handler function that is called when the timer expires
    void Schedule(uint32_t node, Time delay, std::function<void()> handler)
    {
        if (!m_body)
        {
            m_body = Create<Body>(node);
        }
        m_body->handler = std::move(handler);
        m_body->timer.Schedule(delay);
    }

    /// Cancels the timer. No effect if it is not pending.
    void Cancel()
    {
        if (m_body)
        {
            m_body->timer.Cancel();
        }
    }

    /// Cancels the timer and frees its memory, for a timer that will not be set soon.
    void Release()
    {
        Cancel();
        m_body = nullptr;
    }

    /// @return whether the timer is set and will expire
    bool IsPending() const
    {
        return m_body && m_body->timer.IsPending();
    }

  private:
    /// The part that the event list has a reference to.
    struct Body : public SimpleRefCount<Body>
    {
        explicit Body(uint32_t node)
            : timer(*this, node)
        {
        }

        void Run()
        {
            // The handler may set or destroy the timer.
            const auto run = std::move(handler);
            run();
        }

        void Prefetch(std::size_t /* stage */) const
        {
        }

        std::function<void()> handler;
        IntrusiveTimer<Body, &Body::Run> timer;
    };

    Ptr<Body> m_body; ///< none until the timer is set for the first time
};

} // namespace ns3::coflow

#endif // COFLOW_PACKET_TIMER_H
