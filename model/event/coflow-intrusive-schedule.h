/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_INTRUSIVE_SCHEDULE_H
#define COFLOW_INTRUSIVE_SCHEDULE_H

#include "ns3/coflow-intrusive-event.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3::coflow
{

/// Schedules an intrusive event as an event of ns-3, with a simulator other than
/// WheelSimulatorImpl. This is slower.
/// @param event the event
/// @param delay delay from now, in time steps
/// @return the event's position in the order of events
uint64_t ScheduleThroughNs3(IntrusiveEvent& event, int64_t delay);

/// Schedules an intrusive event.
/// @param event the event
/// @param delay delay from now, in time steps
inline void
ScheduleIntrusive(IntrusiveEvent& event, int64_t delay)
{
    if (auto* simulator = WheelSimulatorImpl::Get())
    {
        simulator->Push(simulator->GetPacketTimeStep() + delay, simulator->TakeOrder(), event);
        return;
    }
    ScheduleThroughNs3(event, delay);
}

/// @return packet time, in time steps: Simulator::Now() minus the time that was jumped over
inline int64_t
GetPacketTimeStep()
{
    const auto* simulator = WheelSimulatorImpl::Get();
    return simulator ? simulator->GetPacketTimeStep() : Simulator::Now().GetTimeStep();
}

/// @return packet time
inline Time
GetPacketTime()
{
    return TimeStep(static_cast<uint64_t>(GetPacketTimeStep()));
}

} // namespace ns3::coflow

#endif // COFLOW_INTRUSIVE_SCHEDULE_H
