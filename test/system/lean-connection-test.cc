/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random transfers over lean connections and over ns-3's sockets: the same segments at the same
// times, also where queues drop and where packets overtake each other.

#include "coflow-effort.h"
#include "lean-scenario.h"

#include "ns3/coflow-lean-connection.h"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <gtest/gtest.h>

using namespace ns3::coflow::test;

namespace
{

void
CompareRandomScenarios(bool lossy)
{
    for (uint64_t seed = 1; seed <= ::coflow::test::Effort<uint64_t>(60, 2000); ++seed)
    {
        boost::random::mt19937_64 dice(seed);
        const auto scenario = MakeScenario(
            [&dice](int64_t least, int64_t most) {
                return boost::random::uniform_int_distribution<int64_t>(least, most)(dice);
            },
            lossy);
        ASSERT_EQ(FindDifferentSegment(scenario), "") << "seed " << seed;
    }
}

} // namespace

TEST(LeanConnection, AllThatSegmentsTouchIsFetched)
{
    // Connections of hundreds of thousands of flows are open at a time: a larger one is slower.
    EXPECT_LE(sizeof(ns3::coflow::LeanConnection), ns3::coflow::Prefetchable::HOT_BYTES);
}

TEST(LeanEquality, SendsTheSameSegmentsWithoutLoss)
{
    CompareRandomScenarios(false);
}

TEST(LeanEquality, SendsTheSameSegmentsUnderLoss)
{
    CompareRandomScenarios(true);
}
