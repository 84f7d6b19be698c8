/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rates that are too small for TCP, and ports that others use too.

#include "fluid-test-util.h"

#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-residual-capacity.h"
#include "ns3/coflow-small-rates.h"

#include <gtest/gtest.h>
#include <vector>

using namespace coflow;

namespace
{

/// One coflow with these flows, all unfinished.
struct Flows
{
    explicit Flows(std::vector<std::pair<HostId, HostId>> ends)
    {
        Coflow coflow;
        for (const auto& [src, dst] : ends)
        {
            coflow.flows.push_back({static_cast<FlowId>(coflow.flows.size()), src, dst, 1000});
        }
        table.Add(coflow, 0, 0);
    }

    FlowTable table;
};

/// An order of one coflow.
const std::vector<std::uint32_t> FIRST{0};

} // namespace

TEST(SmallRates, AreRaisedByWhatIsUnusedAndByWhatSmallOnesBehindThemHave)
{
    Flows flows({{0, 1}, {0, 1}, {2, 1}, {2, 3}});
    std::vector<double> rates{90, 4, 6, 50};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, FIRST, rates);
    // Flow 1 needs 6 more. Its sender has 6 that nobody uses, its receiver only those of flow 2.
    EXPECT_EQ(rates, (std::vector<double>{90, 10, 0, 50}));
}

TEST(SmallRates, AreRaisedWhereThePortsHaveIt)
{
    Flows flows({{0, 1}, {0, 1}, {0, 1}});
    std::vector<double> rates{4, 4, 4};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(2, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{10, 10, 10}));
}

TEST(SmallRates, ManyMakeOneThatIsWorthHaving)
{
    // Flow 0 takes what it needs from the last ones; what flow 1 has then is too little.
    Flows flows({{0, 1}, {0, 1}, {0, 1}});
    std::vector<double> rates{4, 4, 4};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(2, 12), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{12, 0, 0}));
}

TEST(SmallRates, ALargeRateGivesWayToOneBeforeItAndNotToOneBehindIt)
{
    Flows flows({{0, 1}, {0, 1}});
    std::vector<double> rates{4, 96};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(2, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{10, 90}));
    rates = {96, 4};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(2, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{100, 0}));
}

TEST(SmallRates, WithoutAnOrderAllLargeRatesGiveTheSamePart)
{
    // Flow 0 lacks 6. At its sender 2 are unused, and flows 1 and 3 have 74 above the least rate.
    // At its receiver none is unused, and flows 2 and 3 have 76 above it.
    Flows flows({{0, 1}, {0, 2}, {3, 1}, {0, 1}});
    std::vector<double> rates{4, 34, 36, 60};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, {}, rates);
    EXPECT_DOUBLE_EQ(rates[0], 10);
    EXPECT_DOUBLE_EQ(rates[1], 34 - 24 * 4.0 / 74);
    EXPECT_DOUBLE_EQ(rates[2], 36 - 26 * 6.0 / 76);
    EXPECT_DOUBLE_EQ(rates[3], 60 - 50 * 6.0 / 76);
    // The last ones are not more than the others, whoever has come first.
    rates = {4, 0, 48, 48};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, {}, rates);
    EXPECT_EQ(rates, (std::vector<double>{10, 0, 45, 45}));
    // Where there is not enough for all, it goes by what has come first.
    Flows same({{0, 1}, {0, 1}, {0, 1}});
    rates = {4, 4, 4};
    MergeSmallRates(same.table.Attained(0), PortRates::Uniform(2, 12), 10, {}, rates);
    EXPECT_EQ(rates, (std::vector<double>{12, 0, 0}));
}

TEST(SmallRates, GoByTheOrderOfThePolicy)
{
    FlowTable table;
    for (std::uint32_t c = 0; c < 3; ++c)
    {
        table.Add(Coflow{c + 1, 0, {}, {{0, 0, 1, 1000}}, {}}, c, 0);
    }
    const std::vector<std::uint32_t> order{2, 0, 1};
    std::vector<double> rates{4, 4, 4};
    MergeSmallRates(table.Attained(0), PortRates::Uniform(2, 12), 10, order, rates);
    EXPECT_EQ(rates, (std::vector<double>{0, 0, 12}));
}

TEST(SmallRates, AtASlowPortItsRateIsTheLeast)
{
    Flows flows({{0, 1}, {0, 1}});
    std::vector<double> rates{3, 3};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(2, 6), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{6, 0}));
}

TEST(SmallRates, WhatThePolicyLeftUnusedStaysUnused)
{
    Flows flows({{0, 1}, {2, 3}});
    std::vector<double> rates{50, 0};
    MergeSmallRates(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{50, 0}));
}

TEST(SmallRates, NeverOverloadAPortNorLeaveARateBelowTheLeast)
{
    for (unsigned seed = 1; seed <= 30; ++seed)
    {
        const auto workload = test::RandomWorkload(seed);
        FlowTable table;
        for (const auto& coflow : workload.coflows)
        {
            table.Add(coflow, static_cast<std::uint32_t>(coflow.id), coflow.arrival);
        }
        table.RemoveEmpty();
        const auto capacity = PortRates::Uniform(workload.hosts, 100);
        std::vector<double> rates(table.Rates().size());
        const double least = seed % 2 == 0 ? 8 : 0.9;
        // A policy with an order, and one without.
        const auto policy = MakePolicy(seed % 3 == 0 ? "varys" : "wss");
        const Decision decision = policy->Decide(table, 1, capacity, rates);
        const bool some = std::any_of(rates.begin(), rates.end(), [](double r) { return r > 0; });
        EXPECT_EQ(decision.order.size(), seed % 3 == 0 ? table.Rows().size() : 0U);
        MergeSmallRates(table.Attained(1), capacity, least, decision.order, rates);
        EXPECT_EQ(std::any_of(rates.begin(), rates.end(), [](double r) { return r > 0; }), some);
        std::vector<double> sent(workload.hosts);
        std::vector<double> received(workload.hosts);
        for (std::size_t f = 0; f < rates.size(); ++f)
        {
            EXPECT_TRUE(rates[f] == 0 || rates[f] >= least) << rates[f];
            sent[table.Src()[f]] += rates[f];
            received[table.Dst()[f]] += rates[f];
        }
        for (HostId h = 0; h < workload.hosts; ++h)
        {
            EXPECT_LE(sent[h], 100 * (1 + 1e-9));
            EXPECT_LE(received[h], 100 * (1 + 1e-9));
        }
    }
}

TEST(ResidualCapacity, IsWhatTheMovingAverageLeaves)
{
    ResidualCapacity residual(PortRates::Uniform(2, 100));
    EXPECT_EQ(residual.Get().ingress[0], 100);
    residual.Report(0, 50, 10);
    EXPECT_DOUBLE_EQ(residual.Get().ingress[0], 60) << "100 - 0.8 x 50";
    EXPECT_DOUBLE_EQ(residual.Get().egress[0], 92);
    EXPECT_EQ(residual.Get().ingress[1], 100);
    residual.Report(0, 0, 0);
    EXPECT_DOUBLE_EQ(residual.Get().ingress[0], 92) << "100 - 0.2 x 40";
    residual.Report(1, 1000, 0);
    EXPECT_DOUBLE_EQ(residual.Get().ingress[1], 5) << "no port is shut";
}

TEST(ResidualCapacity, FollowsWhatIsLeftOfAPort)
{
    ResidualCapacity residual(PortRates::Uniform(2, 100));
    residual.Report(0, 20, 0);
    residual.SetShare(0, 0.5);
    EXPECT_DOUBLE_EQ(residual.Get().ingress[0], 34) << "100 x 0.5 - 0.8 x 20";
    EXPECT_DOUBLE_EQ(residual.Get().egress[0], 50);
    EXPECT_DOUBLE_EQ(residual.Get().ingress[1], 100) << "of another host";
    residual.SetShare(0, 0);
    EXPECT_DOUBLE_EQ(residual.Get().egress[0], 0.1) << "so that nobody divides by 0";
    residual.SetShare(0, 1);
    EXPECT_DOUBLE_EQ(residual.Get().egress[0], 100);
}
