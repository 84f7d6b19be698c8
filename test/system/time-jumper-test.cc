/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jumps over time: what is skipped is credited to the byte, and what comes out is the same.

#include "coflow-expect-error.h"
#include "hosts-with-rates.h"
#include "policy-names.h"

#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-record.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-transform.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Coflow;
using ::coflow::Workload;
using ::coflow::test::ErrorOf;
using ::coflow::test::HostsWithRates;
using ::coflow::test::PolicyNames;

namespace
{

constexpr uint64_t MB = 1'000'000;
constexpr HostId HOSTS = 6;

ExperimentConfig
OnSwitch(const std::string& scheduler, bool jump)
{
    ExperimentConfig config;
    config.topology = "big-switch";
    config.scheduler = scheduler;
    config.attributes = {{"hosts", std::to_string(HOSTS)},
                         {"linkRate", "1Gbps"},
                         {"jump", jump ? "true" : "false"},
                         {"ratePhase", "spread"},
                         {"bypassBytes", "0"}};
    config.others = {"varys"}; // some have no bypass
    if (::coflow::MakePolicy(scheduler)->PrefersOrder())
    {
        config.attributes.emplace_back("enforceAt", "sender");
    }
    return config;
}

ExperimentResult
RunOn(const Workload& workload, const ExperimentConfig& config)
{
    RngSeedManager::ResetNextStreamIndex();
    return RunPacketExperiment(workload, config);
}

/// Coflows of long flows at random times, sizes and places.
Workload
LongFlows(uint32_t seed, std::size_t coflows)
{
    std::mt19937 random(seed);
    const auto draw = [&random](uint32_t least, uint32_t most) {
        return least + static_cast<uint32_t>(random() % (most - least + 1));
    };
    Workload workload;
    workload.hosts = HOSTS;
    ::coflow::Nanoseconds arrival = 0;
    for (std::size_t i = 1; i <= coflows; ++i)
    {
        Coflow coflow;
        coflow.id = i;
        coflow.arrival = arrival;
        arrival += draw(1, 200) * 1'000'000;
        for (uint32_t flows = draw(1, 9), f = 0; f < flows; ++f)
        {
            const HostId src = draw(0, HOSTS - 1);
            const HostId dst = draw(0, HOSTS - 1);
            coflow.flows.push_back({f, src, dst, ::coflow::Bytes{draw(1, 12'000)} * 1000});
        }
        workload.coflows.push_back(coflow);
    }
    return workload;
}

double
Largest(const ExperimentResult& result, const ExperimentResult& other)
{
    double largest = 0;
    for (std::size_t i = 0; i < result.coflows.size(); ++i)
    {
        const double a = result.coflows[i].CctSeconds();
        const double b = other.coflows[i].CctSeconds();
        largest = std::max(largest, std::abs(a - b));
    }
    return largest;
}

} // namespace

class TimeJumps : public testing::TestWithParam<std::string>
{
};

TEST_P(TimeJumps, ChangeNoCompletionByMoreThanASegmentTakes)
{
    const Workload workload = LongFlows(1, 5);
    const auto packets = RunOn(workload, OnSwitch(GetParam(), false));
    const auto jumps = RunOn(workload, OnSwitch(GetParam(), true));
    EXPECT_EQ(jumps.deliveredBytes, packets.deliveredBytes);
    // Messages come at other moments, by what is before them in queues, and rates with them.
    EXPECT_LT(Largest(packets, jumps), 2e-3);
    EXPECT_GT(jumps.jumps->jumps, 0U);
    EXPECT_GT(static_cast<double>(jumps.jumps->skippedBytes),
              0.3 * static_cast<double>(jumps.deliveredBytes));
}

TEST_P(TimeJumps, AreTheSameInEveryRun)
{
    const Workload workload = LongFlows(4, 3);
    const auto one = RunOn(workload, OnSwitch(GetParam(), true));
    const auto other = RunOn(workload, OnSwitch(GetParam(), true));
    EXPECT_EQ(Largest(one, other), 0);
    EXPECT_EQ(one.events, other.events);
    EXPECT_EQ(one.jumps->ToJson().ToString(), other.jumps->ToJson().ToString());
}

INSTANTIATE_TEST_SUITE_P(OfCoordinators,
                         TimeJumps,
                         testing::ValuesIn(PolicyNames(::coflow::Control::CENTRAL)),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(TimeJumper, SkipsNearlyAllOfALongFlow)
{
    // 1000 MB at 400 Mbit/s: 20 s.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 1000 * MB, 400);
    hosts.Run(30);
    EXPECT_NEAR(hosts.GetFinish(0), 20, 0.001);
    const auto jumps = hosts.Get().GetTimeJumper()->GetTotals();
    EXPECT_GT(jumps.skippedSeconds, 19.9);
    EXPECT_GT(static_cast<double>(jumps.skippedBytes), 995.0 * MB);
    EXPECT_LT(Simulator::GetEventCount(), 100'000U) << "2.8 million without jumps";
}

TEST(TimeJumper, EndsAFlowWhenItEndsWithoutJumps)
{
    for (const uint64_t bytes : {40 * MB, 40 * MB + 1, 41'234'567UL})
    {
        for (const uint64_t megabits : {3, 77, 400, 900})
        {
            double finish[2];
            for (const bool jump : {false, true})
            {
                HostsWithRates hosts(jump);
                hosts.Send(0, 0, 1, bytes, megabits);
                hosts.Run(200);
                finish[jump] = hosts.GetFinish(0);
            }
            ASSERT_GT(finish[0], 0);
            // What is left after a jump need not be cut into the same segments.
            const double segment = 1448 * 8e-6 / static_cast<double>(megabits);
            EXPECT_NEAR(finish[1], finish[0], segment + 50e-6)
                << bytes << " at " << megabits << " Mbit/s";
        }
    }
}

TEST(TimeJumper, SendsWhatAHigherRateHasLeftWithTcp)
{
    // 100 MB: 0.5 s at 800 Mbit/s, and the other 50 MB at 4 Mbit/s. What TCP has too much by then
    // goes a few percent faster than the rest, whether that is simulated or not.
    double finish[2];
    uint64_t jumps = 0;
    for (const bool jump : {false, true})
    {
        HostsWithRates hosts(jump);
        hosts.Send(0, 0, 1, 100 * MB, 800);
        Simulator::Schedule(ns3::Seconds(0.5),
                            [&] { hosts.Allow(0, 0, RateLimit::Rate(DataRate("4Mbps"))); });
        hosts.Run(200);
        finish[jump] = hosts.GetFinish(0);
        if (jump)
        {
            jumps = hosts.Get().GetTimeJumper()->GetTotals().jumps;
            EXPECT_LT(Simulator::GetEventCount(), 200'000U) << "it jumped over the slow part";
        }
    }
    EXPECT_GT(finish[0], 99);
    EXPECT_NEAR(finish[1], finish[0], 2 * 1448 * 8 / 4e6);
    EXPECT_LT(jumps, 100U) << "a jump is as long as there are no events";
}

TEST(TimeJumper, HeartbeatsTravelAsPackets)
{
    // One flow of 4 s, and a heartbeat each 100 ms. Both ways as many messages of as many bytes
    // arrive, and the bytes are at the ports.
    Workload workload;
    workload.hosts = HOSTS;
    Coflow coflow;
    coflow.id = 1;
    coflow.flows.push_back({0, 0, 1, ::coflow::Bytes{400 * MB}});
    workload.coflows.push_back(coflow);
    auto config = OnSwitch("varys", false);
    config.attributes.emplace_back("heartbeat", "100ms");
    const auto packets = RunOn(workload, config);
    ASSERT_EQ(config.attributes[2].first, "jump");
    config.attributes[2].second = "true";
    const auto jumps = RunOn(workload, config);
    EXPECT_EQ(jumps.network->controlMessages, packets.network->controlMessages);
    EXPECT_EQ(jumps.network->controlBytes, packets.network->controlBytes);
    EXPECT_LT(jumps.events, 100'000U);
    EXPECT_NEAR(jumps.coflows[0].CctSeconds(), packets.coflows[0].CctSeconds(), 1e-4);
    const auto hops = static_cast<double>(packets.network->packetHops);
    EXPECT_NEAR(static_cast<double>(jumps.network->packetHops), hops, 2e-3 * hops);
}

TEST(TimeJumper, ANewRateCountsFromItsMoment)
{
    // 100 MB: 2 s at 100 Mbit/s, a pause of 3 s, and the other 75 MB at 600 Mbit/s.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 100 * MB, 100);
    Simulator::Schedule(ns3::Seconds(2), [&] { hosts.Allow(0, 0, RateLimit::Paused()); });
    Simulator::Schedule(ns3::Seconds(5),
                        [&] { hosts.Allow(0, 0, RateLimit::Rate(DataRate("600Mbps"))); });
    hosts.Run(10);
    EXPECT_NEAR(hosts.GetFinish(0), 6, 0.002);
    EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().skippedSeconds, 5.8);
}

TEST(TimeJumper, FollowsALinkThatFails)
{
    // The busiest link between switches fails after 2 s of 10, and comes back after 5.
    double finish[2];
    uint64_t hops[2];
    for (const bool jump : {false, true})
    {
        HostsWithRates hosts(jump, "fat-tree");
        hosts.Send(0, 0, 15, 250 * MB, 200);
        const auto fabric = hosts.Get().GetFabric();
        const auto topology = fabric->GetTopology();
        std::pair<VertexId, VertexId> link;
        Simulator::Schedule(ns3::Seconds(2), [&] {
            uint64_t most = 0;
            for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
            {
                const auto& ends = topology->GetPort(port);
                const auto bytes = fabric->GetPortStatistics(port).receivedBytes;
                if (!topology->IsHost(ends.from) && !topology->IsHost(ends.to) && bytes > most)
                {
                    most = bytes;
                    link = {ends.from, ends.to};
                }
            }
            topology->FailLink(link.first, link.second);
        });
        Simulator::Schedule(ns3::Seconds(5),
                            [&] { topology->RestoreLink(link.first, link.second); });
        hosts.Run(12);
        finish[jump] = hosts.GetFinish(0);
        hops[jump] = fabric->GetPacketHops();
    }
    EXPECT_NEAR(finish[0], 10, 0.01);
    EXPECT_NEAR(finish[1], finish[0], 0.001);
    EXPECT_NEAR(static_cast<double>(hops[1]), static_cast<double>(hops[0]), 2000);
}

TEST(TimeJumper, DoesNotJumpWhereAPortIsGivenTooMuch)
{
    HostsWithRates hosts(true);
    hosts.SendTooMuch(50 * MB, 50 * MB);
    hosts.Run(2);
    EXPECT_GT(hosts.GetFinish(0), 0.8) << "100 MB over 1 Gbit/s";
    const auto jumps = hosts.Get().GetTimeJumper()->GetTotals();
    EXPECT_LE(jumps.skippedSeconds, std::abs(hosts.GetFinish(0) - hosts.GetFinish(1)))
        << "only when one flow is left";
    EXPECT_GT(jumps.largestLoad, 1.2);
}

TEST(TimeJumper, DoesNotJumpWhileTcpKeepsAFlowFromItsRate)
{
    // A window of the receiver lets 61 or 76 Mbit/s pass. The flow may write 94 Mbit/s, so that its
    // bucket is full, and it waits for the bucket of one write after every write.
    for (const char* window : {"20000", "24000"})
    {
        double finish[2];
        for (const bool jump : {false, true})
        {
            HostsWithRates hosts(
                jump,
                "big-switch",
                {{"linkRate", "100Mbps"}, {"receiveBuffer", window}, {"linkDelay", "500us"}});
            hosts.Send(0, 0, 1, 5 * MB, 94);
            hosts.Run(3);
            finish[jump] = hosts.GetFinish(0);
        }
        EXPECT_GT(finish[0], 8 * 5e6 / 94e6 * 1.1) << window;
        EXPECT_NEAR(finish[1], finish[0], 0.005 * finish[0]) << window;
    }
}

TEST(TimeJumper, DoesNotJumpWhileAFlowCatchesUp)
{
    // What the flow earns while its connection opens, in 2 ms, it catches up in 40 ms.
    double finish[2];
    for (const bool jump : {false, true})
    {
        HostsWithRates hosts(jump, "big-switch", {{"linkRate", "100Mbps"}, {"linkDelay", "500us"}});
        hosts.Send(0, 0, 1, 300'000, 90);
        hosts.Run(1);
        finish[jump] = hosts.GetFinish(0);
    }
    EXPECT_NEAR(finish[1], finish[0], 150e-6) << "the time of a segment";
}

TEST(TimeJumper, EndsFlowsWhileAPortIsGivenTooMuch)
{
    // 4 s at 10 Mbit/s. After 2 s other ports are given too much, so that there are no more jumps.
    // The flow was to end without packets, and ends with packets.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 5 * MB, 10);
    Simulator::Schedule(ns3::Seconds(2), [&] {
        hosts.Send(1, 2, 3, 300 * MB, 600);
        hosts.Send(2, 1, 3, 300 * MB, 600);
    });
    hosts.Run(5);
    EXPECT_NEAR(hosts.GetFinish(0), 4, 0.0015);
    EXPECT_EQ(hosts.GetFinish(1), 0);
    const auto jumps = hosts.Get().GetTimeJumper()->GetTotals();
    EXPECT_GT(jumps.skippedSeconds, 1.9);
    EXPECT_EQ(jumps.endsWithoutPackets, 0U);
}

TEST(TimeJumper, JumpsAgainWhenTheFlowThatWasTooMuchHasEnded)
{
    // Both get half of the port, until the first ends after 0.5 s. The other one has 2.3 s to go.
    HostsWithRates hosts(true);
    hosts.Send(0, 2, 3, 30 * MB, 600);
    hosts.Send(1, 1, 3, 200 * MB, 600);
    hosts.Run(4);
    EXPECT_NEAR(hosts.GetFinish(0), 0.5, 0.1);
    EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().skippedSeconds, 2);
}

TEST(TimeJumper, AFlowThatLosesItsRateShortlyBeforeItsEndEndsWithPackets)
{
    // 4 s at 10 Mbit/s. The last 37,500 bytes leave at the rate of the link.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 5 * MB, 10);
    Simulator::Schedule(MilliSeconds(3970), [&] { hosts.Allow(0, 0, RateLimit::Unlimited()); });
    hosts.Run(5);
    EXPECT_NEAR(hosts.GetFinish(0), 3.9703, 0.0005);
    EXPECT_EQ(hosts.Get().GetTimeJumper()->GetTotals().endsWithoutPackets, 0U);
}

TEST(TimeJumper, StopsAtEventsOfTheScript)
{
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 100 * MB, 100);
    std::vector<double> seen;
    for (int i = 1; i <= 7; ++i)
    {
        Simulator::Schedule(ns3::Seconds(i), [&] {
            seen.push_back(
                static_cast<double>(hosts.Get().GetHosts()[1].sink->GetReceivedBytes({1, 0})));
        });
    }
    hosts.Run(7.5);
    ASSERT_EQ(seen.size(), 7U);
    for (std::size_t i = 0; i < seen.size(); ++i)
    {
        EXPECT_NEAR(seen[i], 12.5e6 * static_cast<double>(i + 1), 10'000);
    }
}

TEST(TimeJumper, ChangesNothingByLooking)
{
    const Workload workload = LongFlows(5, 2);
    for (const auto& scheduler : PolicyNames(::coflow::Control::CENTRAL))
    {
        const auto packets = RunOn(workload, OnSwitch(scheduler, false));
        auto config = OnSwitch(scheduler, true);
        config.attributes.emplace_back("settleTime", "1000s");
        const auto jumps = RunOn(workload, config);
        EXPECT_EQ(Largest(packets, jumps), 0) << scheduler;
        EXPECT_EQ(jumps.jumps->jumps, 0U) << scheduler;
        EXPECT_EQ(jumps.network->packetHops, packets.network->packetHops) << scheduler;
        EXPECT_EQ(jumps.network->markedPackets, packets.network->markedPackets) << scheduler;
        EXPECT_EQ(jumps.network->controlBytes, packets.network->controlBytes) << scheduler;
    }
}

TEST(TimeJumper, RefusesWhatItCannotJumpOver)
{
    const Workload workload = LongFlows(1, 1);
    auto config = OnSwitch("varys", true);
    config.fabric = "nodes";
    std::string error = ErrorOf([&] { RunPacketExperiment(workload, config); });
    EXPECT_NE(error.find("--jump"), std::string::npos) << error;
    EXPECT_NE(error.find("--fabric=express"), std::string::npos) << error;
    config = OnSwitch("varys", true);
    config.attributes.emplace_back("hostStack", "ns3");
    error = ErrorOf([&] { RunPacketExperiment(workload, config); });
    EXPECT_NE(error.find("--hostStack=auto"), std::string::npos) << error;
    config = OnSwitch("varys", true);
    config.attributes.emplace_back("packetSpraying", "true");
    error = ErrorOf([&] { RunPacketExperiment(workload, config); });
    EXPECT_NE(error.find("--packetSpraying"), std::string::npos) << error;
    config = OnSwitch("varys", true);
    config.attributes.emplace_back("ratePhase", "together");
    error = ErrorOf([&] { RunPacketExperiment(workload, config); });
    EXPECT_NE(error.find("--ratePhase=spread"), std::string::npos) << error;
}

TEST(TimeJumper, RefusesSchedulersThatGiveNoRates)
{
    const Workload workload = LongFlows(1, 1);
    std::vector<std::string> names = PolicyNames(::coflow::Control::LOCAL);
    const auto hybrid = PolicyNames(::coflow::Control::HYBRID);
    names.insert(names.end(), hybrid.begin(), hybrid.end());
    ASSERT_FALSE(hybrid.empty());
    for (const auto& name : names)
    {
        const std::string error =
            ErrorOf([&] { RunPacketExperiment(workload, OnSwitch(name, true)); });
        EXPECT_NE(error.find("--jump: under scheduler " + name + " "), std::string::npos) << error;
    }
    auto config = OnSwitch("sincronia", true);
    config.attributes.emplace_back("enforceAt", "network");
    const std::string error = ErrorOf([&] { RunPacketExperiment(workload, config); });
    EXPECT_NE(error.find("--enforceAt=sender"), std::string::npos) << error;
}

TEST(TimeJumper, WaitsForWindowsWhereRoundTripsAreLong)
{
    // A window that doubles every round trip keeps up with a rate for a look now and then.
    Workload workload;
    workload.hosts = 2;
    Coflow coflow;
    coflow.id = 1;
    coflow.flows = {{0, 0, 1, 30 * MB}};
    workload.coflows.push_back(coflow);
    for (const std::string delay : {"5ms", "60ms"})
    {
        auto packets = OnSwitch("varys", false);
        packets.attributes.emplace_back("linkDelay", delay);
        auto jumped = OnSwitch("varys", true);
        jumped.attributes.emplace_back("linkDelay", delay);
        const double without = RunOn(workload, packets).coflows[0].CctSeconds();
        EXPECT_NEAR(RunOn(workload, jumped).coflows[0].CctSeconds(), without, 2e-3 * without)
            << delay;
    }
}

TEST(TimeJumper, RefusesCoflowsThatBypass)
{
    // Flows have at most 12 MB, and a coflow has at most 9.
    const Workload workload = LongFlows(1, 2);
    auto config = OnSwitch("varys", true);
    const auto bypass = [&config](const std::string& bytes) {
        std::erase_if(config.attributes,
                      [](const auto& option) { return option.first == "bypassBytes"; });
        config.attributes.emplace_back("bypassBytes", bytes);
    };
    bypass("1GB");
    const std::string error = ErrorOf([&] { RunPacketExperiment(workload, config); });
    EXPECT_TRUE(error.starts_with("option --jump: 2 of 2 coflows bypass")) << error;
    EXPECT_TRUE(error.ends_with("allowed: --bypassBytes=0")) << error;
    bypass("1kB");
    EXPECT_GT(RunPacketExperiment(workload, config).jumps->jumps, 0U) << "no coflow is so small";
}
