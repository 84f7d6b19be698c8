/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-wheel-simulator.h"

#include "ns3/assert.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(WheelSimulatorImpl);

WheelSimulatorImpl* WheelSimulatorImpl::s_instance = nullptr;

const IntrusiveEventKind WheelSimulatorImpl::NS3_EVENT{&WheelSimulatorImpl::RunNs3Event,
                                                       &WheelSimulatorImpl::DropNs3Event,
                                                       {}};

TypeId
WheelSimulatorImpl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::WheelSimulatorImpl")
                            .SetParent<SimulatorImpl>()
                            .SetGroupName("Coflow")
                            .AddConstructor<WheelSimulatorImpl>();
    return tid;
}

WheelSimulatorImpl::WheelSimulatorImpl()
    : m_mainThread(std::this_thread::get_id())
{
    s_instance = this;
}

bool
WheelSimulatorImpl::Install()
{
    // ns-3 has no function that checks for a simulator without creating one. So the class of a new
    // simulator is set first, and then the class of the simulator is checked.
    const std::string name = "SimulatorImplementationType";
    StringValue before;
    GlobalValue::GetValueByName(name, before);
    if (before.Get() == "ns3::DefaultSimulatorImpl")
    {
        GlobalValue::Bind(name, StringValue(GetTypeId().GetName()));
    }
    const auto simulator = Simulator::GetImplementation();
    GlobalValue::Bind(name, before);
    return DynamicCast<WheelSimulatorImpl>(simulator) != nullptr;
}

void
WheelSimulatorImpl::DoDispose()
{
    for (const auto& event : TakeForeignEvents())
    {
        event.event->Unref();
    }
    while (!m_wheel.IsEmpty())
    {
        IntrusiveEvent& event = *m_wheel.Pop().event;
        event.kind->drop(event);
    }
    for (; !m_ns3List.empty(); m_ns3List.pop())
    {
        DropNs3Event(*m_ns3List.top().event);
    }
    m_removed.clear();
    if (s_instance == this)
    {
        s_instance = nullptr;
    }
    SimulatorImpl::DoDispose();
}

void
WheelSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        const Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        if (!event->IsCancelled())
        {
            event->Invoke();
        }
    }
}

uint64_t
WheelSimulatorImpl::SkipOrders()
{
    m_nextOrder = (m_nextOrder & ~uint64_t{UINT32_MAX}) + FIRST_ORDER;
    return m_nextOrder++;
}

WheelSimulatorImpl::Ns3Event*
WheelSimulatorImpl::TakeNs3Event()
{
    if (!m_freeNs3Event)
    {
        m_ns3Events.push_back(std::make_unique<Ns3Event>());
        m_ns3Events.back()->kind = &NS3_EVENT;
        return m_ns3Events.back().get();
    }
    Ns3Event* event = m_freeNs3Event;
    m_freeNs3Event = event->nextFree;
    return event;
}

void
WheelSimulatorImpl::ReturnNs3Event(Ns3Event& event)
{
    event.event = nullptr;
    event.nextFree = m_freeNs3Event;
    m_freeNs3Event = &event;
}

void
WheelSimulatorImpl::RunNs3Event(IntrusiveEvent& event, uint64_t /* order */)
{
    EventImpl* ns3Event = static_cast<Ns3Event&>(event).event;
    s_instance->ReturnNs3Event(static_cast<Ns3Event&>(event));
    ns3Event->Invoke();
    ns3Event->Unref();
}

void
WheelSimulatorImpl::DropNs3Event(IntrusiveEvent& event)
{
    static_cast<Ns3Event&>(event).event->Unref();
}

uint64_t
WheelSimulatorImpl::Insert(uint32_t context, int64_t delay, EventImpl* event)
{
    NS_ASSERT_MSG(delay >= 0, "an event is scheduled before now");
    Ns3Event* ns3Event = TakeNs3Event();
    ns3Event->event = event;
    ns3Event->context = context;
    const uint64_t order = TakeOrder();
    if (m_split)
    {
        m_ns3List.push({m_time + delay, order, ns3Event});
    }
    else
    {
        m_wheel.Push({m_time + delay, order, ns3Event});
    }
    return order;
}

EventId
WheelSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(m_mainThread == std::this_thread::get_id(), "Schedule() from another thread");
    const int64_t steps = delay.GetTimeStep();
    const auto uid = static_cast<uint32_t>(Insert(m_context, steps, event));
    return EventId(event, static_cast<uint64_t>(m_time + steps), m_context, uid);
}

void
WheelSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    if (m_mainThread == std::this_thread::get_id())
    {
        Insert(context, delay.GetTimeStep(), event);
        return;
    }
    const std::lock_guard lock(m_foreignMutex);
    m_foreign.push_back({context, delay.GetTimeStep(), event});
    m_hasForeign = true;
}

std::vector<WheelSimulatorImpl::ForeignEvent>
WheelSimulatorImpl::TakeForeignEvents()
{
    std::vector<ForeignEvent> events;
    const std::lock_guard lock(m_foreignMutex);
    events.swap(m_foreign);
    m_hasForeign = false;
    return events;
}

void
WheelSimulatorImpl::RunForeignEvents()
{
    for (const auto& event : TakeForeignEvents())
    {
        if (event.delay > 0)
        {
            Insert(event.context, event.delay, event.event);
            continue;
        }
        // The event list is not used, because an event in the list would end a jump over time, and
        // the time of a foreign event depends on the speed of the machine.
        m_context = event.context;
        ++m_eventCount;
        ++m_foreignEventCount;
        event.event->Invoke();
        event.event->Unref();
    }
}

EventId
WheelSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(TimeStep(0), event);
}

EventId
WheelSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    const EventId id(Ptr<EventImpl>(event, false),
                     static_cast<uint64_t>(m_time),
                     UINT32_MAX,
                     EventId::UID::DESTROY);
    m_destroyEvents.push_back(id);
    TakeOrder();
    return id;
}

void
WheelSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        const auto found = std::ranges::find(m_destroyEvents, id);
        if (found != m_destroyEvents.end())
        {
            m_destroyEvents.erase(found);
        }
    }
    else if (!IsExpired(id))
    {
        // The event stays in the list, but counts as removed.
        id.PeekEventImpl()->Cancel();
        m_removed.insert(id.PeekEventImpl());
    }
}

void
WheelSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
WheelSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        return std::ranges::find(m_destroyEvents, id) == m_destroyEvents.end();
    }
    const auto time = static_cast<uint64_t>(m_time);
    if (id.GetTs() != time)
    {
        return id.GetTs() < time;
    }
    // The orders of events of one time are close to each other, so their lower halves are enough
    // for a comparison.
    return static_cast<int32_t>(id.GetUid() - static_cast<uint32_t>(m_order)) <= 0;
}

bool
WheelSimulatorImpl::IsFinished() const
{
    return m_stop || m_wheel.GetSize() + m_ns3List.size() == m_removed.size();
}

void
WheelSimulatorImpl::Stop()
{
    m_stop = true;
}

EventId
WheelSimulatorImpl::Stop(const Time& delay)
{
    return Simulator::Schedule(delay, &Simulator::Stop);
}

void
WheelSimulatorImpl::AllowJumps()
{
    if (m_split)
    {
        return;
    }
    m_split = true;
    EventWheel light;
    while (!m_wheel.IsEmpty())
    {
        const EventWheel::Entry entry = m_wheel.Pop();
        if (entry.event->kind == &NS3_EVENT)
        {
            m_ns3List.push(entry);
        }
        else
        {
            light.Push(entry);
        }
    }
    m_wheel = std::move(light);
}

void
WheelSimulatorImpl::JumpOver(int64_t steps)
{
    NS_ASSERT_MSG(steps >= 0 && steps <= GetTimeToNs3Event(), "a jump over an event");
    m_skipped += steps;
    m_time += steps;
}

bool
WheelSimulatorImpl::DropIfRemoved(IntrusiveEvent& event)
{
    if (m_removed.empty() || event.kind != &NS3_EVENT ||
        m_removed.erase(static_cast<Ns3Event&>(event).event) == 0)
    {
        return false;
    }
    DropNs3Event(event);
    ReturnNs3Event(static_cast<Ns3Event&>(event));
    return true;
}

void
WheelSimulatorImpl::DropIdleNs3Events()
{
    while (!m_ns3List.empty())
    {
        auto& ns3Event = static_cast<Ns3Event&>(*m_ns3List.top().event);
        // A cancelled event must not end a jump.
        if (ns3Event.event->IsCancelled())
        {
            m_removed.erase(ns3Event.event);
            DropNs3Event(ns3Event);
            ReturnNs3Event(ns3Event);
            m_ns3List.pop();
            continue;
        }
        return;
    }
}

int64_t
WheelSimulatorImpl::GetTimeToNs3Event()
{
    DropIdleNs3Events();
    return m_ns3List.empty() ? INT64_MAX : m_ns3List.top().time - m_time;
}

EventWheel::Entry
WheelSimulatorImpl::Take()
{
    if (!m_ns3List.empty())
    {
        const EventWheel::Entry& first = m_ns3List.top();
        if (!m_wheel.HasOneBefore(first.time - m_skipped, first.order))
        {
            const EventWheel::Entry next = first;
            m_ns3List.pop();
            return next;
        }
    }
    EventWheel::Entry next = m_wheel.Pop();
    next.time += m_skipped;
    return next;
}

void
WheelSimulatorImpl::Run()
{
    m_mainThread = std::this_thread::get_id();
    m_stop = false;
    for (;;)
    {
        if (m_hasForeign.load(std::memory_order_relaxed))
        {
            RunForeignEvents();
        }
        if (m_stop || (m_wheel.IsEmpty() && m_ns3List.empty()))
        {
            return;
        }
        const EventWheel::Entry next = Take();
        IntrusiveEvent& event = *next.event;
        if (DropIfRemoved(event))
        {
            continue;
        }
        m_time = next.time;
        m_order = next.order;
        m_context = event.context;
        ++m_eventCount;
        event.kind->run(event, next.order);
    }
}

Time
WheelSimulatorImpl::Now() const
{
    return TimeStep(static_cast<uint64_t>(m_time - m_clockOffset));
}

Time
WheelSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? TimeStep(0) : TimeStep(id.GetTs() - static_cast<uint64_t>(m_time));
}

Time
WheelSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(INT64_MAX);
}

void
WheelSimulatorImpl::SetScheduler(ObjectFactory /* schedulerFactory */)
{
    // This class has its own event list.
}

} // namespace ns3::coflow
