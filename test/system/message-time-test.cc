/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Coordinators that need time for every message, and policies to which hosts report how far their
// flows are.

#include "central-fixture.h"

#include "ns3/coflow-service-queue.h"

#include <gtest/gtest.h>
#include <string>
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

TEST(ServiceQueue, NewerWorkTakesThePlaceOfOlder)
{
    std::vector<std::string> done;
    ServiceQueue queue;
    queue.SetServiceTime(MicroSeconds(10));
    const auto work = [&done](const std::string& name) {
        return [&done, name] {
            done.push_back(name + " " + std::to_string(Simulator::Now().GetMicroSeconds()));
        };
    };
    queue.Renew(work("a"), 1);
    queue.Add(work("b"), 2);
    queue.Renew(work("c"), 2);
    queue.Add(work("d"));
    // The earlier work of party 1 is done by then, that of party 2 waits.
    Simulator::Schedule(MicroSeconds(12), [&] {
        EXPECT_FALSE(queue.IsRenewed(1));
        EXPECT_TRUE(queue.IsRenewed(2));
        queue.Renew(work("newer a"), 1);
        queue.Renew(work("newer c"), 2);
        EXPECT_TRUE(queue.IsRenewed(1));
    });
    Simulator::Run();
    EXPECT_EQ(done, (std::vector<std::string>{"a 10", "b 20", "newer c 30", "d 40", "newer a 50"}));
    EXPECT_FALSE(queue.IsRenewed(2));
    EXPECT_EQ(queue.GetBusyTime(), MicroSeconds(50));
    EXPECT_EQ(queue.GetLongestDelay(), MicroSeconds(40));
    Simulator::Destroy();
}

TEST(ServiceQueue, WhatBelongsToAPartyCanBeForgotten)
{
    std::vector<int64_t> done;
    ServiceQueue queue;
    queue.SetServiceTime(MicroSeconds(10));
    const auto work = [&] { done.push_back(Simulator::Now().GetMicroSeconds()); };
    queue.Renew(work, 1); // is being done, and is without effect
    queue.Add(work, 2);
    queue.Add(work, 1);
    Simulator::Schedule(MicroSeconds(5), [&] {
        queue.Forget(1);
        EXPECT_FALSE(queue.IsRenewed(1));
    });
    Simulator::Schedule(MicroSeconds(8), [&] { queue.Renew(work, 1); });
    Simulator::Schedule(MicroSeconds(12), [&] { EXPECT_TRUE(queue.IsRenewed(1)); });
    Simulator::Run();
    EXPECT_EQ(done, (std::vector<int64_t>{20, 30}));
    EXPECT_EQ(queue.GetBusyTime(), MicroSeconds(30));
    Simulator::Destroy();
}

TEST(ServiceQueue, SaysWhenAllIsDoneThatWaits)
{
    std::vector<int64_t> done;
    ServiceQueue queue;
    queue.SetServiceTime(MicroSeconds(10));
    const auto note = [&] { done.push_back(Simulator::Now().GetMicroSeconds()); };
    queue.WhenDone(note);
    EXPECT_EQ(done, (std::vector<int64_t>{0})) << "nothing waits";
    done.clear();
    const auto nothing = [] {};
    queue.Add(nothing);
    queue.Add(nothing);
    queue.WhenDone(note);
    queue.WhenDone([&] {
        note();
        queue.Add(nothing); // behind what waits
    });
    queue.Add(nothing);
    queue.WhenDone(note);
    Simulator::Run();
    EXPECT_EQ(done, (std::vector<int64_t>{20, 20, 30}));
    EXPECT_EQ(queue.GetBusyTime(), MicroSeconds(40));
    queue.Add(nothing);
    queue.WhenDone(note);
    queue.Clear();
    Simulator::Run();
    EXPECT_EQ(done.size(), 3U) << "what waits is forgotten";
    Simulator::Destroy();
}

TEST(ServiceQueue, WithoutAServiceTimeWorkIsDoneAtOnce)
{
    int done = 0;
    ServiceQueue queue;
    EXPECT_TRUE(queue.IsInstant());
    queue.Add([&] { ++done; });
    EXPECT_EQ(done, 1);
    queue.Renew([&] { ++done; }, 1);
    EXPECT_EQ(done, 2);
    queue.WhenDone([&] { ++done; });
    EXPECT_EQ(done, 3);
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
    const Attributes quick{{"controlBatch", "0s"},
                           {"heartbeat", "100s"},
                           {"masterTimeout", "300s"},
                           {"daemonTimeout", "6000s"},
                           {"bypassBytes", "0"}};
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

namespace
{

/// @return a number of the description of a result's control loop
double
ControlNumber(const ExperimentResult& result, const std::string& name)
{
    const auto text = result.control.ToString();
    const auto at = text.find("\"" + name + "\": ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 4));
}

/// Eight coflows at the same time, of a flow each, and a coordinator on host 16.
/// @param to gives the receiver of a sender
ExperimentResult
RunEight(
    const std::string& scheduler,
    double size,
    const Attributes& attributes,
    ::coflow::HostId (*to)(::coflow::HostId) = [](::coflow::HostId host) { return 8 + host; })
{
    ::coflow::Workload workload;
    workload.hosts = 16;
    for (::coflow::HostId host = 0; host < 8; ++host)
    {
        workload.coflows.push_back(MakeCoflow(host + 1, {{host, to(host), size}}));
    }
    // A hybrid scheduler has none of the options that IdealConfig() gives to central ones.
    auto config = IdealConfig(scheduler == "aalo" ? "fair" : scheduler, 17, attributes);
    config.scheduler = scheduler;
    return RunPacketExperiment(workload, config);
}

} // namespace

TEST(MessageTime, ACentralCoordinatorThatGetsTooManyMessagesIsLateByARoundOfItsDaemons)
{
    // 17 heartbeats and answers in 4 ms take 10 ms. Before, the queue was longer by the second, and
    // everything later and later.
    for (const std::string scheduler : {"philae", "varys"})
    {
        const auto result =
            RunEight(scheduler,
                     2,
                     {{"messageTime", "300us"}, {"heartbeat", "4ms"}, {"masterTimeout", "1s"}});
        for (const auto& coflow : result.coflows)
        {
            EXPECT_TRUE(coflow.IsFinished());
            EXPECT_LT(coflow.CctSeconds(), 0.35) << scheduler; // 0.21 s without a message time
        }
        // At most 17 heartbeats, as many answers, 8 maps of rates, and 7 messages of each coflow.
        const double delay = ControlNumber(result, "longest_message_delay_s");
        EXPECT_LT(delay, (2 * 17 + 8 + 8 * 7) * 300e-6) << scheduler;
        EXPECT_GT(delay, 17 * 300e-6) << "it has too much to do";
    }
}

TEST(MessageTime, ACentralCoordinatorDecidesAgainWhenItsLastDecisionWasSent)
{
    // The guard against starvation changes the rates of 8 senders every 0.2 ms, and to tell them
    // takes 2.4 ms.
    for (const std::string scheduler : {"fifo", "varys"})
    {
        const auto result =
            RunEight(scheduler,
                     0.2,
                     {{"messageTime", "300us"}, {"T", "0.0002"}, {"delta", "0.0002"}},
                     [](::coflow::HostId) { return ::coflow::HostId{8}; });
        for (const auto& coflow : result.coflows)
        {
            EXPECT_TRUE(coflow.IsFinished());
        }
        const double delay = ControlNumber(result, "longest_message_delay_s");
        EXPECT_LT(delay, (2 * 17 + 8 + 8 * 7) * 300e-6) << scheduler;
    }
}

TEST(MessageTime, AHybridCoordinatorSpeaksAgainWhenItsLastWordsWereSent)
{
    // The 8 senders are told every second period that the coordinator is alive: 2.4 ms in 0.2 ms.
    const auto result = RunEight("aalo",
                                 2,
                                 {{"controlTransport", "ideal"},
                                  {"messageTime", "300us"},
                                  {"delta", "100us"},
                                  {"silentPeriods", "4"},
                                  {"minNotify", "200000"}});
    for (const auto& coflow : result.coflows)
    {
        EXPECT_TRUE(coflow.IsFinished());
    }
    // At most 17 times hello, 8 times what to do and sums, 8 reports, and 3 messages of each
    // coflow.
    const double delay = ControlNumber(result, "longest_message_delay_s");
    EXPECT_LT(delay, (17 + 3 * 8 + 3 * 8) * 300e-6);
    EXPECT_GT(delay, 8 * 300e-6);
}

TEST(MessageTime, ADaemonWhoseHeartbeatWaitsIsNotSilent)
{
    // A round of heartbeats and answers takes 10 ms, which is more than DaemonTimeout.
    const auto result = RunEight("varys",
                                 2,
                                 {{"messageTime", "300us"},
                                  {"heartbeat", "1ms"},
                                  {"masterTimeout", "1s"},
                                  {"daemonTimeout", "3ms"}});
    for (const auto& coflow : result.coflows)
    {
        // Before, daemons were cut off all the time, and had to tell everything anew: 1.6 s.
        EXPECT_TRUE(coflow.IsFinished());
        EXPECT_LT(coflow.CctSeconds(), 0.35);
    }
    EXPECT_LT(ControlNumber(result, "longest_message_delay_s"), (2 * 17 + 8 + 8 * 7) * 300e-6);
}

TEST(SlowControl, RatesAreNotOlderThanWhatIsUnderWay)
{
    // Three coflows share a receiver. The guard against starvation changes all rates 5000 times a
    // second, which is more than TCP can carry where a fifth of its packets is lost. Were each told
    // in a message of its own, the rate of a small coflow that comes after 0.5 s would wait for
    // some 2000 messages.
    ::coflow::Workload workload;
    workload.hosts = 4;
    for (::coflow::HostId host = 0; host < 3; ++host)
    {
        workload.coflows.push_back(MakeCoflow(host + 1, {{host, 3, 4}}));
    }
    workload.coflows.push_back(MakeCoflow(4, {{0, 3, 0.01}}, 5));
    const auto result = RunPacketExperiment(workload,
                                            IdealConfig("varys",
                                                        5,
                                                        {{"controlTransport", "tcp"},
                                                         {"controlLossRate", "0.2"},
                                                         {"T", "0.0002"},
                                                         {"delta", "0.0002"}}));
    for (const auto& coflow : result.coflows)
    {
        EXPECT_TRUE(coflow.IsFinished());
    }
    EXPECT_LT(result.coflows[3].CctSeconds(), 1.5);
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
    // The pilots, first in, first out: C1 0..2, C2 2..3. What they tell puts C1 into the second
    // queue and C2 into the first, so that C2 runs 3..4 and C1 4..6. C2 comes a little later.
    const ::coflow::Workload workload{
        6,
        {MakeCoflow(1, {{0, 1, 2}, {0, 2, 2}}), MakeCoflow(2, {{0, 3, 1}, {0, 4, 1}}, 0.01)}};
    const auto ccts = Ccts(
        RunPacketExperiment(workload,
                            IdealConfig("philae",
                                        7,
                                        {{"thinLimit", "0"},
                                         {"coalesce", "0"},
                                         {"slots", "1"},
                                         {"slot", "0.01"},
                                         {"key", "size"},
                                         {"queues", "2"},
                                         {"firstThreshold", std::to_string(3 * UNIT_BYTES)}})));
    EXPECT_NEAR(ccts.at(1), 6 / KAPPA, 0.03 * 6);
    EXPECT_NEAR(ccts.at(2), 4 / KAPPA, 0.03 * 4);
}
