/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Thresholds of D-CLAS that move while a run goes on, and who is told of coflows.

#include "fluid-test-util.h"

#include "ns3/coflow-aalo.h"
#include "ns3/coflow-error.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Two strict queues with a limit of 10 units, which is another one from a time on.
class Moving : public Aalo
{
  public:
    Moving(Nanoseconds from, double limit)
        : Aalo(Parameters("moving",
                          DclasPolicy::Specs(2, 1),
                          {"queues=2",
                           "firstThreshold=" + std::to_string(10 * UNIT_BYTES),
                           "sharing=strict",
                           "delta=0",
                           "coalesce=0"})),
          m_from(from),
          m_limit(static_cast<Bytes>(limit * UNIT_BYTES))
    {
    }

    Nanoseconds MoveThresholds(const AttainedView& view, const PortRates& /*capacity*/) override
    {
        if (view.now >= m_from && MovedThresholds().empty())
        {
            SetThresholds({m_limit});
        }
        return NEVER;
    }

  private:
    Nanoseconds m_from;
    Bytes m_limit;
};

/// Runs three coflows through one port.
/// @param from when the limit moves
/// @param limit where to, in units
/// @param expected completion times in units
void
ExpectCcts(Nanoseconds from, double limit, const std::vector<double>& expected)
{
    const Workload workload = MakeWorkload(2,
                                           {MakeCoflow(1, {{0, 1, 15}}),
                                            MakeCoflow(2, {{0, 1, 5}}, 1),
                                            MakeCoflow(3, {{0, 1, 1}}, 12)});
    Moving policy(from, limit);
    const auto capacity = PortRates::Uniform(2, PORT_RATE);
    const auto ccts = Ccts(RunFluid(workload, capacity, policy));
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_NEAR(ccts[i], expected[i], 1e-6) << "coflow " << i + 1;
    }
}

} // namespace

TEST(MovedThresholds, CountFromWhenTheyMove)
{
    // As they are: C1 falls at 10. C2 runs 10..15; C3, which is younger, until 16; C1 until 21.
    ExpectCcts(100 * UNIT, 1, {21, 14, 4});
    // A limit of 4 from 1 on, when C2 comes: C1 falls at 4, C2 runs 4..8 and falls. Both are in the
    // last queue now, in order of arrival: C1 8..12, C3 12..13, C1 13..20, C2 20..21.
    ExpectCcts(UNIT, 4, {20, 20, 1});
    // A limit that C1 has passed already when it moves: C1 falls at once, at 1. C2 falls at 1.5, as
    // it has sent half a unit. C1 1.5..12, C3 12..12.5, when it falls, C1 until 16, C2 until 20.5,
    // C3 until 21.
    ExpectCcts(UNIT, 0.5, {16, 19.5, 9});
}

TEST(MovedThresholds, NoCoflowRises)
{
    // C1 has fallen at 10. From 12 on, when C3 comes, the limit is 14, but C1 stays where it is: C2
    // runs 10..15, C3 until 16, C1 until 21.
    ExpectCcts(12 * UNIT, 14, {21, 14, 4});
}

TEST(MovedThresholds, HaveToBeAsManyAsThereAreInOrder)
{
    Moving policy(0, 1);
    EXPECT_TRUE(policy.MovedThresholds().empty());
    EXPECT_THROW(policy.SetThresholds({}), InputError);
    EXPECT_THROW(policy.SetThresholds({1, 2}), InputError);
    EXPECT_THROW(policy.SetThresholds({0}), InputError);
    Aalo three(Parameters("three", DclasPolicy::Specs(3, 1), {}));
    EXPECT_THROW(three.SetThresholds({2, 1}), InputError);
    three.SetThresholds({1, 1});
    EXPECT_EQ(three.QueueAfter(0, 1), 2);
    EXPECT_EQ(three.QueueAfter(0, 0.5), 0);
}

TEST(Listener, IsToldOfEveryStartAndFinish)
{
    // C4 has no flow, C5 waits for C1, and C6 sends from a host to itself.
    auto workload = MakeWorkload(3,
                                 {MakeCoflow(1, {{0, 1, 2}, {1, 2, 1}}),
                                  MakeCoflow(2, {{0, 1, 1}}, 1),
                                  MakeCoflow(4, {}, 2),
                                  MakeCoflow(5, {{2, 1, 1}}),
                                  MakeCoflow(6, {{1, 1, 1}}, 3)});
    std::find_if(workload.coflows.begin(), workload.coflows.end(), [](const Coflow& coflow) {
        return coflow.id == 5;
    })->parents = {1};
    for (const auto& [policy, info] : Policies::All())
    {
        std::vector<Nanoseconds> started;
        std::vector<Nanoseconds> finished;
        FluidOptions options;
        options.listener.started = [&](Nanoseconds time) { started.push_back(time); };
        options.listener.finished = [&](Nanoseconds time) { finished.push_back(time); };
        const auto result = RunUnits(workload, policy, {}, options);
        std::vector<Nanoseconds> starts;
        std::vector<Nanoseconds> finishes;
        for (const CoflowOutcome& outcome : result.coflows)
        {
            starts.push_back(outcome.start);
            if (outcome.finish != NEVER)
            {
                finishes.push_back(outcome.finish);
            }
        }
        for (auto* times : {&started, &finished, &starts, &finishes})
        {
            std::sort(times->begin(), times->end());
        }
        EXPECT_EQ(started, starts) << policy;
        EXPECT_EQ(finished, finishes) << policy;
    }
}
