/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Coordinators that need time for every message, and policies to which hosts report how far their
// flows are.

#include "central-fixture.h"

#include "ns3/coflow-service-queue.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

TEST(ServiceQueue, DoesOneThingAfterTheOther)
{
    // The second waits for the first, the third for nobody.
    std::vector<int64_t> done;
    ServiceQueue queue;
    queue.SetServiceTime(MicroSeconds(10));
    const auto add = [&] {
        queue.Add([&] { done.push_back(Simulator::Now().GetMicroSeconds()); });
    };
    Simulator::Schedule(Time(), add);
    Simulator::Schedule(Time(), add);
    Simulator::Schedule(MicroSeconds(25), add);
    Simulator::Run();
    EXPECT_EQ(done, (std::vector<int64_t>{10, 20, 35}));
    EXPECT_EQ(queue.GetLongestDelay(), MicroSeconds(20));
    EXPECT_EQ(queue.GetBusyTime(), MicroSeconds(30));
    Simulator::Destroy();
}

TEST(ServiceQueue, WorkMayAddWorkAndClearTheQueue)
{
    int done = 0;
    ServiceQueue queue;
    queue.SetServiceTime(MicroSeconds(10));
    queue.Add([&] { queue.Add([&] { ++done; }); });
    queue.Add([&] { ++done; });
    Simulator::Run();
    EXPECT_EQ(done, 2);
    EXPECT_EQ(Simulator::Now(), MicroSeconds(30));
    queue.Add([&] { queue.Clear(); });
    queue.Add([&] { ++done; });
    Simulator::Run();
    EXPECT_EQ(done, 2) << "what waits is forgotten";
    queue.Add([&] { ++done; });
    Simulator::Run();
    EXPECT_EQ(done, 3) << "and it goes on";
    Simulator::Destroy();
}

TEST(ServiceQueue, WithoutAServiceTimeWorkIsDoneAtOnce)
{
    int done = 0;
    ServiceQueue queue;
    EXPECT_TRUE(queue.IsInstant());
    queue.Add([&] { ++done; });
    EXPECT_EQ(done, 1);
    EXPECT_EQ(queue.GetBusyTime(), Time());
}

namespace
{

/// Seconds that one flow from host 0 to host 1 takes, on a switch with a coordinator on host 2.
/// @param messageTime attribute MessageTime
double
CctWith(const std::string& scheduler, const std::string& messageTime, const Attributes& more = {})
{
    const ::coflow::Workload workload{2, {MakeCoflow(1, {{0, 1, 1}}, 0.5)}};
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes = {{"hosts", "3"},
                         {"linkRate", "100Mbps"},
                         {"controlTransport", "ideal"},
                         {"messageTime", messageTime}};
    config.attributes.insert(config.attributes.end(), more.begin(), more.end());
    const auto result = RunPacketExperiment(workload, config);
    EXPECT_TRUE(result.coflows[0].IsFinished());
    EXPECT_EQ(result.control.ToString().find("message_busy_s") != std::string::npos,
              messageTime != "0s");
    return result.coflows[0].CctSeconds();
}

} // namespace

TEST(MessageTime, IsSpentOnEveryMessageOfACentralCoordinator)
{
    // Register is heard after 1 ms and answered after 2. The put and the get then are heard after 3
    // and 4, the flow is described to its receiver after 5, and its rate is told after 6.
    const Attributes quick{{"controlBatch", "0s"}, {"heartbeat", "100s"}, {"bypassBytes", "0"}};
    const double delay = CctWith("varys", "1ms", quick) - CctWith("varys", "0s", quick);
    EXPECT_NEAR(delay, 0.006, 1e-5);
}

TEST(MessageTime, IsSpentOnEveryMessageOfAHybridCoordinator)
{
    // The driver asks for a place and waits for the answer. What comes then is sent at once.
    EXPECT_NEAR(CctWith("aalo", "1ms") - CctWith("aalo", "0s"), 0.002, 1e-5);
}

TEST(MessageTime, ACoordinatorThatCannotKeepUpIsSilentAndHostsGoOn)
{
    // Every message of 100 hosts takes 50 ms: the coordinator is some seconds late, which is more
    // than MasterTimeout, and hosts send without it.
    ::coflow::Workload workload;
    workload.hosts = 100;
    for (::coflow::CoflowId id = 1; id <= 5; ++id)
    {
        std::vector<UnitFlow> flows;
        for (::coflow::HostId host = 0; host < 50; ++host)
        {
            flows.push_back({host, 50 + (host + static_cast<::coflow::HostId>(id)) % 50, 0.1});
        }
        workload.coflows.push_back(MakeCoflow(id, flows, id));
    }
    ExperimentConfig config;
    config.scheduler = "nc-drf";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "101"}, {"linkRate", "100Mbps"}, {"messageTime", "50ms"}};
    const auto result = RunPacketExperiment(workload, config);
    for (const auto& coflow : result.coflows)
    {
        EXPECT_TRUE(coflow.IsFinished());
    }
}

TEST(Reports, ComeEveryPeriodWhileThereAreFlows)
{
    const auto reports = [&](const ::coflow::Workload& workload,
                             const std::string& scheduler,
                             const Attributes& more) {
        const auto text =
            RunPacketExperiment(workload, IdealConfig(scheduler, 5, more)).control.ToString();
        const std::string name = "\"messages\": ";
        const auto at = text.find(name, text.find("\"FlowProgress\""));
        return at == std::string::npos ? -1 : std::stoi(text.substr(at + name.size()));
    };
    // One flow of 10 units, which takes some 1.06 s at 0.94 of a port, and so 21 periods of 50 ms.
    const ::coflow::Workload one{4, {MakeCoflow(1, {{0, 1, 10}})}};
    EXPECT_NEAR(reports(one, "saath", {{"delta", "0.05"}}), 21, 1);
    EXPECT_NEAR(reports(one, "saath", {{"delta", "0.2"}}), 5, 1);
    // Without periods a flow is reported when it is done. The run ends before the longer one's
    // report.
    const ::coflow::Workload two{4, {MakeCoflow(1, {{0, 1, 1}}), MakeCoflow(2, {{2, 3, 3}})}};
    EXPECT_EQ(reports(two, "philae", {}), 1);
}

TEST(Saath, QueuesGoByTheLongestFlowAtPacketLevel)
{
    // As in the fluid engine (Saath.QueuesGoByTheLongestFlow): a flow of C1 may send 4 of the 8
    // units of the first threshold, and C2, which came later, goes before what is left of it.
    const ::coflow::Workload workload{
        6,
        {MakeCoflow(1, {{0, 2, 6}, {1, 3, 1}}), MakeCoflow(2, {{0, 4, 2}}, 1)}};
    const auto ccts = Ccts(RunPacketExperiment(
        workload,
        IdealConfig("saath",
                    7,
                    {{"firstThreshold", std::to_string(8 * UNIT_BYTES)}, {"delta", "0.001"}})));
    EXPECT_NEAR(ccts.at(1), 8 / KAPPA, 0.03 * 8);
    EXPECT_NEAR(ccts.at(2), 6 / KAPPA - 1, 0.03 * 6);
}

TEST(Philae, LearnsFromPilotsAtPacketLevel)
{
    // The pilots, first in, first out: C1 0..2, C2 2..3. What is left is taken for 2 and for 1, so
    // that C2 runs 3..4 and C1 4..6. C2 comes a little later.
    const ::coflow::Workload workload{
        6,
        {MakeCoflow(1, {{0, 1, 2}, {0, 2, 2}}), MakeCoflow(2, {{0, 3, 1}, {0, 4, 1}}, 0.01)}};
    const auto ccts = Ccts(RunPacketExperiment(
        workload,
        IdealConfig("philae", 7, {{"thinLimit", "0"}, {"coalesce", "0"}, {"T", "0"}})));
    EXPECT_NEAR(ccts.at(1), 6 / KAPPA, 0.03 * 6);
    EXPECT_NEAR(ccts.at(2), 4 / KAPPA, 0.03 * 4);
}
