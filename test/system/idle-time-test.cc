/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Time in which nothing is registered and nothing is sent costs nothing, and what fails meanwhile
// is noticed when a coflow comes.

#include "central-fixture.h"

#include "ns3/coflow-engine.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

/// A coflow at 0 and one so many seconds later.
Workload
FarApart(int64_t seconds)
{
    Workload workload;
    workload.hosts = 4;
    workload.coflows.push_back(MakeCoflow(1, {{0, 1, 1}, {2, 1, 1}}));
    workload.coflows.push_back(MakeCoflow(2, {{0, 1, 1}, {2, 3, 1}}));
    workload.coflows.back().arrival = seconds * 1'000'000'000;
    return workload;
}

ExperimentConfig
Config(const std::string& scheduler)
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes = {{"hosts", "5"}, {"linkRate", "100Mbps"}};
    return config;
}

class IdleTime : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(IdleTime, CostsNothing)
{
    // Alone, coflows of less than 10,000 packets.
    for (const int64_t seconds : {100'000, 1'000'000'000})
    {
        auto config = Config(GetParam());
        config.attributes.emplace_back("sampleInterval", "1s");
        const auto result = FindEngine("packet").run(FarApart(seconds), config);
        ASSERT_TRUE(result.coflows[1].IsFinished()) << seconds;
        EXPECT_NEAR(result.coflows[1].CctSeconds() / result.coflows[0].CctSeconds(), 0.5, 0.3);
        EXPECT_LT(result.events, 150'000U) << seconds;
        EXPECT_LT(result.samples.size(), 1100U) << seconds;
        EXPECT_GT(result.samples.size(), 1000U) << seconds;
        EXPECT_GT(result.samples.back().time, (seconds - 2) * 1'000'000'000) << seconds;
    }
}

// Representatives of the classes of schedulers.
INSTANTIATE_TEST_SUITE_P(Under,
                         IdleTime,
                         testing::Values("varys", "nc-drf", "aalo", "dcas", "fair", "baraat"),
                         [](const auto& i) {
                             auto name = i.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Rest, DaemonsHaveNothingToSayAndNothingIsLost)
{
    for (const std::string transport : {"tcp", "ideal"})
    {
        auto config = Config("varys");
        config.attributes.insert(config.attributes.end(),
                                 {{"bypassBytes", "0"}, {"controlTransport", transport}});
        // An hour apart: at a heartbeat a second there would be 18,000 of them, and their answers.
        const auto result = FindEngine("packet").run(FarApart(3600), config);
        ASSERT_TRUE(result.coflows[1].IsFinished()) << transport;
        EXPECT_LT(result.network->controlMessages, 1500U) << transport;
        // As if it had come at once, but for the batch of 0.1 s that both have.
        EXPECT_NEAR(result.coflows[1].CctSeconds(), 0.1 + 0.1 / KAPPA, 0.03) << transport;
    }
}

TEST(Rest, ACoordinatorThatDiesMeanwhileIsMissedWhenACoflowComes)
{
    auto config = Config("varys");
    config.attributes.insert(
        config.attributes.end(),
        {{"bypassBytes", "0"}, {"coordinatorFailAt", "1000s"}, {"masterTimeout", "3s"}});
    const auto result = FindEngine("packet").run(FarApart(3600), config);
    ASSERT_TRUE(result.coflows[1].IsFinished());
    EXPECT_LT(result.coflows[1].CctSeconds(), 3.5) << "daemons send without limits after 3 s";
}

TEST(Rest, ADaemonThatDiesMeanwhileIsMissedWhenACoflowComes)
{
    // Coflow 2 waits for a flow of host 2, whose daemon is dead: it is scheduled without it, and
    // the host sends as fast as TCP can.
    auto config = Config("varys");
    config.attributes.emplace_back("bypassBytes", "0");
    config.instrument = [](const PacketCluster& cluster) -> std::shared_ptr<void> {
        DynamicCast<CentralScheduler>(cluster.GetScheduler())
            ->FailDaemon(2, Seconds(1000), Time::Max());
        return nullptr;
    };
    const auto result = FindEngine("packet").run(FarApart(3600), config);
    ASSERT_TRUE(result.coflows[1].IsFinished());
    EXPECT_LT(result.coflows[1].CctSeconds(), 100);
}

TEST(Rest, DaemonsOfIdleHostsBeatWhileACoflowIsThere)
{
    // 30 units of 0.1 s at 100 Mbit/s, a thousand times over: one coflow of 100 s, and hosts 3 and
    // 4 have nothing to do with it. The coordinator would forget them after 5 s.
    Workload workload;
    workload.hosts = 4;
    workload.coflows.push_back(MakeCoflow(1, {{0, 1, 100}}));
    auto config = Config("varys");
    config.attributes.insert(
        config.attributes.end(),
        {{"bypassBytes", "0"}, {"heartbeat", "50ms"}, {"daemonTimeout", "500ms"}});
    const auto result = FindEngine("packet").run(workload, config);
    ASSERT_TRUE(result.coflows[0].IsFinished());
    // Five hosts, some 10.7 s, and an answer to each heartbeat.
    EXPECT_NEAR(static_cast<double>(result.network->controlMessages), 5 * 2 * 10.7 / 0.05, 150);
}
