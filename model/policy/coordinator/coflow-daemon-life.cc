/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-daemon-life.h"

#include <array>

namespace coflow
{

namespace
{

using DaemonLife = std::array<std::array<DaemonLifeStep, DAEMON_LIFE_EVENTS>, DAEMON_LIFE_STATES>;

/// @return a step to a state
constexpr DaemonLifeStep
Step(DaemonLifeState next, DaemonLifeAction action = DaemonLifeAction::NONE)
{
    return {true, next, action};
}

/// @return the steps, by state, then by event
constexpr DaemonLife
MakeDaemonLife()
{
    using S = DaemonLifeState;
    using A = DaemonLifeAction;
    constexpr auto asks = Step(S::ASKED, A::REGISTER);
    constexpr auto leaves = Step(S::UNKNOWN, A::WITHDRAW);
    constexpr auto refused = Step(S::BEST_EFFORT, A::NOTIFY);
    constexpr auto dropped = Step(S::UNKNOWN, A::REFUSE);
    constexpr auto released = Step(S::RELEASED, A::RELEASE);
    // clang-format off
    return {{
        // REGISTERED, ACCEPTED, LEFT, ALONE, OVER, BEST_EFFORT, DROPPED, RELEASED
        {asks, Step(S::UNKNOWN), Step(S::UNKNOWN), Step(S::UNKNOWN), Step(S::UNKNOWN, A::FORGET),
         Step(S::UNKNOWN), Step(S::UNKNOWN, A::CANCEL), released},
        {asks, Step(S::REGISTERED, A::ANSWER), leaves, Step(S::UNKNOWN, A::BYPASS), Step(S::ASKED, A::FORGET),
         refused, dropped, released},
        {asks, Step(S::REGISTERED), leaves, Step(S::REGISTERED), Step(S::REGISTERED, A::FORGET),
         refused, dropped, released},
        {asks, Step(S::BEST_EFFORT), leaves, Step(S::BEST_EFFORT), Step(S::BEST_EFFORT, A::FORGET),
         Step(S::BEST_EFFORT), dropped, released},
        {released, Step(S::RELEASED), Step(S::RELEASED), Step(S::RELEASED), Step(S::RELEASED, A::FORGET),
         Step(S::RELEASED), Step(S::RELEASED, A::CANCEL), released},
    }};
    // clang-format on
}

constexpr DaemonLife DAEMON_LIFE = MakeDaemonLife();

} // namespace

DaemonLifeStep
GetDaemonLifeStep(DaemonLifeState state, DaemonLifeEvent event)
{
    return DAEMON_LIFE.at(static_cast<std::size_t>(state)).at(static_cast<std::size_t>(event));
}

bool
IsRegisteredHere(DaemonLifeState state)
{
    return state == DaemonLifeState::ASKED || state == DaemonLifeState::REGISTERED ||
           state == DaemonLifeState::BEST_EFFORT;
}

} // namespace coflow
