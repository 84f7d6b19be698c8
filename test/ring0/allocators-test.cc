/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-test-util.h"

#include "ns3/coflow-allocators.h"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
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

// Coflows come and go at any row, and some flows move: loads that were kept equal new ones.
TEST(CoflowLoads, KeepsLoadsOfCoflowsThatDidNotChange)
{
    constexpr HostId HOSTS = 70; // more than one word of a set of ports
    const auto capacity = PortRates::Uniform(HOSTS, UNIT_BYTES);
    boost::random::mt19937 random(1);
    const auto draw = [&random](std::uint32_t below) {
        return boost::random::uniform_int_distribution<std::uint32_t>(0, below - 1)(random);
    };
    FlowTable table;
    CoflowLoads kept;
    std::uint32_t index = 0;
    for (int step = 0; step < 300; ++step)
    {
        for (std::uint32_t n = draw(3); n > 0; --n)
        {
            Coflow coflow;
            coflow.id = index;
            for (FlowId flow = 0, flows = 1 + draw(90); flow < flows; ++flow)
            {
                const HostId src = draw(HOSTS);
                coflow.flows.push_back(
                    {flow, src, (src + 1 + draw(HOSTS - 1)) % HOSTS, 1 + draw(99)});
            }
            table.Add(coflow, index++, draw(50));
        }
        for (std::uint32_t n = draw(3); n > 0 && !table.Rows().empty(); --n)
        {
            table.RemoveCoflow(draw(static_cast<std::uint32_t>(table.Rows().size())));
        }
        if (!table.Rows().empty())
        {
            const auto left =
                table.Remaining(draw(static_cast<std::uint32_t>(table.Rows().size())));
            left.front() = 1 + draw(99);
        }
        if (!table.Rows().empty())
        {
            // Some flows finish, and another coflow gets one more flow.
            const auto n = static_cast<std::uint32_t>(table.Rows().size());
            const std::uint32_t r = draw(n);
            std::vector<std::uint32_t> finished;
            for (std::uint32_t f = table.Rows()[r].begin; f < table.Rows()[r].end; ++f)
            {
                if (draw(4) == 0)
                {
                    finished.push_back(f);
                }
            }
            table.RemoveFinished(r, finished);
            const std::uint32_t more = draw(n);
            const HostId src = draw(HOSTS);
            const TableFlow added{1000U + static_cast<FlowId>(step),
                                  src,
                                  (src + 1 + draw(HOSTS - 1)) % HOSTS,
                                  50,
                                  50};
            table.Append(more, CoflowSizes(table.Sizes()[more]), std::vector{added});
            table.RemoveEmpty();
        }
        const auto view = table.Clairvoyant(0);
        kept.ComputeBytes(view, capacity);
        CoflowLoads anew;
        anew.ComputeBytes(view, capacity);
        for (std::size_t r = 0; r < view.coflows.size(); ++r)
        {
            const auto same = [](const PortDemand& a, const PortDemand& b) {
                return a.port == b.port && a.load == b.load;
            };
            ASSERT_TRUE(std::ranges::equal(kept.Of(r), anew.Of(r), same)) << step << " " << r;
            ASSERT_EQ(kept.GammaOf(r), anew.GammaOf(r)) << step << " " << r;
            ASSERT_TRUE(std::ranges::equal(kept.PortsOf(r), anew.PortsOf(r))) << step << " " << r;
            std::vector<std::uint64_t> ports(OpenPorts::Words(HOSTS), 0);
            for (const PortDemand& load : kept.Of(r))
            {
                OpenPorts::Insert(ports, HOSTS, load.port);
            }
            ASSERT_TRUE(std::ranges::equal(kept.PortsOf(r), ports)) << step << " " << r;
        }
    }
}

TEST(OpenPorts, HasThePortsWithAFreeRate)
{
    constexpr HostId HOSTS = 70;
    PortBudget budget;
    budget.Reset(PortRates::Uniform(HOSTS, UNIT_BYTES));
    OpenPorts open;
    open.Reset(budget);
    std::vector<std::uint64_t> ports(OpenPorts::Words(HOSTS), 0);
    for (const HostPort port : {budget.Sending(1), budget.Sending(69), budget.Receiving(69)})
    {
        OpenPorts::Insert(ports, HOSTS, port);
        EXPECT_TRUE(open.Has(port));
    }
    EXPECT_TRUE(open.HasAll(ports));
    budget.Take(budget.Sending(69), UNIT_BYTES);
    budget.Take(budget.Receiving(1), UNIT_BYTES); // not of the set
    open.Look(budget.Sending(69), budget);
    open.Look(budget.Receiving(1), budget);
    EXPECT_FALSE(open.Has(budget.Sending(69)));
    EXPECT_FALSE(open.HasAll(ports));
    EXPECT_TRUE(open.HasPair(ports)) << "from host 1 to host 69";
    budget.Take(budget.Receiving(69), UNIT_BYTES);
    open.Look(budget.Receiving(69), budget);
    EXPECT_FALSE(open.HasPair(ports)) << "no port receives";
    budget.Reset(PortRates::Uniform(HOSTS, UNIT_BYTES));
    budget.Take(budget.Sending(1), UNIT_BYTES);
    budget.Take(budget.Sending(69), UNIT_BYTES);
    open.Reset(budget);
    EXPECT_FALSE(open.HasPair(ports)) << "no port sends";
    EXPECT_TRUE(open.Has(budget.Receiving(69)));
}

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
