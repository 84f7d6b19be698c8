/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Passes over flows, against the same flow by flow: equal to the last bit.

#include "ns3/coflow-flow-scan.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

using namespace coflow;

namespace
{

struct Flows
{
    std::vector<double> remaining;
    std::vector<double> rates;
};

/// Up to a hundred flows with few values of rates and sizes, so that there are ties. Single flows
/// wait, or many that follow each other, or none.
Flows
RandomFlows(unsigned seed)
{
    boost::random::mt19937 engine(seed);
    const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(engine);
    };
    Flows flows;
    const int count = draw(1, 100);
    const int kinds = draw(1, 6);
    constexpr double zeros[] = {0.0, -0.0};
    const bool single = draw(0, 1) == 1;
    const int waiting = draw(0, 2) * count / 3; // this many first flows wait
    for (int f = 0; f < count; ++f)
    {
        const bool waits = f < waiting || (single && draw(0, 2) == 0);
        flows.remaining.push_back(1e7 / draw(1, 3 * kinds));
        flows.rates.push_back(waits ? zeros[draw(0, 1)] : 125e6 / draw(1, kinds));
    }
    return flows;
}

} // namespace

TEST(FlowScan, ExtentIsThatOfTheQuotients)
{
    for (unsigned seed = 0; seed < 2000; ++seed)
    {
        SCOPED_TRACE(seed);
        const Flows flows = RandomFlows(seed);
        double shortest = std::numeric_limits<double>::infinity();
        double longest = 0;
        double lanes[4] = {0, 0, 0, 0};
        const std::size_t count = flows.rates.size();
        for (std::size_t f = 0; f < count; ++f)
        {
            shortest = std::min(shortest, std::abs(flows.remaining[f] / flows.rates[f]));
            longest = std::max(longest, std::abs(flows.remaining[f] / flows.rates[f]));
            lanes[f < count / 4 * 4 ? f % 4 : 0] += flows.rates[f];
        }
        std::vector<std::uint32_t> expected{7}; // earlier blocks stay
        for (std::size_t f = 0; f < count; f += FLOW_BLOCK)
        {
            const auto rates = std::span(flows.rates).subspan(f);
            const bool whole = rates.size() >= FLOW_BLOCK;
            if (!whole || std::ranges::any_of(rates.first(FLOW_BLOCK), [](double rate) {
                    return rate != 0 || std::signbit(rate);
                }))
            {
                expected.push_back(static_cast<std::uint32_t>(f));
            }
        }
        std::vector<std::uint32_t> blocks{7};
        const FlowExtent extent = ExtentOf(flows.remaining, flows.rates, blocks);
        EXPECT_EQ(blocks, expected);
        EXPECT_EQ(extent.shortest, shortest);
        EXPECT_EQ(extent.longest, longest);
        EXPECT_EQ(extent.rate, lanes[0] + lanes[1] + lanes[2] + lanes[3]);
    }
}

TEST(FlowScan, MovesWhatFlows)
{
    for (unsigned seed = 0; seed < 500; ++seed)
    {
        SCOPED_TRACE(seed);
        Flows flows = RandomFlows(seed);
        std::vector<std::uint32_t> blocks;
        const double seconds = ExtentOf(flows.remaining, flows.rates, blocks).shortest;
        std::vector<double> expected;
        for (std::size_t f = 0; f < flows.rates.size(); ++f)
        {
            expected.push_back(std::max(flows.remaining[f] - flows.rates[f] * 0.02, 1e-6));
        }
        EXPECT_TRUE(AnyThrough(flows.remaining, flows.rates, seconds, 1e-9) ||
                    seconds == std::numeric_limits<double>::infinity());
        EXPECT_FALSE(AnyThrough(flows.remaining, flows.rates, seconds * 0.99, seconds * 0.005));
        MoveFlows(flows.remaining, flows.rates, 0.02);
        EXPECT_EQ(flows.remaining, expected);
    }
}

TEST(FlowScan, FindsTheOneFlowThatIsThrough)
{
    for (std::size_t count = 1; count < 40; ++count)
    {
        for (std::size_t through = 0; through < count; ++through)
        {
            std::vector<double> remaining(count, 100);
            const std::vector<double> rates(count, 10);
            EXPECT_FALSE(AnyThrough(remaining, rates, 5, 0.1));
            remaining[through] = 51;
            EXPECT_TRUE(AnyThrough(remaining, rates, 5, 0.1));
            std::vector<std::uint32_t> blocks;
            EXPECT_EQ(ExtentOf(remaining, rates, blocks).shortest, 5.1);
        }
    }
}
