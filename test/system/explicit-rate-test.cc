/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Baraat with explicit rates: what a port hands out, and what becomes of it end to end.

#include "coflow-effort.h"
#include "convergence.h"

#include "ns3/coflow-generator.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-rate-allocator.h"
#include "ns3/coflow-rate-request.h"
#include "ns3/coflow-transform.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Workload;

namespace
{

constexpr uint64_t MBPS = 1'000'000;
constexpr uint64_t PORT_RATE = 900 * MBPS;
constexpr uint64_t HEAVY = 4000;
constexpr double HANDED_OUT = 0.92; ///< default of ExplicitRateQueueDisc::Utilisation

/// A port that tasks of one flow each ask.
class Port : public testing::Test
{
  protected:
    Port()
        : allocator(HEAVY, MilliSeconds(10))
    {
        allocator.SetCapacity(PORT_RATE);
    }

    /// A flow asks for all that the port has, unless it says something else.
    RateRequest Ask(uint64_t task, uint64_t demand = PORT_RATE, ::coflow::FlowId flow = 0)
    {
        RateRequest request;
        request.demand = demand;
        allocator.Handle({task, flow}, request, now);
        EXPECT_LE(allocator.GetAllocated(), PORT_RATE);
        return request;
    }

    RateAllocator allocator;
    Time now{0};
};

} // namespace

TEST(RateRequest, SurvivesInAKey)
{
    const RateRequest request{5 * MBPS, 1, RateRequest::MAX};
    const RateRequest back = RateRequest::Unpack(request.Pack());
    EXPECT_LE(back.demand, request.demand);
    EXPECT_LE(request.demand - back.demand, request.demand / 32768);
    EXPECT_EQ(back.actual, 1U) << "no rate but 0 becomes 0";
    EXPECT_EQ(back.nominal, RateRequest::MAX);
    EXPECT_EQ(RateRequest::Unpack(RateRequest{0, 0, 0}.Pack()).demand, 0U);
    for (uint64_t rate = 1; rate < RateRequest::MAX; rate += 1 + rate / 7)
    {
        const auto once = RateRequest::Unpack(RateRequest{rate, rate, rate}.Pack());
        EXPECT_LE(once.nominal, rate);
        EXPECT_LE(rate - once.nominal, rate / 32768);
        EXPECT_EQ(RateRequest::Unpack(once.Pack()).nominal, once.nominal) << "rounded once";
    }
    EXPECT_EQ(RateRequest::Unpack(RateRequest{~0ULL, ~0ULL, ~0ULL}.Pack()).actual,
              RateRequest::MAX);
}

TEST_F(Port, GivesAllToTheFirstTask)
{
    EXPECT_EQ(Ask(1).actual, PORT_RATE);
    EXPECT_EQ(Ask(2).actual, 0U);
    EXPECT_EQ(Ask(2).nominal, 0U);
    EXPECT_EQ(Ask(1).actual, PORT_RATE);
}

TEST_F(Port, AnOlderTaskTakesOverWithinARoundOfRequests)
{
    Ask(2);
    const RateRequest first = Ask(1);
    EXPECT_EQ(first.nominal, PORT_RATE);
    EXPECT_EQ(first.actual, 0U) << "task 2 still has it";
    EXPECT_EQ(Ask(2).actual, 0U);
    EXPECT_EQ(Ask(1).actual, PORT_RATE);
}

TEST_F(Port, TheHeavyShareWithTheFirstThatIsNot)
{
    allocator.CountSent(1, HEAVY);
    for (int round = 0; round < 3; ++round)
    {
        for (const uint64_t task : {1, 2, 3})
        {
            Ask(task);
        }
    }
    EXPECT_EQ(Ask(1).actual, PORT_RATE / 2);
    EXPECT_EQ(Ask(2).actual, PORT_RATE / 2);
    EXPECT_EQ(Ask(3).actual, 0U);
    // When the second is heavy too, all three share.
    allocator.CountSent(2, HEAVY);
    for (int round = 0; round < 3; ++round)
    {
        for (const uint64_t task : {1, 2, 3})
        {
            Ask(task);
        }
    }
    for (const uint64_t task : {1, 2, 3})
    {
        EXPECT_EQ(Ask(task).actual, PORT_RATE / 3) << task;
    }
}

TEST_F(Port, WhatIsNotDemandedGoesToTheNext)
{
    EXPECT_EQ(Ask(1, 300 * MBPS).actual, 300 * MBPS);
    EXPECT_EQ(Ask(2, 400 * MBPS).actual, 400 * MBPS);
    EXPECT_EQ(Ask(3).actual, 200 * MBPS);
    EXPECT_EQ(Ask(4).actual, 0U);
    // Flows of one task share, the small one of them first.
    EXPECT_EQ(Ask(1, 0).actual, RateRequest::MAX) << "says only that it is done";
    Ask(2, 0);
    Ask(3, 0);
    for (int round = 0; round < 3; ++round)
    {
        Ask(4, PORT_RATE, 0);
        Ask(4, PORT_RATE, 1);
        Ask(4, 100 * MBPS, 2);
    }
    EXPECT_EQ(Ask(4, PORT_RATE, 0).actual, 400 * MBPS);
    EXPECT_EQ(Ask(4, 100 * MBPS, 2).actual, 100 * MBPS);
}

TEST_F(Port, EntitlesToMoreThanWasDemandedWhenOthersAreDone)
{
    allocator.CountSent(1, HEAVY);
    Ask(1, PORT_RATE / 2);
    Ask(2, PORT_RATE / 2);
    EXPECT_EQ(Ask(1, PORT_RATE / 2).nominal, PORT_RATE / 2);
    Ask(2, 0);
    const RateRequest alone = Ask(1, PORT_RATE / 2);
    EXPECT_EQ(alone.actual, PORT_RATE / 2);
    EXPECT_EQ(alone.nominal, PORT_RATE);
}

// A flow that is entitled to nothing demands next to nothing, to keep no rate at other ports.
TEST_F(Port, WhoIsPausedHereKeepsItsPlace)
{
    for (int round = 0; round < 3; ++round)
    {
        EXPECT_EQ(Ask(1).actual, PORT_RATE);
        EXPECT_EQ(Ask(2, round == 0 ? PORT_RATE : MBPS).nominal, 0U);
        EXPECT_EQ(Ask(3, round == 0 ? PORT_RATE : MBPS).nominal, 0U);
    }
    Ask(1, 0);
    EXPECT_EQ(Ask(3, MBPS).nominal, 0U) << "task 2 is next, although it has not asked yet";
    EXPECT_EQ(Ask(2, MBPS).nominal, PORT_RATE);
    EXPECT_EQ(Ask(2).actual, PORT_RATE);
}

TEST_F(Port, WhoIsPausedElsewhereKeepsNothingHere)
{
    Ask(1); // another port denies it
    for (int round = 0; round < 2; ++round)
    {
        const RateRequest paused = Ask(1, MBPS);
        EXPECT_EQ(paused.nominal, PORT_RATE);
        EXPECT_EQ(paused.actual, MBPS);
        EXPECT_EQ(Ask(2).actual, PORT_RATE - MBPS);
    }
    // It is let through there: the younger task gives way within a round of requests.
    EXPECT_EQ(Ask(1).actual, MBPS);
    Ask(2);
    EXPECT_EQ(Ask(1).actual, PORT_RATE);
}

TEST_F(Port, ForgetsWhoDoesNotAsk)
{
    Ask(1);
    now = MilliSeconds(10);
    EXPECT_EQ(Ask(2).actual, 0U);
    now = MilliSeconds(10) + NanoSeconds(1);
    EXPECT_EQ(Ask(2).actual, PORT_RATE);
    EXPECT_EQ(allocator.GetN(), 1U);
}

TEST_F(Port, NeverHandsOutMoreThanItHas)
{
    std::mt19937 random(4);
    for (int i = 0; i < 5000; ++i)
    {
        now += MicroSeconds(random() % 200);
        const uint64_t task = 1 + random() % 6;
        if (random() % 20 == 0)
        {
            allocator.CountSent(task, 1500);
        }
        const RateRequest request =
            Ask(task, random() % 5 ? random() % (2 * PORT_RATE) : 0, random() % 3);
        if (request.demand > 0)
        {
            EXPECT_LE(request.actual, request.nominal);
            EXPECT_LE(request.actual, request.demand);
            EXPECT_LE(request.nominal, PORT_RATE);
        }
    }
}

namespace
{

const Attributes EXPLICIT{{"baraatMode", "explicit-rate"}};

} // namespace

TEST(BaraatExplicitRate, TheExampleIsThatOfThePaper)
{
    for (const std::string fabric : {"express", "nodes"})
    {
        SCOPED_TRACE(fabric);
        ExpectUnits(RunOnBigSwitch("packet", ThreeTasks(), "baraat", EXPLICIT, fabric),
                    {10, 12, 14},
                    GOODPUT / HANDED_OUT);
        auto attributes = EXPLICIT;
        attributes.emplace_back("heavyBytes", std::to_string(4 * UNIT));
        ExpectUnits(RunOnBigSwitch("packet", ThreeTasks(), "baraat", attributes, fabric),
                    {14, 8, 12},
                    GOODPUT / HANDED_OUT);
    }
}

TEST(BaraatExplicitRate, QueuesStayShort)
{
    ExperimentConfig config;
    config.scheduler = "baraat";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "9"}, {"baraatMode", "explicit-rate"}};
    const auto workload = ::coflow::Generate("incast", {"senders=8", "bytes=1000000"});
    const auto result = RunPacketExperiment(workload, config);
    ASSERT_TRUE(result.coflows[0].IsFinished());
    EXPECT_NEAR(result.coflows[0].CctSeconds(), 8e6 * 8 / (1e9 * HANDED_OUT), 0.004);
    EXPECT_EQ(result.network->droppedPackets, 0U);
    EXPECT_EQ(result.network->retransmissions, 0U);
    EXPECT_GT(result.network->controlMessages, 500U);
}

TEST(BaraatExplicitRate, DeliversAMixOnAFatTree)
{
    const auto coflows = ::coflow::test::Effort<std::string>("coflows=4", "coflows=10");
    auto workload = ::coflow::Generate("varys-mix", {coflows, "hosts=16", "seed=2"});
    ::coflow::ApplyTransform(workload, ::coflow::ParseTransforms("scale-bytes=0.0005").front());
    for (const std::string fabric : {"express", "nodes"})
    {
        ExperimentConfig config;
        config.scheduler = "baraat";
        config.fabric = fabric;
        config.attributes = {{"k", "4"}, {"baraatMode", "explicit-rate"}, {"heavyBytes", "300000"}};
        const auto result = RunPacketExperiment(workload, config);
        for (const auto& coflow : result.coflows)
        {
            EXPECT_TRUE(coflow.IsFinished()) << fabric << ", coflow " << coflow.id;
        }
    }
}

// Where every flow shares one port alone. What a flow gives up the next one learns of in a round of
// requests, at most once per 50 us, and asks for in several steps.
TEST(BaraatExplicitRate, ConvergesToTheFluidEngineWithHeavyTasksCoflowByCoflow)
{
    const auto handedOut = std::to_string(static_cast<int>(1e9 * HANDED_OUT)) + "bps";
    for (uint32_t seed = 1; seed <= 3; ++seed)
    {
        SCOPED_TRACE(seed);
        auto packet = EXPLICIT;
        packet.emplace_back("heavyBytes", std::to_string(UNIT / 2));
        ExpectSameCcts(RunOnBigSwitch("packet", Mix(seed, true), "baraat", packet),
                       RunOnBigSwitch("fluid",
                                      Mix(seed, true),
                                      "baraat",
                                      {{"heavyBytes", std::to_string(UNIT / 2)},
                                       {"coalesce", "0"},
                                       {"linkRate", handedOut}}),
                       0.02,
                       0.001);
    }
}
