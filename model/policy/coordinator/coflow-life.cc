/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-life.h"

#include <array>

namespace coflow
{

namespace
{

using S = LifeState;
using A = LifeAction;
using Row = std::array<LifeStep, LIFE_EVENTS>;

/// The step of an event that cannot happen.
constexpr LifeStep no{};

/// @return a step to a state
constexpr LifeStep
To(S next, A action = A::NONE)
{
    return {true, next, action};
}

constexpr LifeStep released = To(S::RELEASED, A::FORGET);

/// The steps of a coflow that its driver has unregistered. Reports in flight may still say that
/// flows are done.
constexpr Row
Left(S state, S done, S undone)
{
    const auto same = To(state);
    return {same,
            same,
            no,
            no,
            same,
            no,
            no,
            no,
            same,
            To(done, A::FORGET),
            To(undone, A::FORGET),
            released};
}

/// The steps of a coflow in a terminal state. Late messages have no effect.
constexpr Row
Over(S state)
{
    const auto same = To(state);
    return {same, same, no, no, no, no, no, no, same, no, no, no};
}

// clang-format off
/// The steps, by state, then by event.
constexpr std::array<Row, LIFE_STATES> STEPS{{
    // TOLD, REGISTERED, FILLED, EMPTIED, GREW, RATED, DEFERRED, REFUSED, LEFT, CLOSED, CUT_OFF, RELEASED
    /* UNKNOWN */
    {To(S::UNREGISTERED), To(S::WAITING), no, no, no, no, no, no, no, no, no, released},
    /* UNREGISTERED */
    {To(S::UNREGISTERED), To(S::WAITING), no, no, To(S::UNREGISTERED), no, no, no, no, no, no, released},
    /* WAITING */
    {To(S::WAITING), To(S::WAITING), To(S::READY, A::ENTER), To(S::EMPTY), To(S::WAITING), no, no, no,
     To(S::LEFT_WAITING, A::WITHDRAW), no, no, released},
    /* READY */
    {To(S::READY), To(S::READY), no, no, To(S::READY, A::ENTER), To(S::RUNNING), To(S::WAITING, A::WITHDRAW),
     To(S::REFUSED, A::WITHDRAW), To(S::LEFT_READY, A::WITHDRAW), no, no, released},
    /* RUNNING */
    {To(S::RUNNING), To(S::RUNNING), no, no, To(S::RUNNING, A::ENTER), To(S::RUNNING), no, no,
     To(S::LEFT_RUNNING, A::WITHDRAW), no, no, released},
    /* EMPTY */
    {To(S::EMPTY), To(S::EMPTY), no, no, To(S::READY, A::ENTER), no, no, no,
     To(S::LEFT_EMPTY, A::WITHDRAW), no, no, released},
    /* REFUSED */
    {To(S::REFUSED), To(S::REFUSED), no, no, To(S::REFUSED), no, no, no,
     To(S::LEFT_REFUSED, A::WITHDRAW), no, no, released},
    Left(S::LEFT_WAITING, S::FINISHED, S::FAILED),
    Left(S::LEFT_READY, S::FINISHED, S::FAILED),
    Left(S::LEFT_RUNNING, S::FINISHED, S::FAILED),
    Left(S::LEFT_EMPTY, S::FINISHED, S::FINISHED),
    Left(S::LEFT_REFUSED, S::REJECTED, S::REJECTED),
    Over(S::FINISHED),
    Over(S::FAILED),
    Over(S::REJECTED),
    // A driver may unregister a coflow before a daemon says that the coflow is released. The coflow
    // is then closed as any other coflow.
    {To(S::RELEASED), To(S::RELEASED), no, no, no, no, no, no, To(S::RELEASED),
     To(S::FINISHED, A::FORGET), no, no},
}};
// clang-format on

} // namespace

const char*
ToString(CoflowState state)
{
    static constexpr const char* NAMES[] =
        {"WAITING", "READY", "RUNNING", "FINISHED", "REJECTED", "FAILED", "RELEASED"};
    return NAMES[static_cast<std::size_t>(state)];
}

const char*
ToString(LifeState state)
{
    static constexpr const char* NAMES[LIFE_STATES] = {"UNKNOWN",
                                                       "UNREGISTERED",
                                                       "WAITING",
                                                       "READY",
                                                       "RUNNING",
                                                       "EMPTY",
                                                       "REFUSED",
                                                       "LEFT_WAITING",
                                                       "LEFT_READY",
                                                       "LEFT_RUNNING",
                                                       "LEFT_EMPTY",
                                                       "LEFT_REFUSED",
                                                       "FINISHED",
                                                       "FAILED",
                                                       "REJECTED",
                                                       "RELEASED"};
    return NAMES[static_cast<std::size_t>(state)];
}

const char*
ToString(LifeEvent event)
{
    static constexpr const char* NAMES[LIFE_EVENTS] = {"TOLD",
                                                       "REGISTERED",
                                                       "FILLED",
                                                       "EMPTIED",
                                                       "GREW",
                                                       "RATED",
                                                       "DEFERRED",
                                                       "REFUSED",
                                                       "LEFT",
                                                       "CLOSED",
                                                       "CUT_OFF",
                                                       "RELEASED"};
    return NAMES[static_cast<std::size_t>(event)];
}

LifeStep
GetLifeStep(LifeState state, LifeEvent event)
{
    return STEPS.at(static_cast<std::size_t>(state)).at(static_cast<std::size_t>(event));
}

bool
IsTerminal(LifeState state)
{
    return state >= S::FINISHED;
}

bool
IsOpen(LifeState state)
{
    return state >= S::WAITING && state <= S::REFUSED;
}

std::optional<CoflowState>
GetReportedState(LifeState state)
{
    switch (state)
    {
    case S::UNKNOWN:
    case S::UNREGISTERED:
        return std::nullopt;
    case S::WAITING:
    case S::LEFT_WAITING:
        return CoflowState::WAITING;
    case S::READY:
    case S::LEFT_READY:
        return CoflowState::READY;
    case S::RUNNING:
    case S::LEFT_RUNNING:
        return CoflowState::RUNNING;
    case S::EMPTY:
    case S::LEFT_EMPTY:
    case S::FINISHED:
        return CoflowState::FINISHED;
    case S::REFUSED:
    case S::LEFT_REFUSED:
    case S::REJECTED:
        return CoflowState::REJECTED;
    case S::FAILED:
        return CoflowState::FAILED;
    case S::RELEASED:
        return CoflowState::RELEASED;
    }
    return std::nullopt;
}

} // namespace coflow
