/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LIGHT_SCHEDULE_H
#define COFLOW_LIGHT_SCHEDULE_H

#include "ns3/coflow-light-event.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>

namespace ns3::coflow
{

/// Schedules a light event with a simulator that knows only its own: slower.
/// @return the event's place in the order of events
uint64_t ScheduleHeavily(LightEvent& event, int64_t delay);

/// Schedules a light event.
/// @param event the event
/// @param delay how long from now, in steps
inline void
ScheduleLight(LightEvent& event, int64_t delay)
{
    if (auto* simulator = WheelSimulatorImpl::Get())
    {
        simulator->Push(simulator->GetNetworkTimeStep() + delay, simulator->TakeOrder(), event);
        return;
    }
    ScheduleHeavily(event, delay);
}

/// @return network time, in steps: Simulator::Now() less what was jumped over
inline int64_t
GetNetworkTimeStep()
{
    const auto* simulator = WheelSimulatorImpl::Get();
    return simulator ? simulator->GetNetworkTimeStep() : Simulator::Now().GetTimeStep();
}

/// @return network time
inline Time
GetNetworkTime()
{
    return TimeStep(static_cast<uint64_t>(GetNetworkTimeStep()));
}

} // namespace ns3::coflow

#endif // COFLOW_LIGHT_SCHEDULE_H
