/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What control costs in the fluid engine: delay, period and batching of decisions, and the
// coflows that bypass the coordinator. Times in units; a port moves one unit of size per unit.

#include "fluid-test-util.h"

#include "ns3/coflow-control-parameters.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// A model in units.
ControlModel
Model(double delay, double period = 0, double batch = 0)
{
    const auto time = [](double units) {
        return static_cast<Nanoseconds>(std::llround(units * UNIT));
    };
    return {time(delay), time(period), time(batch)};
}

/// Runs under a control model, without bypass unless it is given.
FluidResult
RunControlled(const Workload& workload,
              const std::string& policy,
              const ControlModel& control,
              const std::vector<std::string>& texts = {},
              Bytes bypass = 0)
{
    FluidOptions options;
    options.control = control;
    options.bypass = bypass;
    return RunUnits(workload, policy, texts, options);
}

/// Names of the policies that a coordinator decides, or of the others.
std::vector<std::string>
Names(Control control)
{
    std::vector<std::string> names;
    for (const auto& [name, info] : Policies::All())
    {
        if (MakePolicy(name)->GetControl() == control)
        {
            names.push_back(name);
        }
    }
    return names;
}

} // namespace

TEST(ControlLoop, IdealControlDecidesAtTheEvent)
{
    ControlLoop loop{ControlModel()};
    EXPECT_EQ(loop.NextDecision(), NEVER);
    loop.Trigger(5);
    EXPECT_EQ(loop.NextDecision(), 5);
    loop.Decide(5, NEVER);
    EXPECT_EQ(loop.NextEffect(), 5);
    loop.TakeEffect();
    EXPECT_EQ(loop.NextDecision(), NEVER);
}

TEST(ControlLoop, TheFirstEventOfAnIdleTimeStartsTheTimer)
{
    ControlLoop loop({0, 0, 10});
    loop.Trigger(5);
    loop.Trigger(14);
    EXPECT_EQ(loop.NextDecision(), 15);
    loop.Decide(15, NEVER);
    loop.TakeEffect();
    loop.Trigger(16);
    EXPECT_EQ(loop.NextDecision(), 26);
}

TEST(ControlLoop, DecidesAtMultiplesOfThePeriod)
{
    ControlLoop loop({0, 8, 0});
    loop.Trigger(0);
    EXPECT_EQ(loop.NextDecision(), 0);
    loop.Decide(0, NEVER);
    loop.TakeEffect();
    loop.Trigger(1);
    EXPECT_EQ(loop.NextDecision(), 8);
    loop.Decide(8, 17);
    loop.TakeEffect();
    EXPECT_EQ(loop.NextDecision(), 24) << "the policy's own clock has to wait as well";
}

TEST(ControlLoop, TriggersDuringADecisionGiveExactlyOneMore)
{
    ControlLoop loop({10, 0, 0});
    loop.Trigger(5);
    loop.Decide(5, NEVER);
    EXPECT_EQ(loop.NextEffect(), 15);
    for (Nanoseconds t : {6, 9, 14})
    {
        loop.Trigger(t);
        EXPECT_EQ(loop.NextDecision(), 15);
    }
    loop.TakeEffect();
    EXPECT_EQ(loop.NextDecision(), 15);
    loop.Decide(15, NEVER);
    EXPECT_EQ(loop.NextDecision(), NEVER) << "one serves them all";
    EXPECT_EQ(loop.NextEffect(), 25);
}

TEST(ControlModel, ASingleCoflowStartsWhenItsDecisionTakesEffect)
{
    // Arrival at 1.5; two units to move.
    const Workload workload = MakeWorkload(2, {MakeCoflow(1, {{0, 1, 2}}, 1.5)});
    const auto cct = [&](const ControlModel& control) {
        return Ccts(RunControlled(workload, "varys", control)).front();
    };
    EXPECT_DOUBLE_EQ(cct(Model(0)), 2);
    EXPECT_DOUBLE_EQ(cct(Model(0.25)), 2.25);
    EXPECT_DOUBLE_EQ(cct(Model(0, 1)), 2.5) << "decided at 2";
    EXPECT_DOUBLE_EQ(cct(Model(0, 0, 0.75)), 2.75) << "decided at 2.25";
    EXPECT_DOUBLE_EQ(cct(Model(0.25, 1, 0.75)), 3.75) << "held until 2.25, decided at 3";
}

TEST(ControlModel, RatesOfFinishedCoflowsStayReservedUntilTheNextEffect)
{
    // C1 runs 0.5..2.5 alone, C2 (larger, same port) is decided with it and waits. C1's finish
    // is served by a decision that takes effect at 3: the port is idle 2.5..3.
    const Workload workload =
        MakeWorkload(3, {MakeCoflow(1, {{0, 1, 2}}), MakeCoflow(2, {{0, 2, 3}})});
    EXPECT_EQ(Ccts(RunControlled(workload, "varys", Model(0.5), {"T=0"})), (Times{2.5, 6}));
}

TEST(ControlModel, ADecisionSeesTheStateAtItsTimeAndActsOnALaterOne)
{
    // At 0 C1 (4) is decided and runs from 1. C2 (2.5) comes at 2: at that time C1 has 3 left and
    // is the longer one, so C2 goes first from 3 on, though C1 has only 2 left by then. C2 ends at
    // 5.5, C1 gets the port again at 6.5 and ends at 8.5.
    const Workload workload =
        MakeWorkload(2, {MakeCoflow(1, {{0, 1, 4}}), MakeCoflow(2, {{0, 1, 2.5}}, 2)});
    EXPECT_EQ(Ccts(RunControlled(workload, "varys", Model(1), {"T=0"})), (Times{8.5, 3.5}));
    EXPECT_EQ(Ccts(RunControlled(workload, "varys", Model(0), {"T=0"})), (Times{4, 4.5}));
}

TEST(ControlModel, EventsDuringADecisionShareTheNextOne)
{
    // Decisions at 0, 1 (for the arrivals at 0.25 and 0.5) and when something finishes.
    const Workload workload = MakeWorkload(8,
                                           {MakeCoflow(1, {{0, 1, 5}}),
                                            MakeCoflow(2, {{2, 3, 5}}, 0.25),
                                            MakeCoflow(3, {{4, 5, 5}}, 0.5)});
    const FluidResult result = RunControlled(workload, "varys", Model(1), {"T=0"});
    EXPECT_EQ(Ccts(result), (Times{6, 6.75, 6.5}));
    EXPECT_EQ(result.counters.decisions, 3U) << "at 0, at 1, and when C1 is done at 6";
}

TEST(ControlModel, AdmissionIsDecidedAtTheCoordinatorToo)
{
    // 2 to send by 2.5: with the decision at 1 there is time for 1.5 of it only.
    const Workload workload = MakeWorkload(2, {WithDeadline(MakeCoflow(1, {{0, 1, 2}}, 0.5), 2)});
    EXPECT_TRUE(RunControlled(workload, "varys-deadline", Model(0)).coflows[0].admitted);
    EXPECT_FALSE(RunControlled(workload, "varys-deadline", Model(0, 1)).coflows[0].admitted);
}

class Coordinated : public testing::TestWithParam<std::string>
{
};

TEST_P(Coordinated, NoDelayIsIdealExactly)
{
    // With a bypass that takes nobody and a period of a nanosecond the engine keeps decisions
    // apart from their effect, as it does with delay.
    for (unsigned seed = 0; seed < 30; ++seed)
    {
        const Workload workload =
            RandomWorkload(seed, {6, 12, 8, 4 * UNIT_BYTES, 10 * UNIT, 1.0 * (seed % 3)});
        const FluidResult expected = RunUnits(workload, GetParam(), {}, {}, Executor::GENERAL);
        const FluidResult result =
            RunControlled(workload, GetParam(), ControlModel{0, 1, 0}, {}, 1);
        EXPECT_EQ(result.flowFinish, expected.flowFinish) << "seed " << seed;
    }
}

TEST_P(Coordinated, EverythingFinishesAndDelayDoesNotHelp)
{
    double before = 0;
    for (const double delay : {0.0, 0.5, 2.0, 8.0})
    {
        double sum = 0;
        for (unsigned seed = 0; seed < 30; ++seed)
        {
            const Workload workload = RandomWorkload(seed);
            const FluidResult result = RunControlled(workload, GetParam(), Model(delay));
            for (std::size_t c = 0; c < workload.coflows.size(); ++c)
            {
                ASSERT_NE(result.coflows[c].finish, NEVER) << "seed " << seed;
                const double gamma = static_cast<double>(SizesOf(workload.coflows[c]).bottleneck) /
                                     static_cast<double>(UNIT_BYTES);
                const double cct = static_cast<double>(result.coflows[c].Cct()) / UNIT;
                EXPECT_GE(cct + 1e-6, gamma > 0 ? gamma + delay : 0);
                sum += cct;
            }
        }
        EXPECT_GT(sum, before) << "delay " << delay;
        before = sum;
    }
}

TEST_P(Coordinated, SmallCoflowsDoNotWaitWhereSizesMayBeKnown)
{
    // The default bypass is on as soon as control costs something, and off where it is ideal.
    const Bytes small = DEFAULT_BYPASS - 1;
    Workload workload = MakeWorkload(4, {MakeCoflow(1, {{0, 1, 1}}), MakeCoflow(2, {{2, 3, 1}})});
    workload.coflows[0].flows[0].bytes = small;
    workload.coflows[1].flows[0].bytes = DEFAULT_BYPASS;
    FluidOptions options;
    options.control = Model(5);
    const FluidResult result = RunUnits(workload, GetParam(), {}, options);
    const bool knows = Policies::Find(GetParam()).knowledge == Knowledge::CLAIRVOYANT;
    EXPECT_EQ(result.coflows[0].bypassed, knows);
    EXPECT_FALSE(result.coflows[1].bypassed);
    EXPECT_NEAR(static_cast<double>(result.coflows[0].Cct()),
                static_cast<double>(8 * small + (knows ? 0 : 5 * UNIT)),
                100);
    EXPECT_DOUBLE_EQ(Ccts(result)[1], 7);
    const FluidResult ideal = RunUnits(workload, GetParam());
    EXPECT_FALSE(ideal.coflows[0].bypassed);
}

INSTANTIATE_TEST_SUITE_P(All,
                         Coordinated,
                         testing::ValuesIn(Names(Control::CENTRAL)),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Local, PoliciesWithoutACoordinatorAreNotDelayed)
{
    std::vector<std::string> local = Names(Control::LOCAL);
    EXPECT_FALSE(local.empty());
    // These have a coordinator, but wait for nothing.
    const std::vector<std::string> hybrid = Names(Control::HYBRID);
    EXPECT_FALSE(hybrid.empty());
    local.insert(local.end(), hybrid.begin(), hybrid.end());
    for (const std::string& policy : local)
    {
        FluidOptions options;
        options.control = Model(3, 1, 1);
        const Workload workload = RandomWorkload(3);
        const FluidResult result = RunUnits(workload, policy, {}, options);
        EXPECT_EQ(result.flowFinish, RunUnits(workload, policy).flowFinish) << policy;
        for (const CoflowOutcome& outcome : result.coflows)
        {
            EXPECT_FALSE(outcome.bypassed) << policy;
        }
    }
    EXPECT_EQ(MakePolicy("ps-p", {"mode=wfq"})->GetControl(), Control::LOCAL);
    EXPECT_EQ(MakePolicy("ps-p", {"mode=static"})->GetControl(), Control::CENTRAL);
}

TEST(Bypass, SharesPerFlowWithScheduledFlowsThatNeverExceedTheirRate)
{
    // C1 (3 large flows, MADD: 1/2, 1/4, 1/4 of receiver 10) and bypassed flows of C2 from host 0
    // and of C3 to host 10. Size 0.5 counts as small.
    // At receiver 10: 4 flows, fair share 1/4: 0>10 gets 1/4 of its 1/2, the others keep 1/4, C3
    // gets 1/4. At sender 0: 0>10 has 1/4 there, C2 the rest 3/4.
    const Workload workload = MakeWorkload(20,
                                           {MakeCoflow(1, {{0, 10, 8}, {1, 10, 4}, {2, 10, 4}}),
                                            MakeCoflow(2, {{0, 11, 0.75}}, 4),
                                            MakeCoflow(3, {{3, 10, 0.5}}, 4)});
    FluidOptions options;
    options.bypass = UNIT_BYTES;
    bool seen = false;
    options.observer = [&](const FluidInterval& interval) {
        if (interval.from == 4 * UNIT)
        {
            seen = true;
            // Flows of the scheduler first, then those that bypass it.
            ASSERT_EQ(interval.flows.size(), 5U);
            EXPECT_NEAR(interval.flows[0].rate / PORT_RATE, 0.25, 1e-9);
            EXPECT_NEAR(interval.flows[1].rate / PORT_RATE, 0.25, 1e-9);
            EXPECT_NEAR(interval.flows[3].rate / PORT_RATE, 0.75, 1e-9);
            EXPECT_NEAR(interval.flows[4].rate / PORT_RATE, 0.25, 1e-9);
            EXPECT_EQ(interval.to, 5 * UNIT) << "C2 ends";
        }
    };
    const FluidResult result = RunUnits(workload, "fifo", {}, options);
    EXPECT_TRUE(seen);
    EXPECT_NEAR(Ccts(result)[1], 1, 1e-6);
    EXPECT_NEAR(Ccts(result)[2], 2, 1e-6);
    // What C1 lost (0.25 per unit for two units) its first flow has to send after 16.
    EXPECT_NEAR(Ccts(result)[0], 17, 1e-6);
}

TEST(Bypass, TakesUpWhatAFinishedFlowLeaves)
{
    // Half of port 0 each, until C1's flow there is done; no decision comes before C1 is.
    const Workload workload =
        MakeWorkload(6, {MakeCoflow(1, {{0, 2, 2}, {1, 3, 6}}), MakeCoflow(2, {{0, 4, 0.9}}, 5)});
    FluidOptions options;
    options.bypass = UNIT_BYTES;
    // MADD alone: 1/3 on port 0, backfilled to 1 until 2. So C2 has it alone at 5.
    EXPECT_NEAR(Ccts(RunUnits(workload, "fifo", {}, options))[1], 0.9, 1e-6);
    // Without backfill: 1/3 until 6; C2 gets 2/3 from 5 to 6 and the rest of it after.
    const FluidResult result = RunUnits(workload, "fifo", {"backfill=false"}, options);
    EXPECT_NEAR(Ccts(result)[1], 1 + (0.9 - 2.0 / 3), 1e-6);
}

TEST(Bypass, NeverExceedsAPortAndMovesEveryByte)
{
    for (const std::string& policy : Names(Control::CENTRAL))
    {
        int bypassed = 0;
        for (unsigned seed = 0; seed < 20; ++seed)
        {
            const Workload workload =
                RandomWorkload(seed, {5, 20, 8, 2 * UNIT_BYTES, 10 * UNIT, 0});
            double moved = 0;
            FluidOptions options;
            options.control = Model(0.3, 0, 0.2);
            options.bypass = 2 * UNIT_BYTES;
            options.observer = [&](const FluidInterval& interval) {
                std::vector<double> sums(10, 0.0);
                for (const FlowState& flow : interval.flows)
                {
                    EXPECT_GE(flow.rate, 0);
                    sums[flow.src] += flow.rate;
                    sums[5 + flow.dst] += flow.rate;
                    const double seconds = static_cast<double>(interval.to - interval.from) * 1e-9;
                    moved += std::min(flow.remaining, flow.rate * seconds);
                }
                for (double sum : sums)
                {
                    EXPECT_LE(sum, PORT_RATE * (1 + 1e-9)) << policy << " seed " << seed;
                }
            };
            const FluidResult result = RunUnits(workload, policy, {}, options);
            double bytes = 0;
            for (std::size_t c = 0; c < workload.coflows.size(); ++c)
            {
                EXPECT_NE(result.coflows[c].finish, NEVER) << policy << " seed " << seed;
                bypassed += result.coflows[c].bypassed;
                for (const Flow& flow : workload.coflows[c].flows)
                {
                    bytes += flow.IsLocal() ? 0 : static_cast<double>(flow.bytes);
                }
            }
            EXPECT_NEAR(moved, bytes, 1e-6 * bytes) << policy << " seed " << seed;
        }
        const bool knows = Policies::Find(policy).knowledge == Knowledge::CLAIRVOYANT;
        EXPECT_EQ(bypassed > 20, knows) << policy;
        EXPECT_TRUE(knows || bypassed == 0) << policy;
    }
}
