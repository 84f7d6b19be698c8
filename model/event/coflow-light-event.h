/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LIGHT_EVENT_H
#define COFLOW_LIGHT_EVENT_H

#include <cstdint>

namespace ns3::coflow
{

struct LightEvent;

/// What the events of one kind do. One constant of it serves all events of the kind.
struct LightEventKind
{
    /// The event's time has come.
    /// @param event the event
    /// @param order its place among all events, as EventWheel::Entry has it
    void (*run)(LightEvent& event, uint64_t order);

    /// The event list lets go of an event that it will not run.
    void (*drop)(LightEvent& event);

    /// The event will run soon, and is in the cache: brings to the cache what it will touch
    /// besides itself. Null: it touches nothing else.
    void (*prefetch)(const LightEvent& event);

    /// Likewise, some events later: what is found by looking at what was brought by then. Or null.
    void (*prefetchFurther)(const LightEvent& event);
};

/// An event that is part of what it happens to, a packet or a connection. Scheduling it allocates
/// nothing. The event list holds no reference: who schedules it stays until it has run or was
/// dropped.
struct LightEvent
{
    const LightEventKind* kind{nullptr};
    uint32_t context{UINT32_MAX}; ///< id of the node that it happens at; or none
};

} // namespace ns3::coflow

#endif // COFLOW_LIGHT_EVENT_H
