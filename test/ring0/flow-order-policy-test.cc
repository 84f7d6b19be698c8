/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples of per-flow prioritisation and of the oracle order.

#include "fluid-test-util.h"

#include "ns3/coflow-bssi.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// E10: C1 needs all of four ports, the others one each; every load is 2.
Workload
E10()
{
    return MakeWorkload(12,
                        {MakeCoflow(1, {{0, 4, 2}, {1, 5, 2}, {2, 6, 2}, {3, 7, 2}}),
                         MakeCoflow(2, {{0, 8, 2}}),
                         MakeCoflow(3, {{1, 9, 2}}),
                         MakeCoflow(4, {{2, 10, 2}}),
                         MakeCoflow(5, {{3, 11, 2}})});
}

} // namespace

TEST(FlowOrder, E1ShortestRemaining)
{
    // 1>11: C1 has 1, C2 has 2. 2>12: both have 2, the tie goes to the smaller id.
    const Coflow small = MakeCoflow(1, {{1, 11, 1}, {2, 12, 2}, {3, 13, 4}});
    const Coflow large = MakeCoflow(2, {{1, 11, 2}, {2, 12, 2}});
    for (const Executor executor : EXECUTORS)
    {
        const Workload toFirst = MakeWorkload(20, {small, large});
        const FluidResult result = RunUnits(toFirst, "pfabric", {}, {}, executor);
        EXPECT_EQ(Ccts(result), (Times{4, 4}));
        EXPECT_DOUBLE_EQ(MeanFct(toFirst, result), 2.8);

        Coflow later = small;
        later.id = 3;
        const Workload toSecond = MakeWorkload(20, {later, large});
        const FluidResult other = RunUnits(toSecond, "pfabric", {}, {}, executor);
        EXPECT_EQ(Ccts(other), (Times{3, 4})) << "C2 has the smaller id now";
        EXPECT_DOUBLE_EQ(MeanFct(toSecond, other), 2.8);
        EXPECT_DOUBLE_EQ(Mean(Ccts(other)), 3.5);
    }
}

TEST(FlowOrder, PreemptsAndResumes)
{
    // The long flow runs 0..2, waits for the short one until 3, and ends at 6. At 4 a flow as
    // long as what it has left (2) does not displace it.
    const Workload workload = MakeWorkload(
        3,
        {MakeCoflow(1, {{0, 1, 5}}), MakeCoflow(2, {{0, 2, 1}}, 2), MakeCoflow(3, {{0, 2, 2}}, 4)});
    for (const Executor executor : EXECUTORS)
    {
        EXPECT_EQ(Ccts(RunUnits(workload, "pfabric", {}, {}, executor)), (Times{6, 1, 4}));
    }
}

TEST(FlowOrder, ADisplacedFlowFreesItsOtherPort)
{
    // 0>1 (3) runs; 2>3 (1) starts at 1 and displaces nothing; 0>3 (0.5) arrives at 1.5 and
    // displaces 0>1, but not 2>3, which has 0.5 left as well and the smaller id: it waits.
    const Workload workload = MakeWorkload(5,
                                           {MakeCoflow(1, {{0, 1, 3}}),
                                            MakeCoflow(2, {{2, 3, 1}}, 1),
                                            MakeCoflow(3, {{0, 3, 0.5}}, 1.5),
                                            MakeCoflow(4, {{4, 1, 2}}, 0)});
    // 4>1 (2) goes first at port 1 until 2; 0>1 runs from 2.5, when 0>3 is done at 2.5.
    const Times expected{5.5, 1, 1, 2};
    for (const Executor executor : EXECUTORS)
    {
        const FluidResult result = RunUnits(workload, "pfabric", {}, {}, executor);
        Times ccts;
        for (const CoflowOutcome& outcome : result.coflows)
        {
            ccts.push_back(static_cast<double>(outcome.Cct()) / UNIT);
        }
        // In the order of the workload: coflows 1, 4, 2, 3.
        EXPECT_EQ(ccts, (Times{expected[0], expected[3], expected[1], expected[2]}));
    }
}

TEST(FlowOrder, CoflowSimsReceiversChooseInTheirOrder)
{
    // Receiver 1 takes its smaller flow, from 0; receiver 2 has only flows of sender 0, so waits.
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 2}, {3, 1, 3}}), MakeCoflow(2, {{0, 2, 1}})});
    EXPECT_EQ(Ccts(RunUnits(workload, "pfabric", {"receiverOrder=true"})), (Times{5, 3}));
    EXPECT_EQ(Ccts(RunUnits(workload, "pfabric")), (Times{5, 1}));
}

TEST(Sincronia, E10)
{
    EXPECT_DOUBLE_EQ(Mean(Ccts(RunUnits(E10(), "varys"))), 3.6);
    // C1 and C5 load port 3 alike: the first of them goes last, which is the optimum.
    EXPECT_EQ(Ccts(RunUnits(E10(), "sincronia")), (Times{4, 2, 2, 2, 2}));
    EXPECT_EQ(Ccts(RunUnits(E10(), "sincronia", {"rates=madd"})), (Times{4, 2, 2, 2, 2}));
}

TEST(Sincronia, CoflowsBeyondTheClassesShareTheLast)
{
    // Of C2 and C3, which are alike, the first goes last: the order is C1, C3, C2. With two classes
    // C2 and C3 share port 1 until C1 is done.
    const Workload workload = MakeWorkload(
        5,
        {MakeCoflow(1, {{0, 2, 1}}), MakeCoflow(2, {{1, 3, 2}}), MakeCoflow(3, {{1, 4, 2}})});
    const auto ccts = [&](const std::string& levels) {
        return Ccts(RunUnits(workload, "sincronia", {"rates=classes", "levels=" + levels}));
    };
    EXPECT_EQ(ccts("8"), (Times{1, 4, 2}));
    EXPECT_EQ(ccts("2"), (Times{1, 4, 2.5}));
    EXPECT_EQ(ccts("1"), (Times{1, 4, 4}));
}

TEST(Bssi, E10Order)
{
    std::vector<std::vector<PortDemand>> loads{{{0, 2}, {1, 2}, {2, 2}, {3, 2}}};
    for (HostPort p = 0; p < 4; ++p)
    {
        loads.push_back({{p, 2}});
    }
    const std::vector<std::span<const PortDemand>> spans(loads.begin(), loads.end());
    EXPECT_EQ(BssiOrder(spans, 4, std::vector<double>(5, 1)),
              (std::vector<std::uint32_t>{1, 2, 3, 4, 0}));
}

TEST(Bssi, WeightsAndEmptyCoflowsHaveTheirPlace)
{
    const std::vector<std::vector<PortDemand>> loads{{{0, 4}}, {}, {{0, 1}}, {{0, 2}}};
    const std::vector<std::span<const PortDemand>> spans(loads.begin(), loads.end());
    const auto last = [&](std::vector<double> weights) {
        const auto order = BssiOrder(spans, 1, weights);
        EXPECT_EQ(order.size(), 4U);
        return order.back();
    };
    EXPECT_EQ(last({1, 1, 1, 1}), 0U);
    EXPECT_EQ(last({9, 1, 1, 1}), 3U);
    EXPECT_EQ(last({9, 1, 0.1, 9}), 2U);
}
