/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The table of a coflow's life at a daemon, by itself.

#include "coflow-test-paths.h"
#include "life-tables.h"

#include "ns3/coflow-daemon-life.h"

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

using S = DaemonLifeState;
using E = DaemonLifeEvent;
using A = DaemonLifeAction;

/// What a daemon does in a life from UNKNOWN on.
struct Life
{
    S state{S::UNKNOWN};
    std::vector<A> actions{};

    bool operator==(const Life&) const = default;
};

Life
Live(std::initializer_list<E> events)
{
    Life life;
    for (const E event : events)
    {
        const auto step = GetDaemonLifeStep(life.state, event);
        life.state = step.next;
        if (step.action != A::NONE)
        {
            life.actions.push_back(step.action);
        }
    }
    return life;
}

template <class Function>
void
ForEveryStep(Function function)
{
    for (std::size_t s = 0; s < DAEMON_LIFE_STATES; ++s)
    {
        for (std::size_t e = 0; e < DAEMON_LIFE_EVENTS; ++e)
        {
            const auto state = static_cast<S>(s);
            const auto event = static_cast<E>(e);
            SCOPED_TRACE(std::string(ToString(event)) + " in " + ToString(state));
            function(state, event, GetDaemonLifeStep(state, event));
        }
    }
}

} // namespace

TEST(DaemonLife, EveryEventIsPossibleInEveryState)
{
    ForEveryStep([](S, E, const DaemonLifeStep& step) { EXPECT_TRUE(step.isPossible); });
}

TEST(DaemonLife, OfCoflowsThatAreRegisteredHere)
{
    EXPECT_EQ(Live({E::REGISTERED, E::ACCEPTED, E::LEFT, E::OVER}),
              (Life{S::UNKNOWN, {A::REGISTER, A::ANSWER, A::WITHDRAW, A::FORGET}}));
    // The daemon connects again, so that the coordinator accepts the coflow twice.
    EXPECT_EQ(Live({E::REGISTERED, E::ACCEPTED, E::ALONE, E::ACCEPTED}),
              (Life{S::REGISTERED, {A::REGISTER, A::ANSWER}}));
    // The coordinator is silent; its answer comes after that.
    EXPECT_EQ(Live({E::REGISTERED, E::ALONE, E::ACCEPTED, E::LEFT}),
              (Life{S::UNKNOWN, {A::REGISTER, A::BYPASS}}));
    EXPECT_EQ(Live({E::REGISTERED, E::LEFT, E::ACCEPTED}),
              (Life{S::UNKNOWN, {A::REGISTER, A::WITHDRAW}}));
}

TEST(DaemonLife, OfCoflowsThatAreRefused)
{
    EXPECT_EQ(Live({E::REGISTERED, E::ACCEPTED, E::DROPPED, E::LEFT}),
              (Life{S::UNKNOWN, {A::REGISTER, A::ANSWER, A::REFUSE}}));
    // It is reported once, and may be dropped later.
    EXPECT_EQ(Live({E::REGISTERED, E::ACCEPTED, E::BEST_EFFORT, E::ACCEPTED, E::BEST_EFFORT}),
              (Life{S::BEST_EFFORT, {A::REGISTER, A::ANSWER, A::NOTIFY}}));
    EXPECT_EQ(Live({E::REGISTERED, E::ACCEPTED, E::BEST_EFFORT, E::LEFT}),
              (Life{S::UNKNOWN, {A::REGISTER, A::ANSWER, A::NOTIFY, A::WITHDRAW}}));
    // Hosts that have flows of it cancel them, and have nothing to report.
    EXPECT_EQ(Live({E::BEST_EFFORT, E::DROPPED}), (Life{S::UNKNOWN, {A::CANCEL}}));
}

TEST(DaemonLife, OfCoflowsThatAreReleased)
{
    EXPECT_EQ(Live({E::REGISTERED, E::RELEASED, E::LEFT, E::OVER}),
              (Life{S::RELEASED, {A::REGISTER, A::RELEASE, A::FORGET}}));
    EXPECT_EQ(Live({E::RELEASED, E::RELEASED}), (Life{S::RELEASED, {A::RELEASE, A::RELEASE}}));
    EXPECT_EQ(Live({E::RELEASED, E::DROPPED}), (Life{S::RELEASED, {A::RELEASE, A::CANCEL}}));
    // A release is for ever: a driver that registers the coflow again is answered at once.
    EXPECT_EQ(Live({E::RELEASED, E::REGISTERED}), (Life{S::RELEASED, {A::RELEASE, A::RELEASE}}));
}

TEST(DaemonLife, NoDriverWaitsForEver)
{
    const std::set<A> ends{A::ANSWER, A::BYPASS, A::NOTIFY, A::RELEASE, A::WITHDRAW, A::REFUSE};
    ForEveryStep([&](S state, E, const DaemonLifeStep& step) {
        if (state == S::ASKED && step.next != S::ASKED)
        {
            EXPECT_TRUE(ends.contains(step.action));
        }
    });
    // The coordinator's answer was lost with its connection; its refusal comes first then.
    EXPECT_EQ(Live({E::REGISTERED, E::BEST_EFFORT, E::ACCEPTED}),
              (Life{S::BEST_EFFORT, {A::REGISTER, A::NOTIFY}}));
}

TEST(DaemonLife, ADriverIsAnsweredOnce)
{
    ForEveryStep([](S state, E, const DaemonLifeStep& step) {
        if (step.action == A::ANSWER || step.action == A::BYPASS)
        {
            EXPECT_EQ(state, S::ASKED);
            EXPECT_NE(step.next, S::ASKED);
        }
    });
}

TEST(DaemonLife, WhatIsRegisteredIsUnregistered)
{
    ForEveryStep([](S state, E event, const DaemonLifeStep& step) {
        const bool unregisters =
            step.action == A::BYPASS || step.action == A::WITHDRAW || step.action == A::REFUSE;
        // The coordinator knows when it releases the coflow.
        EXPECT_EQ(unregisters,
                  IsRegisteredHere(state) && !IsRegisteredHere(step.next) && event != E::RELEASED);
    });
}

TEST(DaemonLife, ItsPageIsUpToDate)
{
    std::ifstream file(COFLOW_SOURCE_DIR "/doc/reference/coflow-states.md");
    const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto table =
        test::DescribeSteps(DAEMON_LIFE_STATES, DAEMON_LIFE_EVENTS, GetDaemonLifeStep);
    EXPECT_NE(page.find("\n\n" + table), std::string::npos)
        << "doc/reference/coflow-states.md has another table than:\n"
        << table;
}
