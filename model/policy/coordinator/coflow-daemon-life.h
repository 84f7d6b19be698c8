/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DAEMON_LIFE_H
#define COFLOW_DAEMON_LIFE_H

#include "ns3/coflow-life-table.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace coflow
{

/// Where a coflow is in its life at a daemon.
enum class DaemonLifeState : std::uint8_t
{
    UNKNOWN,     ///< its driver is on another host, or has unregistered it
    ASKED,       ///< its driver has registered it, and waits for the coordinator's answer
    REGISTERED,  ///< its driver has been answered
    BEST_EFFORT, ///< the same; an admission control refused it, and its flows are sent
    RELEASED,    ///< its flows are sent without the scheduler
};

/// What happens to a coflow.
enum class DaemonLifeEvent : std::uint8_t
{
    REGISTERED,  ///< the driver registers it
    ACCEPTED,    ///< the coordinator answers that it is registered
    LEFT,        ///< the driver unregisters it
    ALONE,       ///< the coordinator is silent, or the daemon dies
    OVER,        ///< the coordinator says that it is over
    BEST_EFFORT, ///< the coordinator says that it was refused, and that its flows are sent
    DROPPED,     ///< the coordinator says that its flows are not sent
    RELEASED,    ///< the coordinator says that its flows are sent without the scheduler
};

inline constexpr std::size_t DAEMON_LIFE_STATES = 5; ///< number of DaemonLifeState
inline constexpr std::size_t DAEMON_LIFE_EVENTS = 8; ///< number of DaemonLifeEvent

/// What the daemon does.
enum class DaemonLifeAction : std::uint8_t
{
    NONE,     ///< nothing
    REGISTER, ///< it registers the coflow with the coordinator
    ANSWER,   ///< it answers the driver
    BYPASS,   ///< it unregisters the coflow; the driver is answered that its flows are plain TCP
    WITHDRAW, ///< it unregisters the coflow
    REPORT,   ///< it reports that the coflow was refused, and is sent
    FORGET,   ///< it removes the limits of the coflow's flows, and forgets the flows
    RELEASE,  ///< the same; a driver that waits is answered that its flows are plain TCP
    CANCEL,   ///< it cancels the coflow's flows
    REFUSE,   ///< the same; it unregisters the coflow, and reports that it was refused
};

/// What an event does in a state.
using DaemonLifeStep = LifeTableStep<DaemonLifeState, DaemonLifeAction>;

/// @return what an event does in a state; every event can happen in every state
DaemonLifeStep GetDaemonLifeStep(DaemonLifeState state, DaemonLifeEvent event);

/// @return whether the coordinator has a coflow in a state registered by this daemon's host
bool IsRegisteredHere(DaemonLifeState state);

/// @return the name, in capitals
const char* ToString(DaemonLifeState state);
const char* ToString(DaemonLifeEvent event);
/// @return what is done
const char* ToString(DaemonLifeAction action);

/// @return the table of all steps in Markdown, as doc/central.md has it
std::string DescribeDaemonLife();

} // namespace coflow

#endif // COFLOW_DAEMON_LIFE_H
