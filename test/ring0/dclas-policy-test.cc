/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples of the policies that know only what was sent: Aalo and Graviton.

#include "fluid-test-util.h"
#include "policy-names.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// A number of bytes as a parameter.
std::string
Units(double units)
{
    return std::to_string(static_cast<Bytes>(units * UNIT_BYTES));
}

/// Parameters with exact coordination.
std::vector<std::string>
Exact(int queues, double firstThreshold, const std::string& sharing, const std::string& delta = "0")
{
    return {"queues=" + std::to_string(queues),
            "firstThreshold=" + Units(firstThreshold),
            "sharing=" + sharing,
            "delta=" + delta,
            "coalesce=0"};
}

} // namespace

TEST(Aalo, E8OnePort)
{
    const Workload workload =
        MakeWorkload(2, {MakeCoflow(1, {{0, 1, 15}}), MakeCoflow(2, {{0, 1, 5}}, 1)});
    const Times strict = Ccts(RunUnits(workload, "aalo", Exact(2, 10, "strict")));
    EXPECT_NEAR(strict[0], 20, 1e-6);
    EXPECT_NEAR(strict[1], 14, 1e-6);
    const Times weighted = Ccts(RunUnits(workload, "aalo", Exact(2, 10, "weighted")));
    EXPECT_NEAR(weighted[0], 20, 1e-6);
    EXPECT_NEAR(weighted[1], 16.5, 1e-6);
}

TEST(Aalo, AChildHasThePlaceRightBehindItsParents)
{
    // C3 becomes ready at 5, when C1 has finished, and is served before C2, which came at 2. C5 has
    // two parents, C1 and C4, and the place behind C4: it is served last.
    Coflow child = MakeCoflow(3, {{0, 1, 4}});
    child.parents = {1};
    Coflow last = MakeCoflow(5, {{0, 1, 1}});
    last.parents = {1, 4};
    const Workload workload = MakeWorkload(2,
                                           {MakeCoflow(1, {{0, 1, 5}}),
                                            child,
                                            last,
                                            MakeCoflow(2, {{0, 1, 9}}, 2),
                                            MakeCoflow(4, {{0, 1, 2}}, 3)});
    for (const auto& policy : PolicyNames(Control::HYBRID))
    {
        for (const std::string delta : {"0", "0.4"})
        {
            const auto result = RunUnits(workload, policy, Exact(2, 100, "strict", delta));
            std::vector<double> finish(6);
            for (std::size_t c = 0; c < workload.coflows.size(); ++c)
            {
                finish[workload.coflows[c].id] =
                    static_cast<double>(result.coflows[c].finish) / UNIT;
            }
            EXPECT_LT(finish[3], finish[2]) << policy << ", delta " << delta;
            EXPECT_LT(finish[2], finish[4]) << policy << ", delta " << delta;
            EXPECT_LT(finish[4], finish[5]) << policy << ", delta " << delta;
            if (delta == "0")
            {
                EXPECT_EQ(finish, (std::vector<double>{0, 5, 18, 9, 20, 21})) << policy;
            }
        }
    }
}

TEST(Aalo, WhatTheCoordinatorDecidesTakesAPeriod)
{
    // C1 crosses 10 at 10, and its host knows. But C2 has been switched off at 4, for C1 has its
    // receiver, and is switched on at 12, the next multiple of 4: it runs 12..17.
    const Workload workload =
        MakeWorkload(2, {MakeCoflow(1, {{0, 1, 15}}), MakeCoflow(2, {{0, 1, 5}}, 1)});
    auto texts = Exact(2, 10, "strict", "0.4");
    Times ccts = Ccts(RunUnits(workload, "aalo", texts));
    EXPECT_NEAR(ccts[0], 20, 1e-6);
    EXPECT_NEAR(ccts[1], 16, 1e-6);
    // Where the coordinator does not switch anything off, C2 runs 10..15.
    texts.emplace_back("receiverMatch=false");
    ccts = Ccts(RunUnits(workload, "aalo", texts));
    EXPECT_NEAR(ccts[1], 14, 1e-6);
    // Where hosts do not count what they send themselves, 12..17 again.
    texts.emplace_back("localEstimate=false");
    ccts = Ccts(RunUnits(workload, "aalo", texts));
    EXPECT_NEAR(ccts[1], 16, 1e-6);
}

TEST(Aalo, AHostAddsWhatItSendsToWhatItWasTold)
{
    // C1 sends from hosts 0 and 1, together 8 by 4, when the hosts are told so. Host 0 has sent 2
    // more at 6, and believes that this is 10: C2 runs 6..11. Truly it was 10 at 5, and hosts that
    // add up nothing hear of that at 8.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 8}, {1, 3, 8}}), MakeCoflow(2, {{0, 4, 5}}, 1)});
    auto texts = Exact(2, 10, "strict", "0.4");
    Times ccts = Ccts(RunUnits(workload, "aalo", texts));
    EXPECT_NEAR(ccts[1], 10, 1e-6);
    EXPECT_NEAR(ccts[0], 13, 1e-6);
    texts.emplace_back("localEstimate=false");
    ccts = Ccts(RunUnits(workload, "aalo", texts));
    EXPECT_NEAR(ccts[1], 12, 1e-6);
}

TEST(Aalo, AReceiverIsSwitchedOnInTheNextPeriodOrHandedOnAtOnce)
{
    // C1 has receiver 2 until 6. C2 comes at 1 and is switched off at 4.
    const auto cct = [](HostId sender, const std::string& gap) {
        const Workload workload =
            MakeWorkload(3, {MakeCoflow(1, {{0, 2, 6}}), MakeCoflow(2, {{sender, 2, 3}}, 1)});
        auto texts = Exact(2, 100, "strict", "0.4");
        texts.push_back("matchGap=" + gap);
        return Ccts(RunUnits(workload, "aalo", texts))[1];
    };
    EXPECT_NEAR(cct(1, "1"), 10, 1e-6) << "another host hears of it at 8";
    EXPECT_NEAR(cct(0, "1"), 8, 1e-6) << "the same host knows";
    EXPECT_NEAR(cct(1, "0.1"), 8, 1e-6) << "the coordinator last spoke at 4, long ago";
    // It speaks at 0, again at 3.6, which switches C2 off, and then at 7.2.
    EXPECT_NEAR(cct(1, "0.9"), 9.2, 1e-6);
}

TEST(Aalo, TheCoordinatorDoesNotKnowWhatComesAtTheTimeOfItsWord)
{
    // C1 and C2 of 2 and 1 units want receiver 2, from different hosts.
    const auto cct = [](double arrival, const std::string& gap) {
        const Workload workload = MakeWorkload(
            3,
            {MakeCoflow(1, {{0, 2, 2}}, arrival), MakeCoflow(2, {{1, 2, 1}}, arrival)});
        auto texts = Exact(2, 100, "strict", "0.3");
        texts.push_back("matchGap=" + gap);
        return Ccts(RunUnits(workload, "aalo", texts))[1];
    };
    // It hears of both after it has spoken at 0 or 6, and C2 goes on when C1 is through. What comes
    // before a word is in it: C2 is off from 3 to 6, and from 9 to 12.
    EXPECT_NEAR(cct(0, "1"), 3, 1e-6);
    EXPECT_NEAR(cct(6, "1"), 3, 1e-6);
    EXPECT_NEAR(cct(2, "1"), 5, 1e-6);
    EXPECT_NEAR(cct(8, "1"), 5, 1e-6);
    // Where hosts report in between they do so at once, and again when C1 is through.
    EXPECT_NEAR(cct(0, "0.1"), 3, 1e-6);
    EXPECT_NEAR(cct(2, "0.1"), 3, 1e-6);
}

TEST(Graviton, AHostHandsReceiversOnToAWholeCoflow)
{
    // C2 has two receivers, and is off from 4 on, as one of them is C1's until 6. Then its host has
    // no other flow to either, and sends 6 units.
    const auto cct = [](HostId sender) {
        const Workload workload = MakeWorkload(
            4,
            {MakeCoflow(1, {{0, 2, 6}}), MakeCoflow(2, {{sender, 2, 3}, {sender, 3, 3}}, 1)});
        auto texts = Exact(7, 100, "strict", "0.4");
        texts.emplace_back("matchGap=1");
        return Ccts(RunUnits(workload, "graviton", texts))[1];
    };
    EXPECT_NEAR(cct(0), 11, 1e-6);
    // On another host it has 3 units to receiver 3 before 4, and is told at 8 that 2 is free.
    EXPECT_NEAR(cct(1), 10, 1e-6);
}

TEST(Aalo, WhatAQueueLeavesGoesToTheOthersByWeight)
{
    // Three queues have 3 : 2 : 1 of host 0. The first one can use only a tenth, for that is what
    // its receiver takes: the others have 2 : 1 of the rest.
    FlowTable table;
    std::vector<Coflow> coflows;
    for (CoflowId id = 1; id <= 3; ++id)
    {
        coflows.push_back(MakeCoflow(id, {{0, static_cast<HostId>(id), 30}}));
    }
    const double sent[] = {0, 2, 20};
    for (std::uint32_t i = 0; i < 3; ++i)
    {
        table.Add(coflows[i], i, 0);
        table.Rows()[i].sent = sent[i] * UNIT_BYTES;
    }
    PortRates ports = PortRates::Uniform(4, PORT_RATE);
    ports.egress[1] = 0.1 * PORT_RATE;
    std::vector<double> rates(3, 0.0);
    const auto policy = MakePolicy("aalo", Exact(3, 1, "weighted"));
    policy->Decide(table, 0, ports, rates);
    EXPECT_NEAR(rates[0] / PORT_RATE, 0.1, 1e-9);
    EXPECT_NEAR(rates[1] / PORT_RATE, 0.6, 1e-9);
    EXPECT_NEAR(rates[2] / PORT_RATE, 0.3, 1e-9);
}

TEST(Aalo, CountsWhatACoflowSendsThroughAllPorts)
{
    // Two flows of C1 at two ports: it crosses 10 at time 5, not 10.
    const Workload workload =
        MakeWorkload(6, {MakeCoflow(1, {{0, 2, 8}, {1, 3, 8}}), MakeCoflow(2, {{0, 4, 5}}, 1)});
    const Times ccts = Ccts(RunUnits(workload, "aalo", Exact(2, 10, "strict")));
    EXPECT_NEAR(ccts[1], 9, 1e-6);
    EXPECT_NEAR(ccts[0], 13, 1e-6);
}

TEST(Aalo, HandsOnWhatAQueueCannotUse)
{
    // C1 falls at 10. From 11 to 19 the share of C3's queue at sender 0 is of no use to C3, whose
    // receiver belongs to C2 until then: C1 has the whole port, and 1 is left of it at 19, when it
    // is 1 to 2 with C3.
    const Workload workload = MakeWorkload(4,
                                           {MakeCoflow(1, {{0, 1, 20}}),
                                            MakeCoflow(2, {{3, 2, 9}}, 10),
                                            MakeCoflow(3, {{0, 2, 5}}, 11)});
    const Times ccts = Ccts(RunUnits(workload, "aalo", Exact(2, 10, "weighted")));
    EXPECT_NEAR(ccts[0], 22, 1e-6);
    EXPECT_NEAR(ccts[1], 9, 1e-6);
    EXPECT_NEAR(ccts[2], 14, 1e-6);
}

TEST(Graviton, ThinFirstInHighQueuesAndFifoInTheLast)
{
    // C1 is wide, C2 thin and later. Graviton lets C2 go first, Aalo C1.
    const Workload workload = MakeWorkload(
        8,
        {MakeCoflow(1, {{0, 2, 2}, {0, 3, 2}, {1, 4, 2}}), MakeCoflow(2, {{0, 5, 1}}, 1)});
    EXPECT_EQ(Ccts(RunUnits(workload, "aalo", Exact(7, 100, "strict"))), (Times{4, 4}));
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton", Exact(7, 100, "strict"))), (Times{5, 1}));
    // One queue is the last queue: first in, first out.
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton", Exact(1, 100, "strict"))), (Times{4, 4}));
}

TEST(Graviton, WideFirstInTheLowQueues)
{
    // With three queues the first is of the wide kind already. C1 is thin, C2 wide and later.
    const Workload workload =
        MakeWorkload(8, {MakeCoflow(1, {{0, 2, 3}}), MakeCoflow(2, {{0, 3, 1}, {1, 4, 1}}, 1)});
    EXPECT_EQ(Ccts(RunUnits(workload, "aalo", Exact(3, 100, "strict"))), (Times{3, 3}));
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton", Exact(3, 100, "strict"))), (Times{4, 1}));
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton", Exact(1, 100, "strict"))), (Times{3, 3}));
}

TEST(Graviton, ParametersSayWhichQueuesAreOfWhichKind)
{
    // C1 has two receivers, C2 three, C3 one; two queues, of which the coflows use the first.
    const Workload workload = MakeWorkload(10,
                                           {MakeCoflow(1, {{0, 1, 1}, {0, 2, 1}}),
                                            MakeCoflow(2, {{0, 3, 1}, {0, 4, 1}, {0, 5, 1}}),
                                            MakeCoflow(3, {{0, 6, 1}})});
    const auto ccts = [&](const std::string& wide, const std::string& fifo) {
        auto texts = Exact(2, 100, "strict");
        texts.push_back("wideQueues=" + wide);
        texts.push_back("fifoQueues=" + fifo);
        return Ccts(RunUnits(workload, "graviton", texts));
    };
    EXPECT_EQ(ccts("0", "0"), (Times{3, 6, 1})) << "thin first";
    EXPECT_EQ(ccts("0", "1"), (Times{3, 6, 1})) << "the last queue alone is first in, first out";
    EXPECT_EQ(ccts("1", "1"), (Times{5, 3, 6})) << "wide first";
    EXPECT_EQ(ccts("1", "0"), (Times{3, 6, 1})) << "the last queue alone is of the wide kind";
    EXPECT_EQ(ccts("2", "0"), (Times{5, 3, 6})) << "wide first";
    EXPECT_EQ(ccts("2", "2"), (Times{2, 5, 6})) << "first in, first out";
}

TEST(Graviton, WidthFallsAsFlowsFinish)
{
    // C1 has three receivers, C2 two, until C1's flows from host 1 are through at 2: then it has
    // one, and goes before C2 at host 0.
    const Workload workload = MakeWorkload(
        9,
        {MakeCoflow(1, {{1, 4, 1}, {1, 5, 1}, {0, 6, 10}}), MakeCoflow(2, {{0, 7, 5}, {0, 8, 5}})});
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton", Exact(7, 100, "strict"))), (Times{12, 20}));
}

TEST(Graviton, AllReceiversOrNone)
{
    // C1 (thin) holds receiver 2. C2 needs receivers 2 and 3: all or none makes it wait at 3 too,
    // where C3 then runs.
    const Workload workload = MakeWorkload(8,
                                           {MakeCoflow(1, {{0, 2, 2}}),
                                            MakeCoflow(2, {{1, 2, 1}, {1, 3, 1}}),
                                            MakeCoflow(3, {{4, 3, 1}, {4, 5, 2}, {4, 6, 1}})});
    std::vector<std::string> texts = Exact(7, 100, "strict");
    const Times all = Ccts(RunUnits(workload, "graviton", texts));
    texts.emplace_back("allOrNone=false");
    const Times some = Ccts(RunUnits(workload, "graviton", texts));
    EXPECT_EQ(all[0], 2);
    EXPECT_EQ(all[1], 4) << "it starts at 2";
    EXPECT_EQ(some[0], 2);
    EXPECT_EQ(some[1], 3) << "its flow to 3 runs 0..1";
}

TEST(GravitonSf, WhoMakesProgressIsNotPromoted)
{
    // The wide coflow is older than the limit when the thin one comes, but was served throughout.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 10}, {0, 3, 10}}), MakeCoflow(2, {{0, 4, 1}}, 10)});
    std::vector<std::string> texts = Exact(7, 100, "strict");
    texts.emplace_back("waitLimit=0.5");
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton-sf", texts)), (Times{21, 1}));
}

TEST(GravitonSf, WhoWaitsTooLongGoesFirst)
{
    // A wide coflow waits for a stream of thin ones.
    std::vector<Coflow> coflows{MakeCoflow(1, {{0, 2, 1}, {0, 3, 1}})};
    for (int c = 0; c < 30; ++c)
    {
        coflows.push_back(MakeCoflow(2 + c, {{0, 4, 2}}, 2 * c));
    }
    const Workload workload = MakeWorkload(5, coflows);
    std::vector<std::string> texts = Exact(7, 100, "strict");
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton", texts))[0], 62);
    texts.emplace_back("waitLimit=0.5");
    const FluidResult result = RunUnits(workload, "graviton-sf", texts);
    EXPECT_LT(Ccts(result)[0], 20);
    EXPECT_GT(Ccts(result)[0], 5);
}

TEST(GravitonSf, WhoIsPromotedAndStillCannotBeServedWaits)
{
    // All or none: C1, thin, holds receiver 2. At 5, C2 and C3 are promoted; C2 takes both
    // receivers that C3 needs, until 9. C1 is promoted from 10 to 15, when C3 has 3 left.
    const Workload workload = MakeWorkload(7,
                                           {MakeCoflow(1, {{0, 2, 20}}),
                                            MakeCoflow(2, {{1, 2, 4}, {4, 3, 4}}),
                                            MakeCoflow(3, {{5, 2, 4}, {6, 3, 4}})});
    std::vector<std::string> texts = Exact(7, 100, "strict");
    texts.emplace_back("waitLimit=0.5");
    EXPECT_EQ(Ccts(RunUnits(workload, "graviton-sf", texts)), (Times{28, 9, 18}));
}
