/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-contention.h"

#include <gtest/gtest.h>
#include <vector>

using namespace coflow;

namespace
{

/// A flow of 1000 bytes per coflow, with the time for which it was under way.
struct Way
{
    HostId src;
    HostId dst;
    Nanoseconds arrival;
    Nanoseconds finish;
    bool admitted{true};
};

bool
Contended(const std::vector<Way>& ways, ContendedResources places = ContendedResources::PORTS)
{
    Workload workload{.hosts = 4};
    std::vector<CoflowRecord> records;
    for (const Way& way : ways)
    {
        const CoflowId id = workload.coflows.size() + 1;
        workload.coflows.push_back(
            {.id = id,
             .arrival = way.arrival,
             .flows = {{0, way.src, way.dst, 1000}, {1, way.src, way.dst, 1}}});
        CoflowRecord record;
        record.arrival = way.arrival;
        record.finish = way.finish;
        record.admitted = way.admitted;
        records.push_back(record);
    }
    return WasContended(workload, records, places);
}

} // namespace

TEST(Contention, NeedsTwoCoflowsAtOneTimeAtOnePort)
{
    EXPECT_FALSE(Contended({}));
    EXPECT_FALSE(Contended({{0, 1, 0, 10}})); // its own flows share, but wait for none
    EXPECT_FALSE(Contended({{0, 1, 0, 10}, {0, 1, 10, 20}})); // one after the other
    EXPECT_TRUE(Contended({{0, 1, 0, 10}, {0, 2, 9, 20}}));   // at the same sender
    EXPECT_TRUE(Contended({{0, 1, 0, 10}, {2, 1, 9, 20}}));   // at the same receiver
    EXPECT_FALSE(Contended({{0, 1, 0, 10}, {1, 0, 5, 20}}));  // in opposite directions
    EXPECT_FALSE(Contended({{0, 0, 0, 10}, {0, 1, 5, 20}}));  // within a host
    EXPECT_TRUE(Contended({{0, 1, 0, NEVER}, {0, 1, 99, NEVER}}));
    EXPECT_FALSE(Contended({{0, 1, 0, NEVER, false}, {0, 1, 5, 9}})); // rejected, and never sent
    // A coflow that waited for its parents arrives late, in the order of time.
    EXPECT_TRUE(Contended({{0, 1, 50, 60}, {0, 1, 0, 51}}));
    EXPECT_FALSE(Contended({{0, 1, 50, 60}, {0, 1, 0, 50}}));
}

TEST(Contention, FlowsOfACoflowMeet)
{
    const auto alone = [](const std::vector<Flow>& flows, ContendedResources places) {
        Workload workload{.hosts = 6};
        workload.coflows.push_back({.id = 1, .flows = flows});
        CoflowRecord record;
        record.finish = 10;
        return WasContended(workload, {record}, places);
    };
    for (const auto places : {ContendedResources::PORTS, ContendedResources::PORTS_AND_LINKS})
    {
        EXPECT_FALSE(alone({{0, 0, 3, 9}, {1, 1, 3, 1}, {2, 2, 3, 5}}, places)) << "one receiver";
        EXPECT_FALSE(alone({{0, 0, 3, 9}, {1, 0, 4, 1}}, places)) << "one sender";
        // The flow from 1 may wait for the one from 0, or the other way round.
        EXPECT_TRUE(alone({{0, 0, 3, 9}, {1, 0, 4, 1}, {2, 1, 4, 9}}, places));
        EXPECT_FALSE(alone({{0, 0, 3, 9}, {1, 4, 4, 1}, {2, 1, 4, 0}}, places)) << "one that sends";
    }
    const std::vector<Flow> apart{{0, 0, 3, 9}, {1, 1, 4, 9}};
    EXPECT_FALSE(alone(apart, ContendedResources::PORTS));
    EXPECT_TRUE(alone(apart, ContendedResources::PORTS_AND_LINKS));
}

TEST(Contention, WithLinksInsideWhoIsUnderWayAtOneTimeMayMeet)
{
    constexpr auto LINKS = ContendedResources::PORTS_AND_LINKS;
    EXPECT_FALSE(Contended({{0, 1, 0, 10}}, LINKS));
    EXPECT_FALSE(Contended({{0, 1, 0, 10}, {2, 3, 10, 20}}, LINKS));
    EXPECT_TRUE(Contended({{0, 1, 0, 10}, {2, 3, 9, 20}}, LINKS));
    EXPECT_FALSE(Contended({{0, 1, 0, 10}, {2, 2, 9, 20}}, LINKS)); // within a host
}
