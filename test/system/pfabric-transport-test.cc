/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transport of pFabric: windows and queues of the product of bandwidth and delay, losses that
// only timeouts detect, and probes.

#include "convergence.h"

#include "ns3/coflow-fabric-listener.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-pfabric-scheduler.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Workload;

namespace
{

ExperimentConfig
Config(const Attributes& attributes)
{
    ExperimentConfig config;
    config.scheduler = "pfabric";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "9"}, {"linkDelay", "1us"}};
    config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
    return config;
}

/// @return the value of an attribute of the transport profile
std::string
ProfileValue(const ExperimentConfig& config, const std::string& name)
{
    const PacketCluster cluster(config);
    PointerValue profile;
    cluster.GetHosts().front().source->GetAttribute("Profile", profile);
    StringValue value;
    profile.GetObject()->GetAttribute(name, value);
    return value.Get();
}

std::string
QueueDisc(const ExperimentConfig& config)
{
    const PacketCluster cluster(config);
    StringValue value;
    cluster.GetFabric()->GetAttribute("QueueDisc", value);
    return value.Get();
}

/// Counts packets with one byte of data, as they leave host 0.
class ProbeCounter final : public FabricListener
{
  public:
    void Receive(LinkPort port, const Seen& packet) override
    {
        probes += port == 0 && packet.bytes == TransportProfile::HEADER_BYTES + 1;
    }

    void Drop(LinkPort, const Seen&) override
    {
    }

    void Arrive(LinkPort, const Seen&) override
    {
    }

    void Lose(const Seen&) override
    {
    }

    uint32_t probes{0};
};

} // namespace

TEST(PfabricTransport, KnowsTheProductOfBandwidthAndDelay)
{
    // Two hops of 1 us there and back, with 1502 bytes (12.016 us) and 54 bytes (0.432 us):
    // 28.896 us, in which 3612 bytes leave a host, that is, 2.4 frames.
    const auto config = Config({});
    EXPECT_EQ(ProfileValue(config, "InitialWindow"), "3");
    EXPECT_EQ(ProfileValue(config, "SlowStartThreshold"), std::to_string(3 * 1448));
    EXPECT_EQ(ProfileValue(config, "MinRto"), "+86688ns");
    EXPECT_EQ(ProfileValue(config, "MaxRto"), "+86688ns");
    EXPECT_EQ(QueueDisc(config), "ns3::coflow::PfabricQueueDisc[MaxSize=9000B]");
    // At 10 Gbps the frames take a tenth: 6.4896 us, 8112 bytes, 5.4 frames.
    EXPECT_EQ(ProfileValue(Config({{"linkRate", "10Gbps"}}), "InitialWindow"), "6");
}

TEST(PfabricTransport, LeavesToTheUserWhatTheUserHasChosen)
{
    EXPECT_EQ(ProfileValue(Config({{"initialWindow", "7"}}), "InitialWindow"), "7");
    EXPECT_EQ(ProfileValue(Config({{"initialWindow", "7"}}), "ProbeAfter"), "5");
    const auto variant = Config({{"pfabricTransport", "profile"}});
    EXPECT_EQ(ProfileValue(variant, "CongestionOps"), "ns3::coflow::Dctcp");
    EXPECT_EQ(QueueDisc(variant),
              "ns3::coflow::PfabricQueueDisc[MaxSize=4MiB|MarkingThreshold=30000B]");
}

TEST(PfabricTransport, FinishesEverythingWhateverIsDropped)
{
    // Of eight flows to one host, seven starve at a time.
    const auto incast = ::coflow::Generate("incast", {"senders=8", "bytes=1000000"});
    const auto result = RunPacketExperiment(incast, Config({}));
    ASSERT_TRUE(result.coflows[0].IsFinished());
    EXPECT_GT(result.network->droppedPackets, 500U);
    // The port of the receiver is never idle for long.
    EXPECT_LT(result.coflows[0].CctSeconds(), 1.10 * 8e6 * 8 / (1e9 * GOODPUT));
}

TEST(PfabricTransport, IsNearTheFluidEngine)
{
    // Windows of three segments, and timeouts of more than that: no closer.
    double ofPackets = 0;
    double ofFluid = 0;
    for (uint32_t seed = 1; seed <= 3; ++seed)
    {
        ofPackets += MeanCct(RunOnBigSwitch("packet", Mix(seed), "pfabric"));
        ofFluid += MeanCct(RunOnBigSwitch("fluid", Mix(seed), "pfabric"));
    }
    EXPECT_NEAR(ofPackets / ofFluid, 1, 0.12);
}

TEST(PfabricTransport, StarvedFlowsProbeWithSegmentsOfAByte)
{
    // The large flow starves for 80 ms, some 900 timeouts.
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 2, 20'000'000}}, {}});
    workload.coflows.push_back({2, 1'000'000, {}, {{0, 1, 2, 10'000'000}}, {}});
    const auto probes = [&workload](const std::string& probeAfter) {
        const auto counter = std::make_shared<ProbeCounter>();
        auto config = Config({{"probeAfter", probeAfter}});
        config.instrument = [&](const PacketCluster& cluster) {
            cluster.GetFabric()->SetListener(*counter);
            return counter;
        };
        const auto result = RunPacketExperiment(workload, config);
        EXPECT_TRUE(result.coflows[0].IsFinished());
        // It is back within a few round trips of the end of the other.
        EXPECT_NEAR(result.coflows[0].CctSeconds() / (3e7 * 8 / (1e9 * GOODPUT)), 1, 0.1);
        return counter->probes;
    };
    EXPECT_GT(probes("5"), 300U);
    EXPECT_EQ(probes("0"), 0U);
}
