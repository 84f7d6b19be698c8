/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LIFE_TABLE_H
#define COFLOW_LIFE_TABLE_H

namespace coflow
{

/// The effect of an event in a state.
template <class State, class Action>
struct LifeTableStep
{
    bool isPossible{false};      ///< false: the event cannot happen in the state
    State next{State::UNKNOWN};  ///< state after the event
    Action action{Action::NONE}; ///< action at the event

    bool operator==(const LifeTableStep&) const = default;
};

} // namespace coflow

#endif // COFLOW_LIFE_TABLE_H
