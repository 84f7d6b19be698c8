/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Networks in which a segment takes longer than TCP's usual timeouts, and queues that are too
// short for a packet.

#include "coflow-expect-error.h"

#include "ns3/coflow-named-type.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Workload;
using ::coflow::test::ErrorOf;

namespace
{

Workload
TwoFlows(int64_t bytes)
{
    Workload workload;
    workload.hosts = 3;
    ::coflow::Coflow coflow;
    coflow.id = 1;
    coflow.flows = {{0, 0, 2, bytes}, {1, 1, 2, bytes}};
    workload.coflows.push_back(coflow);
    return workload;
}

ExperimentConfig
On(const std::string& rate)
{
    ExperimentConfig config;
    config.topology = "big-switch";
    config.attributes = {{"hosts", "3"}, {"linkRate", rate}};
    return config;
}

Time
Get(const Ptr<TransportProfile>& profile, const std::string& attribute)
{
    TimeValue value;
    profile->GetAttribute(attribute, value);
    return value.Get();
}

class SlowNetwork : public testing::TestWithParam<std::tuple<std::string, std::string, int64_t>>
{
};

/// @return every queue disc that ports of both fabrics can have, up to the value of its limit
std::vector<std::string>
QueuesOfBothFabrics()
{
    std::vector<std::string> result;
    for (const NamedType& type : GetNamedTypes(QueueDisc::GetTypeId()))
    {
        TypeId::AttributeInformation information;
        const bool bands = type.typeId.LookupAttributeByName("BandSize", &information);
        result.push_back(type.typeId.GetName() + (bands ? "[BandSize" : "[MaxSize"));
    }
    return result;
}

/// Class of a queue with its limit, the fabric, and what is told of it.
class ShortQueue : public testing::TestWithParam<std::tuple<std::string, std::string>>
{
};

} // namespace

TEST_P(SlowNetwork, FinishesWithinThreeTimesGamma)
{
    const auto& [scheduler, rate, bytes] = GetParam();
    auto config = On(rate);
    config.scheduler = scheduler;
    config.stop = 100'000'000'000'000; // about 28 hours
    const auto result = RunPacketExperiment(TwoFlows(bytes), config);
    const auto& coflow = result.coflows.front();
    ASSERT_TRUE(coflow.IsFinished());
    EXPECT_LE(coflow.CctSeconds(), 3 * coflow.MinCctSeconds());
}

INSTANTIATE_TEST_SUITE_P(Rates,
                         SlowNetwork,
                         testing::Combine(testing::Values("fair", "varys"),
                                          testing::Values("1kbps", "5kbps", "10kbps", "100kbps"),
                                          testing::Values(2'000, 30'000)),
                         [](const auto& i) {
                             return std::get<0>(i.param) + std::get<1>(i.param) +
                                    std::to_string(std::get<2>(i.param));
                         });

TEST(SlowNetwork, TimersFollowIt)
{
    const auto profile = CreateObject<TransportProfile>();
    profile->FollowNetwork(MicroSeconds(80), MilliSeconds(12), MicroSeconds(40));
    EXPECT_EQ(Get(profile, "MinRto"), MilliSeconds(5)) << "the defaults are long enough";
    EXPECT_EQ(Get(profile, "MaxRto"), Seconds(1));
    EXPECT_EQ(Get(profile, "InitialRtt"), MilliSeconds(1));
    EXPECT_EQ(Get(profile, "ConnTimeout"), MilliSeconds(10));
    profile->FollowNetwork(Seconds(25), Seconds(4000), Seconds(2));
    EXPECT_EQ(Get(profile, "MinRto"), Seconds(50));
    EXPECT_EQ(Get(profile, "MaxRto"), Seconds(8054));
    EXPECT_EQ(Get(profile, "InitialRtt"), Seconds(25));
    EXPECT_EQ(Get(profile, "ConnTimeout"), Seconds(50));
}

TEST(SlowNetwork, TimersFollowADistance)
{
    // 10 ms, doubled with each of eight SYNs, are 2.55 s; a SYN and its answer take 4 s.
    const auto profile = CreateObject<TransportProfile>();
    profile->FollowNetwork(MicroSeconds(80), MilliSeconds(12), Seconds(4));
    EXPECT_EQ(Get(profile, "ConnTimeout"), Seconds(8));
    EXPECT_EQ(Get(profile, "InitialRtt"), Seconds(4));
    EXPECT_EQ(Get(profile, "MaxRto"), MicroSeconds(8'024'160));
    for (const auto* hostStack : {"lean", "ns3"})
    {
        auto config = On("1Gbps");
        config.attributes.emplace_back("linkDelay", "1s");
        config.attributes.emplace_back("hostStack", hostStack);
        const auto result = RunPacketExperiment(TwoFlows(2'000), config);
        EXPECT_EQ(result.end, RunEnd::COMPLETE);
        // A handshake takes 4 s, what follows 2 s.
        EXPECT_NEAR(1e-9 * static_cast<double>(result.coflows.front().finish), 6, 0.01);
        config.attributes.emplace_back("connTimeout", "15ms");
        const auto error = ErrorOf([&] { RunPacketExperiment(TwoFlows(2'000), config); });
        EXPECT_NE(error.find("ConnTimeout is '+0.015s' with ConnCount 8, so that a connection is "
                             "given up after 3.825 s, but a SYN and its answer take +4"),
                  std::string::npos)
            << error;
    }
}

TEST(SlowNetwork, SegmentsThatFitIntoNoBufferAreRefused)
{
    for (const auto* hostStack : {"lean", "ns3"})
    {
        for (const std::string buffer : {"receiveBuffer", "sendBuffer"})
        {
            auto config = On("1Gbps");
            config.attributes.emplace_back("hostStack", hostStack);
            config.attributes.emplace_back("segmentSize", "20000");
            config.attributes.emplace_back(buffer, "20000");
            EXPECT_EQ(RunPacketExperiment(TwoFlows(40'000), config).end, RunEnd::COMPLETE);
            config.attributes.back().second = "19999";
            const auto error = ErrorOf([&] { RunPacketExperiment(TwoFlows(40'000), config); });
            EXPECT_NE(error.find("SegmentSize is '20000', but "), std::string::npos) << error;
            EXPECT_NE(error.find("into which no full segment fits; allowed: "), std::string::npos)
                << error;
        }
    }
}

TEST(SlowNetwork, GivenTimersStayOrAreRefused)
{
    const auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("MinRto", TimeValue(MilliSeconds(7)));
    profile->SetAttribute("MaxRto", TimeValue(Seconds(30)));
    profile->FollowNetwork(Seconds(25), Seconds(4000), Seconds(2));
    EXPECT_EQ(Get(profile, "MinRto"), MilliSeconds(7));
    EXPECT_EQ(Get(profile, "MaxRto"), Seconds(30));

    auto config = On("1kbps");
    config.attributes.emplace_back("maxRto", "2s");
    const auto error = ErrorOf([&] { RunPacketExperiment(TwoFlows(2'000), config); });
    EXPECT_NE(error.find("MaxRto is '+2s', but a segment and its acknowledgement take "),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("allowed: "), std::string::npos) << error;
}

TEST_P(ShortQueue, IsRefused)
{
    // No structured binding: Clang before 16 does not let a lambda capture its names.
    const std::string queue = std::get<0>(GetParam());
    const std::string fabric = std::get<1>(GetParam());
    const auto refused = [&](const std::string& limit) {
        auto config = On("1Gbps");
        config.fabric = fabric;
        config.attributes.emplace_back("queueDisc", queue + "=" + limit + "]");
        return ErrorOf([&] { RunPacketExperiment(TwoFlows(2'000), config); });
    };
    const auto attribute = queue.substr(queue.find('[') + 1);
    const auto error = refused("1499B");
    EXPECT_EQ(error,
              queue.substr(0, queue.find('[')) + "::" + attribute +
                  " is '1499B', into which no full packet of 1500 bytes fits, so that none would "
                  "ever be sent; allowed: at least 1500B or 1p");
    EXPECT_EQ(refused("1500B"), "(no error)");
    EXPECT_EQ(refused("1p"), "(no error)");
}

INSTANTIATE_TEST_SUITE_P(Queues,
                         ShortQueue,
                         testing::Combine(testing::ValuesIn(QueuesOfBothFabrics()),
                                          testing::Values("express", "nodes")),
                         [](const auto& i) { return std::to_string(i.index); });

// Queues of ns-3, which run on nodes only.
INSTANTIATE_TEST_SUITE_P(OfNs3,
                         ShortQueue,
                         testing::Combine(testing::Values("ns3::FifoQueueDisc[MaxSize",
                                                          "ns3::CoDelQueueDisc[MaxSize"),
                                          testing::Values("nodes")),
                         [](const auto& i) { return std::to_string(i.index); });
