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

/// These parameters and, as far as they are not among them: exact times, one pilot, slots of a
/// tenth of a unit, and two queues. A coflow is in the first queue where its impact is below 2.5
/// units.
std::vector<std::string>
With(std::initializer_list<std::string> more)
{
    std::map<std::string, std::string> values{
        {"coalesce", "0"},
        {"pilotShare", "0"},
        {"slots", "1"},
        {"slot", "0.01"},
        {"queues", "2"},
        {"firstThreshold", std::to_string(5 * UNIT_BYTES / 2)}};
    for (const std::string& text : more)
    {
        values[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
    }
    std::vector<std::string> texts;
    for (const auto& [name, value] : values)
    {
        texts.push_back(name + "=" + value);
    }
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
    // and the other two flows, one after the other, until 4.
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
    // Pilots, first in, first out: C1 0..2, C2 2..3. Both have two flows, so that their impacts are
    // taken for 4 and 2. C2 is in the first queue and runs 3..4, and C1 4..6.6.
    const Workload workload = MakeWorkload(
        5,
        {MakeCoflow(1, {{0, 1, 2}, {0, 2, 2.6}}), MakeCoflow(2, {{0, 3, 1}, {0, 4, 1}})});
    ExpectTimes(workload, {"thinLimit=0", "key=size"}, {6.6, 4});
    // In one queue they go in the order in which they came into it.
    ExpectTimes(workload, {"thinLimit=0", "queues=1"}, {5.6, 6.6});
}

TEST(Philae, AWrongSampleGivesAWrongOrder)
{
    // As before, but the other flow of C2 is 4 and not 1, and C2 goes first all the same: 3..7.
    const Workload workload = MakeWorkload(
        5,
        {MakeCoflow(1, {{0, 1, 2}, {0, 2, 2}}), MakeCoflow(2, {{0, 3, 1}, {0, 4, 4}})});
    ExpectTimes(workload, {"thinLimit=0", "key=size"}, {9, 7});
}

TEST(Philae, ContentionCounts)
{
    // All pilots are over at 1, and tell 1. C1 shares ports with both others, C2 and C3 with C1
    // alone: impacts of 3, 2 and 2. So C2 has port 0 for 1..3, and C3 has port 1. C1 is alone in
    // its queue: at the next decision its impact is 1, and it comes into the first queue behind
    // them.
    const Workload workload = MakeWorkload(22,
                                           {MakeCoflow(1, {{2, 10, 1}, {0, 11, 1}, {1, 12, 1}}),
                                            MakeCoflow(2, {{3, 13, 1}, {0, 14, 1}, {0, 15, 1}}),
                                            MakeCoflow(3, {{4, 16, 1}, {1, 17, 1}, {1, 18, 1}})});
    ExpectTimes(workload, {"thinLimit=0"}, {4, 3, 3});
    // By size all have 3, and go in their order: C1 has both ports for 1..2.
    ExpectTimes(workload, {"thinLimit=0", "key=size"}, {2, 4, 4});
}

TEST(Philae, EveryQueueHasItsSlots)
{
    // C1 is in the second queue from 4 on, alone until C2 comes into the first one at 5. Of every
    // three slots the first queue has two. The turn that has begun at 4 is the second queue's: C1
    // 5..6. Then C2 6..8, C1 8..9, C2 9..11, C1 11..12, C2 12..14, C1 14..15.
    const Workload workload = MakeWorkload(
        5,
        {MakeCoflow(1, {{0, 1, 4}, {0, 2, 4}}), MakeCoflow(2, {{0, 3, 1}, {0, 4, 6}})});
    ExpectTimes(workload, {"thinLimit=0", "slot=0.1", "slots=2", "slotFactor=2"}, {15, 14});
}

// One flow at a time, at the full rate.
TEST(Philae, APortServesOneFlowAtATime)
{
    std::uint64_t busy = 0;
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        const auto check = [&](const FluidInterval& interval) {
            std::map<HostId, int> sending;
            std::map<HostId, int> receiving;
            for (const FlowState& flow : interval.flows)
            {
                if (flow.rate > 0)
                {
                    ++busy;
                    EXPECT_DOUBLE_EQ(flow.rate, PORT_RATE) << "seed " << seed;
                    EXPECT_EQ(++sending[flow.src], 1) << "seed " << seed;
                    EXPECT_EQ(++receiving[flow.dst], 1) << "seed " << seed;
                }
            }
        };
        RunUnits(workload, "philae", {"coalesce=0"}, Watched(check));
    }
    EXPECT_GT(busy, 1000U);
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
                 {"coalesce=0", "pilotShare=0.25", "thinLimit=4"},
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
    const std::vector<std::uint32_t> gone{0};
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
