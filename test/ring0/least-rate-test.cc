/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Rates that are too small for TCP, and ports that others use too.

#include "fluid-test-util.h"

#include "ns3/coflow-least-rate.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-residual-capacity.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <gtest/gtest.h>
#include <numeric>
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

TEST(LeastRate, AreRaisedByWhatIsUnusedAndByWhatSmallOnesBehindThemHave)
{
    Flows flows({{0, 1}, {0, 1}, {2, 1}, {2, 3}});
    std::vector<double> rates{90, 4, 6, 50};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, FIRST, rates);
    // Flow 1 needs 6 more. Its sender has 6 that nobody uses, its receiver only those of flow 2.
    EXPECT_EQ(rates, (std::vector<double>{90, 10, 0, 50}));
}

TEST(LeastRate, AreRaisedWhereThePortsHaveIt)
{
    Flows flows({{0, 1}, {0, 1}, {0, 1}});
    std::vector<double> rates{4, 4, 4};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(2, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{10, 10, 10}));
}

TEST(LeastRate, ManyThatFillAPortKeepWhatTheyHave)
{
    // None of three can have more than 4 of 12 without taking it from another one.
    Flows flows({{0, 1}, {0, 1}, {0, 1}});
    for (const auto& order : {FIRST, std::vector<std::uint32_t>{}})
    {
        std::vector<double> rates{4, 4, 4};
        RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(2, 12), 10, order, rates);
        EXPECT_EQ(rates, (std::vector<double>{4, 4, 4}));
    }
}

TEST(LeastRate, AreTakenFromThoseBehindWhereThatIsEnough)
{
    // All could have 4 of 12. Flow 2, the last, gives what the others lack.
    Flows flows({{0, 1}, {0, 1}, {0, 1}});
    std::vector<double> rates{2, 3, 7};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(2, 12), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{4, 4, 4}));
    // Nobody is behind flow 2, which waits for its turn.
    rates = {7, 4, 1};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(2, 12), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{8, 4, 0}));
}

TEST(LeastRate, ALargeRateGivesWayToOneBeforeItAndNotToOneBehindIt)
{
    Flows flows({{0, 1}, {0, 1}});
    std::vector<double> rates{4, 96};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(2, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{10, 90}));
    rates = {96, 4};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(2, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{100, 0}));
}

TEST(LeastRate, WithoutAnOrderAllLargeRatesGiveTheSamePart)
{
    // Flow 0 lacks 6. At its sender 2 are unused, and flows 1 and 3 have 74 above the least rate.
    // At its receiver none is unused, and flows 2 and 3 have 76 above it.
    Flows flows({{0, 1}, {0, 2}, {3, 1}, {0, 1}});
    std::vector<double> rates{4, 34, 36, 60};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, {}, rates);
    EXPECT_DOUBLE_EQ(rates[0], 10);
    EXPECT_DOUBLE_EQ(rates[1], 34 - 24 * 4.0 / 74);
    EXPECT_DOUBLE_EQ(rates[2], 36 - 26 * 6.0 / 76);
    EXPECT_DOUBLE_EQ(rates[3], 60 - 50 * 6.0 / 76);
    // The last ones are not more than the others, whoever has come first.
    rates = {4, 0, 48, 48};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, {}, rates);
    EXPECT_EQ(rates, (std::vector<double>{10, 0, 45, 45}));
}

TEST(LeastRate, GoByTheOrderOfThePolicy)
{
    FlowTable table;
    for (std::uint32_t c = 0; c < 3; ++c)
    {
        table.Add(Coflow{c + 1, 0, {}, {{0, 0, 1, 1000}}, {}}, c, 0);
    }
    const std::vector<std::uint32_t> order{2, 0, 1};
    std::vector<double> rates{4, 20, 4};
    RaiseToLeastRate(table.Attained(0), PortRates::Uniform(2, 28), 10, order, rates);
    // Coflow 3 gets what it lacks of 9.33 from coflow 2, which is the last.
    EXPECT_DOUBLE_EQ(rates[2], 28.0 / 3);
    EXPECT_DOUBLE_EQ(rates[0], 28.0 / 3);
    EXPECT_DOUBLE_EQ(rates[1], 28.0 / 3);
    rates = {20, 4, 4};
    RaiseToLeastRate(table.Attained(0), PortRates::Uniform(2, 28), 10, order, rates);
    // Coflow 3 takes 4 from coflow 2, and what it still lacks from coflow 1.
    EXPECT_DOUBLE_EQ(rates[2], 28.0 / 3);
    EXPECT_EQ(rates[1], 0);
}

TEST(LeastRate, FiveFlowsThatShareASlowPortAllKeepARate)
{
    // A fifth of 1200 bytes/s is below 12,500, and so is the whole port.
    Flows flows({{1, 0}, {1, 0}, {1, 0}, {2, 0}, {2, 0}});
    for (const auto& order : {FIRST, std::vector<std::uint32_t>{}})
    {
        const double rate = 0.94 * 1200 / 5;
        std::vector<double> rates(5, rate);
        RaiseToLeastRate(flows.table.Attained(0),
                         PortRates::Uniform(3, 0.94 * 1200),
                         12500,
                         order,
                         rates);
        for (const double r : rates)
        {
            EXPECT_NEAR(r, rate, 1e-9 * rate);
        }
    }
}

TEST(LeastRate, NoPortLosesAllItsRates)
{
    // Flow 1 has the receiver of flow 0 nearly for itself, and its sender alone.
    Flows flows({{0, 1}, {2, 1}});
    std::vector<double> rates{99, 1};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(3, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{90, 10}));
}

// Random ports, flows, rates and least rates.
TEST(LeastRate, NeverOverloadAPortNorShutIt)
{
    boost::random::mt19937 random(7);
    const auto draw = [&random](double from, double to) {
        return boost::random::uniform_real_distribution<double>(from, to)(random);
    };
    for (int round = 0; round < 3000; ++round)
    {
        const HostId hosts = 2 + round % 5;
        const int count = 1 + static_cast<int>(draw(0, 12));
        FlowTable table;
        for (int f = 0; f < count; ++f)
        {
            const auto src = static_cast<HostId>(draw(0, hosts));
            const auto dst =
                static_cast<HostId>((src + 1 + static_cast<HostId>(draw(0, hosts - 1))) % hosts);
            table.Add(Coflow{static_cast<CoflowId>(f + 1), 0, {}, {{0, src, dst, 1000}}, {}},
                      static_cast<std::uint32_t>(f),
                      0);
        }
        PortRates capacity = PortRates::Uniform(hosts, 100);
        for (HostId h = 0; h < hosts; ++h)
        {
            capacity.ingress[h] = draw(1, 100);
            capacity.egress[h] = draw(1, 100);
        }
        // Rates that fit: parts of what is left, some of them all or nearly nothing.
        std::vector<double> left(capacity.ingress);
        left.insert(left.end(), capacity.egress.begin(), capacity.egress.end());
        std::vector<double> before(table.Src().size(), 0.0);
        for (std::size_t f = 0; f < before.size(); ++f)
        {
            double& from = left[table.Src()[f]];
            double& to = left[hosts + table.Dst()[f]];
            const double part = draw(0, 1) < 0.3 ? 1 : draw(0, 1) < 0.5 ? 0.01 : draw(0, 0.7);
            before[f] = part * std::min(from, to);
            from -= before[f];
            to -= before[f];
        }
        std::vector<std::uint32_t> order;
        if (round % 2 == 0)
        {
            order.resize(table.Rows().size());
            std::iota(order.begin(), order.end(), 0);
            for (std::size_t k = order.size(); k > 1; --k)
            {
                std::swap(order[k - 1], order[static_cast<std::size_t>(draw(0, k))]);
            }
        }
        const double least = draw(0, 1) < 0.2 ? 1000 : draw(0.1, 60);
        auto rates = before;
        RaiseToLeastRate(table.Attained(0), capacity, least, order, rates);
        std::vector<double> used(2 * hosts);
        std::vector<double> had(2 * hosts);
        std::vector<std::size_t> flows(2 * hosts);
        for (std::size_t f = 0; f < rates.size(); ++f)
        {
            EXPECT_GE(rates[f], 0);
            EXPECT_TRUE(before[f] > 0 || rates[f] == 0) << "who had nothing gets nothing";
            EXPECT_TRUE(!order.empty() || before[f] == 0 || rates[f] > 0) << "all share";
            for (const std::size_t p : {table.Src()[f], hosts + table.Dst()[f]})
            {
                used[p] += rates[f];
                had[p] += before[f];
                flows[p] += before[f] > 0;
            }
        }
        for (std::size_t p = 0; p < used.size(); ++p)
        {
            const double port = p < hosts ? capacity.ingress[p] : capacity.egress[p - hosts];
            EXPECT_LE(used[p], port * (1 + 1e-9)) << "round " << round;
            EXPECT_TRUE(had[p] == 0 || used[p] > 0) << "round " << round << ", port " << p;
        }
        for (std::size_t f = 0; f < rates.size(); ++f)
        {
            const std::size_t to = hosts + table.Dst()[f];
            const double floor =
                std::min({least,
                          capacity.ingress[table.Src()[f]] /
                              static_cast<double>(std::max<std::size_t>(1, flows[table.Src()[f]])),
                          capacity.egress[table.Dst()[f]] /
                              static_cast<double>(std::max<std::size_t>(1, flows[to]))});
            EXPECT_TRUE(rates[f] == 0 || rates[f] >= floor * (1 - 1e-6)) << "round " << round;
        }
    }
}

TEST(LeastRate, WhatThePolicyLeftUnusedStaysUnused)
{
    Flows flows({{0, 1}, {2, 3}});
    std::vector<double> rates{50, 0};
    RaiseToLeastRate(flows.table.Attained(0), PortRates::Uniform(4, 100), 10, FIRST, rates);
    EXPECT_EQ(rates, (std::vector<double>{50, 0}));
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
