/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A coflow's driver hears in messages that all has arrived: how many, when, and through failures.

#include "central-fixture.h"

#include "ns3/coflow-completion-agent.h"
#include "ns3/coflow-completion-message.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/enum.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Coflow;
using ::coflow::Workload;

namespace
{

/// Bytes of a TasksDone, frame and body.
constexpr uint64_t MESSAGE_BYTES = 8 + 12;

ExperimentConfig
Config(const std::string& scheduler, const Attributes& attributes = {})
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes = {{"hosts", "6"}, {"linkRate", "100Mbps"}, {"linkDelay", "50us"}};
    config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
    config.stop = 100 * UNIT;
    return config;
}

/// The same experiment, in which is noted when a driver releases which coflow.
ExperimentConfig
Noting(std::map<::coflow::CoflowId, ::coflow::Nanoseconds>& released, ExperimentConfig config)
{
    config.instrument = [before = config.instrument, &released](const PacketCluster& cluster) {
        cluster.GetDriver()->TraceConnectWithoutContext(
            "CoflowReleased",
            Callback<void, ::coflow::CoflowId>([&released](::coflow::CoflowId coflow) {
                released[coflow] = Simulator::Now().GetNanoSeconds();
            }));
        return before ? before(cluster) : nullptr;
    };
    return config;
}

/// A coflow that may start when another has finished.
Coflow
MakeChild(::coflow::CoflowId id, ::coflow::CoflowId parent, const std::vector<UnitFlow>& flows)
{
    auto coflow = MakeCoflow(id, flows);
    coflow.parents = {parent};
    return coflow;
}

/// Registered on host 0: receivers are hosts 1 (two flows), 2 and 0 itself. Then a child.
Workload
MakeParentAndChild()
{
    return {5,
            {MakeCoflow(1, {{0, 1, 0.1}, {3, 1, 0.2}, {3, 2, 0.1}, {4, 0, 0.1}}),
             MakeChild(2, 1, {{1, 2, 1}})}};
}

uint64_t
CountIn(const ExperimentResult& result, const std::string& member)
{
    const auto text = result.control.ToString();
    auto at = text.find("\"TasksDone\"");
    if (at == std::string::npos)
    {
        return 0;
    }
    at = text.find("\"" + member + "\"", at);
    return std::stoull(text.substr(text.find(':', at) + 1));
}

double
Seconds(::coflow::Nanoseconds time)
{
    return static_cast<double>(time) * 1e-9;
}

class Completion : public testing::TestWithParam<std::tuple<std::string, std::string>>
{
};

} // namespace

TEST_P(Completion, IsToldOnceByEveryReceivingHost)
{
    const auto& [scheduler, transport] = GetParam();
    const auto workload = MakeParentAndChild();
    const auto config = Config(scheduler, {{"controlTransport", transport}});
    std::map<::coflow::CoflowId, ::coflow::Nanoseconds> released;
    const auto result = RunPacketExperiment(workload, Noting(released, Checked(config)));
    ASSERT_TRUE(result.coflows[1].IsFinished());
    // Hosts 1 and 2, and host 2 to the child's driver on host 1; host 0 is the driver's own.
    EXPECT_EQ(CountIn(result, "messages"), 3U);
    EXPECT_EQ(CountIn(result, "bytes"), 3 * MESSAGE_BYTES);
    EXPECT_GE(result.network->controlMessages, 3U);
    // The child is ready when the parent's last byte is there. It is released later, by one way
    // through the network, in which nothing else is, or not at all where there is no network.
    EXPECT_EQ(result.coflows[1].arrival, result.coflows[0].finish);
    const double later = Seconds(released.at(2) - result.coflows[0].finish);
    EXPECT_GE(later, transport == "ideal" ? 0 : 100e-6);
    EXPECT_LT(later, transport == "ideal" ? 1e-9 : 130e-6);

    auto instant = config;
    instant.attributes.emplace_back("completion", "instant");
    const auto ideal = RunPacketExperiment(workload, Checked(instant));
    EXPECT_EQ(CountIn(ideal, "messages"), 0U);
    EXPECT_EQ(ideal.coflows[1].arrival, ideal.coflows[0].finish);
}

// Representatives of the classes of schedulers.
INSTANTIATE_TEST_SUITE_P(
    All,
    Completion,
    testing::Combine(testing::Values("fair", "varys", "aalo", "dcas", "pfabric"),
                     testing::Values("tcp", "ideal")),
    [](const auto& test) { return std::get<0>(test.param) + "_" + std::get<1>(test.param); });

TEST(CompletionDriver, ChildrenOfLocalEmptyAndFlowlessCoflowsAreReleased)
{
    auto empty = MakeChild(2, 1, {{1, 2, 0}, {3, 3, 0}, {4, 1, 0}});
    const Workload workload{5,
                            {MakeCoflow(1, {{2, 2, 1}, {3, 3, 0.5}}),
                             empty,
                             MakeChild(3, 2, {}),
                             MakeChild(4, 3, {{0, 1, 0.1}, {1, 2, 0}, {4, 4, 0.1}})}};
    // Representatives of the classes of schedulers.
    for (const std::string scheduler : {"fair", "varys", "nc-drf", "graviton", "baraat"})
    {
        for (const std::string way : {"message", "instant"})
        {
            const auto result = RunPacketExperiment(
                workload,
                Checked(Config(scheduler,
                               {{"completion", way},
                                {"getJitter", "ns3::UniformRandomVariable[Min=0|Max=0.002]"}})));
            for (const auto& record : result.coflows)
            {
                EXPECT_TRUE(record.IsFinished()) << scheduler << ", coflow " << record.id;
            }
        }
    }
}

TEST(CompletionDriver, AGetThatComesAfterTheDataEndsThen)
{
    // fair sends at the put; the tasks ask 50 ms later, when all has arrived.
    std::map<::coflow::CoflowId, ::coflow::Nanoseconds> released;
    const auto result = RunPacketExperiment(
        MakeParentAndChild(),
        Noting(released,
               Config("fair", {{"getJitter", "ns3::ConstantRandomVariable[Constant=0.05]"}})));
    EXPECT_LT(Seconds(result.coflows[0].finish), 0.045);
    EXPECT_EQ(result.coflows[1].arrival, result.coflows[0].finish);
    EXPECT_GT(Seconds(released.at(2)), 0.05);
    EXPECT_LT(Seconds(released.at(2)), 0.051);
}

TEST(CompletionDriver, HearsOneDelayLaterWhereMessagesAreDelayed)
{
    // The message that the last byte is there takes one delay. Then the child's flow starts, up to
    // 10 us later (StartJitter).
    const auto result = RunPacketExperiment(
        MakeParentAndChild(),
        Config("fair", {{"controlTransport", "ideal"}, {"controlMessageDelay", "7ms"}}));
    EXPECT_EQ(result.coflows[1].arrival, result.coflows[0].finish) << "whenever it is heard of";
    const auto& child = result.flows.back();
    ASSERT_EQ(child.coflow, result.coflows[1].id);
    EXPECT_NEAR(static_cast<double>(child.start - result.coflows[0].finish), 7'005'000, 5'000);
}

TEST(CompletionDriver, MessagesSurviveLoss)
{
    for (const std::string scheduler : {"fair", "varys"})
    {
        const auto result = RunPacketExperiment(MakeParentAndChild(),
                                                Config(scheduler, {{"controlLossRate", "0.3"}}));
        EXPECT_TRUE(result.coflows[1].IsFinished()) << scheduler;
    }
}

TEST(CompletionDriver, HearsThoughAllDaemonsAndTheCoordinatorAreDead)
{
    const auto workload = MakeParentAndChild();
    auto config = Config("varys", {{"bypassBytes", "0"}});
    PacketCluster cluster(config);
    const auto scheduler = DynamicCast<CentralScheduler>(cluster.GetScheduler());
    scheduler->FailCoordinator(MilliSeconds(1));
    for (HostId host = 0; host < 6; ++host)
    {
        scheduler->FailDaemon(host, MilliSeconds(1));
    }
    std::vector<::coflow::CoflowId> released;
    cluster.GetDriver()->TraceConnectWithoutContext(
        "CoflowReleased",
        Callback<void, ::coflow::CoflowId>(
            [&](::coflow::CoflowId coflow) { released.push_back(coflow); }));
    auto later = workload;
    later.coflows[0].arrival = 5'000'000;
    cluster.GetDriver()->Start(later, cluster.GetAgents());
    Simulator::Stop(ns3::Seconds(2));
    Simulator::Run();
    EXPECT_EQ(released, (std::vector<::coflow::CoflowId>{1, 2}));
}

TEST(CompletionDriver, FreesRatesOnlyWhenItHasHeard)
{
    // Coflow 2 waits for the port that coflow 1 holds. The coordinator is told by the driver's
    // daemon, and that by the driver, which first has to hear of host 2.
    const Workload workload{4, {MakeCoflow(1, {{0, 2, 1}}), MakeCoflow(2, {{1, 2, 1}}, 0.1)}};
    const auto finish = [&](const std::string& way) {
        const auto result = RunPacketExperiment(workload,
                                                IdealConfig("fifo",
                                                            6,
                                                            {{"controlTransport", "tcp"},
                                                             {"controlBatch", "10ms"},
                                                             {"linkDelay", "2ms"},
                                                             {"completion", way}}));
        return Seconds(result.coflows[1].finish);
    };
    // One way of two links of 2 ms.
    EXPECT_NEAR(finish("message") - finish("instant"), 0.004, 0.0015);
}

TEST(CompletionAgents, SayAgainWhatABrokenConnectionMayHaveLost)
{
    const PacketCluster cluster(Config("fair"));
    const auto plane = CreateObject<ControlPlane>();
    plane->Build(cluster.GetFabric(), CreateObject<TransportProfile>());
    std::vector<std::pair<::coflow::CoflowId, HostId>> heard;
    const auto drivers = plane->MakeEndpoint(0);
    const auto atDriver = CreateObject<CompletionAgent>();
    atDriver->Start(0, drivers, [&](::coflow::CoflowId coflow, HostId host) {
        heard.emplace_back(coflow, host);
    });
    const auto tasks = CreateObject<CompletionAgent>();
    tasks->Start(3, plane->MakeEndpoint(3), [](::coflow::CoflowId, HostId) {});
    tasks->Expect(7, 2, 0, plane->GetAddress(0));
    tasks->Expect(8, 1, 0, plane->GetAddress(0));
    Simulator::Schedule(MilliSeconds(1), [&] { tasks->NotifyReceived(7); });
    Simulator::Schedule(MilliSeconds(2), [&] { tasks->NotifyReceived(7); });
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    using Heard = decltype(heard);
    EXPECT_EQ(heard, (Heard{{7, 3}}));
    drivers->Stop();
    tasks->NotifyReceived(8); // at the moment at which nobody listens
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    drivers->Start();
    drivers->Listen(CompletionAgent::PORT);
    std::vector<std::string> down;
    drivers->TraceConnectWithoutContext(
        "PeerDown",
        Callback<void, Ipv4Address, const std::string&>(
            [&](Ipv4Address, const std::string& reason) { down.push_back(reason); }));
    Simulator::Stop(MilliSeconds(60));
    Simulator::Run();
    EXPECT_EQ(heard, (Heard{{7, 3}, {7, 3}, {8, 3}}));
    EXPECT_EQ(tasks->GetSent().at(TasksDoneMessage::TYPE).bytes,
              MESSAGE_BYTES * tasks->GetSent().at(TasksDoneMessage::TYPE).messages);
    // A connection on which all was said is closed, and opened again for the next task.
    EXPECT_TRUE(down.empty());
    Simulator::Stop(ns3::Seconds(1));
    Simulator::Run();
    EXPECT_EQ(down.size(), 1U);
    tasks->Expect(9, 1, 0, plane->GetAddress(0));
    Simulator::Schedule(MilliSeconds(1), [&] { tasks->NotifyReceived(9); });
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    EXPECT_EQ(heard, (Heard{{7, 3}, {7, 3}, {8, 3}, {9, 3}})) << "what was heard is not said again";
    atDriver->Dispose();
    tasks->Dispose();
    plane->Dispose();
}
