/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LIFE_H
#define COFLOW_LIFE_H

#include "ns3/coflow-life-table.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace coflow
{

/// The state of a coflow for users (Varys, SIGCOMM 2014, section 4, and its code).
enum class CoflowState
{
    WAITING,  ///< not all its flows are known
    READY,    ///< all its flows are known, and none has had a rate
    RUNNING,  ///< a flow has had a rate
    FINISHED, ///< unregistered, with all its flows done
    REJECTED, ///< an admission control has refused it
    FAILED,   ///< unregistered before all its flows were done
    RELEASED  ///< sent without the scheduler, because a daemon of its hosts has failed
};

/// @return the state's name, in capitals
const char* ToString(CoflowState state);

/// The life state of a coflow at a coordinator.
enum class LifeState : std::uint8_t
{
    UNKNOWN,      ///< no message has named the coflow
    UNREGISTERED, ///< hosts have put or got flows, and the driver has not registered the coflow
    WAITING,      ///< registered; its flows are not in the table yet
    READY,        ///< in the table; no flow has had a rate
    RUNNING,      ///< in the table; a flow has had a rate
    EMPTY,        ///< all its flows exist, and no flow has bytes to send
    REFUSED,      ///< refused by an admission control; its driver may not know yet
    LEFT_WAITING, ///< unregistered while WAITING; reports may be in flight
    LEFT_READY,   ///< unregistered while READY
    LEFT_RUNNING, ///< unregistered while RUNNING
    LEFT_EMPTY,   ///< unregistered while EMPTY
    LEFT_REFUSED, ///< unregistered while REFUSED
    FINISHED,     ///< terminal: all its flows are done
    FAILED,       ///< terminal: unregistered before all its flows were done
    REJECTED,     ///< terminal: its driver knows that it was refused
    RELEASED,     ///< terminal: its hosts send the rest without the scheduler
};

/// An event of a coflow.
enum class LifeEvent : std::uint8_t
{
    TOLD,       ///< a host has put or got a flow
    REGISTERED, ///< the driver registers it, perhaps again
    FILLED,     ///< its flows are to be scheduled: all flows exist, or a timer has expired
    EMPTIED,    ///< all its flows exist, and no flow has bytes to send
    GREW,       ///< one more of its flows exists, and has bytes to send
    RATED,      ///< one of its flows has a rate
    DEFERRED,   ///< an admission control delays it
    REFUSED,    ///< an admission control refuses it
    LEFT,       ///< the driver unregisters it
    CLOSED,     ///< no report is in flight any more, and all its flows are done
    CUT_OFF,    ///< no report is in flight any more, and some flows are not done
    RELEASED,   ///< a daemon of its hosts has failed
};

inline constexpr std::size_t LIFE_STATES = 16; ///< number of LifeState
inline constexpr std::size_t LIFE_EVENTS = 12; ///< number of LifeEvent

/// The action of a ledger with the flows of a coflow.
enum class LifeAction : std::uint8_t
{
    NONE,     ///< nothing
    ENTER,    ///< flows with bytes to send enter the policy's table
    WITHDRAW, ///< all flows leave the table
    FORGET    ///< all flows leave the table and are removed
};

/// The effect of an event in a state.
using LifeStep = LifeTableStep<LifeState, LifeAction>;

/// @return the effect of an event in a state
LifeStep GetLifeStep(LifeState state, LifeEvent event);

/// @return whether a state is terminal: only late messages happen in it
bool IsTerminal(LifeState state);

/// @return whether a coflow in a state is registered, and its driver has not unregistered it
bool IsOpen(LifeState state);

/// @return the state for users; none if the coflow is not registered
std::optional<CoflowState> GetReportedState(LifeState state);

/// @return the name, in capitals
const char* ToString(LifeState state);
const char* ToString(LifeEvent event);

} // namespace coflow

#endif // COFLOW_LIFE_H
