/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LIFE_TABLE_H
#define COFLOW_LIFE_TABLE_H

#include <array>
#include <cstddef>
#include <string>

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

/// @tparam Event the events; ToString() names states, events and actions
/// @return the steps that change the state or do something, in Markdown
template <class Event, class State, class Action, std::size_t STATES, std::size_t EVENTS>
std::string
DescribeSteps(const std::array<std::array<LifeTableStep<State, Action>, EVENTS>, STATES>& steps)
{
    std::string text = "| state | event | next state | action |\n|---|---|---|---|\n";
    for (std::size_t s = 0; s < STATES; ++s)
    {
        for (std::size_t e = 0; e < EVENTS; ++e)
        {
            const auto state = static_cast<State>(s);
            const auto& step = steps[s][e];
            if (!step.isPossible || (step.next == state && step.action == Action::NONE))
            {
                continue;
            }
            text.append("| `").append(ToString(state)).append("` | `");
            text.append(ToString(static_cast<Event>(e))).append("` | `");
            text.append(ToString(step.next)).append("` | ");
            text.append(ToString(step.action)).append(" |\n");
        }
    }
    return text;
}

} // namespace coflow

#endif // COFLOW_LIFE_TABLE_H
