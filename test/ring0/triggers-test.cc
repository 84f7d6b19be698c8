/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long policies may leave the rate of a finished flow lying, and what that does to results.

#include "fluid-test-util.h"
#include "policy-names.h"

#include "ns3/coflow-triggers.h"

#include <gtest/gtest.h>
#include <string>

using namespace coflow;
using namespace coflow::test;

TEST(Triggers, WaitForAShareOfTheYoungestAgeUpToAMost)
{
    const Triggers triggers{true, 400, 0.05};
    EXPECT_EQ(triggers.After(1000, 1000), 1000);
    EXPECT_EQ(triggers.After(3000, 1000), 3100);
    EXPECT_EQ(triggers.After(9000, 1000), 9400);
    EXPECT_EQ(triggers.After(90'000, 1000), 90'400);
    // Without a share, the age does not matter; without a most, nobody waits.
    EXPECT_EQ((Triggers{true, 400}.After(1000, 1000)), 1400);
    EXPECT_EQ((Triggers{true, 0, 0.05}.After(9000, 1000)), 9000);
}

/// Policies that ask for both parameters.
class EveryCoalescing : public testing::TestWithParam<std::string>
{
};

// Workloads of seconds and of milliseconds: neither is far from being exact.
TEST_P(EveryCoalescing, CostsLittleAtAnyScale)
{
    for (const int scale : {1, 1000})
    {
        double exact = 0;
        double asDefault = 0;
        for (unsigned seed = 0; seed < 20; ++seed)
        {
            RandomShape shape = Shapes()[seed % 3];
            shape.maxBytes /= scale;
            shape.lastArrival /= scale;
            const Workload workload = RandomWorkload(seed, shape);
            exact += Mean(Ccts(RunUnits(workload, GetParam(), {"coalesce=0"})));
            asDefault += Mean(Ccts(RunUnits(workload, GetParam())));
        }
        EXPECT_NEAR(asDefault / exact, 1, 0.06) << "scale 1/" << scale;
    }
}

// Where ports serve hundreds of flows one after the other, every delay is one for all that follow.
TEST_P(EveryCoalescing, DelaysDoNotAddUp)
{
    boost::random::mt19937 random(1);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return boost::random::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    std::vector<Coflow> coflows;
    for (CoflowId id = 1; id <= 300; ++id)
    {
        Coflow coflow{id, 0, {}, {}, {}};
        for (FlowId f = 0; f < 3; ++f)
        {
            const auto from = static_cast<HostId>(draw(0, 7));
            const auto to = static_cast<HostId>((from + draw(1, 7)) % 8);
            coflow.flows.push_back({f, from, to, draw(1000, 60'000)});
        }
        coflows.push_back(coflow);
    }
    const Workload workload = MakeWorkload(8, coflows);
    const double exact = Mean(Ccts(RunUnits(workload, GetParam(), {"coalesce=0"})));
    const double asDefault = Mean(Ccts(RunUnits(workload, GetParam())));
    EXPECT_LT(asDefault / exact, 1.06);
    // A share of 1 is never lost, and so the delays are what they would be without this limit.
    const double unlimited = Mean(Ccts(RunUnits(workload, GetParam(), {"coalesceIdle=1"})));
    EXPECT_GE(unlimited, asDefault * (1 - 1e-9));
    RecordProperty("unlimited", std::to_string(unlimited / exact));
}

INSTANTIATE_TEST_SUITE_P(Named,
                         EveryCoalescing,
                         testing::ValuesIn(PolicyNamesWith("coalesceShare")),
                         [](const auto& test) { return NameInTests(test.param); });
