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

    /// @return the time, in steps
    int64_t GetTimeStep() const
    {
        return m_time;
    }

    /// Takes the place in the order of events that an event scheduled now would have.
    /// @return the place
    uint64_t TakeOrder()
    {
        const uint64_t order = m_nextOrder++;
        // Four numbers mean something else in the EventId of ns-3, which holds the lower half.
        return static_cast<uint32_t>(order) < FIRST_ORDER ? SkipOrders() : order;
    }

    /// Schedules a light event at a place in the order that was taken.
    /// @param time when, in steps; not before now
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
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

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

    static constexpr uint32_t FIRST_ORDER = 4; ///< EventId::UID::VALID

    static const LightEventKind HEAVY;

    static void RunHeavy(LightEvent& event, uint64_t order);
    static void DropHeavy(LightEvent& event);

    uint64_t SkipOrders();
    /// @return the order that the event has or had
    uint64_t Insert(uint32_t context, int64_t delay, EventImpl* event);
    HeavyEvent* TakeHeavy();
    void ReturnHeavy(HeavyEvent& event);
    /// Schedules what other threads have given.
    void TakeForeignEvents();

    static WheelSimulatorImpl* s_instance;

    EventWheel m_wheel;
    int64_t m_time{0};
    uint64_t m_nextOrder{FIRST_ORDER};
    uint64_t m_order{0};            ///< of the event that runs, or ran last
    uint32_t m_context{UINT32_MAX}; ///< of that event
    uint64_t m_eventCount{0};
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
