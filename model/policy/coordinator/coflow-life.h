/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LIFE_H
#define COFLOW_LIFE_H

#include "ns3/coflow-life-table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace coflow
{

/// Where a coflow is in its life, for users (Varys, SIGCOMM 2014, section 4, and its code).
enum class CoflowState
{
    WAITING,  ///< not all its flows are known
    READY,    ///< all are known, none has had a rate
    RUNNING,  ///< it has had a rate
    FINISHED, ///< over, with all its flows done
    REJECTED, ///< an admission control refused it
    FAILED,   ///< over before all its flows were done
    RELEASED  ///< sent without the scheduler, as a daemon that is needed for it is gone
};

/// @return the state's name, in capitals
const char* ToString(CoflowState state);

/// Where a coflow is in its life at a coordinator.
enum class LifeState : std::uint8_t
{
    UNKNOWN,      ///< no message has named it
    UNREGISTERED, ///< hosts have put or got flows, its driver has not registered it
    WAITING,      ///< registered; its flows are not in the table yet
    READY,        ///< in the table; no flow has had a rate
    RUNNING,      ///< in the table; a flow has had a rate
    EMPTY,        ///< all its flows exist, and none has anything to send
    REFUSED,      ///< an admission control refused it, and its driver may not have heard of that
    LEFT_WAITING, ///< its driver has unregistered it while WAITING; reports may be under way
    LEFT_READY,   ///< the same, while READY
    LEFT_RUNNING, ///< the same, while RUNNING
    LEFT_EMPTY,   ///< the same, while EMPTY
    LEFT_REFUSED, ///< the same, while REFUSED
    FINISHED,     ///< terminal: all its flows are done
    FAILED,       ///< terminal: unregistered before all its flows were done
    REJECTED,     ///< terminal: its driver has heard that it was refused
    RELEASED,     ///< terminal: its hosts send what is left without the scheduler
};

/// What happens to a coflow.
enum class LifeEvent : std::uint8_t
{
    TOLD,       ///< a host has put or got a flow
    REGISTERED, ///< the driver registers it, perhaps again
    FILLED,     ///< its flows are to be scheduled: all exist, or a timer says not to wait longer
    EMPTIED,    ///< the same, where all exist and none has anything to send
    GREW,       ///< one more of its flows exists, and has something to send
    RATED,      ///< one of its flows has a rate
    DEFERRED,   ///< an admission control wants to be asked later
    REFUSED,    ///< an admission control refuses it
    LEFT,       ///< the driver unregisters it
    CLOSED,     ///< no report is under way any more, and all its flows are done
    CUT_OFF,    ///< no report is under way any more, and some of its flows are not done
    RELEASED,   ///< a daemon that is needed for it is gone
};

inline constexpr std::size_t LIFE_STATES = 16; ///< number of LifeState
inline constexpr std::size_t LIFE_EVENTS = 12; ///< number of LifeEvent

/// What a ledger does with the flows of a coflow.
enum class LifeAction : std::uint8_t
{
    NONE,     ///< nothing
    ENTER,    ///< flows with something to send enter the table that policies see
    WITHDRAW, ///< all flows leave the table
    FORGET    ///< all flows leave the table and are forgotten
};

/// What an event does in a state.
using LifeStep = LifeTableStep<LifeState, LifeAction>;

/// @return what an event does in a state
LifeStep GetLifeStep(LifeState state, LifeEvent event);

/// @return whether nothing but a message that comes late happens in a state
bool IsTerminal(LifeState state);

/// @return whether a coflow in a state is registered, and its driver has not unregistered it
bool IsOpen(LifeState state);

/// @return a state as users see it; none where the coflow is not registered
std::optional<CoflowState> GetReportedState(LifeState state);

/// @return the name, in capitals
const char* ToString(LifeState state);
const char* ToString(LifeEvent event);
/// @return what is done with flows
const char* ToString(LifeAction action);

/// @return the table of all steps in Markdown, as doc/central.md has it
std::string DescribeLife();

} // namespace coflow

#endif // COFLOW_LIFE_H
