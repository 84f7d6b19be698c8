/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples of the policies that share: fair, WSS, DRF, NC-DRF, HUG, PS-P.

#include "fluid-test-util.h"

#include "ns3/coflow-progress.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// E7: NC-DRF, figure 3. A 1>4, 2>4; B 2>3, 2>4, 100 Mb (one unit) each at 1 Gbps.
Workload
E7()
{
    return MakeWorkload(
        5,
        {MakeCoflow(1, {{1, 4, 1}, {2, 4, 1}}), MakeCoflow(2, {{2, 3, 1}, {2, 4, 1}})});
}

/// Rates in units at time 0.
std::vector<double>
FirstRates(const Workload& workload,
           const std::string& policy,
           const std::vector<std::string>& texts = {})
{
    FlowTable table;
    for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
    {
        table.Add(workload.coflows[c], c, 0);
    }
    std::vector<double> rates(table.Rates().size(), 0.0);
    const auto made = MakePolicy(policy, texts);
    made->Decide(table, 0, PortRates::Uniform(workload.hosts, 1), rates);
    return rates;
}

void
ExpectNear(const std::vector<double>& values, const std::vector<double>& expected, double tolerance)
{
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        EXPECT_NEAR(values[i], expected[i], tolerance) << i;
    }
}

} // namespace

TEST(FairPolicies, E1Wss)
{
    const Workload e1 = MakeWorkload(20,
                                     {MakeCoflow(1, {{1, 11, 1}, {2, 12, 2}, {3, 13, 4}}),
                                      MakeCoflow(2, {{1, 11, 2}, {2, 12, 2}})});
    for (const Executor executor : EXECUTORS)
    {
        const FluidResult result = RunUnits(e1, "wss", {}, {}, executor);
        EXPECT_NEAR(Mean(Ccts(result)), 4, 1e-8);
        EXPECT_NEAR(MeanFct(e1, result), 3.6, 1e-8);
    }
}

TEST(FairPolicies, E7NcDrf)
{
    ExpectNear(FirstRates(E7(), "nc-drf"), {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}, 1e-12);
    ExpectNear(Ccts(RunUnits(E7(), "nc-drf")), {3, 3}, 1e-8);
}

TEST(FairPolicies, E7PsP)
{
    ExpectNear(FirstRates(E7(), "ps-p"), {0.25, 0.25, 0.25, 0.25}, 1e-12);
    ExpectNear(FirstRates(E7(), "ps-p", {"mode=wfq"}), {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}, 1e-4);
    for (const Executor executor : EXECUTORS)
    {
        ExpectNear(Ccts(RunUnits(E7(), "ps-p", {}, {}, executor)), {4, 4}, 1e-8);
    }
    ExpectNear(Ccts(RunUnits(E7(), "ps-p", {"mode=wfq"})), {3, 3}, 1e-3);
}

TEST(FairPolicies, E7Drf)
{
    ExpectNear(FirstRates(E7(), "drf"), {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}, 1e-12);
    ExpectNear(Ccts(RunUnits(E7(), "drf")), {3, 3}, 1e-8);
}

TEST(FairPolicies, E7HugFillsTheSecondLink)
{
    // Demands (1/2, 1) and (1, 1/6) on the uplinks of hosts 1 and 2: P = 2/3, and DRF leaves
    // 2/9 of the second. A already has 2/3 there, so all of it goes to B.
    const Workload workload = MakeWorkload(
        7,
        {MakeCoflow(1, {{1, 3, 0.5}, {2, 4, 1}}), MakeCoflow(2, {{1, 5, 1}, {2, 6, 1.0 / 6}})});
    const auto drf = FirstRates(workload, "drf");
    ExpectNear(drf, {1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0 / 9}, 1e-6);
    EXPECT_NEAR(drf[1] + drf[3], 7.0 / 9, 1e-6);
    const auto hug = FirstRates(workload, "hug");
    ExpectNear(hug, {1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0 / 3}, 1e-6);
    EXPECT_NEAR(hug[1] + hug[3], 1, 1e-6);
    // Without the limit, spare rate goes by remaining bytes: 6 to 1.
    ExpectNear(FirstRates(workload, "hug", {"cooperative=true"}),
               {1.0 / 3, 2.0 / 3 + 2.0 / 9 * 6 / 7, 2.0 / 3, 1.0 / 9 + 2.0 / 9 / 7},
               1e-6);
}

TEST(FairPolicies, OneCoflowAloneHasAllProgress)
{
    const Workload workload = MakeWorkload(5, {MakeCoflow(1, {{1, 3, 1}, {2, 3, 3}})});
    // It keeps port 3 busy for 4 units, with flows of 1 and of 3: also where rates go by counts.
    ExpectNear(Ccts(RunUnits(workload, "drf")), {4}, 1e-8);
    ExpectNear(Ccts(RunUnits(workload, "hug")), {4}, 1e-8);
    ExpectNear(Ccts(RunUnits(workload, "nc-drf", {"coalesce=0"})), {4}, 1e-8);
}

TEST(FairPolicies, NcDrfReadsCountsAgainWhenFlowsFinish)
{
    // A 0>2 of 1 and 1>3 of 4; B 0>4 of 4. Each gets half of port 0; A's short flow ends at 2.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 1}, {1, 3, 4}}), MakeCoflow(2, {{0, 4, 4}})});
    const std::vector<std::string> at{"rescheduleOnFlow=true", "coalesce=0"};
    const std::vector<std::string> never{"rescheduleOnFlow=false"};
    ExpectNear(Ccts(RunUnits(workload, "nc-drf", at)), {4, 5}, 1e-8);
    // At 4 A completes, and B with 2 left has the port for itself.
    ExpectNear(Ccts(RunUnits(workload, "nc-drf", never)), {4, 6}, 1e-8);
}

TEST(FairPolicies, DrfSharesProgressNotRate)
{
    // Both need port 0; A needs twice as much of port 1.
    const Workload workload =
        MakeWorkload(6, {MakeCoflow(1, {{0, 2, 1}, {1, 3, 2}}), MakeCoflow(2, {{0, 4, 1}})});
    // c_A = (1/2, 1), c_B = (1, 0): P = 1 / 1.5.
    ExpectNear(FirstRates(workload, "drf"), {1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-12);
    // The rest of port 1 is A's to take, but its limit is P.
    ExpectNear(FirstRates(workload, "hug"), {1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-12);
    ExpectNear(FirstRates(workload, "drf", {"workConserving=true"}), {1.0 / 3, 1, 2.0 / 3}, 1e-12);
}

TEST(FairPolicies, CoflowSimsFairSharingDoesNotRedistribute)
{
    // 0>2, 0>3, 1>3: the flow 1>3 could have the half... of port 3 that 0>3 leaves; here
    // port 0 has three flows, so 0>3 leaves a sixth.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 1}, {0, 4, 1}, {0, 3, 1}, {1, 3, 1}})});
    ExpectNear(FirstRates(workload, "fair"), {1.0 / 3, 1.0 / 3, 1.0 / 3, 2.0 / 3}, 1e-12);
    ExpectNear(FirstRates(workload, "fair", {"redistribute=false"}),
               {1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 2},
               1e-12);
}
