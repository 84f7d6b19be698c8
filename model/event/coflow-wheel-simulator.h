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

/// A simulator for ns-3 whose event list also takes intrusive events. The order of all events is
/// ns-3's: by time, then in the order in which they were scheduled. For users of ns3::Simulator it
/// behaves as ns3::DefaultSimulatorImpl, with two exceptions: an event scheduler of ns-3 is not
/// used, and PreEventHook() is not called.
///
/// **Two clocks.** Intrusive events happen in *packet time*. Events of ns-3 happen in *simulation
/// time*, which is Simulator::Now(). Both times are equal until the first JumpOver(). JumpOver()
/// advances simulation time and not packet time, over a time in which all flows keep their rates.
/// So packets and timers in the network need not be moved. The caller of JumpOver() adds the bytes
/// that flows would have sent.
///
/// Install() must be called before any other use of the simulator.
class WheelSimulatorImpl final : public SimulatorImpl
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    WheelSimulatorImpl();

    /// Makes this class the simulator, unless another simulator is in use.
    /// @return whether this class is the simulator
    static bool Install();

    /// @return the simulator, if it has this class; otherwise null
    static WheelSimulatorImpl* Get()
    {
        return s_instance;
    }

    /// @return packet time, in time steps
    int64_t GetPacketTimeStep() const
    {
        return m_time - m_skipped;
    }

    /// Allows jumps over time from now on. To be called before the simulation runs.
    void AllowJumps();

    /// Jumps over time: advances simulation time and not packet time.
    /// @param steps duration in time steps, at most GetTimeToNs3Event(); only after AllowJumps()
    void JumpOver(int64_t steps);

    /// @return time from now to the next event of ns-3, in time steps; INT64_MAX: there is none.
    ///         Only after AllowJumps()
    int64_t GetTimeToNs3Event();

    /// Prevents jumps until RemoveInhibitor() was called as often, because applications wait for a
    /// packet, such as a message.
    void AddInhibitor()
    {
        ++m_inhibitors;
    }

    /// Ends the effect of one AddInhibitor(): the packet has arrived, or is lost.
    void RemoveInhibitor()
    {
        --m_inhibitors;
    }

    /// @return whether jumps are prevented
    bool IsInhibited() const
    {
        return m_inhibitors > 0;
    }

    /// @return sum of all jumps, in time steps
    int64_t GetSkipped() const
    {
        return m_skipped;
    }

    /// While an object of this class exists, Simulator::Now() returns packet time, for congestion
    /// controls of ns-3, which store times.
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

    /// Takes the position in the order of events that an event scheduled now would have.
    /// @return the position
    uint64_t TakeOrder()
    {
        const uint64_t order = m_nextOrder++;
        // Four numbers have special meanings in ns-3's EventId, which has the lower half.
        return static_cast<uint32_t>(order) < FIRST_ORDER ? SkipOrders() : order;
    }

    /// Schedules an intrusive event at a position in the order that was taken.
    /// @param time packet time of the event, in time steps; not before now
    /// @param order the position
    /// @param event the event
    void Push(int64_t time, uint64_t order, IntrusiveEvent& event)
    {
        m_wheel.Push({time, order, &event});
    }

    // Inherited from SimulatorImpl.
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

    /// @return the number of events in GetEventCount() that another thread has scheduled for the
    ///         present time. The number depends on the speed of the machine
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

    /// Compares events for a heap with the first event on top.
    struct IsLater
    {
        bool operator()(const EventWheel::Entry& a, const EventWheel::Entry& b) const
        {
            return a.time != b.time ? a.time > b.time : a.order > b.order;
        }
    };

    /// A list of few events whose first event is always accessible.
    using Ns3EventList =
        std::priority_queue<EventWheel::Entry, std::vector<EventWheel::Entry>, IsLater>;

    static constexpr uint32_t FIRST_ORDER = 4; ///< EventId::UID::VALID

    static const IntrusiveEventKind NS3_EVENT;

    static void RunNs3Event(IntrusiveEvent& event, uint64_t order);
    static void DropNs3Event(IntrusiveEvent& event);

    uint64_t SkipOrders();
    /// @return whether the event is a removed event of ns-3, which is then dropped
    bool DropIfRemoved(IntrusiveEvent& event);
    /// Removes events that are removed or cancelled from the front of m_ns3List.
    void DropIdleNs3Events();
    /// Removes the next event.
    /// @return the event, with its simulation time
    EventWheel::Entry Take();
    /// @return the order of the event
    uint64_t Insert(uint32_t context, int64_t delay, EventImpl* event);
    Ns3Event* TakeNs3Event();
    void ReturnNs3Event(Ns3Event& event);
    /// @return events that other threads have scheduled since the last call
    std::vector<ForeignEvent> TakeForeignEvents();
    /// Runs foreign events of the present time, and adds the others to the list.
    void RunForeignEvents();

    static WheelSimulatorImpl* s_instance;

    EventWheel m_wheel;       ///< intrusive events in packet time; all events without AllowJumps()
    Ns3EventList m_ns3List;   ///< ns-3's events in simulation time, after AllowJumps()
    bool m_split{false};      ///< m_wheel has packet time, and m_ns3List simulation time
    int64_t m_skipped{0};     ///< simulation time minus packet time
    int64_t m_clockOffset{0}; ///< simulation time minus Now()
    uint64_t m_inhibitors{0}; ///< number of AddInhibitor() without RemoveInhibitor()
    int64_t m_time{0};        ///< simulation time
    uint64_t m_nextOrder{FIRST_ORDER};
    uint64_t m_order{0};            ///< order of the event that runs, or ran last
    uint32_t m_context{UINT32_MAX}; ///< context of this event
    uint64_t m_eventCount{0};
    uint64_t m_foreignEventCount{0};
    bool m_stop{false};
    std::list<EventId> m_destroyEvents;
    std::vector<std::unique_ptr<Ns3Event>> m_ns3Events; ///< all objects, used and free
    Ns3Event* m_freeNs3Event{nullptr};
    std::unordered_set<const EventImpl*> m_removed; ///< removed events in the list
    std::atomic<bool> m_hasForeign{false};
    std::mutex m_foreignMutex;
    std::vector<ForeignEvent> m_foreign;
    std::thread::id m_mainThread;
};

} // namespace ns3::coflow

#endif // COFLOW_WHEEL_SIMULATOR_H
