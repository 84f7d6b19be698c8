/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The tables of doc/reference/coflow-states.md, from what a coordinator and a daemon follow.

#ifndef LIFE_TABLES_H
#define LIFE_TABLES_H

#include "ns3/coflow-daemon-life.h"
#include "ns3/coflow-life.h"

#include <cstddef>
#include <string>

namespace coflow
{

/// @return a description of the action
inline const char*
ToString(LifeAction action)
{
    static constexpr const char* NAMES[] = {"",
                                            "flows enter the table",
                                            "flows leave the table",
                                            "flows are forgotten"};
    return NAMES[static_cast<std::size_t>(action)];
}

/// @return the name, in capitals
inline const char*
ToString(DaemonLifeState state)
{
    static constexpr const char* NAMES[DAEMON_LIFE_STATES] = {"UNKNOWN",
                                                              "ASKED",
                                                              "REGISTERED",
                                                              "BEST_EFFORT",
                                                              "RELEASED"};
    return NAMES[static_cast<std::size_t>(state)];
}

/// @return the name, in capitals
inline const char*
ToString(DaemonLifeEvent event)
{
    static constexpr const char* NAMES[DAEMON_LIFE_EVENTS] =
        {"REGISTERED", "ACCEPTED", "LEFT", "ALONE", "OVER", "BEST_EFFORT", "DROPPED", "RELEASED"};
    return NAMES[static_cast<std::size_t>(event)];
}

/// @return a description of the action
inline const char*
ToString(DaemonLifeAction action)
{
    static constexpr const char* NAMES[] = {
        "",
        "register it",
        "answer the driver",
        "unregister it, answer the driver: plain TCP",
        "unregister it",
        "answer a driver that waits, trace that it is refused",
        "remove limits of its flows, forget them",
        "remove limits of its flows, forget them; answer a driver that waits: plain TCP",
        "cancel its flows",
        "cancel its flows, unregister it, trace that it is refused"};
    return NAMES[static_cast<std::size_t>(action)];
}

namespace test
{

/// @param states number of states
/// @param events number of events
/// @param getStep the effect of an event in a state
/// @return the steps that change the state or do something, in Markdown
template <class State, class Event, class Step>
std::string
DescribeSteps(std::size_t states, std::size_t events, Step (*getStep)(State, Event))
{
    std::string text = "| state | event | next state | action |\n|---|---|---|---|\n";
    for (std::size_t s = 0; s < states; ++s)
    {
        for (std::size_t e = 0; e < events; ++e)
        {
            const auto state = static_cast<State>(s);
            const auto event = static_cast<Event>(e);
            const Step step = getStep(state, event);
            if (!step.isPossible || step == Step{true, state})
            {
                continue;
            }
            text.append("| `").append(ToString(state)).append("` | `");
            text.append(ToString(event)).append("` | `");
            text.append(ToString(step.next)).append("` | ");
            text.append(ToString(step.action)).append(" |\n");
        }
    }
    return text;
}

} // namespace test

} // namespace coflow

#endif // LIFE_TABLES_H
