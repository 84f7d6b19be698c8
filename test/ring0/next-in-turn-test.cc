/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Who goes on when a receiver has become free, under D-CLAS.

#include "ns3/coflow-next-in-turn.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace coflow;

namespace
{

/// Offers coflows, by place, in the order in which they stand here, to a host that has become free.
NextInTurn<int>
OfferAll(const std::vector<std::pair<int, std::vector<HostId>>>& waiting,
         const std::set<HostId>& used,
         HostId freed,
         bool allOrNone)
{
    NextInTurn<int> next(freed, allOrNone);
    for (const auto& [place, receivers] : waiting)
    {
        next.Offer(place, receivers, [&](HostId host) { return used.count(host) > 0; });
    }
    return next;
}

} // namespace

TEST(NextInTurn, FirstInOrderGoesOnToTheFreedReceiverAlone)
{
    const auto next = OfferAll({{5, {1, 2}}, {3, {2, 7}}, {4, {2}}}, {7}, 2, false);
    EXPECT_EQ(next.First(), 3); // 7 is in use, which does not matter
    EXPECT_EQ(next.Opened(), std::vector<HostId>{2});
}

TEST(NextInTurn, WithAllOrNoneTheFirstThatCanSendToAllGoesOnToAll)
{
    const auto next = OfferAll({{5, {1, 2}}, {3, {2, 7}}, {6, {2}}}, {7}, 2, true);
    EXPECT_EQ(next.First(), 5); // 3 is before it, but sends to 7 as well
    EXPECT_EQ(next.Opened(), (std::vector<HostId>{1, 2}));
}

TEST(NextInTurn, NobodyGoesOnWhereAllAreBlocked)
{
    const auto next = OfferAll({{3, {2, 7}}, {4, {7, 2}}}, {7}, 2, true);
    EXPECT_EQ(next.First(), std::nullopt);
    EXPECT_TRUE(next.Opened().empty());
}

TEST(NextInTurn, DoesNotDependOnTheOrderOfOffers)
{
    std::mt19937 random(1);
    for (int round = 0; round < 500; ++round)
    {
        const bool allOrNone = round % 2 == 0;
        std::set<HostId> used;
        for (HostId host = 1; host < 8; ++host)
        {
            if (random() % 4 == 0)
            {
                used.insert(host);
            }
        }
        std::vector<std::pair<int, std::vector<HostId>>> waiting;
        std::map<int, std::vector<HostId>> able; // by place, those that may go on
        for (int place = 0; place < 6; ++place)
        {
            std::vector<HostId> receivers{0};
            bool blocked = false;
            for (HostId host = 1; host < 8; ++host)
            {
                if (random() % 3 == 0)
                {
                    receivers.push_back(host);
                    blocked = blocked || used.count(host) > 0;
                }
            }
            waiting.emplace_back(place, receivers);
            if (!allOrNone || !blocked)
            {
                able[place] = allOrNone ? receivers : std::vector<HostId>{0};
            }
        }
        std::shuffle(waiting.begin(), waiting.end(), random);
        const auto next = OfferAll(waiting, used, 0, allOrNone);
        ASSERT_EQ(next.First().has_value(), !able.empty());
        if (!able.empty())
        {
            EXPECT_EQ(next.First(), able.begin()->first);
            EXPECT_EQ(next.Opened(), able.begin()->second);
        }
    }
}
