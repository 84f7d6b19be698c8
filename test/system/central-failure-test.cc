/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Coordinators and daemons die and return, messages are lost, schedules are slow: nothing hangs,
// and every coflow finishes.

#include "central-fixture.h"
#include "coflow-expect-error.h"

#include "ns3/coflow-generator.h"
#include "ns3/coflow-transform.h"
#include "ns3/random-variable-stream.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

constexpr uint64_t MB = 1'000'000;

/// Coflows of some tenths of a second each, the first at 0, the last after some 3 s.
Workload
Mix()
{
    Workload workload;
    workload.hosts = 4;
    for (::coflow::CoflowId id = 0; id < 8; ++id)
    {
        workload.coflows.push_back(
            MakeCoflow(id + 1, {{0, 1, 1.5}, {2, 1, 1}, {3, 0, 2}}, 4.0 * static_cast<double>(id)));
    }
    return workload;
}

ExperimentConfig
Config(const Attributes& attributes)
{
    auto config = IdealConfig("varys", 5, {{"controlTransport", "tcp"}, {"heartbeat", "100ms"}});
    config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
    return config;
}

void
ExpectAllFinish(const ExperimentResult& result)
{
    for (const auto& record : result.coflows)
    {
        EXPECT_TRUE(record.IsFinished()) << "coflow " << record.id;
    }
}

} // namespace

TEST(CentralFailure, TheCoordinatorDiesForGood)
{
    const auto result =
        RunPacketExperiment(Mix(),
                            Config({{"coordinatorFailAt", "1s"}, {"masterTimeout", "500ms"}}));
    ExpectAllFinish(result);
    // Coflow 4 comes at 1.2 s, is told to nobody, and starts when the daemons give up at 1.5 s or
    // a little later; those after it start at once.
    EXPECT_GT(result.coflows[3].CctSeconds(), 0.3);
    EXPECT_LT(result.coflows[7].CctSeconds(), 0.5);
}

TEST(CentralFailure, NobodyDiesBeforeTheStart)
{
    const auto config = Config({{"coordinatorFailAt", "0s"}});
    EXPECT_EQ(::coflow::test::ErrorOf([&] { RunPacketExperiment(Mix(), config); }),
              "a coordinator or daemon dies at time 0, before it has started; allowed: a later "
              "time, such as 1ns");
}

TEST(CentralFailure, TheCoordinatorDiesAndReturns)
{
    const auto workload = Mix();
    const auto undisturbed = RunPacketExperiment(workload, Config({}));
    ExpectAllFinish(undisturbed);
    const auto result = RunPacketExperiment(workload,
                                            Config({{"coordinatorFailAt", "1s"},
                                                    {"coordinatorDownTime", "1s"},
                                                    {"masterTimeout", "300ms"}}));
    ExpectAllFinish(result);
    EXPECT_NEAR(result.coflows[7].CctSeconds(), undisturbed.coflows[7].CctSeconds(), 0.02)
        << "it is scheduled as if nothing had happened";
}

TEST(CentralFailure, WhatIsUnderWayWhenTheCoordinatorReturnsIsScheduledAgain)
{
    // Both flows leave host 1; the first coflow has priority.
    CentralCluster cluster(Config({{"masterTimeout", "300ms"}, {"rebuildTime", "100ms"}}));
    for (::coflow::CoflowId id = 1; id <= 2; ++id)
    {
        cluster.Register(Seconds(0.1), id, 1, [&cluster, id](const CoflowHandle& handle) {
            cluster.Move(handle, 0, 1, 1 + static_cast<HostId>(id), id * 20 * MB);
        });
    }
    const auto written = [&](::coflow::CoflowId id) {
        const auto progress = cluster.Get().GetHosts()[1].source->GetProgress({id, 0});
        return progress ? progress->written : 0;
    };
    cluster.Run(Seconds(0.5));
    EXPECT_EQ(written(2), 0U) << "it waits";
    cluster.GetCoordinator()->Fail();
    cluster.Run(Seconds(1.2));
    EXPECT_TRUE(cluster.GetScheduler()->GetDaemon(1)->IsAlone());
    EXPECT_GT(written(2), MB) << "both share the port";
    cluster.GetCoordinator()->Recover();
    cluster.Run(Seconds(2.5)); // back-off, connections, rebuilding
    EXPECT_FALSE(cluster.GetScheduler()->GetDaemon(1)->IsAlone());
    EXPECT_EQ(cluster.GetCoordinator()->GetState(1), ::coflow::CoflowState::RUNNING);
    const auto before = written(2);
    if (!cluster.IsFinished(1, 0))
    {
        cluster.Run(Seconds(2.55));
        EXPECT_LT(written(2), before + MB / 5) << "the second one waits again";
        // The first one ends at 2.573 s. Its driver is not back yet, and does not say that.
        cluster.Run(Seconds(2.7));
        EXPECT_GT(written(2), before + MB) << "a coflow with nothing to send has no share";
    }
    cluster.Run(Seconds(20));
    EXPECT_TRUE(cluster.IsFinished(1, 0));
    EXPECT_TRUE(cluster.IsFinished(2, 0));
}

TEST(CentralFailure, ADaemonDiesAndReturns)
{
    for (const auto& downTime : {Time(MilliSeconds(500)), Time::Max()})
    {
        const auto workload = Mix();
        auto config = Config({{"daemonTimeout", "1s"}});
        PacketCluster cluster(config);
        const auto scheduler = DynamicCast<CentralScheduler>(cluster.GetScheduler());
        for (HostId host = 0; host < 4; ++host)
        {
            scheduler->FailDaemon(host, MilliSeconds(100 + 700 * host), downTime);
        }
        uint64_t finished = 0;
        for (const auto& host : cluster.GetHosts())
        {
            host.sink->TraceConnectWithoutContext(
                "FlowFinished",
                Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time>(
                    [&finished](auto...) { ++finished; }));
        }
        cluster.GetDriver()->Start(workload, cluster.GetAgents());
        Simulator::Stop(Seconds(30));
        Simulator::Run();
        EXPECT_EQ(finished, 24U) << downTime;
    }
}

TEST(CentralFailure, TheFlowsOfASilentDaemonLeaveTheSchedule)
{
    // Host 1 sends to host 2 when its daemon dies: its flow goes on as plain TCP, and the
    // coordinator forgets it.
    CentralCluster cluster(Config({{"daemonTimeout", "500ms"}}));
    cluster.Register(Seconds(0.1), 1, 2, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, 40 * MB);
        cluster.Move(handle, 1, 3, 2, 40 * MB);
    });
    cluster.Run(Seconds(0.5));
    cluster.GetScheduler()->GetDaemon(1)->Fail();
    cluster.Run(Seconds(2));
    const auto progress = cluster.Get().GetHosts()[3].source->GetProgress({1, 1});
    ASSERT_TRUE(progress);
    cluster.Run(Seconds(3));
    // It alone is in the schedule and may have 0.94 of the port; the other one takes its share.
    const auto later = cluster.Get().GetHosts()[3].source->GetProgress({1, 1});
    ASSERT_TRUE(later);
    EXPECT_GT(later->written - progress->written, 4 * MB);
    cluster.Run(Seconds(20));
    EXPECT_EQ(cluster.delivered, 80 * MB);
}

TEST(CentralFailure, WhatLacksFlowsOfADaemonThatStaysAwayIsReleased)
{
    // The daemon of host 2, which receives, is dead for good before it can tell of its get. Its
    // flow is sent without a limit when that has lasted for DaemonTimeout.
    CentralCluster cluster(Config({{"daemonTimeout", "500ms"}, {"rebuildTime", "100ms"}}));
    cluster.Run(Seconds(0.05));
    cluster.GetScheduler()->GetDaemon(2)->Fail();
    cluster.Register(Seconds(0.1), 7, 2, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, MB);
        cluster.Move(handle, 1, 3, 4, MB);
    });
    cluster.Run(Seconds(0.7));
    EXPECT_TRUE(cluster.IsFinished(7, 1)) << "it is scheduled alone";
    EXPECT_FALSE(cluster.IsFinished(7, 0));
    cluster.Run(Seconds(2));
    EXPECT_TRUE(cluster.IsFinished(7, 0));
    EXPECT_EQ(cluster.states[7].back(), "RELEASED");
}

TEST(CentralFailure, ACoflowThatNobodyRegistersAnewIsReleased)
{
    // The coordinator forgets everything, and the driver's daemon is dead by then.
    CentralCluster cluster(Config({{"daemonTimeout", "500ms"}, {"masterTimeout", "1000s"}}));
    cluster.Register(Seconds(0.1), 7, 1, [&](const CoflowHandle& handle) {
        cluster.Put(handle, 0, 1, 2, MB);
    });
    cluster.Run(Seconds(0.2));
    cluster.GetScheduler()->GetDaemon(0)->Fail();
    cluster.GetCoordinator()->Fail();
    cluster.GetCoordinator()->Recover();
    cluster.Run(Seconds(0.5));
    EXPECT_FALSE(cluster.IsFinished(7, 0));
    cluster.Run(Seconds(3));
    EXPECT_TRUE(cluster.IsFinished(7, 0));
    EXPECT_EQ(cluster.GetScheduler()->GetDaemon(1)->GetMemorySize(), 0U);
}

TEST(CentralFailure, WhatWasReleasedStaysReleasedWhenTheCoordinatorForgetsIt)
{
    // The driver and sender is out of reach when its coflow is released, and when it is back, a new
    // coordinator has never heard of that. The receiver has, and does not tell of its get again.
    CentralCluster cluster(Config({{"daemonTimeout", "500ms"}, {"masterTimeout", "300ms"}}));
    cluster.Register(Seconds(0.1), 7, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 0, 2, 40 * MB);
    });
    cluster.Run(Seconds(0.3));
    cluster.GetScheduler()->GetDaemon(0)->Fail();
    cluster.Run(Seconds(1.3));
    ASSERT_EQ(cluster.states[7].back(), "RELEASED");
    cluster.GetCoordinator()->Fail();
    cluster.GetCoordinator()->Recover();
    cluster.GetScheduler()->GetDaemon(0)->Recover();
    // Its host is told the rates of what it sends, which only this one is among.
    cluster.Register(Seconds(0.5), 8, 1, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 0, 3, MB);
    });
    cluster.Run(Seconds(20));
    EXPECT_TRUE(cluster.IsFinished(8, 0));
    EXPECT_TRUE(cluster.IsFinished(7, 0));
}

TEST(CentralFailure, WhatIsRefusedIsSentWhenItsDriverDoesNotHearOfThat)
{
    // 1 MB in 1 ms is refused. The daemon of the driver is dead for good by then, so that its
    // application goes on, and nobody tells it to stop.
    for (const bool dead : {true, false})
    {
        CentralCluster cluster(IdealConfig(
            "vc",
            5,
            {{"controlTransport", "tcp"}, {"heartbeat", "100ms"}, {"daemonTimeout", "500ms"}}));
        CoflowHandle handle;
        Simulator::Schedule(Seconds(0.1), [&] {
            CoflowOptions options;
            options.id = 7;
            options.deadline = MilliSeconds(1);
            cluster.Client(0)->Register(1, options, [&](const CoflowHandle& registered) {
                handle = registered;
            });
        });
        cluster.Run(Seconds(0.2));
        if (dead)
        {
            cluster.GetScheduler()->GetDaemon(0)->Fail();
        }
        cluster.Move(handle, 0, 1, 2, MB);
        cluster.Run(Seconds(0.4));
        EXPECT_EQ(cluster.states[7].back(), "REJECTED");
        EXPECT_EQ(cluster.GetScheduler()->GetDaemon(1)->GetMemorySize(), dead ? 1U : 0U);
        cluster.Run(Seconds(5));
        EXPECT_EQ(cluster.IsFinished(7, 0), dead);
        EXPECT_EQ(cluster.states[7].back(), dead ? "RELEASED" : "REJECTED");
    }
}

TEST(CentralFailure, ACoordinatorMayDieWhileConnectionsAreBeingOpened)
{
    // TCP's last acknowledgement of a connection comes to a process that is dead, or another one.
    for (int64_t us = 1; us < 60; us += 2)
    {
        CentralCluster cluster(Config({{"linkDelay", "5us"}, {"masterTimeout", "300ms"}}));
        cluster.Register(Seconds(0.1), 7, 1, [&](const CoflowHandle& handle) {
            cluster.Move(handle, 0, 1, 2, MB);
        });
        cluster.GetScheduler()->FailCoordinator(MicroSeconds(us), MicroSeconds(us % 4));
        cluster.Run(Seconds(1));
        EXPECT_TRUE(cluster.IsFinished(7, 0)) << us;
        EXPECT_FALSE(cluster.GetScheduler()->GetDaemon(1)->IsAlone()) << us;
    }
}

TEST(CentralFailure, ATenthOfControlPacketsIsLost)
{
    const auto result = RunPacketExperiment(Mix(), Config({{"controlLossRate", "0.1"}}));
    ExpectAllFinish(result);
    for (const auto& record : result.coflows)
    {
        EXPECT_LT(record.CctSeconds(), 1.5) << "coflow " << record.id;
    }
}

TEST(CentralFailure, WhatIsLostDoesNotDependOnWhatWasRunBefore)
{
    const auto run = [] {
        return Ccts(RunPacketExperiment(Mix(), Config({{"controlLossRate", "0.1"}})));
    };
    const auto first = run();
    CreateObject<UniformRandomVariable>(); // takes a random stream
    EXPECT_EQ(run(), first);
}

TEST(CentralFailure, WhatWasLostArrivesTogetherWithHeartbeatsBeforeTheFirstSchedule)
{
    // A retransmission brings the last get and heartbeats after it in one piece.
    for (const std::string rate : {"0.05", "0.1"})
    {
        ExpectAllFinish(RunPacketExperiment(
            Mix(),
            Config({{"heartbeat", "5ms"}, {"masterTimeout", "1s"}, {"controlLossRate", rate}})));
    }
}

TEST(CentralFailure, TheCoordinatorIsSlow)
{
    const auto workload = Mix();
    const auto quick = RunPacketExperiment(workload, Config({}));
    const auto slow =
        RunPacketExperiment(workload,
                            Config({{"computeDelay", "100ms"}, {"dispatchDelay", "50ms"}}));
    ExpectAllFinish(slow);
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        EXPECT_GT(slow.coflows[i].CctSeconds(), quick.coflows[i].CctSeconds() + 0.14);
        EXPECT_LT(slow.coflows[i].CctSeconds(), quick.coflows[i].CctSeconds() + 0.5);
    }
    const auto ec2 = RunPacketExperiment(workload, Config({{"preset", "ec2"}}));
    EXPECT_NEAR(ec2.coflows[0].CctSeconds(), quick.coflows[0].CctSeconds() + 0.047, 0.003);
    const auto given =
        RunPacketExperiment(workload, Config({{"preset", "ec2"}, {"dispatchDelay", "5ms"}}));
    EXPECT_NEAR(given.coflows[0].CctSeconds(), quick.coflows[0].CctSeconds() + 0.022, 0.003);
}
