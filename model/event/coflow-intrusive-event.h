/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_INTRUSIVE_EVENT_H
#define COFLOW_INTRUSIVE_EVENT_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::coflow
{

struct IntrusiveEvent;

/// The functions of one kind of events. All events of the kind share one constant.
struct IntrusiveEventKind
{
    /// Runs the event.
    /// @param event the event
    /// @param order position of the event among all events, as in EventWheel::Entry
    void (*run)(IntrusiveEvent& event, uint64_t order);

    /// Called when the event list removes an event that it will not run.
    void (*drop)(IntrusiveEvent& event);

    static constexpr std::size_t STAGES = 4; ///< number of stages of `prefetch`

    /// Called when the event will run soon and is in the cache. These functions prefetch other
    /// memory that the event will touch. Each stage is called some events after the stage before,
    /// so that a stage can follow pointers that the stage before has prefetched. Null: no function.
    std::array<void (*)(const IntrusiveEvent& event), STAGES> prefetch{};
};

/// An event that is a member or a base of the object that it happens to, such as a packet or a
/// connection. Scheduling needs no allocation. The event list has no reference to the object, which
/// must exist until the event has run or was dropped.
struct IntrusiveEvent
{
    const IntrusiveEventKind* kind{nullptr}; ///< functions of the event
    uint32_t context{UINT32_MAX};            ///< id of the event's node; UINT32_MAX: none
};

} // namespace ns3::coflow

#endif // COFLOW_INTRUSIVE_EVENT_H
