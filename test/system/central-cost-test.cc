/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The ways of control messages under a whole scheduler, and what they add up to on 150 hosts.

#include "central-fixture.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

/// @return the number of the last of these members, each looked for after the one before
double
NumberAt(const std::string& json, const std::vector<std::string>& path)
{
    std::size_t at = 0;
    for (const auto& name : path)
    {
        at = json.find("\"" + name + "\": ", at);
        if (at == std::string::npos)
        {
            ADD_FAILURE() << name << " is not in " << json;
            return -1;
        }
        at += name.size() + 4;
    }
    return std::strtod(json.c_str() + at, nullptr);
}

/// Mean time that ten small coflows take while other hosts keep the coordinator's link busy.
Time
MeanOfSmallCoflows(const Attributes& attributes)
{
    auto all = attributes;
    all.emplace_back("controlTransport", "tcp");
    CentralCluster cluster(IdealConfig("varys", 6, all));
    for (HostId host : {0, 1})
    {
        cluster.Get().GetHosts()[host].source->StartFlow(
            {1000, host, Fabric::GetHostAddress(5), 10'000'000, RateLimit::Unlimited()});
    }
    std::vector<Time> arrivals;
    for (uint32_t i = 0; i < 10; ++i)
    {
        arrivals.push_back(MilliSeconds(200 + 37 * i));
        cluster.Register(arrivals.back(), i, 1, [&cluster](const CoflowHandle& handle) {
            cluster.Move(handle, 0, 2, 3, 10'000);
        });
    }
    cluster.Run(Seconds(1));
    Time sum;
    for (uint32_t i = 0; i < 10; ++i)
    {
        EXPECT_TRUE(cluster.IsFinished(i, 0)) << "coflow " << i;
        sum += cluster.finished[{i, 0}] - arrivals[i];
    }
    return sum / 10;
}

} // namespace

TEST(CentralCost, ABandSparesControlTheQueues)
{
    const Attributes bands{{"queueDisc", "ns3::coflow::StrictPriorityQueueDisc"}};
    auto first = bands;
    first.emplace_back("controlDscp", "56");
    const auto inBand = MeanOfSmallCoflows(bands);
    const auto inFirstBand = MeanOfSmallCoflows(first);
    // 10 kB take 0.9 ms. A coflow waits for its registration and for its flows to be known; in
    // queues that TCP keeps at 30 kB, each is 2 ms.
    EXPECT_GT(inBand, MilliSeconds(3));
    EXPECT_LT(inFirstBand, MilliSeconds(2));
}

TEST(CentralCost, IsReportedForAHundredAndFiftyHosts)
{
    ::coflow::Workload workload;
    workload.hosts = 150;
    for (unsigned id = 1; id <= 5; ++id)
    {
        std::vector<UnitFlow> flows;
        for (::coflow::HostId host = 0; host < 150; ++host)
        {
            flows.push_back({host, (host + id) % 150, 0.1});
        }
        workload.coflows.push_back(MakeCoflow(id, flows, 2 * id));
    }
    ExperimentConfig config;
    config.scheduler = "varys";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "151"}, {"bypassBytes", "0"}, {"heartbeat", "50ms"}};
    const auto result = RunPacketExperiment(workload, config);
    const auto report = result.control.ToString();
    uint64_t messages = 0;
    uint64_t bytes = 0;
    std::vector<std::string> types(ORDINARY_MESSAGES.begin(), ORDINARY_MESSAGES.end());
    types.emplace_back("TasksDone"); // of the applications
    for (const auto& type : types)
    {
        messages += static_cast<uint64_t>(NumberAt(report, {"by_type", type, "messages"}));
        bytes += static_cast<uint64_t>(NumberAt(report, {"by_type", type, "bytes"}));
    }
    EXPECT_EQ(messages, result.network->controlMessages);
    EXPECT_EQ(bytes, result.network->controlBytes);
    // Every host receives of every coflow; host 0 is the driver's.
    EXPECT_EQ(NumberAt(report, {"by_type", "TasksDone", "messages"}), 5 * 149);
    EXPECT_EQ(NumberAt(report, {"by_type", "TasksDone", "bytes"}), 20 * 5 * 149);
    // Both ways between the coordinator and each of 151 daemons, its own among them, 36 bytes.
    const double beats = NumberAt(report, {"by_type", "Heartbeat", "messages"});
    const double expected = 2 * 151 * result.simulatedSeconds / 0.05;
    EXPECT_NEAR(beats, expected, 0.1 * expected);
    // The coordinator's name coflows that are over, to each of their hosts once, by 8 bytes.
    const double names = (NumberAt(report, {"by_type", "Heartbeat", "bytes"}) - 36 * beats) / 8;
    EXPECT_EQ(names, std::floor(names));
    EXPECT_GE(names, 150);
    EXPECT_LE(names, 5 * 150);
    // A schedule is one message for each sender of the coflow: a frame and two numbers, 24 bytes,
    // and 24 bytes a flow, and an empty one when it has no flow any more.
    const double maps = NumberAt(report, {"by_type", "UpdatedRates", "messages"});
    EXPECT_GE(maps, 5 * 150);
    EXPECT_LE(maps, 2 * 5 * 150);
    EXPECT_EQ(NumberAt(report, {"by_type", "UpdatedRates", "bytes"}), 24 * maps + 24 * 5 * 150);
    EXPECT_GT(NumberAt(report, {"peak_received_per_s"}), 151 / 0.05);
    // What asks for a schedule is a put, held back for 100 ms, or an unregistration, which is not.
    EXPECT_GT(NumberAt(report, {"event_to_rate_s", "max"}), 0.09);
    EXPECT_LT(NumberAt(report, {"event_to_rate_s", "max"}), 0.11);
    EXPECT_LT(NumberAt(report, {"event_to_rate_s", "mean"}), 0.09);
}
