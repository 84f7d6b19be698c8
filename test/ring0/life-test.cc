/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The table of a coflow's life at a coordinator, by itself.

#include "coflow-test-paths.h"
#include "life-tables.h"

#include "ns3/coflow-life.h"

#include <fstream>
#include <gtest/gtest.h>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace coflow;

namespace
{

using S = LifeState;
using E = LifeEvent;

std::vector<S>
AllStates()
{
    std::vector<S> states;
    for (std::size_t s = 0; s < LIFE_STATES; ++s)
    {
        states.push_back(static_cast<S>(s));
    }
    return states;
}

std::vector<E>
AllEvents()
{
    std::vector<E> events;
    for (std::size_t e = 0; e < LIFE_EVENTS; ++e)
    {
        events.push_back(static_cast<E>(e));
    }
    return events;
}

/// A life from UNKNOWN on.
S
Live(std::initializer_list<E> events)
{
    S state = S::UNKNOWN;
    for (const E event : events)
    {
        const auto step = GetLifeStep(state, event);
        EXPECT_TRUE(step.isPossible) << ToString(event) << " in " << ToString(state);
        state = step.next;
    }
    return state;
}

} // namespace

TEST(CoflowLife, EveryPairIsDecided)
{
    std::size_t possible = 0;
    for (const S state : AllStates())
    {
        EXPECT_STRNE(ToString(state), "");
        EXPECT_TRUE(GetLifeStep(state, E::TOLD).isPossible)
            << "a message may come at any time: " << ToString(state);
        EXPECT_TRUE(GetLifeStep(state, E::REGISTERED).isPossible) << ToString(state);
        for (const E event : AllEvents())
        {
            const auto step = GetLifeStep(state, event);
            possible += step.isPossible;
            if (!step.isPossible)
            {
                EXPECT_EQ(step, LifeStep()) << ToString(state) << ' ' << ToString(event);
            }
        }
    }
    // 3, 4, 7, 9, 7, 6 and 6 until the driver leaves; 7 in each of 5 states after that; 3 in each
    // of 3 terminal states, and 4 in RELEASED.
    EXPECT_EQ(possible, 3U + 4 + 7 + 8 + 6 + 5 + 5 + 5 * 7 + 3 * 3 + 4);
}

TEST(CoflowLife, EveryStateIsReachedAndLeadsToATerminalOne)
{
    const auto reach = [](S from) {
        std::set<S> reached{from};
        for (std::size_t before = 0; before < reached.size();)
        {
            before = reached.size();
            for (const S state : std::set<S>(reached))
            {
                for (const E event : AllEvents())
                {
                    const auto step = GetLifeStep(state, event);
                    if (step.isPossible)
                    {
                        reached.insert(step.next);
                    }
                }
            }
        }
        return reached;
    };
    EXPECT_EQ(reach(S::UNKNOWN).size(), LIFE_STATES);
    for (const S state : AllStates())
    {
        EXPECT_EQ(reach(state).count(S::FINISHED) + reach(state).count(S::REJECTED) +
                          reach(state).count(S::FAILED) >
                      0,
                  true)
            << ToString(state);
    }
    EXPECT_EQ(reach(S::FINISHED), std::set<S>{S::FINISHED});
    EXPECT_EQ(reach(S::FAILED), std::set<S>{S::FAILED});
    EXPECT_EQ(reach(S::REJECTED), std::set<S>{S::REJECTED});
    EXPECT_EQ(reach(S::RELEASED), (std::set<S>{S::RELEASED, S::FINISHED}));
}

TEST(CoflowLife, OfCoflows)
{
    EXPECT_EQ(Live({E::REGISTERED, E::TOLD, E::GREW, E::FILLED, E::RATED, E::LEFT, E::CLOSED}),
              S::FINISHED);
    // The flows are told of before the driver registers, and the host of one dies and returns.
    EXPECT_EQ(Live({E::TOLD,
                    E::GREW,
                    E::REGISTERED,
                    E::FILLED,
                    E::RATED,
                    E::TOLD,
                    E::GREW,
                    E::RATED,
                    E::LEFT,
                    E::TOLD,
                    E::CLOSED}),
              S::FINISHED);
    EXPECT_EQ(Live({E::REGISTERED, E::FILLED, E::LEFT, E::CUT_OFF}), S::FAILED);
    // All flows stay within their hosts; then one comes that does not.
    EXPECT_EQ(Live({E::REGISTERED, E::EMPTIED}), S::EMPTY);
    EXPECT_EQ(Live({E::REGISTERED, E::EMPTIED, E::GREW, E::RATED}), S::RUNNING);
    EXPECT_EQ(Live({E::REGISTERED, E::EMPTIED, E::LEFT, E::CUT_OFF}), S::FINISHED);
    // An admission control first wants to wait, and then refuses.
    EXPECT_EQ(Live({E::REGISTERED, E::FILLED, E::DEFERRED, E::FILLED, E::REFUSED}), S::REFUSED);
    EXPECT_EQ(Live({E::REGISTERED, E::FILLED, E::REFUSED, E::LEFT, E::CUT_OFF}), S::REJECTED);
    // The driver's daemon is gone, before or after it has registered the coflow.
    EXPECT_EQ(Live({E::TOLD, E::RELEASED}), S::RELEASED);
    EXPECT_EQ(Live({E::REGISTERED, E::FILLED, E::RATED, E::RELEASED, E::TOLD}), S::RELEASED);
    EXPECT_EQ(Live({E::REGISTERED, E::LEFT, E::RELEASED, E::CLOSED}), S::FINISHED);
}

TEST(CoflowLife, WhatCannotHappen)
{
    EXPECT_FALSE(GetLifeStep(S::UNKNOWN, E::GREW).isPossible);
    EXPECT_FALSE(GetLifeStep(S::READY, E::FILLED).isPossible) << "it is in the table";
    EXPECT_FALSE(GetLifeStep(S::RUNNING, E::REFUSED).isPossible) << "it was served";
    EXPECT_FALSE(GetLifeStep(S::LEFT_WAITING, E::FILLED).isPossible) << "its driver has left";
    EXPECT_FALSE(GetLifeStep(S::FINISHED, E::RELEASED).isPossible) << "its hosts have dropped it";
}

TEST(CoflowLife, FlowsAreInTheTableWhileTheCoflowIsScheduled)
{
    for (const S state : AllStates())
    {
        for (const E event : AllEvents())
        {
            const auto step = GetLifeStep(state, event);
            const bool live = step.next == S::READY || step.next == S::RUNNING;
            if (step.action == LifeAction::ENTER)
            {
                EXPECT_TRUE(live) << ToString(state) << ' ' << ToString(event);
            }
            const bool wasLive = state == S::READY || state == S::RUNNING;
            if (step.isPossible && wasLive && !live)
            {
                EXPECT_NE(step.action, LifeAction::NONE)
                    << ToString(state) << ' ' << ToString(event) << " leaves flows in the table";
            }
            if (step.isPossible && IsTerminal(step.next) && !IsTerminal(state))
            {
                EXPECT_EQ(step.action, LifeAction::FORGET) << ToString(state);
            }
        }
    }
}

TEST(CoflowLife, UsersAreToldOfRegisteredCoflowsAlone)
{
    EXPECT_FALSE(GetReportedState(S::UNKNOWN));
    EXPECT_FALSE(GetReportedState(S::UNREGISTERED));
    EXPECT_EQ(GetReportedState(S::EMPTY), CoflowState::FINISHED);
    EXPECT_EQ(GetReportedState(S::REFUSED), CoflowState::REJECTED);
    for (const S state : AllStates())
    {
        EXPECT_EQ(IsOpen(state) || IsTerminal(state),
                  std::string(ToString(state)).rfind("LEFT", 0) != 0 && state != S::UNKNOWN &&
                      state != S::UNREGISTERED)
            << ToString(state);
    }
}

TEST(CoflowLife, ItsPageIsUpToDate)
{
    std::ifstream file(COFLOW_SOURCE_DIR "/doc/reference/coflow-states.md");
    const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto table = test::DescribeSteps(LIFE_STATES, LIFE_EVENTS, GetLifeStep);
    EXPECT_NE(page.find("\n\n" + table), std::string::npos)
        << "doc/reference/coflow-states.md has another table than:\n"
        << table;
}
