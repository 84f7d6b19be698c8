/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The queue of flows by the time when they end.

#include "ns3/coflow-end-queue.h"
#include "ns3/coflow-even-flow.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

TEST(EndQueue, IsASortedListOfFlows)
{
    BareFlows* nobody = nullptr;
    std::mt19937 random(7);
    std::vector<Ptr<EvenFlow>> flows;
    for (uint32_t i = 0; i < 50; ++i)
    {
        flows.push_back(Create<EvenFlow>(*nobody, 0));
        flows.back()->key = {i / 7, i % 7};
    }
    EndQueue queue;
    std::map<EvenFlow*, int64_t> expected;
    const auto expectFirst = [&] {
        ASSERT_EQ(queue.IsEmpty(), expected.empty());
        if (!expected.empty())
        {
            const auto first = std::min_element(expected.begin(),
                                                expected.end(),
                                                [](const auto& a, const auto& b) {
                                                    return a.second != b.second
                                                               ? a.second < b.second
                                                               : a.first->key < b.first->key;
                                                });
            EXPECT_EQ(queue.GetFirst().flow, first->first);
            EXPECT_EQ(queue.GetFirst().time, first->second);
        }
    };
    for (const auto& flow : flows)
    {
        const int64_t time = random() % 20;
        queue.Append(time, *flow);
        expected[PeekPointer(flow)] = time;
    }
    queue.Order();
    for (int i = 0; i < 2000; ++i)
    {
        expectFirst();
        EvenFlow& flow = *flows[random() % flows.size()];
        EXPECT_EQ(queue.Remove(flow), expected.erase(&flow) > 0);
    }
    queue.Clear();
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_FALSE(queue.Remove(*flows[0]));
}
