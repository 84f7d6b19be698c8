/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jumps over time in which TCP shares ports among flows without rates.

#include "ns3/coflow-jump-totals.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-record.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Coflow;
using ::coflow::HostId;
using ::coflow::Workload;

namespace
{

constexpr ::coflow::Bytes MB = 1'000'000;
constexpr HostId HOSTS = 8;
// A segment has 1448 bytes of payload, and 1502 on the wire.
constexpr double GOODPUT = 1e9 * 1448 / 1502;

ExperimentConfig
OnSwitch(const std::string& jump, const std::string& scheduler = "fair")
{
    ExperimentConfig config;
    config.topology = "big-switch";
    config.scheduler = scheduler;
    config.attributes = {{"hosts", std::to_string(HOSTS)},
                         {"linkRate", "1Gbps"},
                         {"jump", jump},
                         {"ratePhase", "spread"}};
    return config;
}

ExperimentResult
RunOn(const Workload& workload, const ExperimentConfig& config)
{
    RngSeedManager::ResetNextStreamIndex();
    return RunPacketExperiment(workload, config);
}

/// A flow of each coflow.
Workload
Flows(const std::vector<std::tuple<double, HostId, HostId, ::coflow::Bytes>>& flows)
{
    Workload workload;
    workload.hosts = HOSTS;
    for (const auto& [arrival, src, dst, bytes] : flows)
    {
        Coflow coflow;
        coflow.id = workload.coflows.size() + 1;
        coflow.arrival = static_cast<::coflow::Nanoseconds>(arrival * 1e9);
        coflow.flows.push_back({0, src, dst, bytes});
        workload.coflows.push_back(coflow);
    }
    return workload;
}

/// A shuffle from some hosts to others, all flows of a receiver of the same size.
Workload
Shuffle(uint32_t seed, std::size_t coflows)
{
    std::mt19937 random(seed);
    Workload workload;
    workload.hosts = HOSTS;
    for (std::size_t i = 1; i <= coflows; ++i)
    {
        Coflow coflow;
        coflow.id = i;
        coflow.arrival = ::coflow::Nanoseconds{static_cast<int64_t>(i - 1)} * 700'000'000;
        uint32_t f = 0;
        for (HostId dst = HOSTS / 2; dst < HOSTS; ++dst)
        {
            const auto bytes = static_cast<::coflow::Bytes>((5 + random() % 40) * MB);
            for (HostId src = 0; src < HOSTS / 2; ++src)
            {
                coflow.flows.push_back({f++, src, dst, bytes});
            }
        }
        workload.coflows.push_back(coflow);
    }
    return workload;
}

void
ExpectClose(const ExperimentResult& jumps, const ExperimentResult& packets, double part)
{
    ASSERT_EQ(jumps.coflows.size(), packets.coflows.size());
    for (std::size_t i = 0; i < packets.coflows.size(); ++i)
    {
        const double expected = packets.coflows[i].CctSeconds();
        EXPECT_NEAR(jumps.coflows[i].CctSeconds(), expected, part * expected) << "coflow " << i;
    }
}

} // namespace

TEST(SteadyJumps, TwoFlowsHaveHalfOfAPortEach)
{
    // 100 MB and 300 MB to one port: the first has half of the port until it ends, the second all
    // of the port from then on.
    const auto workload = Flows({{0, 0, 7, 100 * MB}, {0, 1, 7, 300 * MB}});
    const auto packets = RunOn(workload, OnSwitch("no"));
    const auto jumps = RunOn(workload, OnSwitch("steady"));
    EXPECT_NEAR(jumps.coflows[0].CctSeconds(), 200e6 * 8 / GOODPUT, 0.03);
    EXPECT_NEAR(jumps.coflows[1].CctSeconds(), 400e6 * 8 / GOODPUT, 0.03);
    EXPECT_EQ(jumps.deliveredBytes, packets.deliveredBytes);
    EXPECT_EQ(jumps.jumps->endsByRule, 2U);
    EXPECT_GT(jumps.jumps->skippedSeconds, 3.0);
    EXPECT_GE(jumps.jumps->drifts, 1U) << "half of all has gone to the other flow";
    ExpectClose(jumps, packets, 0.02);
}

TEST(SteadyJumps, MeasurementsWithDifferentHalvesAreUsedForAWhile)
{
    // Halves that differ by less than a millionth are rare in a shuffle. So a measurement takes 16
    // times 5 ms, and is used for ten times as long.
    const auto workload = Shuffle(7, 1);
    auto config = OnSwitch("steady");
    config.attributes.emplace_back("steadyTime", "5ms");
    config.attributes.emplace_back("jumpTolerance", "1e-6");
    const auto jumps = RunOn(workload, config);
    const auto& totals = *jumps.jumps;
    EXPECT_GE(totals.doubtfulMeasurements, 1U);
    EXPECT_GT(totals.skippedSeconds, 0.1);
    EXPECT_EQ(totals.doubtfulMeasurements, totals.measurements);
    EXPECT_LE(totals.skippedSeconds, 0.8 * static_cast<double>(totals.measurements));
    ExpectClose(jumps, RunOn(workload, OnSwitch("no")), 0.05);
}

TEST(SteadyJumps, FlowsThatOpenLateJoinTheOthers)
{
    // 70 flows come at once to a port that holds 20 packets: some lose their SYN several times.
    // Connections that give up are opened anew, for which the network has to go on.
    std::vector<std::tuple<double, HostId, HostId, ::coflow::Bytes>> flows;
    for (HostId f = 0; f < 70; ++f)
    {
        flows.emplace_back(0, f % 7, 7, 6 * MB);
    }
    auto packets = OnSwitch("no");
    auto steady = OnSwitch("steady");
    for (auto* config : {&packets, &steady})
    {
        config->attributes.emplace_back("queueDisc", "ns3::coflow::FifoQueueDisc[MaxSize=20p]");
    }
    const auto jumps = RunOn(Flows(flows), steady);
    const auto all = RunOn(Flows(flows), packets);
    EXPECT_GT(jumps.jumps->lateFlows, 0U);
    EXPECT_GT(jumps.jumps->skippedSeconds, 0.5);
    EXPECT_EQ(jumps.deliveredBytes, all.deliveredBytes);
    const auto sum = [](const ExperimentResult& result) {
        double seconds = 0;
        for (const auto& coflow : result.coflows)
        {
            seconds += coflow.CctSeconds();
        }
        return seconds;
    };
    // When a connection opens depends on what its SYN meets in a queue that stands still meanwhile.
    EXPECT_NEAR(sum(jumps), sum(all), 0.12 * sum(all));
}

TEST(SteadyJumps, WhatAFlowHadGoesToThoseThatHaveRoom)
{
    // Flows 1 to 4 share port 7. Flow 5 shares host 3's uplink with flow 4.
    const auto workload = Flows({{0, 0, 7, 50 * MB},
                                 {0, 1, 7, 60 * MB},
                                 {0, 2, 7, 70 * MB},
                                 {0, 3, 7, 200 * MB},
                                 {0, 3, 6, 300 * MB}});
    // The uplink is full to the end, with 500 MB.
    const auto jumps = RunOn(workload, OnSwitch("steady"));
    EXPECT_GE(jumps.jumps->endsByRule, 4U);
    ExpectClose(jumps, RunOn(workload, OnSwitch("no")), 0.15);
    double last = 0;
    for (const auto& coflow : jumps.coflows)
    {
        last = std::max(last, coflow.CctSeconds());
    }
    EXPECT_NEAR(last, 500e6 * 8 / GOODPUT, 0.02 * last);
}

TEST(SteadyJumps, AFlowThatComesIsMeasuredWithTheOthers)
{
    const auto workload = Flows({{0, 0, 7, 300 * MB}, {1.5, 1, 7, 40 * MB}, {2.6, 2, 7, 8 * MB}});
    const auto jumps = RunOn(workload, OnSwitch("steady"));
    EXPECT_GE(jumps.jumps->measurements, 3U);
    ExpectClose(jumps, RunOn(workload, OnSwitch("no")), 0.12);
}

TEST(SteadyJumps, AFlowThatComesToACrowdedPortHasTheMean)
{
    // Windows of one segment of 300 flows are more than the 200 packets that the port holds. So
    // flows time out all the time, and one that has just begun has more than it will have.
    constexpr HostId PRESENT = 300;
    constexpr std::size_t LATE = 8;
    std::vector<std::tuple<double, HostId, HostId, ::coflow::Bytes>> flows;
    for (HostId f = 0; f < PRESENT; ++f)
    {
        flows.emplace_back(0.002 * f, f % 7, 7, 100 * MB);
    }
    for (std::size_t i = 0; i < LATE; ++i)
    {
        flows.emplace_back(1.5 + 0.4 * static_cast<double>(i), i % 7, 7, 3 * MB);
    }
    const auto runWith = [&](const std::string& jump) {
        auto config = OnSwitch(jump);
        config.attributes.emplace_back("queueDisc", "ns3::coflow::FifoQueueDisc[MaxSize=200p]");
        config.attributes.emplace_back("completion", "instant");
        config.attributes.emplace_back("steadyTime", "20ms");
        config.attributes.emplace_back("jumpTolerance", "0.2");
        config.stop = ::coflow::Nanoseconds{16} * 1'000'000'000;
        return RunOn(Flows(flows), config);
    };
    const auto late = [&](const ExperimentResult& result) {
        double seconds = 0;
        for (std::size_t i = PRESENT; i < PRESENT + LATE; ++i)
        {
            EXPECT_GT(result.coflows[i].CctSeconds(), 0) << "coflow " << i;
            seconds += result.coflows[i].CctSeconds();
        }
        return seconds / LATE;
    };
    const auto jumps = runWith("steady");
    EXPECT_GT(jumps.jumps->skippedSeconds, 10);
    const double packets = late(runWith("no"));
    EXPECT_NEAR(late(jumps), packets, 0.12 * packets);
}

TEST(SteadyJumps, NoPortCarriesMoreThanItCan)
{
    // 28 flows lose segments as they begin: a segment that closes a gap has all behind it arrive at
    // once. In 5 ms that may be more than the port carries.
    for (uint32_t run = 0; run < 12; ++run)
    {
        Workload workload;
        workload.hosts = 32;
        Coflow coflow;
        coflow.id = 1;
        const ::coflow::Bytes bytes = MB - 10'000 * run;
        for (HostId src = 0; src < 28; ++src)
        {
            coflow.flows.push_back({src, src, 30, bytes});
        }
        workload.coflows.push_back(coflow);
        auto config = OnSwitch("steady", "aalo");
        config.attributes[0].second = "32";
        config.attributes.emplace_back("steadyTime", "5ms");
        config.attributes.emplace_back("jumpTolerance", "0.2");
        const auto jumps = RunOn(workload, config);
        EXPECT_GT(jumps.jumps->skippedSeconds, 0.1);
        const double least = 28 * static_cast<double>(bytes) * 8 / GOODPUT;
        EXPECT_GE(jumps.coflows[0].CctSeconds(), least) << "bytes of a flow: " << bytes;
    }
}

class SteadyJumpsUnder : public testing::TestWithParam<std::string>
{
};

TEST_P(SteadyJumpsUnder, EndCoflowsWhenPacketsDo)
{
    // How TCP shares ports in a shuffle depends on nanoseconds: a link that is one longer makes
    // single coflows 5 to 14 % shorter or longer. So the sum over several shuffles is compared.
    // Seed 4 is left out: under graviton nanoseconds decide there which of two coflows goes first.
    double sumOfPackets = 0;
    double sumOfJumps = 0;
    for (const uint32_t seed : {1, 2, 3, 5, 6})
    {
        const auto workload = Shuffle(seed, 3);
        const auto packets = RunOn(workload, OnSwitch("no", GetParam()));
        const auto jumps = RunOn(workload, OnSwitch("steady", GetParam()));
        EXPECT_EQ(jumps.deliveredBytes, packets.deliveredBytes);
        EXPECT_GE(static_cast<double>(jumps.jumps->skippedBytes),
                  0.2 * static_cast<double>(jumps.deliveredBytes));
        const auto hops = static_cast<double>(packets.network->packetHops);
        EXPECT_NEAR(static_cast<double>(jumps.network->packetHops), hops, 0.1 * hops);
        ExpectClose(jumps, packets, 0.2);
        for (std::size_t i = 0; i < packets.coflows.size(); ++i)
        {
            sumOfPackets += packets.coflows[i].CctSeconds();
            sumOfJumps += jumps.coflows[i].CctSeconds();
        }
    }
    EXPECT_NEAR(sumOfJumps, sumOfPackets, 0.03 * sumOfPackets);
}

TEST_P(SteadyJumpsUnder, AreTheSameInEveryRun)
{
    const auto workload = Shuffle(2, 3);
    const auto one = RunOn(workload, OnSwitch("steady", GetParam()));
    // Events that real time causes are not the network's.
    auto polled = OnSwitch("steady", GetParam());
    polled.poll = [] {};
    const auto other = RunOn(workload, polled);
    EXPECT_EQ(one.events, other.events);
    EXPECT_EQ(one.jumps->ToJson().ToString(), other.jumps->ToJson().ToString());
    ExpectClose(one, other, 0);
}

// Representatives of those whose hosts do not order what they send, of those whose hosts do, and of
// those that may also keep a coflow from sending anything.
INSTANTIATE_TEST_SUITE_P(SchedulersWithoutRates,
                         SteadyJumpsUnder,
                         testing::Values("fair", "aalo", "graviton"));

namespace
{

/// Aalo with two queues, the first one strictly before the second.
ExperimentConfig
OfTwoQueues(const std::string& jump, const std::string& firstThreshold)
{
    auto config = OnSwitch(jump, "aalo");
    config.attributes.emplace_back("queues", "2");
    config.attributes.emplace_back("sharing", "strict");
    config.attributes.emplace_back("firstThreshold", firstThreshold);
    return config;
}

/// Two coflows from one host take so many seconds, most of which is jumped over.
void
ExpectTurns(const Workload& workload,
            const std::string& firstThreshold,
            double first,
            double second,
            double skipped)
{
    const auto jumps = RunOn(workload, OfTwoQueues("steady", firstThreshold));
    EXPECT_NEAR(jumps.coflows[0].CctSeconds(), first, 0.02);
    EXPECT_NEAR(jumps.coflows[1].CctSeconds(), second, 0.02);
    EXPECT_GT(jumps.jumps->skippedSeconds, skipped);
    EXPECT_GT(jumps.jumps->messagesByRule, 100U) << "hosts report every 10 ms";
}

} // namespace

TEST(OrderedJumps, TheSecondCoflowWaitsForTheFirst)
{
    // 200 MB, and 100 MB that come later, from one host to two others: the second coflow sends
    // nothing until the first one ends.
    ExpectTurns(Flows({{0, 0, 6, 200 * MB}, {0.5, 0, 7, 100 * MB}}),
                "1e12",
                200e6 * 8 / GOODPUT,
                300e6 * 8 / GOODPUT - 0.5,
                1.5);
}

TEST(OrderedJumps, ACoflowFallsWhenItHasSentSoMuch)
{
    // The first coflow falls at 50 MB. Then the second one sends 50 MB, falls, and is behind the
    // first one again.
    ExpectTurns(Flows({{0, 0, 6, 300 * MB}, {0.2, 0, 7, 100 * MB}}),
                "50e6",
                350e6 * 8 / GOODPUT,
                400e6 * 8 / GOODPUT - 0.2,
                2);
}

TEST(OrderedJumps, WhatTheFirstCoflowHadGoesToTheSecond)
{
    // From one host to five receivers. The flows of the first coflow end one after the other, and
    // then the next coflow has the port.
    Workload workload;
    workload.hosts = HOSTS;
    for (const ::coflow::CoflowId id : {1, 2})
    {
        Coflow coflow;
        coflow.id = id;
        coflow.arrival = static_cast<::coflow::Nanoseconds>(id - 1) * 1'000'000;
        for (uint32_t f = 0; f < 5; ++f)
        {
            coflow.flows.push_back({f, 0, 3 + f, (10 + 10 * f) * MB});
        }
        workload.coflows.push_back(coflow);
    }
    const auto jumps = RunOn(workload, OfTwoQueues("steady", "1e12"));
    EXPECT_NEAR(jumps.coflows[0].CctSeconds(), 150e6 * 8 / GOODPUT, 0.03);
    EXPECT_NEAR(jumps.coflows[1].CctSeconds(), 300e6 * 8 / GOODPUT, 0.04);
    EXPECT_GE(jumps.jumps->endsByRule, 6U) << "some end while it is measured";
}

TEST(OrderedJumps, AFlowThatIsClosedGetsNothing)
{
    // The first coflow has fallen when the second one comes, from another host to the same one. So
    // the coordinator closes the flow of the first. It has begun, and waits until the second ends.
    const auto workload = Flows({{0, 0, 6, 300 * MB}, {1.2, 1, 6, 90 * MB}});
    ExpectTurns(workload, "100e6", 390e6 * 8 / GOODPUT, 90e6 * 8 / GOODPUT, 1.5);
    const auto jumps = RunOn(workload, OfTwoQueues("steady", "100e6"));
    EXPECT_EQ(jumps.jumps->unevenMeasurements, 0U);
}

TEST(OrderedJumps, QueuesShareByWeight)
{
    // Ten queues, 10 MB and 100 MB the first limits: after 100 ms the first coflow has fallen to
    // the second queue, of weight 9. A coflow that comes then has weight 10 until it falls, too.
    // Each has its part of a port whose other part the other has.
    const auto workload = Flows({{0, 0, 6, 80 * MB}, {0.2, 0, 7, 9 * MB}});
    const auto packets = RunOn(workload, OnSwitch("no", "aalo"));
    auto config = OnSwitch("steady", "aalo");
    config.attributes.emplace_back("steadyTime", "5ms");
    const auto jumps = RunOn(workload, config);
    EXPECT_NEAR(jumps.coflows[1].CctSeconds(), 9e6 * 8 / (GOODPUT * 10 / 19), 0.005);
    ExpectClose(jumps, packets, 0.02);
    EXPECT_GT(jumps.jumps->skippedSeconds, 0.4);
}

TEST(OrderedJumps, WaitForTimersOfFlowsThatGetNothing)
{
    // A link fails for 0.4 s. Meanwhile timeouts double up to 0.32 s. After that the link is there,
    // and the flow waits for its timer, which takes longer than the longest measurement.
    const auto workload = Flows({{0, 0, 6, 100 * MB}});
    const auto failing = [](const std::string& jump) {
        auto config = OnSwitch(jump, "aalo");
        config.attributes.emplace_back("steadyTime", "5ms");
        config.instrument = [](const PacketCluster& cluster) {
            const auto topology = cluster.GetFabric()->GetTopology();
            const auto& port = topology->GetPort(Topology::GetUplink(6));
            const auto ends = std::make_pair(port.from, port.to);
            Simulator::Schedule(MilliSeconds(100),
                                [=] { topology->FailLink(ends.first, ends.second); });
            Simulator::Schedule(MilliSeconds(500),
                                [=] { topology->RestoreLink(ends.first, ends.second); });
            return std::shared_ptr<void>();
        };
        return config;
    };
    const auto packets = RunOn(workload, failing("no"));
    const auto jumps = RunOn(workload, failing("steady"));
    EXPECT_GT(packets.coflows[0].CctSeconds(), 1.3);
    ExpectClose(jumps, packets, 0.02);
    EXPECT_GT(jumps.jumps->skippedSeconds, 0.5);
}

TEST(SteadyJumps, LeavePacedFlowsAsTheyAre)
{
    // Where all flows have rates, steady is paced.
    const auto workload = Shuffle(5, 3);
    auto paced = OnSwitch("paced", "varys");
    auto steady = OnSwitch("steady", "varys");
    paced.attributes.emplace_back("bypassBytes", "0");
    steady.attributes.emplace_back("bypassBytes", "0");
    const auto one = RunOn(workload, paced);
    const auto other = RunOn(workload, steady);
    EXPECT_EQ(one.events, other.events);
    EXPECT_EQ(one.jumps->ToJson().ToString(), other.jumps->ToJson().ToString());
    ExpectClose(one, other, 0);
}

TEST(SteadyJumps, AreNotMadeWherePortsServeSomeFlowsFirst)
{
    const auto workload = Shuffle(1, 1);
    for (const std::string scheduler : {"dcas", "baraat"})
    {
        const auto jumps = RunOn(workload, OnSwitch("steady", scheduler));
        EXPECT_EQ(jumps.jumps->skippedBytes, 0U);
        ExpectClose(jumps, RunOn(workload, OnSwitch("no", scheduler)), 0);
    }
}

TEST(SteadyJumps, SkipFlowsBesideACoordinator)
{
    // A coflow that goes past the coordinator has no rate.
    const auto workload = Shuffle(6, 2);
    auto packets = OnSwitch("no", "varys");
    auto steady = OnSwitch("steady", "varys");
    for (auto* config : {&packets, &steady})
    {
        config->attributes.emplace_back("bypassBytes", "1e9");
    }
    const auto jumps = RunOn(workload, steady);
    EXPECT_GT(jumps.jumps->measurements, 0U);
    ExpectClose(jumps, RunOn(workload, packets), 0.02);
}
