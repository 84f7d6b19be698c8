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

/// What the events of one kind do. One constant of it serves all events of the kind.
struct IntrusiveEventKind
{
    /// The event's time has come.
    /// @param event the event
    /// @param order its place among all events, as EventWheel::Entry has it
    void (*run)(IntrusiveEvent& event, uint64_t order);

    /// The event list lets go of an event that it will not run.
    void (*drop)(IntrusiveEvent& event);

    static constexpr std::size_t STAGES = 4;

    /// The event will run soon, and is in the cache: these bring to the cache what it will touch
    /// besides itself. Each stage comes some events after the one before, and finds what it brings
    /// by looking at what is there by then. Null: nothing to bring.
    std::array<void (*)(const IntrusiveEvent& event), STAGES> prefetch{};
};

/// An event that is part of what it happens to, a packet or a connection. Scheduling it allocates
/// nothing. The event list holds no reference: who schedules it stays until it has run or was
/// dropped.
struct IntrusiveEvent
{
    const IntrusiveEventKind* kind{nullptr};
    uint32_t context{UINT32_MAX}; ///< id of the node that it happens at; or none
};

} // namespace ns3::coflow

#endif // COFLOW_INTRUSIVE_EVENT_H
