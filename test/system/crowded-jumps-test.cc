/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Jumps with --jump=steady where flows have rates that a port does not carry.

#include "paced-hosts.h"

#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <tuple>
#include <utility>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Coflow;
using ::coflow::HostId;
using ::coflow::Workload;
using ::coflow::test::PacedHosts;

namespace
{

constexpr uint64_t MB = 1'000'000;
// A segment has 1448 bytes of payload, and 1502 on the wire.
constexpr double GOODPUT = 1e9 * 1448 / 1502;
// Where so many flows meet that windows of one segment are more than a port holds.
const std::pair<std::string, std::string> HOLDS_30{"queueDisc",
                                                   "ns3::coflow::FifoQueueDisc[MaxSize=30p]"};

/// Coflows from half of the hosts of a fat-tree with k=4 to the other half, whose flows ECMP puts
/// on the same links.
Workload
AcrossTheCore(uint32_t seed)
{
    std::mt19937 random(seed);
    Workload workload;
    workload.hosts = 16;
    for (uint64_t i = 1; i <= 3; ++i)
    {
        Coflow coflow;
        coflow.id = i;
        coflow.arrival = static_cast<::coflow::Nanoseconds>(i - 1) * 400'000'000;
        for (uint32_t f = 0; f < 24; ++f)
        {
            const auto src = static_cast<HostId>(random() % 8);
            const auto dst = static_cast<HostId>(8 + random() % 8);
            const auto bytes = static_cast<::coflow::Bytes>((8 + random() % 24) * MB);
            coflow.flows.push_back({f, src, dst, bytes});
        }
        workload.coflows.push_back(coflow);
    }
    return workload;
}

ExperimentResult
RunOnFatTree(const Workload& workload, const std::string& scheduler, const std::string& jump)
{
    RngSeedManager::ResetNextStreamIndex();
    ExperimentConfig config;
    config.topology = "fat-tree";
    config.scheduler = scheduler;
    config.attributes = {{"k", "4"},
                         {"linkRate", "1Gbps"},
                         {"jump", jump},
                         {"ratePhase", "spread"},
                         {"bypassBytes", "0"},
                         {"steadyTime", "20ms"}};
    config.others = {"varys"}; // some have no bypass
    return RunPacketExperiment(workload, config);
}

/// @param begin starts flows
/// @param skipped how much of the time is jumped over at least, where there are jumps, in seconds
/// @return when flows 0, 1 and 2 have finished
std::array<double, 3>
GetFinishes(const std::string& jump, const std::function<void(PacedHosts&)>& begin, double skipped)
{
    PacedHosts hosts(jump);
    begin(hosts);
    PacedHosts::Run(10);
    if (const auto jumper = hosts.Get().GetTimeJumper())
    {
        EXPECT_GT(jumper->GetTotals().skippedSeconds, skipped);
    }
    return {hosts.GetFinish(0), hosts.GetFinish(1), hosts.GetFinish(2)};
}

/// @return how much time was simulated packet by packet for a reason, in seconds; 0 without jumps
double
GetSimulated(PacedHosts& hosts, const std::string& reason)
{
    const auto jumper = hosts.Get().GetTimeJumper();
    if (!jumper)
    {
        return 0;
    }
    const auto simulated = jumper->GetTotals().simulated;
    const auto found = std::find_if(simulated.begin(), simulated.end(), [&](const auto& account) {
        return account.reason == reason;
    });
    return found == simulated.end() ? NAN : found->seconds; // a name that is none fails the test
}

double
GetMeanCct(const ExperimentResult& result)
{
    double sum = 0;
    for (const auto& coflow : result.coflows)
    {
        sum += coflow.CctSeconds();
    }
    return sum / static_cast<double>(result.coflows.size());
}

} // namespace

TEST(CrowdedJumps, EqualRatesGetEqualParts)
{
    // Two flows with 600 Mbit/s each to one host: each gets about half of its port, as TCP has it,
    // and together they get all of it. The third one shares nothing with them, and has its rate.
    PacedHosts hosts("steady");
    hosts.SendTooMuch(50 * MB, 50 * MB);
    hosts.Send(2, 2, 3, 100 * MB, 200);
    hosts.Run(5);
    const double half = 100e6 * 8 / GOODPUT;
    const double last = std::max(hosts.GetFinish(0), hosts.GetFinish(1));
    const double first = std::min(hosts.GetFinish(0), hosts.GetFinish(1));
    EXPECT_GT(first, 0.9 * half);
    // The port is full until the first one has ended, and the other one has at most 600 Mbit/s.
    const double left = 100e6 - first * GOODPUT / 8;
    EXPECT_NEAR(last, first + left * 8 / 600e6, 0.02 * half);
    EXPECT_NEAR(hosts.GetFinish(2), 4, 0.001);
    const auto totals = hosts.Get().GetTimeJumper()->GetTotals();
    EXPECT_GE(totals.measurements, 1U);
    // 50 ms until it is measured and 50 ms of that, and once more after one has ended.
    EXPECT_GT(totals.skippedSeconds, 3.5);
}

TEST(CrowdedJumps, ARateIsTheMostThatAFlowGets)
{
    // 20 MB and 150 MB with 600 Mbit/s each: until the first one has ended, each gets half of the
    // port; from then on the second one has its rate, and no more.
    PacedHosts hosts("steady");
    hosts.SendTooMuch(20 * MB, 150 * MB);
    hosts.Run(5);
    const double first = 40e6 * 8 / GOODPUT;
    EXPECT_NEAR(hosts.GetFinish(0), first, 0.03 * first);
    const double second = first + 130e6 * 8 / 600e6;
    EXPECT_NEAR(hosts.GetFinish(1), second, 0.03 * second);
    EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().skippedSeconds, 1.0);
}

TEST(CrowdedJumps, SlowFlowsAreNotMadeSlower)
{
    // 100 Mbit/s beside 950: the port is short of 86 Mbit/s. What TCP makes of that is what it
    // makes of it without jumps.
    const auto begin = [](PacedHosts& hosts) {
        hosts.Send(0, 0, 2, 20 * MB, 100);
        hosts.Send(1, 1, 2, 180 * MB, 950);
    };
    const auto without = GetFinishes("no", begin, 1);
    const auto with = GetFinishes("steady", begin, 1);
    for (const auto& finishes : {without, with})
    {
        EXPECT_GT(finishes[0], 20e6 * 8 / 100e6);
        EXPECT_GT(finishes[1], 180e6 * 8 / 950e6);
    }
    EXPECT_NEAR(with[0], without[0], 0.03 * without[0]);
}

TEST(CrowdedJumps, OtherRatesEndIt)
{
    // After 0.5 s both rates fit, so that both flows send evenly again.
    PacedHosts hosts("steady");
    hosts.Send(0, 0, 2, 80 * MB, 700);
    hosts.Send(1, 1, 2, 80 * MB, 700);
    PacedHosts::Run(0.5);
    hosts.Allow(0, 0, Allowance::Rate(DataRate("400Mbps")));
    hosts.Allow(1, 1, Allowance::Rate(DataRate("400Mbps")));
    PacedHosts::Run(5);
    // 80 MB: half of the port for 0.5 s, which is 30.1 MB, and the rest with 400 Mbit/s. TCP sends
    // what it has too much by then 3.7 % faster.
    const double expected = 0.5 + (80e6 - 0.5 * GOODPUT / 2 / 8) * 8 / 400e6;
    EXPECT_NEAR(hosts.GetFinish(0), expected, 0.03 * expected);
    EXPECT_NEAR(hosts.GetFinish(1), expected, 0.03 * expected);
    const auto totals = hosts.Get().GetTimeJumper()->GetTotals();
    EXPECT_GT(totals.skippedSeconds, 1.0);
}

TEST(CrowdedJumps, ALinkThatFailsEndsIt)
{
    // The receiver's link fails from 0.3 to 0.6 s. After that both flows wait for their timers, and
    // share the port again.
    const auto begin = [](PacedHosts& hosts) {
        hosts.SendTooMuch(80 * MB, 80 * MB);
        hosts.Send(2, 2, 3, 100 * MB, 200);
        const auto topology = hosts.Get().GetFabric()->GetTopology();
        const auto& port = topology->GetPort(Topology::GetUplink(2));
        const auto ends = std::make_pair(port.from, port.to);
        Simulator::Schedule(MilliSeconds(300),
                            [=] { topology->FailLink(ends.first, ends.second); });
        Simulator::Schedule(MilliSeconds(600),
                            [=] { topology->RestoreLink(ends.first, ends.second); });
    };
    const auto without = GetFinishes("no", begin, 2);
    const auto with = GetFinishes("steady", begin, 2);
    for (const auto& finishes : {without, with})
    {
        EXPECT_GT(std::max(finishes[0], finishes[1]), 0.3 + 160e6 * 8 / GOODPUT);
        EXPECT_GT(finishes[2], 4.3);
    }
    const double last = std::max(without[0], without[1]);
    EXPECT_NEAR(std::max(with[0], with[1]), last, 0.1 * last);
}

TEST(CrowdedJumps, AFlowThatLosesBesideACrowdIsMeasuredAsWell)
{
    // Host 2 is sent 1.2 times what its port carries, in 480 flows, so that they time out, and come
    // in bursts. Half of them share the port of host 0 with 160 flows to host 3 that fit. Some of
    // these lose segments at the beginning. Were they to send bare segments again, they would lose
    // some again and again: there were 1,083 losses in place of 171.
    PacedHosts hosts("steady", "big-switch", {HOLDS_30, {"steadyTime", "20ms"}});
    uint32_t flow = 0;
    for (uint32_t i = 0; i < 160; ++i)
    {
        hosts.Send(flow++, 0, 3, 2 * MB, 3);
    }
    PacedHosts::Run(0.5);
    for (uint32_t i = 0; i < 240; ++i)
    {
        hosts.Send(flow++, 0, 2, 2 * MB, 2);
        hosts.Send(flow++, 1, 2, 2 * MB, 3);
    }
    PacedHosts::Run(4);
    const auto totals = hosts.Get().GetTimeJumper()->GetTotals();
    EXPECT_GT(totals.bareSegmentsLost, 20U);
    EXPECT_LT(totals.bareSegmentsLost, 500U);
    EXPECT_GT(totals.skippedSeconds, 2.0);
}

TEST(CrowdedJumps, ALostSynBesideACrowdIsNotWaitedFor)
{
    // As above. At 1.5 s 100 flows with rates that fit come at once to the port of host 0, which
    // holds 30 packets. Most of their SYNs are lost, some again and again. They are sent again
    // after 0.2 s and more, and time goes on to be jumped over meanwhile.
    const auto run = [](const std::string& jump) {
        PacedHosts hosts(jump,
                         "big-switch",
                         {HOLDS_30, {"steadyTime", "20ms"}, {"connTimeout", "200ms"}});
        constexpr uint32_t CROWD = 480;
        for (uint32_t i = 0; i < CROWD; i += 2)
        {
            hosts.Send(i, 0, 2, 3 * MB, 2);
            hosts.Send(i + 1, 1, 2, 3 * MB, 3);
        }
        PacedHosts::Run(1.5);
        for (uint32_t i = 0; i < 100; ++i)
        {
            hosts.Send(CROWD + i, 0, 3, MB, 4);
        }
        PacedHosts::Run(20);
        double sum = 0;
        for (uint32_t i = 0; i < 100; ++i)
        {
            EXPECT_GT(hosts.GetFinish(CROWD + i), 1.5);
            sum += hosts.GetFinish(CROWD + i) - 1.5;
        }
        return std::make_pair(sum / 100, GetSimulated(hosts, "flow_opens"));
    };
    const auto [with, opening] = run("steady");
    const auto [without, none] = run("no");
    EXPECT_EQ(none, 0);
    EXPECT_NEAR(with, without, 0.1 * without);
    EXPECT_LT(opening, 0.2); // 1.4 s were simulated before
}

TEST(CrowdedJumps, AFlowThatHasLostAndHasNoRateAnyLongerIsNotTakenForOneWithARate)
{
    // As above. Those that lose segments beside the crowd have no rate from then on, as where a
    // coordinator releases a coflow. A run had been aborted by that.
    PacedHosts hosts("steady", "big-switch", {HOLDS_30, {"steadyTime", "20ms"}});
    constexpr uint32_t FLOWS = 160;
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        hosts.Send(i, 0, 3, 2 * MB, 3);
    }
    PacedHosts::Run(0.5);
    for (uint32_t i = 0; i < 240; ++i)
    {
        hosts.Send(FLOWS + 2 * i, 0, 2, 2 * MB, 2);
        hosts.Send(FLOWS + 2 * i + 1, 1, 2, 2 * MB, 3);
    }
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        PacedHosts::Run(0.505 + 0.0002 * i);
        hosts.Allow(i, 0, Allowance::Unlimited());
    }
    PacedHosts::Run(20);
    for (uint32_t i = 0; i < FLOWS + 480; ++i)
    {
        EXPECT_GT(hosts.GetFinish(i), 0);
    }
    EXPECT_GT(hosts.Get().GetTimeJumper()->GetTotals().bareSegmentsLost, 20U);
}

TEST(CrowdedJumps, AFlowThatStaysBehindIsMeasured)
{
    // There and back takes 20 ms, and a window is 256 KiB. So a flow of 500 Mbit/s gets a fifth of
    // its rate, and no port is given more than it carries. Until what the flow gets was measured,
    // there was not one jump beside it.
    const auto run = [](const std::string& jump) {
        PacedHosts hosts(jump,
                         "big-switch",
                         {{"linkDelay", "5ms"},
                          {"sendBuffer", "262144"},
                          {"receiveBuffer", "262144"},
                          {"steadyTime", "40ms"}});
        hosts.Send(0, 0, 2, 100 * MB, 500);
        hosts.Send(1, 1, 2, 50 * MB, 50);
        hosts.Send(2, 2, 3, 50 * MB, 50);
        PacedHosts::Run(20);
        const auto jumper = hosts.Get().GetTimeJumper();
        return std::make_tuple(hosts.GetFinish(0),
                               hosts.GetFinish(1),
                               jumper ? jumper->GetTotals().skippedSeconds : 0);
    };
    const auto [lame, other, none] = run("no");
    const auto [lameWith, otherWith, skipped] = run("steady");
    EXPECT_GT(lame, 4 * 100e6 * 8 / 500e6);
    // Its rate is taken between what was counted and what it was given.
    EXPECT_NEAR(lameWith, lame, 0.1 * lame);
    EXPECT_NEAR(otherWith, other, 0.001 * other);
    EXPECT_EQ(none, 0);
    EXPECT_GT(skipped, 0.7 * lame);
}

TEST(CrowdedJumps, WhatAPausedFlowHasSentIsNotWaitedFor)
{
    // Host 2 is sent 1.6 times what its port carries, in 160 flows with a window of at least one
    // segment each, and its port holds 30. Half of them are paused from 1 to 2 s: what they have
    // sent was lost, mostly, and waits for TCP's timers. The others are still more than the port
    // carries.
    const auto run = [](const std::string& jump) {
        PacedHosts hosts(jump, "big-switch", {HOLDS_30, {"steadyTime", "5ms"}, {"minRto", "50ms"}});
        constexpr uint32_t FLOWS = 80;
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            hosts.Send(i, 0, 2, MB, 7);
            hosts.Send(FLOWS + i, 1, 2, 3 * MB, 13);
        }
        PacedHosts::Run(1);
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            hosts.Allow(i, 0, Allowance::Paused());
        }
        PacedHosts::Run(2);
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            EXPECT_EQ(hosts.GetFinish(i), 0) << "it was paused too late";
            hosts.Allow(i, 0, Allowance::Rate(DataRate("7Mbps")));
        }
        PacedHosts::Run(20);
        if (const auto jumper = hosts.Get().GetTimeJumper())
        {
            EXPECT_GT(jumper->GetTotals().skippedSeconds, 1.0);
            EXPECT_LT(GetSimulated(hosts, "flow_stops"), 0.005);
        }
        std::array<double, 2> means{};
        for (uint32_t i = 0; i < 2 * FLOWS; ++i)
        {
            EXPECT_GT(hosts.GetFinish(i), 0);
            means[i / FLOWS] += hosts.GetFinish(i) / FLOWS;
        }
        return means;
    };
    const auto without = run("no");
    const auto with = run("steady");
    for (std::size_t i = 0; i < without.size(); ++i)
    {
        EXPECT_NEAR(with[i], without[i], 0.05 * without[i]);
    }
}

TEST(CrowdedJumps, LinksInsideAFatTreeAreShared)
{
    // Not Varys: its coordinator takes flows to get what they were granted, so that one that got a
    // little less has the least rate at its end. By nanoseconds that takes a second or a minute.
    for (const std::string scheduler : {"drf", "ps-p"})
    {
        double with = 0;
        double without = 0;
        double skipped = 0;
        for (const uint32_t seed : {1, 2, 3})
        {
            const auto workload = AcrossTheCore(seed);
            const auto packets = RunOnFatTree(workload, scheduler, "no");
            const auto jumps = RunOnFatTree(workload, scheduler, "steady");
            EXPECT_EQ(jumps.deliveredBytes, packets.deliveredBytes);
            EXPECT_GE(jumps.jumps->measurements, 1U) << scheduler << ", seed " << seed;
            EXPECT_GT(jumps.jumps->largestLoad, 1.0);
            without += GetMeanCct(packets);
            with += GetMeanCct(jumps);
            skipped += static_cast<double>(jumps.jumps->skippedBytes) /
                       static_cast<double>(jumps.deliveredBytes);
        }
        EXPECT_NEAR(with, without, 0.03 * without) << scheduler;
        EXPECT_GT(skipped / 3, 0.2) << scheduler;
    }
}
