/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WHEEL_SIMULATOR_H
#define COFLOW_WHEEL_SIMULATOR_H

#include "ns3/coflow-event-wheel.h"
#include "ns3/coflow-light-event.h"
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

/// ns-3's simulator with an event list that also takes light events, among those of ns-3 and in the
/// same order: by time, then by when they were scheduled. What uses ns3::Simulator sees no
/// difference to ns3::DefaultSimulatorImpl, but for a scheduler that it may have chosen, which is
/// not used, and PreEventHook(), which is not called.
///
/// **Two times.** Light events happen in *network time*, ns-3's events in *world time*, which is
/// what Simulator::Now() tells. Both are the same until SkipTime() jumps over a time in which the
/// network would repeat itself: then network time stands still, and world time goes on. So nothing
/// in the network has to be moved, neither packets nor timers. Who jumps sees to it that flows have
/// got what they would have sent.
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

    /// @return network time, in steps
    int64_t GetNetworkTimeStep() const
    {
        return m_time - m_skipped;
    }

    /// From now on, time may be jumped over. To be called before the simulation runs.
    void AllowSkips();

    /// Jumps: world time goes on, network time does not.
    /// @param steps how far; not beyond GetNextWorldEvent(), and only after AllowSkips()
    void SkipTime(int64_t steps);

    /// @return how long from now, in steps, the next event of ns-3 is; INT64_MAX: there is none.
    ///         Only after AllowSkips()
    int64_t GetNextWorldEvent();

    /// Something is on its way in network time that the world waits for, such as a message: time is
    /// not to be jumped over until Release() was called as often.
    void Hold()
    {
        ++m_holds;
    }

    /// What Hold() was called for has arrived, or is lost.
    void Release()
    {
        --m_holds;
    }

    /// @return whether time is not to be jumped over
    bool IsHeld() const
    {
        return m_holds > 0;
    }

    /// @return all that was jumped over, in steps
    int64_t GetSkipped() const
    {
        return m_skipped;
    }

    /// As long as there is one, Simulator::Now() tells network time: for ns-3's congestion
    /// controls, which remember when something was.
    class NetworkClock
    {
      public:
        NetworkClock()
            : m_simulator(s_instance),
              m_before(m_simulator ? m_simulator->m_clockOffset : 0)
        {
            if (m_simulator)
            {
                m_simulator->m_clockOffset = m_simulator->m_skipped;
            }
        }

        ~NetworkClock()
        {
            if (m_simulator)
            {
                m_simulator->m_clockOffset = m_before;
            }
        }

        NetworkClock(const NetworkClock&) = delete;
        NetworkClock& operator=(const NetworkClock&) = delete;

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

    /// Schedules a light event at a place in the order that was taken.
    /// @param time when, in steps of network time; not before now
    /// @param order the place
    /// @param event the event
    void Push(int64_t time, uint64_t order, LightEvent& event)
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
    struct HeavyEvent : LightEvent
    {
        EventImpl* event{nullptr};
        HeavyEvent* nextFree{nullptr};
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
    using WorldList =
        std::priority_queue<EventWheel::Entry, std::vector<EventWheel::Entry>, IsLater>;

    static constexpr uint32_t FIRST_ORDER = 4; ///< EventId::UID::VALID

    static const LightEventKind HEAVY;

    static void RunHeavy(LightEvent& event, uint64_t order);
    static void DropHeavy(LightEvent& event);

    uint64_t SkipOrders();
    /// @return whether the event is one of ns-3 that is not to run; it is then let go
    bool DropIfRemoved(LightEvent& event);
    /// Takes events off the front of m_world that do nothing.
    void DropIdleWorldEvents();
    /// Takes the next event.
    /// @return it, its time in world time
    EventWheel::Entry Take();
    /// @return the order that the event has or had
    uint64_t Insert(uint32_t context, int64_t delay, EventImpl* event);
    HeavyEvent* TakeHeavy();
    void ReturnHeavy(HeavyEvent& event);
    /// @return events that other threads have given since the last call
    std::vector<ForeignEvent> TakeForeignEvents();
    /// Runs those that are due now, and puts the others into the list.
    void RunForeignEvents();

    static WheelSimulatorImpl* s_instance;

    EventWheel m_wheel;   ///< light events, in network time; and all, unless time may be skipped
    WorldList m_world;    ///< otherwise: those of ns-3, in world time
    bool m_split{false};  ///< there are two lists
    int64_t m_skipped{0}; ///< world time less network time
    int64_t m_clockOffset{0}; ///< world time less what Now() tells
    uint64_t m_holds{0};      ///< why time is not to be jumped over
    int64_t m_time{0};        ///< world time
    uint64_t m_nextOrder{FIRST_ORDER};
    uint64_t m_order{0};            ///< of the event that runs, or ran last
    uint32_t m_context{UINT32_MAX}; ///< of that event
    uint64_t m_eventCount{0};
    uint64_t m_foreignEventCount{0};
    bool m_stop{false};
    std::list<EventId> m_destroyEvents;
    std::vector<std::unique_ptr<HeavyEvent>> m_heavyEvents; ///< all there are
    HeavyEvent* m_freeHeavy{nullptr};
    std::unordered_set<const EventImpl*> m_removed; ///< in the list, but to be passed over
    std::atomic<bool> m_hasForeign{false};
    std::mutex m_foreignMutex;
    std::vector<ForeignEvent> m_foreign;
    std::thread::id m_mainThread;
};

} // namespace ns3::coflow

#endif // COFLOW_WHEEL_SIMULATOR_H
