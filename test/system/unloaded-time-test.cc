/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What coflows take alone: by hand, and as runs of one coflow have it.

#include "checked-experiment.h"

#include "ns3/coflow-packet-experiment.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3::coflow;
using ::coflow::Coflow;
using ::coflow::CoflowRecord;
using ::coflow::Workload;
using ns3::coflow::test::Checked;

namespace
{

/// The record of a coflow that is alone on a fat-tree of 16 hosts.
CoflowRecord
RunAlone(const std::vector<::coflow::Flow>& flows,
         const std::string& linkRate = "1Gbps",
         const std::string& linkDelay = "500ns")
{
    Workload workload;
    workload.hosts = 16;
    workload.coflows.emplace_back();
    workload.coflows[0].flows = flows;
    ExperimentConfig config;
    config.scheduler = "fair";
    config.topology = "fat-tree";
    config.attributes = {{"k", "4"},
                         {"linkRate", linkRate},
                         {"linkDelay", linkDelay},
                         {"completion", "instant"},
                         {"startJitter", "ns3::ConstantRandomVariable[Constant=0]"}};
    return RunPacketExperiment(workload, Checked(config)).coflows.at(0);
}

} // namespace

TEST(UnloadedTime, OfAByteIsWhatARunHas)
{
    // Over six links: SYN and its answer have 58 bytes, the third packet 54, and the byte, behind
    // the header of its flow, 87.
    for (const auto& [rate, nsPerByte] : {std::pair("1Gbps", 8), {"10Mbps", 800}})
    {
        for (const auto& [delay, ns] : {std::pair("500ns", 500), {"10us", 10'000}})
        {
            const auto record = RunAlone({{0, 0, 15, 1}}, rate, delay);
            EXPECT_EQ(record.unloadedCct,
                      12 * (58 * nsPerByte + ns) + 54 * nsPerByte + 6 * (87 * nsPerByte + ns));
            EXPECT_DOUBLE_EQ(record.UnloadedSlowdown().value(), 1);
            EXPECT_GT(record.Slowdown().value(), 100) << "Gamma is a byte at the port";
        }
    }
}

TEST(UnloadedTime, OfAWindowIsWhatARunHas)
{
    // Ten segments of 1,448 bytes, of which 32 are the header of the flow.
    const auto record = RunAlone({{0, 0, 15, 14'448}});
    EXPECT_DOUBLE_EQ(record.UnloadedSlowdown().value(), 1);
    EXPECT_GT(record.Slowdown().value(), 1.3);
}

TEST(UnloadedTime, IsThatOfThePortWithMostBytes)
{
    // Host 1 is two links from host 0, and the others are six links away: the first segments come
    // from host 1. Each flow is 100 segments, with the 32 bytes before it.
    const auto record = RunAlone({{0, 1, 0, 144'768}, {1, 4, 0, 144'768}, {2, 8, 0, 144'768}});
    constexpr int SEGMENT = 1502 * 8;
    constexpr int OPENED = 4 * (58 * 8 + 500) + 54 * 8;
    EXPECT_EQ(record.unloadedCct, OPENED + SEGMENT + 500 + 300 * SEGMENT + 500);
    EXPECT_GE(record.UnloadedSlowdown().value(), 1);
    EXPECT_LT(record.UnloadedSlowdown().value(), 1.05);
    // A port that sends: the last segment may go to host 1.
    const auto sent = RunAlone({{0, 0, 1, 144'768}, {1, 0, 4, 144'768}});
    EXPECT_EQ(sent.unloadedCct, OPENED + 200 * SEGMENT + 500 + SEGMENT + 500);
    EXPECT_GE(sent.UnloadedSlowdown().value(), 1);
}

TEST(UnloadedTime, OfFlowsWithinAHostIsNone)
{
    const auto record = RunAlone({{0, 3, 3, 1'000'000}});
    EXPECT_EQ(record.unloadedCct, 0);
    EXPECT_FALSE(record.UnloadedSlowdown().has_value());
}
