/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The life of a coflow under a coordinator, as applications see it.

#include "central-fixture.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

using Names = std::vector<std::string>;

constexpr uint64_t MB = 1'000'000;

const Names WHOLE_LIFE{"WAITING", "READY", "RUNNING", "FINISHED"};

/// Control among the data, as by default, without batching, nothing bypasses.
ExperimentConfig
Config(const Attributes& attributes = {}, const std::string& scheduler = "varys")
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes = {{"hosts", "5"}, {"controlBatch", "0s"}, {"bypassBytes", "0"}};
    config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
    return config;
}

} // namespace

TEST(CentralLife, AFlowIsSentWhenAllFlowsAreKnownAtBothEnds)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 2, [&](const CoflowHandle& handle) {
        EXPECT_TRUE(handle.scheduled);
        cluster.Put(handle, 0, 1, 2, MB);
        cluster.Client(2)->Get(handle, 0);
        cluster.Client(3)->Get(handle, 1); // the get comes first
    });
    cluster.Run(Seconds(1));
    EXPECT_TRUE(cluster.finished.empty()) << "one flow is not put";
    EXPECT_EQ(cluster.states[7], (Names{"WAITING"}));
    cluster.Put(cluster.handles.at(7), 1, 1, 3, MB);
    cluster.Run(Seconds(2));
    EXPECT_EQ(cluster.delivered, 2 * MB);
    cluster.Client(0)->Unregister(cluster.handles.at(7));
    cluster.Run(Seconds(3));
    EXPECT_EQ(cluster.states[7], WHOLE_LIFE);
}

TEST(CentralLife, WhatIsSaidTwiceHappensOnce)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, MB);
        cluster.Move(handle, 0, 1, 2, MB);
    });
    cluster.Run(Seconds(1));
    cluster.Move(cluster.handles.at(7), 0, 1, 2, MB); // it has arrived already
    cluster.Run(Seconds(2));
    EXPECT_EQ(cluster.delivered, MB);
}

TEST(CentralLife, LocalAndEmptyFlowsArriveAtOnceAndCount)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 3, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 1, MB);
        cluster.Move(handle, 1, 1, 2, 0);
    });
    cluster.Run(Seconds(1));
    EXPECT_TRUE(cluster.IsFinished(7, 0));
    EXPECT_TRUE(cluster.IsFinished(7, 1));
    EXPECT_EQ(cluster.states[7], (Names{"WAITING"}));
    cluster.Move(cluster.handles.at(7), 2, 1, 3, MB);
    cluster.Run(Seconds(2));
    EXPECT_TRUE(cluster.IsFinished(7, 2));
}

TEST(CentralLife, ACoflowWithoutFlowsIsFinishedAtOnce)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 0, [](const CoflowHandle&) {});
    cluster.Run(Seconds(0.2));
    EXPECT_EQ(cluster.states[7], (Names{"WAITING", "FINISHED"}));
    EXPECT_EQ(cluster.GetCoordinator()->GetRuns(), 0U);
}

TEST(CentralLife, AGetThatNeverComesIsWaitedForOnlySoLong)
{
    CentralCluster cluster(Config({{"readyTimeout", "500ms"}}));
    cluster.Register(Seconds(0.1), 7, 2, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, MB);
        cluster.Put(handle, 1, 1, 3, MB);
    });
    cluster.Run(Seconds(0.5));
    EXPECT_TRUE(cluster.finished.empty());
    cluster.Run(Seconds(1));
    EXPECT_TRUE(cluster.IsFinished(7, 0));
    EXPECT_FALSE(cluster.IsFinished(7, 1));
    cluster.Client(3)->Get(cluster.handles.at(7), 1); // it comes after all
    cluster.Run(Seconds(2));
    EXPECT_TRUE(cluster.IsFinished(7, 1));
}

TEST(CentralLife, MoreFlowsThanRegisteredAreSentToo)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, 50 * MB);
    });
    cluster.Run(Seconds(0.2));
    cluster.Move(cluster.handles.at(7), 1, 3, 2, MB);
    cluster.Run(Seconds(1));
    EXPECT_EQ(cluster.delivered, 51 * MB);
}

TEST(CentralLife, ARestartedTaskSendsItsFlowAgainAndSiblingsGoOn)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 2, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, 20 * MB);
        cluster.Move(handle, 1, 3, 2, 20 * MB);
    });
    cluster.Run(Seconds(0.2)); // about 5 MB of each have been moved
    EXPECT_TRUE(cluster.finished.empty());
    const auto& handle = cluster.handles.at(7);
    cluster.Client(1)->PutAgain(handle, 0, Fabric::GetHostAddress(2), 20 * MB);
    cluster.Run(Seconds(2));
    EXPECT_TRUE(cluster.IsFinished(7, 0));
    EXPECT_TRUE(cluster.IsFinished(7, 1));
    EXPECT_LT((cluster.finished[{7, 1}]), (cluster.finished[{7, 0}]));
}

TEST(CentralLife, UnregisteredTooEarlyItFailsAndItsRateIsFree)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, 100 * MB);
    });
    cluster.Register(Seconds(0.1), 8, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, 110 * MB); // waits for the first one
    });
    cluster.Run(Seconds(0.3));
    cluster.Client(0)->Unregister(cluster.handles.at(7));
    cluster.Run(Seconds(3));
    EXPECT_EQ(cluster.states[7], (Names{"WAITING", "READY", "RUNNING", "FAILED"}));
    EXPECT_FALSE(cluster.IsFinished(7, 0));
    // 110 MB at 117.5 MB/s, from 0.3 s on.
    EXPECT_NEAR((cluster.finished[{8, 0}]).GetSeconds(), 0.3 + 110 / 117.5, 0.05);
    EXPECT_EQ(cluster.Get().GetHosts()[1].source->GetActiveFlows(), 0U) << "it is cancelled";
}

TEST(CentralLife, SmallCoflowsBypassTheSchedulerWithoutAMessage)
{
    CentralCluster cluster(Config({{"bypassBytes", "25e6"}}));
    const auto messages = [&] { return cluster.GetScheduler()->GetControlTotals().messages; };
    cluster.Run(Seconds(0.1));
    const auto before = messages();
    CoflowOptions options;
    options.bottleneckBytes = MB;
    cluster.Client(0)->Register(1, options, [&](const CoflowHandle& handle) {
        EXPECT_FALSE(handle.scheduled);
        cluster.handles[0] = handle;
        cluster.Move(handle, 0, 1, 2, MB);
    });
    cluster.Run(Seconds(0.2));
    EXPECT_EQ(cluster.delivered, MB);
    cluster.Client(0)->Unregister(cluster.handles.at(0));
    cluster.Run(Seconds(0.3));
    EXPECT_EQ(messages(), before);
    options.bottleneckBytes = 25 * MB;
    cluster.Client(0)->Register(1, options, [](const CoflowHandle& handle) {
        EXPECT_TRUE(handle.scheduled);
    });
    cluster.Run(Seconds(0.4));
    EXPECT_GT(messages(), before);
}

TEST(CentralLife, WhatBypassesIsMeasuredAndLeftTo)
{
    // A bypassing flow of 40 MB/s or more from host 1; a scheduled one beside it is given less.
    CentralCluster cluster(Config({{"heartbeat", "100ms"}, {"useMeasuredRem", "true"}}));
    CoflowOptions options;
    options.bottleneckBytes = 0;
    cluster.Client(0)->Register(1, options, [&](const CoflowHandle& handle) {
        EXPECT_TRUE(handle.scheduled) << "bypassBytes is 0";
    });
    const CoflowHandle unscheduled{99, false};
    cluster.Move(unscheduled, 0, 1, 2, 100 * MB);
    cluster.Run(Seconds(0.5));
    cluster.Register(Seconds(0), 7, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 3, 30 * MB);
    });
    cluster.Run(Seconds(0.52));
    const auto progress = cluster.Get().GetHosts()[1].source->GetProgress({7, 0});
    ASSERT_TRUE(progress);
    // At least a twentieth of the port, 5.9 MB/s, at most what 1 Gbit/s shared in two would be.
    EXPECT_LT(progress->written, 0.02 * 62.5e6 / 2);
    cluster.Run(Seconds(5));
    EXPECT_TRUE(cluster.IsFinished(7, 0));
    EXPECT_TRUE(cluster.IsFinished(99, 0));
}

TEST(CentralLife, AScheduledCoflowAnnouncesEveryTypeOfMessage)
{
    CentralCluster cluster(Config());
    cluster.Register(Seconds(0.1), 7, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, MB);
    });
    cluster.Run(Seconds(1.3));
    cluster.Client(0)->Unregister(cluster.handles.at(7));
    cluster.Run(Seconds(1.4));
    std::set<std::string> sent;
    for (const auto& [type, count] : cluster.GetScheduler()->GetSentByType())
    {
        sent.insert(ControlMessage::GetName(type));
    }
    EXPECT_EQ(sent, std::set<std::string>(ORDINARY_MESSAGES.begin(), ORDINARY_MESSAGES.end()));
}
