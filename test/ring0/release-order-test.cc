/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-release-order.h"

#include <gtest/gtest.h>
#include <vector>

using namespace coflow;

namespace
{

using Positions = std::vector<std::uint32_t>;

/// 1 and 2 are the parents of 3, 2 alone that of 4, 3 and 4 those of 5.
Workload
Diamond()
{
    Workload workload;
    workload.hosts = 2;
    for (CoflowId id = 1; id <= 5; ++id)
    {
        workload.coflows.push_back({id, 0, {}, {}, {}});
    }
    workload.coflows[2].parents = {1, 2};
    workload.coflows[3].parents = {2};
    workload.coflows[4].parents = {3, 4};
    return workload;
}

} // namespace

TEST(ReleaseOrder, TheLastParentReleases)
{
    ReleaseOrder order(Diamond());
    EXPECT_EQ(order.Finish(1), Positions{3});
    EXPECT_EQ(order.Finish(0), Positions{2});
    EXPECT_EQ(order.Finish(3), Positions{});
    EXPECT_EQ(order.Finish(2), Positions{4});
    EXPECT_EQ(order.Finish(4), Positions{});
}

TEST(ReleaseOrder, DescendantsAreRejectedOnceAndNeverReleased)
{
    ReleaseOrder order(Diamond());
    EXPECT_EQ(order.Finish(1), Positions{3});
    EXPECT_EQ(order.Reject(0), (Positions{2, 4}));
    EXPECT_EQ(order.Finish(3), Positions{}) << "the other parent of 5 is rejected";
    EXPECT_EQ(order.Reject(2), Positions{}) << "told before";
}
