/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Daemons remember what was put and got until its coflow is over: whoever comes up late, or
// returns, is told all of it.

#include "central-fixture.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

constexpr uint64_t MB = 1'000'000;

/// @return the option with which nothing bypasses, where anything can
Attributes
NoBypass(const std::string& scheduler)
{
    const auto knowledge = FindSchedulerType(scheduler).policy->knowledge;
    return knowledge == ::coflow::Knowledge::CLAIRVOYANT ? Attributes{{"bypassBytes", "0"}}
                                                         : Attributes{};
}

/// Control among the data, as by default, without batching, nothing bypasses.
ExperimentConfig
Config(const Attributes& attributes = {}, const std::string& scheduler = "varys")
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes = NoBypass(scheduler);
    config.attributes.emplace_back("hosts", "5");
    config.attributes.emplace_back("controlBatch", "0s");
    config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
    return config;
}

} // namespace

TEST(CentralMemory, ALocalFlowOfACoflowThatArrivesAtOnceIsToldUnderEveryScheduler)
{
    // The driver's connection is up before that of the local flow's host.
    ::coflow::Workload workload;
    workload.hosts = 16;
    workload.coflows = {{.id = 1, .flows = {{0, 14, 8, MB}, {1, 3, 3, 5000}, {2, 4, 5, 0}}}};
    for (const auto& scheduler : CentralSchedulers())
    {
        for (const std::string batch : {"0s", "400us", "100ms"})
        {
            ExperimentConfig config;
            config.scheduler = scheduler;
            config.topology = "fat-tree";
            config.attributes = NoBypass(scheduler);
            config.attributes.emplace_back("linkDelay", "5us");
            config.attributes.emplace_back("controlBatch", batch);
            const auto result = RunPacketExperiment(workload, config);
            EXPECT_TRUE(result.coflows[0].IsFinished()) << scheduler << ", " << batch;
            EXPECT_EQ(result.end, RunEnd::COMPLETE);
            EXPECT_LT(result.simulatedSeconds, 0.5) << scheduler << ", " << batch;
        }
    }
}

TEST(CentralMemory, LocalAndEmptyFlowsThatArePutBeforeTheirDaemonIsConnectedAreTold)
{
    // The driver's daemon on the coordinator's host is connected before host 1, which is 5 ms away.
    for (const std::string scheduler : {"varys", "nc-drf"})
    {
        CentralCluster cluster(Config({{"linkDelay", "5ms"}, {"coordinatorHost", "0"}}, scheduler));
        cluster.Register(Seconds(0), 7, 3, [&](const CoflowHandle& handle) {
            EXPECT_LT(Simulator::Now(), MilliSeconds(20));
            cluster.Move(handle, 0, 1, 1, MB);
            cluster.Move(handle, 1, 1, 2, 0);
            cluster.Move(handle, 2, 3, 2, MB);
        });
        cluster.Run(Seconds(1));
        EXPECT_TRUE(cluster.IsFinished(7, 2)) << scheduler;
    }
}

TEST(CentralMemory, WhatWasPutAndSentWithAConnectionThatBreaksIsToldAnew)
{
    // Everything is put and told; then the coordinator forgets it, before the last get comes.
    CentralCluster cluster(Config({{"heartbeat", "10ms"}, {"rebuildTime", "1000s"}}));
    cluster.Register(Seconds(0.1), 7, 4, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 1, MB);
        cluster.Move(handle, 1, 1, 2, 0);
        cluster.Move(handle, 2, 3, 2, MB);
        cluster.Put(handle, 3, 1, 2, MB);
    });
    cluster.Run(Seconds(0.2));
    cluster.GetCoordinator()->Fail();
    cluster.GetCoordinator()->Recover();
    cluster.Run(Seconds(1.5));
    EXPECT_EQ(cluster.GetCoordinator()->GetState(7), ::coflow::CoflowState::WAITING);
    cluster.Client(2)->Get(cluster.handles.at(7), 3);
    cluster.Run(Seconds(2));
    EXPECT_TRUE(cluster.IsFinished(7, 2));
    EXPECT_TRUE(cluster.IsFinished(7, 3));
}

TEST(CentralMemory, FlowsThatAreDoneAreToldAnewToo)
{
    // Flow 0 is done when the coordinator forgets everything. Nobody waits for it afterwards,
    // though RebuildTime is long.
    CentralCluster cluster(Config({{"heartbeat", "10ms"}, {"rebuildTime", "1000s"}}));
    cluster.Register(Seconds(0.1), 7, 2, [&](const CoflowHandle& handle) {
        cluster.Move(handle, 0, 1, 2, MB);
        cluster.Move(handle, 1, 3, 4, 100 * MB);
    });
    cluster.Run(Seconds(0.7));
    ASSERT_TRUE(cluster.IsFinished(7, 0));
    cluster.GetCoordinator()->Fail();
    cluster.GetCoordinator()->Recover();
    cluster.Run(Seconds(0.9));
    EXPECT_EQ(cluster.GetCoordinator()->GetState(7), ::coflow::CoflowState::RUNNING);
    cluster.Run(Seconds(3));
    EXPECT_TRUE(cluster.IsFinished(7, 1));
}

TEST(CentralMemory, EmptyFlowsHaveNoRateThoughTheCoordinatorKnowsNoSizes)
{
    // One of ten flows has bytes. It alone has the port.
    for (const auto& scheduler : CentralSchedulers())
    {
        if (MayKnowSizes(scheduler))
        {
            continue;
        }
        CentralCluster cluster(Config({{"controlTransport", "ideal"}}, scheduler));
        cluster.Register(Seconds(0.1), 7, 10, [&](const CoflowHandle& handle) {
            for (::coflow::FlowId flow = 0; flow < 10; ++flow)
            {
                cluster.Move(handle, flow, 1, 2, flow == 4 ? 20 * MB : 0);
            }
        });
        cluster.Run(Seconds(5));
        ASSERT_TRUE(cluster.IsFinished(7, 4)) << scheduler;
        // 117.5 MB/s, 0.94 of the port. Some decide every 10 ms, and hear of the flow after the
        // first decision.
        EXPECT_NEAR((cluster.finished[{7, 4}]).GetSeconds(), 0.1 + 20 / 117.5, 0.02) << scheduler;
    }
}

TEST(CentralMemory, WhatIsOverIsForgotten)
{
    CentralCluster cluster(Config({{"heartbeat", "10ms"}, {"unregisterGrace", "10ms"}}));
    const auto remembered = [&] {
        std::size_t size = 0;
        for (HostId host = 0; host < 5; ++host)
        {
            size += cluster.GetScheduler()->GetDaemon(host)->GetMemorySize();
        }
        return size;
    };
    for (::coflow::CoflowId id = 1; id <= 3; ++id)
    {
        cluster.Register(Seconds(0.1), id, 3, [&](const CoflowHandle& handle) {
            cluster.Move(handle, 0, 1, 2, MB);
            cluster.Move(handle, 1, 1, 1, MB);
            cluster.Move(handle, 2, 3, 2, 0);
        });
    }
    cluster.Run(Seconds(0.5));
    EXPECT_EQ(remembered(), 18U) << "3 puts and 3 gets of each";
    cluster.Client(0)->Unregister(cluster.handles.at(1));
    cluster.Client(0)->Unregister(cluster.handles.at(3));
    cluster.Run(Seconds(0.6));
    EXPECT_EQ(remembered(), 6U);
    // A daemon that was away when its coflow ended is told when it is back.
    cluster.GetScheduler()->GetDaemon(1)->Fail();
    cluster.Client(0)->Unregister(cluster.handles.at(2));
    cluster.Run(Seconds(0.7));
    EXPECT_EQ(remembered(), 3U);
    cluster.GetScheduler()->GetDaemon(1)->Recover();
    cluster.Run(Seconds(0.8));
    EXPECT_EQ(remembered(), 0U);
}
