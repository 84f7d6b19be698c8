/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DAEMON_LIFE_H
#define COFLOW_DAEMON_LIFE_H

#include "ns3/coflow-life-table.h"

#include <cstddef>
#include <cstdint>

namespace coflow
{

/// State of a coflow at a daemon. Its driver is the application that registers the coflow.
enum class DaemonLifeState : std::uint8_t
{
    UNKNOWN,     ///< the driver is on another host, or has unregistered the coflow
    ASKED,       ///< the driver has registered the coflow, and waits for the coordinator's answer
    REGISTERED,  ///< the driver has its answer
    BEST_EFFORT, ///< the driver has its answer; the coflow was refused, and its flows are sent
    RELEASED,    ///< the flows are sent without the scheduler
};

/// An event in the life of a coflow at a daemon.
enum class DaemonLifeEvent : std::uint8_t
{
    REGISTERED,  ///< the driver registers it
    ACCEPTED,    ///< the coordinator answers that the coflow is registered
    LEFT,        ///< the driver unregisters it
    ALONE,       ///< the coordinator is silent, or the daemon dies, while a driver waits
    OVER,        ///< the coordinator says that the coflow is over
    BEST_EFFORT, ///< the coordinator says that the coflow was refused, and that its flows are sent
    DROPPED,     ///< the coordinator says that the flows are not sent
    RELEASED,    ///< the coordinator says that the flows are sent without the scheduler
};

inline constexpr std::size_t DAEMON_LIFE_STATES = 5; ///< number of DaemonLifeState
inline constexpr std::size_t DAEMON_LIFE_EVENTS = 8; ///< number of DaemonLifeEvent

/// The effect of an event.
enum class DaemonLifeAction : std::uint8_t
{
    NONE,     ///< none
    REGISTER, ///< the daemon registers the coflow with the coordinator
    ANSWER,   ///< the daemon answers the driver
    BYPASS,   ///< the daemon unregisters the coflow, and answers the driver: plain TCP
    WITHDRAW, ///< the daemon unregisters the coflow
    NOTIFY,   ///< the daemon answers a driver that waits; trace: refused, and sent
    FORGET,   ///< the daemon removes the limits of the coflow's flows, and forgets the flows
    RELEASE,  ///< FORGET, and the daemon answers a driver that waits: plain TCP
    CANCEL,   ///< the daemon cancels the coflow's flows
    REFUSE,   ///< CANCEL, and the daemon unregisters the coflow; trace: refused
};

/// The effect of an event in a state.
using DaemonLifeStep = LifeTableStep<DaemonLifeState, DaemonLifeAction>;

/// @return the effect of an event in a state; every event can happen in every state
DaemonLifeStep GetDaemonLifeStep(DaemonLifeState state, DaemonLifeEvent event);

/// @return whether the coordinator has a coflow in a state registered by this daemon's host
bool IsRegisteredHere(DaemonLifeState state);

} // namespace coflow

#endif // COFLOW_DAEMON_LIFE_H
