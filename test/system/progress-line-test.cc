/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How far a run at packet level is.

#include "central-fixture.h"

#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-progress-line.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

/// @return shares of the bytes that have arrived, at times of a run
std::vector<double>
RunAndAsk(const Workload& workload, const std::string& scheduler, const std::vector<Time>& times)
{
    auto config = IdealConfig(scheduler, workload.hosts, {});
    std::vector<double> found;
    config.instrument = [&](const PacketCluster& cluster) {
        for (const auto& time : times)
        {
            Simulator::Schedule(time, [&cluster, &found] {
                std::vector<Ptr<const CoflowSink>> sinks;
                for (const auto& host : cluster.GetHosts())
                {
                    sinks.push_back(host.sink);
                }
                found.push_back(
                    GetRunProgress(*cluster.GetInstallation()->GetTracker(), sinks).byteShare);
            });
        }
        return nullptr;
    };
    RunPacketExperiment(workload, config);
    return found;
}

} // namespace

TEST(RunProgress, CountsWhatFlowsInParallelHaveDelivered)
{
    // One unit and three units over equal paths, both at full rate: after one unit of time, the
    // first is through and a third of the other, half of all. A local flow does not count.
    const Workload workload{6, {MakeCoflow(1, {{0, 3, 1}, {1, 4, 3}, {2, 2, 50}})}};
    const auto unit = NanoSeconds(static_cast<uint64_t>(UNIT / KAPPA));
    const auto found = RunAndAsk(workload, "fair", {NanoSeconds(1), unit, 2 * unit, 2.9 * unit});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_NEAR(found[0], 0, 1e-12);
    EXPECT_NEAR(found[1], 0.5, 0.04);
    EXPECT_NEAR(found[2], 0.75, 0.04);
    EXPECT_NEAR(found[3], 0.975, 0.04);
}

TEST(RunProgress, CoflowsThatAreNotSentHaveNoBytes)
{
    // The first coflow takes its port for four units of time, so that the second one, which comes
    // at 0.5 and has to be through in 1.5, is refused.
    Workload workload{6, {MakeCoflow(1, {{0, 3, 4}}), MakeCoflow(2, {{0, 3, 1}}, 0.5)}};
    workload.coflows[0].deadline = static_cast<::coflow::Nanoseconds>(4.8 * UNIT);
    workload.coflows[1].deadline = static_cast<::coflow::Nanoseconds>(1.5 * UNIT);
    const auto unit = NanoSeconds(static_cast<uint64_t>(UNIT));
    const auto found = RunAndAsk(workload, "varys-deadline", {0.3 * unit, 2 * unit});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_LT(found[0], 0.8 * 0.3 / 4); // of five units
    EXPECT_GT(found[0], 0.5 * 0.3 / 5);
    EXPECT_GT(found[1], 0.8 * 2.0 / 4); // of four
}

TEST(ProgressLine, SaysWhatThereIsToKnow)
{
    const RunProgress progress{.simulatedSeconds = 1.5,
                               .byteShare = 0.182,
                               .finished = 3,
                               .coflows = 12};
    const std::string line = "1.500 s simulated, 18.2 % of bytes and 3 of 12 coflows done, ";
    std::ostringstream out;
    {
        ProgressLine log(out, false);
        log.PrintIfDue([&] { return progress; });
        EXPECT_EQ(out.str(), "") << "the run has only begun";
        log.Print(progress);
    }
    const auto text = out.str();
    EXPECT_EQ(text.rfind(line, 0), 0U) << text;
    EXPECT_NE(text.find(" s of CPU time\n"), std::string::npos) << text;
    out.str("");
    {
        // On a terminal each line is written over the one before, and the last one is ended.
        ProgressLine terminal(out, true);
        terminal.Print(progress);
        terminal.Print(progress);
    }
    EXPECT_EQ(out.str().rfind("\r" + line, 0), 0U) << out.str();
    EXPECT_EQ(out.str().find('\n'), out.str().size() - 1);
}
