/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Where time cannot be jumped over, looking for jumps costs next to nothing and changes nothing.

#include "hosts-with-rates.h"
#include "policy-names.h"

#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Coflow;
using ::coflow::Workload;
using ::coflow::test::HostsWithRates;
using ::coflow::test::PolicyNames;

namespace
{

constexpr uint64_t MB = 1'000'000;
constexpr uint64_t SEGMENT = 1448;

/// Coflows of flows of the same size between six hosts, some at the same time.
Workload
EqualFlows(::coflow::Bytes bytes)
{
    std::mt19937 random(7);
    Workload workload;
    workload.hosts = 6;
    for (uint64_t i = 1; i <= 20; ++i)
    {
        Coflow coflow;
        coflow.id = i;
        coflow.arrival = static_cast<::coflow::Nanoseconds>(i * 3'000'000);
        for (uint32_t f = 0; f < 8; ++f)
        {
            const auto src = static_cast<::coflow::HostId>(random() % 6);
            const auto dst = static_cast<::coflow::HostId>((src + 1 + random() % 5) % 6);
            coflow.flows.push_back({f, src, dst, bytes});
        }
        workload.coflows.push_back(coflow);
    }
    return workload;
}

ExperimentResult
RunWith(const Workload& workload,
        const std::string& scheduler,
        bool jump,
        const std::string& fewestSegments,
        const std::string& controlTransport = "tcp")
{
    RngSeedManager::ResetNextStreamIndex();
    ExperimentConfig config;
    config.topology = "big-switch";
    config.scheduler = scheduler;
    config.attributes = {{"hosts", "6"},
                         {"linkRate", "1Gbps"},
                         {"jump", jump ? "true" : "false"},
                         {"fewestSegments", fewestSegments},
                         {"ratePhase", "spread"},
                         {"controlTransport", controlTransport},
                         {"bypassBytes", "0"}};
    config.others = {"varys"}; // some have no bypass
    if (::coflow::MakePolicy(scheduler)->PrefersOrder())
    {
        config.attributes.emplace_back("enforceAt", "sender");
    }
    return RunPacketExperiment(workload, config);
}

const JumpTotals::Simulated&
Find(const JumpTotals& totals, const std::string& reason)
{
    return *std::find_if(totals.simulated.begin(),
                         totals.simulated.end(),
                         [&reason](const auto& simulated) { return simulated.reason == reason; });
}

} // namespace

TEST(JumpChecks, ShortFlowsAreSimulated)
{
    // 99 segments, of which the first one carries a header as well.
    const Workload workload = EqualFlows(99 * SEGMENT);
    for (const auto& scheduler : PolicyNames(::coflow::Control::CENTRAL))
    {
        for (const std::string control : {"tcp", "ideal"})
        {
            const auto packets = RunWith(workload, scheduler, false, "100", control);
            const auto looks = RunWith(workload, scheduler, true, "100", control);
            EXPECT_EQ(looks.jumps->skippedBytes, 0U) << scheduler;
            // Moments in which all flows wait are jumped over.
            EXPECT_LT(static_cast<double>(looks.events), 1.1 * static_cast<double>(packets.events))
                << scheduler;
            if (control == "tcp" && scheduler == "sincronia")
            {
                continue; // the delayed ACK of a message is pending when all flows wait
            }
            EXPECT_EQ(looks.network->packetHops, packets.network->packetHops) << scheduler;
            for (std::size_t i = 0; i < packets.coflows.size(); ++i)
            {
                EXPECT_EQ(looks.coflows[i].CctSeconds(), packets.coflows[i].CctSeconds())
                    << scheduler << ", coflow " << packets.coflows[i].id;
            }
        }
    }
}

TEST(JumpChecks, FlowsOfEnoughSegmentsAreNotShort)
{
    const auto jumps = RunWith(EqualFlows(100 * SEGMENT), "varys", true, "100");
    EXPECT_GT(jumps.jumps->skippedBytes, 5 * MB);
    const auto none = RunWith(EqualFlows(100 * SEGMENT), "varys", true, "101");
    EXPECT_EQ(none.jumps->skippedBytes, 0U);
    EXPECT_GT(Find(*none.jumps, "flow_is_short").seconds, 0.02);
}

TEST(JumpChecks, NoneComesWhileAFlowWithoutARateSends)
{
    // 250 MB of it take 2 s and more. Looks each 20 us would be 100,000.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 100 * MB, 200);
    hosts.SendUnlimited(1, 2, 3, 250 * MB);
    hosts.Run(5);
    EXPECT_NEAR(hosts.GetFinish(0), 4, 0.001);
    EXPECT_GT(hosts.GetFinish(1), 2);
    const auto totals = hosts.Get().GetTimeJumper()->GetTotals();
    const auto& unlimited = Find(totals, "flow_without_rate");
    EXPECT_LT(unlimited.looks, 10U);
    EXPECT_NEAR(unlimited.seconds, hosts.GetFinish(1), 0.002);
    // When it has ended, there are jumps.
    EXPECT_NEAR(totals.skippedSeconds, 4 - hosts.GetFinish(1), 0.01);
}

TEST(JumpChecks, NoneComesWhileAShortFlowSends)
{
    // 140 kB at 1 Mbit/s: 1.12 s.
    HostsWithRates hosts(true);
    hosts.Send(0, 0, 1, 100 * MB, 200);
    hosts.Send(1, 2, 3, 140'000, 1);
    hosts.Run(5);
    const auto totals = hosts.Get().GetTimeJumper()->GetTotals();
    const auto& isShort = Find(totals, "flow_is_short");
    EXPECT_LT(isShort.looks, 10U);
    EXPECT_NEAR(isShort.seconds, hosts.GetFinish(1), 0.003);
    EXPECT_NEAR(hosts.GetFinish(0), 4, 0.001);
    EXPECT_GT(totals.skippedSeconds, 2.8);
}

TEST(JumpChecks, NoneComesWhileAPortIsGivenTooMuch)
{
    HostsWithRates hosts(true);
    hosts.SendTooMuch(50 * MB, 50 * MB);
    hosts.Run(0.7);
    const auto totals = hosts.Get().GetTimeJumper()->GetTotals();
    const auto& overloaded = Find(totals, "port_overloaded");
    EXPECT_LT(overloaded.looks, 10U);
    EXPECT_GT(overloaded.seconds, 0.69);
}
