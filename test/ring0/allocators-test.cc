/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-test-util.h"

#include "ns3/coflow-allocators.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// A table with these coflows, ports of one unit, and everything free.
struct Fixture
{
    explicit Fixture(HostId hosts, const std::vector<Coflow>& coflows)
        : capacity(PortRates::Uniform(hosts, UNIT_BYTES))
    {
        std::uint32_t index = 0;
        for (const Coflow& coflow : coflows)
        {
            table.Add(coflow, index++, 0);
        }
        view = table.Clairvoyant(0);
        budget.Reset(capacity);
        loads.ComputeBytes(view, capacity);
        rates.assign(view.FlowCount(), 0.0);
    }

    /// The rate of a flow in units.
    double Rate(std::size_t flow) const
    {
        return rates[flow] / UNIT_BYTES;
    }

    PortRates capacity;
    FlowTable table;
    ClairvoyantView view;
    PortBudget budget;
    CoflowLoads loads;
    std::vector<double> rates;
};

/// Max-min by the book: raise all by small equal steps of the common level.
std::vector<double>
SlowMaxMin(const ClairvoyantView& view, const std::vector<double>& weights, const PortRates& rates)
{
    PortBudget budget;
    budget.Reset(rates);
    std::vector<double> result(view.FlowCount(), 0.0);
    std::vector<bool> live(view.FlowCount(), true);
    while (std::find(live.begin(), live.end(), true) != live.end())
    {
        std::vector<double> sum(budget.Ports(), 0.0);
        for (std::size_t f = 0; f < live.size(); ++f)
        {
            sum[budget.Sending(view.src[f])] += live[f] ? weights[f] : 0;
            sum[budget.Receiving(view.dst[f])] += live[f] ? weights[f] : 0;
        }
        double step = 1e300;
        for (HostPort p = 0; p < budget.Ports(); ++p)
        {
            step = sum[p] > 0 ? std::min(step, budget.Free(p) / sum[p]) : step;
        }
        for (std::size_t f = 0; f < live.size(); ++f)
        {
            if (live[f])
            {
                result[f] += step * weights[f];
                budget.Take(view.src[f], view.dst[f], step * weights[f]);
            }
        }
        for (std::size_t f = 0; f < live.size(); ++f)
        {
            live[f] = live[f] && budget.Open(view.src[f], view.dst[f]);
        }
    }
    return result;
}

} // namespace

TEST(Gamma, IsTheSlowestPort)
{
    Fixture f(7, {MakeCoflow(1, {{1, 4, 1}, {2, 5, 2}, {3, 6, 4}})});
    EXPECT_DOUBLE_EQ(Gamma(f.loads.Of(0), f.budget), 4);
    f.budget.Take(f.budget.Receiving(5), 0.75 * UNIT_BYTES);
    EXPECT_DOUBLE_EQ(Gamma(f.loads.Of(0), f.budget), 8);
    f.budget.Take(f.budget.Sending(1), UNIT_BYTES);
    EXPECT_EQ(Gamma(f.loads.Of(0), f.budget), INFINITE_TIME);
    EXPECT_EQ(Gamma({}, f.budget), 0);
}

TEST(Gamma, CountsDirectionsApart)
{
    Fixture f(3, {MakeCoflow(1, {{1, 2, 1}, {2, 1, 1}})});
    EXPECT_DOUBLE_EQ(Gamma(f.loads.Of(0), f.budget), 1);
}

// Worked example E1: MADD on C1 alone.
TEST(Madd, FinishesAllFlowsTogether)
{
    Fixture f(4, {MakeCoflow(1, {{1, 1, 1}, {2, 2, 2}, {3, 3, 4}})});
    EXPECT_EQ(f.view.FlowCount(), 0U) << "flows within a host use no port";

    Fixture g(7, {MakeCoflow(1, {{1, 4, 1}, {2, 5, 2}, {3, 6, 4}})});
    Madd(g.view.coflows[0], g.view.remaining, g.loads.Of(0), 4, g.budget, g.rates);
    EXPECT_DOUBLE_EQ(g.Rate(0), 0.25);
    EXPECT_DOUBLE_EQ(g.Rate(1), 0.5);
    EXPECT_DOUBLE_EQ(g.Rate(2), 1);
    EXPECT_TRUE(g.budget.Exhausted(g.budget.Sending(3)));
    EXPECT_DOUBLE_EQ(g.budget.Free(g.budget.Receiving(4)), 0.75 * UNIT_BYTES);
}

TEST(MaxMinFiller, SharesByWeightAndPassesOnWhatOthersCannotUse)
{
    // Port 0 sends to 2 and 3; port 1 sends to 3: 0>3 and 1>3 share port 3.
    Fixture f(4, {MakeCoflow(1, {{0, 2, 1}, {0, 3, 1}, {1, 3, 1}, {1, 3, 1}})});
    MaxMinFiller filler;
    for (std::uint32_t flow = 0; flow < 4; ++flow)
    {
        filler.Add(flow, f.view.src[flow], f.view.dst[flow], 1, f.budget);
    }
    filler.Fill(f.budget, f.rates);
    EXPECT_DOUBLE_EQ(f.Rate(0), 2.0 / 3);
    EXPECT_DOUBLE_EQ(f.Rate(1), 1.0 / 3);
    EXPECT_DOUBLE_EQ(f.Rate(2), 1.0 / 3);
    EXPECT_DOUBLE_EQ(f.Rate(3), 1.0 / 3);

    f.budget.Reset(f.capacity);
    f.rates.assign(4, 0);
    filler.Add(1, 0, 3, 3, f.budget);
    filler.Add(2, 1, 3, 1, f.budget);
    filler.Fill(f.budget, f.rates);
    EXPECT_DOUBLE_EQ(f.Rate(1), 0.75);
    EXPECT_DOUBLE_EQ(f.Rate(2), 0.25);
    EXPECT_EQ(f.rates[0], 0) << "not in the set";
}

TEST(MaxMinFiller, EqualsProgressiveFillingByTheBook)
{
    for (unsigned seed = 0; seed < 200; ++seed)
    {
        const Workload workload = RandomWorkload(seed, {5, 5, 10, 1000, 0, 0});
        Fixture f(workload.hosts, workload.coflows);
        for (HostId h = 0; h < workload.hosts; ++h)
        {
            f.capacity.ingress[h] = 100 * (1 + (seed + h) % 3);
        }
        f.budget.Reset(f.capacity);
        const std::vector<double> weights(f.view.remaining.begin(), f.view.remaining.end());
        MaxMinFiller filler;
        for (std::uint32_t flow = 0; flow < weights.size(); ++flow)
        {
            filler.Add(flow, f.view.src[flow], f.view.dst[flow], weights[flow], f.budget);
        }
        filler.Fill(f.budget, f.rates);
        const std::vector<double> slow = SlowMaxMin(f.view, weights, f.capacity);
        for (std::size_t flow = 0; flow < weights.size(); ++flow)
        {
            EXPECT_NEAR(f.rates[flow], slow[flow], 1e-6 * slow[flow]) << seed << " " << flow;
            EXPECT_FALSE(f.budget.Open(f.view.src[flow], f.view.dst[flow]))
                << "every flow has an exhausted port";
        }
    }
}

TEST(Backfill, ServesInOrderWhatMaddLeft)
{
    // Worked example E1: C2 first takes ports 1 and 2, C1 is skipped and gets port 3.
    Fixture f(
        7,
        {MakeCoflow(1, {{1, 4, 1}, {2, 5, 2}, {3, 6, 4}}), MakeCoflow(2, {{1, 4, 2}, {2, 5, 2}})});
    Madd(f.view.coflows[1], f.view.remaining, f.loads.Of(1), 2, f.budget, f.rates);
    EXPECT_EQ(Gamma(f.loads.Of(0), f.budget), INFINITE_TIME);
    MaxMinFiller filler;
    const std::vector<std::uint32_t> order{1, 0};
    Backfill(f.view, f.view.remaining, order, f.loads, f.budget, filler, f.rates);
    EXPECT_EQ(f.Rate(0), 0);
    EXPECT_EQ(f.Rate(1), 0);
    EXPECT_DOUBLE_EQ(f.Rate(2), 1);
}
