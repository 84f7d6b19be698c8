/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-test-util.h"

#include "ns3/coflow-decision-forecast.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Coflow 1 has two flows of a unit to port 3. Coflow 2 has one, which comes after a unit of time.
Workload
MakeTwo()
{
    return MakeWorkload(
        4,
        {MakeCoflow(1, {{0, 3, 1}, {1, 3, 1}, {3, 3, 9}}), MakeCoflow(2, {{2, 3, 1}}, 1)});
}

/// @return what is left at a time: units, and flows, of either coflow
std::vector<ForecastGroup>
Left(double units, double ofFirst, std::size_t flows, double ofSecond, double from)
{
    std::vector<ForecastGroup> groups;
    const double seconds = units * static_cast<double>(UNIT) * 1e-9;
    if (flows > 0)
    {
        groups.push_back({0, 3, seconds, ofFirst * UNIT_BYTES, flows});
    }
    if (ofSecond > 0)
    {
        groups.push_back({1, 3, from * static_cast<double>(UNIT) * 1e-9, ofSecond * UNIT_BYTES, 1});
    }
    return groups;
}

} // namespace

TEST(PortForecast, SplitsPortsBetweenFlows)
{
    const auto workload = MakeTwo();
    std::vector<ForecastGroup> groups = MakeForecastGroups(workload.coflows[0], 0);
    ASSERT_EQ(groups.size(), 1U) << "a flow within a host uses no port";
    EXPECT_EQ(groups[0].flows, 2U);
    groups.push_back(MakeForecastGroups(workload.coflows[1], 1).at(0));
    // When coflow 2 comes, each flow of coflow 1 has half a unit left: at a third of the port each
    // that takes 1.5 units of time. Then coflow 2 has half a unit left, alone.
    const auto changes = ForecastChanges(groups, std::vector<double>(4, PORT_RATE));
    ASSERT_EQ(changes.size(), 4U);
    const std::vector<double> times{0, 1, 2.5, 3};
    const std::vector<double> flows{2, 1, -2, -1};
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        EXPECT_NEAR(changes[i].time, times[i] * static_cast<double>(UNIT) * 1e-9, 1e-9) << i;
        EXPECT_EQ(changes[i].flows, flows[i]) << i;
        EXPECT_EQ(changes[i].coflow, i % 2) << i;
    }
}

TEST(PortForecast, FlowsToAPortThatIsDownStay)
{
    const auto groups = MakeForecastGroups(MakeTwo().coflows[0], 0);
    const auto changes = ForecastChanges(groups, std::vector<double>(4, 0));
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].flows, 2);
}

TEST(DecisionForecast, CountsFlowsPresentWhereCoflowsComeAndEnd)
{
    // Coflow 1 comes (2 flows), coflow 2 comes (3), coflow 1 ends (3), coflow 2 ends (1). Each of
    // these costs the number to the power of 3/4. What is left is dearer: 1.8 times where all is,
    // and 1.4 times where half is.
    const auto cost = [](double flows) { return std::pow(flows, 0.75); };
    const auto share = [](double paid, double left) {
        return paid / (paid + (1 + 0.8 * left / (paid + left)) * left);
    };
    const double first = cost(2);
    const double second = first + cost(3);
    const double third = second + cost(3);
    EXPECT_DOUBLE_EQ(DecisionForecast::CostOf(3), cost(3));
    const DecisionForecast forecast(MakeTwo(), std::vector<double>(4, PORT_RATE));
    EXPECT_DOUBLE_EQ(forecast.PaidShare(0, Left(0, 2, 2, 1, 1)),
                     share(first, 2 * cost(3) + cost(1)));
    EXPECT_DOUBLE_EQ(forecast.PaidShare(UNIT, Left(1, 1, 2, 1, 1)),
                     share(second, cost(3) + cost(1)));
    EXPECT_DOUBLE_EQ(forecast.PaidShare(26 * UNIT / 10, Left(2.6, 0, 0, 0.4, 2.6)),
                     share(third, cost(1)));
    EXPECT_DOUBLE_EQ(forecast.PaidShare(3 * UNIT, {}), 1);
    // Nothing of coflow 1 has been sent when coflow 2 comes: what was foretold for that is paid,
    // and still the ends of both are to be.
    EXPECT_DOUBLE_EQ(forecast.PaidShare(UNIT, Left(1, 2, 2, 1, 1)),
                     share(second, cost(3) + cost(1)));
    // Coflow 1 is through early: only the end of coflow 2 is left.
    EXPECT_DOUBLE_EQ(forecast.PaidShare(UNIT, Left(1, 0, 0, 1, 1)), share(second, cost(1)));
    // Where the cost was counted, it is taken in place of what was foretold.
    EXPECT_DOUBLE_EQ(forecast.PaidShare(UNIT, Left(1, 0, 0, 1, 1), 7), share(7, cost(1)));
}

TEST(DecisionForecast, OfNothingAllIsPaid)
{
    const DecisionForecast forecast(MakeWorkload(4, {MakeCoflow(1, {})}),
                                    std::vector<double>(4, PORT_RATE));
    EXPECT_EQ(forecast.PaidShare(0, {}), 1);
    EXPECT_EQ(forecast.PaidShare(0, {}, 0), 1);
}
