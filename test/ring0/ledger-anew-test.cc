/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a coordinator concludes when daemons die, return and tell everything anew, and that what
// is told to be done, or too slow, keeps nobody waiting.

#include "ledger-fixture.h"
#include "policy-names.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace coflow;

TEST(Ledger, TheFlowsOfADeadHostLeaveAndComeBack)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {2, 3});
    Tell(ledger, 7, 0, 0, 1, MB);
    Tell(ledger, 7, 1, 2, 0, MB);
    Tell(ledger, 7, 2, 2, 1, MB);
    ledger.MakeReady(7, 0);
    ledger.Progress(7, 0, MB / 2, false);
    EXPECT_FALSE(ledger.DropPuts(3, true));
    EXPECT_FALSE(ledger.DropPuts(1, true)) << "it receives, and a get is never void";
    EXPECT_TRUE(ledger.DropPuts(0, false));
    EXPECT_EQ(LeftOf(ledger, 7, 0), -1);
    EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 1), MB);
    EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 2), MB);
    EXPECT_TRUE(ledger.LacksFlows(7));
    EXPECT_EQ(ledger.RegisteredBy(2), (std::vector<CoflowId>{7}));
    EXPECT_TRUE(ledger.Put(7, 0, 0, MB));
    EXPECT_DOUBLE_EQ(LeftOf(ledger, 7, 0), MB) << "what it had moved is told anew, too";
    EXPECT_FALSE(ledger.LacksFlows(7));
}

TEST(Ledger, WhatIsDoneIsToldAnewAsDone)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {2, 2});
    Tell(ledger, 7, 0, 0, 1, MB);
    Tell(ledger, 7, 1, 2, 1, MB);
    ledger.MakeReady(7, 0);
    ledger.Progress(7, 0, MB, true);
    EXPECT_FALSE(ledger.DropPuts(0, false)) << "what is done stays done if the daemon is dead";
    EXPECT_FALSE(ledger.LacksFlows(7));
    EXPECT_FALSE(ledger.DropPuts(0, true));
    EXPECT_TRUE(ledger.LacksFlows(7));
    EXPECT_TRUE(ledger.Put(7, 0, 0, MB, false, true));
    EXPECT_FALSE(ledger.LacksFlows(7));
    EXPECT_EQ(LeftOf(ledger, 7, 0), -1) << "it is never scheduled again";
    ledger.Progress(7, 1, MB, true);
    EXPECT_TRUE(ledger.IsDone(7));
    EXPECT_EQ(ledger.HostsOf(7, CoflowLedger::FlowsOf::ALL), (std::set<HostId>{0, 1, 2}));
    EXPECT_TRUE(ledger.HostsOf(7, CoflowLedger::FlowsOf::UNDONE).empty());
}

TEST(Ledger, AFlowThatIsDoneWhenItIsPutNeverHasARate)
{
    // Empty or local, which a coordinator that knows no sizes cannot see.
    CoflowLedger ledger(Knowledge::ATTAINED, Estimate::INTEGRATED);
    ledger.Register(7, {0, 2});
    ledger.Put(7, 0, 0, std::nullopt, false, true);
    ledger.Get(7, 0, 1);
    ledger.Put(7, 1, 0, std::nullopt);
    ledger.Get(7, 1, 1);
    EXPECT_TRUE(ledger.MakeReady(7, 0));
    Schedule(ledger, "nc-drf", 0);
    EXPECT_EQ(RateOf(ledger, 7, 0), -1);
    EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 1), RATE);
}

TEST(Ledger, WhereTheLeastRateIsMoreThanAPortHasItsFlowsShareIt)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {0, 2});
    Tell(ledger, 7, 0, 0, 1, MB);
    Tell(ledger, 7, 1, 0, 1, MB);
    ledger.MakeReady(7, 0);
    const auto policy = MakePolicy("varys");
    for (const double least : {2 * RATE, RATE})
    {
        policy->SetLeastRate(least);
        ledger.Schedule(*policy, 0, PortRates::Uniform(4, RATE));
        EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 0), RATE / 2);
        EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 1), RATE / 2);
    }
}

TEST(Ledger, WhatIsReleasedIsOver)
{
    auto ledger = Clairvoyant();
    ledger.Register(7, {2, 2});
    Tell(ledger, 7, 0, 0, 1, MB);
    ledger.MakeReady(7, 0);
    EXPECT_FALSE(ledger.TerminalStateOf(7));
    ledger.Release(7);
    EXPECT_EQ(ledger.TerminalStateOf(7), CoflowState::RELEASED);
    EXPECT_TRUE(ledger.Table().Rows().empty());
    EXPECT_FALSE(ledger.Put(7, 1, 0, MB));
    EXPECT_FALSE(ledger.Close(7));
    ledger.Put(8, 0, 0, MB); // nobody registers it
    ledger.Release(8);
    EXPECT_EQ(ledger.TerminalStateOf(8), CoflowState::RELEASED);
    EXPECT_FALSE(ledger.StateOf(8));
}

TEST(Ledger, AFlowThatComesWhenItsCoflowHasLeftTheTableHasARate)
{
    // The interval T of policies that serve in order, 2 s, is over when the second flow comes. No
    // coflow has come or gone.
    for (const auto& name : test::PolicyNamesWith("pooledLeftovers"))
    {
        auto ledger = Clairvoyant();
        const auto policy = MakePolicy(name);
        const auto capacity = PortRates::Uniform(4, RATE);
        ledger.Register(7, {0, 2});
        Tell(ledger, 7, 0, 0, 1, MB);
        ledger.Put(7, 1, 2, MB);
        ledger.MakeReady(7, 0);
        ledger.Schedule(*policy, 0, capacity);
        EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 0), RATE) << name;
        ledger.Progress(7, 0, MB, true);
        EXPECT_EQ(RateOf(ledger, 7, 0), -1) << name;
        ledger.Get(7, 1, 3);
        ledger.Schedule(*policy, 3 * SECOND, capacity);
        EXPECT_DOUBLE_EQ(RateOf(ledger, 7, 1), RATE) << name;
    }
}

TEST(Ledger, AFlowThatComesToACoflowOfTheTableHasARate)
{
    // Here the row stays, with another flow.
    auto ledger = Clairvoyant();
    const auto policy = MakePolicy("varys");
    const auto capacity = PortRates::Uniform(4, RATE);
    ledger.Register(7, {0, 2});
    Tell(ledger, 7, 0, 0, 1, 10 * MB);
    ledger.Put(7, 1, 2, MB);
    ledger.MakeReady(7, 0);
    ledger.Schedule(*policy, 0, capacity);
    ledger.Get(7, 1, 3);
    ledger.Schedule(*policy, 3 * SECOND, capacity);
    EXPECT_GT(RateOf(ledger, 7, 1), 0);
}
