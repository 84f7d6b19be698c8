/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples and properties of Philae.

#include "fluid-test-util.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Exact parameters, no guard, one pilot, and others.
std::vector<std::string>
With(std::initializer_list<std::string> more)
{
    std::vector<std::string> texts{"coalesce=0", "T=0", "pilotShare=0"};
    texts.insert(texts.end(), more);
    return texts;
}

void
ExpectTimes(const Workload& workload,
            std::initializer_list<std::string> parameters,
            const std::vector<double>& expected)
{
    const auto times = Ccts(RunUnits(workload, "philae", With(parameters)));
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t k = 0; k < times.size(); ++k)
    {
        EXPECT_NEAR(times[k], expected[k], 1e-6) << "coflow " << k;
    }
}

} // namespace

TEST(Philae, ThinCoflowsAreNotSampledAndGoFirst)
{
    // The pilot of C1 runs until 0.5, when C2 comes, which is thin: C2 runs to 1.5, the pilot to 2,
    // and the other two flows share the port until 4.
    const Workload workload = MakeWorkload(
        6,
        {MakeCoflow(1, {{0, 2, 1}, {0, 3, 1}, {0, 4, 1}}), MakeCoflow(2, {{0, 5, 1}}, 0.5)});
    ExpectTimes(workload, {"thinLimit=2"}, {4, 1});
    // Where both are sampled, C2 waits for the pilot of C1, which came first: 1..2, and C1 2..4.
    ExpectTimes(workload, {"thinLimit=0"}, {4, 1.5});
}

TEST(Philae, OnlyPilotsAreSentUntilTheyAreOver)
{
    // The pilot of C1 has port 0. That of C2 is at port 1, where no pilot is: over at 1. The other
    // flow of C2 waits for the pilot of C1 until 3: 3..4. The other flow of C1 may not use port 1
    // before 3: 3..6.
    const Workload workload = MakeWorkload(
        5,
        {MakeCoflow(1, {{0, 3, 3}, {1, 4, 3}}), MakeCoflow(2, {{0, 3, 1}, {1, 4, 1}})});
    ExpectTimes(workload, {"thinLimit=0"}, {6, 4});
}

TEST(Philae, ShortestFirstByWhatPilotsTell)
{
    // Pilots, first in, first out: C1 0..2, C2 2..3. What is left is taken for 2 and for 1: C2 runs
    // 3..4, C1 4..6. First in, first out would be 5 and 6.
    const Workload workload = MakeWorkload(
        5,
        {MakeCoflow(1, {{0, 1, 2}, {0, 2, 2}}), MakeCoflow(2, {{0, 3, 1}, {0, 4, 1}})});
    ExpectTimes(workload, {"thinLimit=0"}, {6, 4});
}

TEST(Philae, AWrongSampleGivesAWrongOrder)
{
    // As before, but the other flow of C2 is 4 and not 1, and C2 goes first all the same: 3..7, 9.
    const Workload workload = MakeWorkload(
        5,
        {MakeCoflow(1, {{0, 1, 2}, {0, 2, 2}}), MakeCoflow(2, {{0, 3, 1}, {0, 4, 4}})});
    ExpectTimes(workload, {"thinLimit=0"}, {9, 7});
}

TEST(Philae, ContentionCounts)
{
    // All pilots are over at 1. C1 has 2 left and blocks two others, C2 has 3 left and C3 has 4,
    // and each blocks one.
    const Workload workload =
        MakeWorkload(22,
                     {MakeCoflow(1, {{2, 10, 1}, {0, 11, 1}, {1, 12, 1}}),
                      MakeCoflow(2, {{3, 13, 1}, {0, 14, 1}, {0, 15, 1}, {0, 16, 1}}),
                      MakeCoflow(3, {{4, 17, 1}, {1, 18, 1}, {1, 19, 1}, {1, 20, 1}, {1, 21, 1}})});
    // By size: C1 uses both ports 1..2, C2 2..5, C3 2..6.
    ExpectTimes(workload, {"thinLimit=0", "key=size"}, {2, 5, 6});
    // Times contention: 4, 3 and 4. C2 has port 0 from 1, C1 has port 1 until 2. Then C1 has 1 left
    // and blocks one, before C2: 2..3. C2 has 2 left: 3..5.
    ExpectTimes(workload, {"thinLimit=0"}, {3, 5, 6});
}

TEST(Philae, WhoGetsNothingIsServedAfterAWhile)
{
    // C2 to C5 are thin and keep port 0 busy until 8. After 3 the pilot of C1 has got nothing, and
    // is served for 1.
    const Workload workload = MakeWorkload(8,
                                           {MakeCoflow(1, {{0, 1, 1}, {0, 2, 1}}),
                                            MakeCoflow(2, {{0, 4, 2}}),
                                            MakeCoflow(3, {{0, 5, 2}}),
                                            MakeCoflow(4, {{0, 6, 2}}),
                                            MakeCoflow(5, {{0, 7, 2}})});
    const auto guarded =
        Ccts(RunUnits(workload,
                      "philae",
                      {"coalesce=0", "pilotShare=0", "thinLimit=1", "T=0.3", "delta=0.1"}));
    EXPECT_NEAR(guarded[1], 2, 1e-6);
    EXPECT_NEAR(guarded[2], 5, 1e-6); // 2..3, 4..5
    const auto never = Ccts(RunUnits(workload, "philae", With({"thinLimit=1"})));
    EXPECT_NEAR(never[2], 4, 1e-6);
    EXPECT_NEAR(never[0], 10, 1e-6);
}

TEST(Philae, NothingButPilotsIsSentBeforeTheFirstFlowIsOver)
{
    std::uint64_t sampled = 0;
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        std::map<std::uint32_t, std::size_t> flows;
        for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
        {
            for (const Flow& flow : workload.coflows[c].flows)
            {
                flows[c] += flow.bytes > 0 && !flow.IsLocal();
            }
        }
        const auto check = [&](const FluidInterval& interval) {
            std::map<std::uint32_t, std::size_t> left;
            std::map<std::uint32_t, std::size_t> running;
            for (const FlowState& flow : interval.flows)
            {
                ++left[flow.coflow];
                running[flow.coflow] += flow.rate > 0;
            }
            for (const auto& [coflow, count] : left)
            {
                if (count == flows[coflow] && count > 4)
                {
                    const auto pilots = std::max<std::size_t>(1, count / 4);
                    EXPECT_LE(running[coflow], pilots) << "seed " << seed;
                    sampled += running[coflow] > 0;
                }
            }
        };
        RunUnits(workload,
                 "philae",
                 {"coalesce=0", "T=0", "pilotShare=0.25", "thinLimit=4"},
                 Watched(check));
    }
    EXPECT_GT(sampled, 100U);
}

TEST(Philae, APilotThatLeavesAloneIsNotOver)
{
    // The daemon of host 0 dies, which was to send the only pilot. The coflow has sent nothing: its
    // size is not 0, and another flow is its pilot.
    const auto policy = MakePolicy("philae", {"thinLimit=1"});
    const PortRates capacity = PortRates::Uniform(6, PORT_RATE);
    FlowTable table;
    table.Add(MakeCoflow(1, {{0, 3, 1}, {1, 4, 1}, {2, 5, 1}}), 0, 0);
    const auto decide = [&](Nanoseconds now) {
        std::vector<double> rates(table.FlowIds().size(), 0.0);
        policy->Decide(table, now, capacity, rates);
        const CoflowRow& row = table.Rows()[0];
        return std::vector<double>(rates.begin() + row.begin, rates.begin() + row.end);
    };
    EXPECT_EQ(decide(0), (std::vector<double>{PORT_RATE, 0, 0}));
    const std::vector<std::uint8_t> gone{1, 0, 0};
    table.RemoveFinished(0, gone);
    table.RemoveEmpty();
    EXPECT_EQ(decide(UNIT), (std::vector<double>{PORT_RATE, 0}));
}

TEST(Philae, ACoflowWhosePilotsLeaveIsSampledAnew)
{
    // All flows of C1 leave, since the daemon of their host has died, and return.
    Coflow coflow = MakeCoflow(1, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}});
    const auto policy = MakePolicy("philae", {"thinLimit=1"});
    const PortRates capacity = PortRates::Uniform(6, PORT_RATE);
    FlowTable table;
    table.Add(coflow, 0, 0);
    const auto served = [&](Nanoseconds now) {
        std::vector<double> rates(table.FlowIds().size(), 0.0);
        policy->Decide(table, now, capacity, rates);
        const CoflowRow& row = table.Rows()[0];
        return std::count_if(rates.begin() + row.begin, rates.begin() + row.end, [](double rate) {
            return rate > 0;
        });
    };
    EXPECT_EQ(served(0), 1);
    table.RemoveCoflow(0);
    table.Add(MakeCoflow(2, {{4, 5, 1}}), 1, 1);
    EXPECT_EQ(served(UNIT), 1) << "C2 is alone";
    table.RemoveCoflow(0);
    CoflowRow row;
    row.id = 1;
    row.width = 3;
    row.revision = 2;
    const std::vector<TableFlow> flows{{0, 0, 1, 9, 9}, {1, 0, 2, 9, 9}, {2, 0, 3, 9, 9}};
    table.Insert(row, {}, flows);
    EXPECT_EQ(served(2 * UNIT), 1);
}
