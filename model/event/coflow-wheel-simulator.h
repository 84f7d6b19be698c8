/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WHEEL_SIMULATOR_H
#define COFLOW_WHEEL_SIMULATOR_H

#include "ns3/coflow-event-wheel.h"
#include "ns3/coflow-intrusive-event.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <unordered_set>
#include <vector>

namespace ns3::coflow
{

/// ns-3's simulator with an event list that also takes intrusive events, among those of ns-3 and in
/// the same order: by time, then by when they were scheduled. What uses ns3::Simulator sees no
/// difference to ns3::DefaultSimulatorImpl, but for a scheduler that it may have chosen, which is
/// not used, and PreEventHook(), which is not called.
///
/// **Two times.** Intrusive events happen in *packet time*, ns-3's events in *simulation time*,
/// which is what Simulator::Now() tells. Both are the same until JumpOver() jumps over a time in
/// which the network would repeat itself: then packet time stands still, and simulation time goes
/// on. So nothing in the network has to be moved, neither packets nor timers. Who jumps sees to it
/// that flows have got what they would have sent.
///
/// It is to be there before anything else touches the simulator: Install() does that.
class WheelSimulatorImpl final : public SimulatorImpl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    WheelSimulatorImpl();
    ~WheelSimulatorImpl() override;

    /// Makes this the simulator, unless there is another one.
    /// @return whether this is the simulator
    static bool Install();

    /// @return the simulator, where it is of this class; or null
    static WheelSimulatorImpl* Get()
    {
        return s_instance;
    }

    /// @return packet time, in time steps
    int64_t GetPacketTimeStep() const
    {
        return m_time - m_skipped;
    }

    /// From now on, time may be jumped over. To be called before the simulation runs.
    void AllowJumps();

    /// Jumps: simulation time goes on, packet time does not.
    /// @param steps how far; not beyond GetTimeToNs3Event(), and only after AllowJumps()
    void JumpOver(int64_t steps);

    /// @return how long from now, in time steps, the next event of ns-3 is; INT64_MAX: there is
    /// none.
    ///         Only after AllowJumps()
    int64_t GetTimeToNs3Event();

    /// Something is on its way in packet time that applications wait for, such as a message: time
    /// is not to be jumped over until RemoveInhibitor() was called as often.
    void AddInhibitor()
    {
        ++m_inhibitors;
    }

    /// What AddInhibitor() was called for has arrived, or is lost.
    void RemoveInhibitor()
    {
        --m_inhibitors;
    }

    /// @return whether time is not to be jumped over
    bool IsInhibited() const
    {
        return m_inhibitors > 0;
    }

    /// @return all that was jumped over, in time steps
    int64_t GetSkipped() const
    {
        return m_skipped;
    }

    /// As long as there is one, Simulator::Now() tells packet time: for ns-3's congestion
    /// controls, which remember when something was.
    class PacketClock
    {
      public:
        PacketClock()
            : m_simulator(s_instance),
              m_before(m_simulator ? m_simulator->m_clockOffset : 0)
        {
            if (m_simulator)
            {
                m_simulator->m_clockOffset = m_simulator->m_skipped;
            }
        }

        ~PacketClock()
        {
            if (m_simulator)
            {
                m_simulator->m_clockOffset = m_before;
            }
        }

        PacketClock(const PacketClock&) = delete;
        PacketClock& operator=(const PacketClock&) = delete;

      private:
        WheelSimulatorImpl* m_simulator;
        int64_t m_before;
    };

    /// Takes the place in the order of events that an event scheduled now would have.
    /// @return the place
    uint64_t TakeOrder()
    {
        const uint64_t order = m_nextOrder++;
        // Four numbers mean something else in the EventId of ns-3, which holds the lower half.
        return static_cast<uint32_t>(order) < FIRST_ORDER ? SkipOrders() : order;
    }

    /// Schedules an intrusive event at a place in the order that was taken.
    /// @param time when, in time steps of packet time; not before now
    /// @param order the place
    /// @param event the event
    void Push(int64_t time, uint64_t order, IntrusiveEvent& event)
    {
        m_wheel.Push({time, order, &event});
    }

    // Inherited.
    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    EventId Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;

    uint32_t GetSystemId() const override
    {
        return 0;
    }

    uint32_t GetContext() const override
    {
        return m_context;
    }

    uint64_t GetEventCount() const override
    {
        return m_eventCount;
    }

    /// @return those of GetEventCount() that another thread has given for the time when it did: how
    ///         many depends on how fast the machine is
    uint64_t GetForeignEventCount() const
    {
        return m_foreignEventCount;
    }

  protected:
    void DoDispose() override;

  private:
    /// An event of ns-3 in the list.
    struct Ns3Event : IntrusiveEvent
    {
        EventImpl* event{nullptr};
        Ns3Event* nextFree{nullptr};
    };

    /// An event that another thread has scheduled.
    struct ForeignEvent
    {
        uint32_t context;
        int64_t delay;
        EventImpl* event;
    };

    /// Orders events, the first on top of a heap.
    struct IsLater
    {
        bool operator()(const EventWheel::Entry& a, const EventWheel::Entry& b) const
        {
            return a.time != b.time ? a.time > b.time : a.order > b.order;
        }
    };

    /// A list whose first event may be looked at however far it is: there are few in it.
    using Ns3EventList =
        std::priority_queue<EventWheel::Entry, std::vector<EventWheel::Entry>, IsLater>;

    static constexpr uint32_t FIRST_ORDER = 4; ///< EventId::UID::VALID

    static const IntrusiveEventKind NS3_EVENT;

    static void RunNs3Event(IntrusiveEvent& event, uint64_t order);
    static void DropNs3Event(IntrusiveEvent& event);

    uint64_t SkipOrders();
    /// @return whether the event is one of ns-3 that is not to run; it is then let go
    bool DropIfRemoved(IntrusiveEvent& event);
    /// Takes events off the front of m_ns3List that do nothing.
    void DropIdleNs3Events();
    /// Takes the next event.
    /// @return it, its time in simulation time
    EventWheel::Entry Take();
    /// @return the order that the event has or had
    uint64_t Insert(uint32_t context, int64_t delay, EventImpl* event);
    Ns3Event* TakeNs3Event();
    void ReturnNs3Event(Ns3Event& event);
    /// @return events that other threads have given since the last call
    std::vector<ForeignEvent> TakeForeignEvents();
    /// Runs those that are due now, and puts the others into the list.
    void RunForeignEvents();

    static WheelSimulatorImpl* s_instance;

    EventWheel m_wheel; ///< intrusive events, in packet time; and all, unless time may be skipped
    Ns3EventList m_ns3List;   ///< otherwise: those of ns-3, in simulation time
    bool m_split{false};      ///< there are two lists
    int64_t m_skipped{0};     ///< simulation time less packet time
    int64_t m_clockOffset{0}; ///< simulation time less what Now() tells
    uint64_t m_inhibitors{0}; ///< why time is not to be jumped over
    int64_t m_time{0};        ///< simulation time
    uint64_t m_nextOrder{FIRST_ORDER};
    uint64_t m_order{0};            ///< of the event that runs, or ran last
    uint32_t m_context{UINT32_MAX}; ///< of that event
    uint64_t m_eventCount{0};
    uint64_t m_foreignEventCount{0};
    bool m_stop{false};
    std::list<EventId> m_destroyEvents;
    std::vector<std::unique_ptr<Ns3Event>> m_ns3Events; ///< all there are
    Ns3Event* m_freeNs3Event{nullptr};
    std::unordered_set<const EventImpl*> m_removed; ///< in the list, but to be passed over
    std::atomic<bool> m_hasForeign{false};
    std::mutex m_foreignMutex;
    std::vector<ForeignEvent> m_foreign;
    std::thread::id m_mainThread;
};

} // namespace ns3::coflow

#endif // COFLOW_WHEEL_SIMULATOR_H
