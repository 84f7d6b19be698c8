/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Requests of Baraat's flows while ports give them nothing, and while answers do not come.

#include "ns3/coflow-fabric-listener.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Workload;

namespace
{

constexpr double BYTES_PER_SECOND = 1e9 / 8 * 0.92; ///< what ports hand out

/// Counts requests by task, as they leave their hosts, in a part of the time.
class RequestCounter final : public FabricListener
{
  public:
    RequestCounter(Time from, Time to)
        : m_from(from),
          m_to(to)
    {
    }

    void Receive(LinkPort port, const Seen& packet) override
    {
        const Time now = Simulator::Now();
        const bool fromHost = port % 2 == 0;
        if (fromHost && now >= m_from && now < m_to &&
            packet.packetClass.priority.signal == RateSignal::REQUEST)
        {
            ++requests[packet.packetClass.flow.coflowId];
        }
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

    std::map<uint64_t, uint32_t> requests;

  private:
    Time m_from;
    Time m_to;
};

/// Two tasks to host 2: from host 0, and a little later from host 1.
Workload
TwoTasks(::coflow::Bytes first, ::coflow::Bytes second)
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 2, first}}, {}});
    workload.coflows.push_back({2, 100'000, {}, {{0, 1, 2, second}}, {}});
    return workload;
}

ExperimentConfig
ExplicitRates()
{
    ExperimentConfig config;
    config.scheduler = "baraat";
    config.topology = "big-switch";
    config.attributes = {{"hosts", "3"}, {"baraatMode", "explicit-rate"}};
    return config;
}

} // namespace

TEST(BaraatRequests, PausedFlowsAskTheLessOftenTheMoreAreBeforeThem)
{
    // The shortest period, 50 us, is longer than a round trip of requests, and about as long as the
    // four segments take for which task 1 asks once.
    const auto counter = std::make_shared<RequestCounter>(MilliSeconds(20), MilliSeconds(60));
    auto config = ExplicitRates();
    config.instrument = [&](const PacketCluster& cluster) {
        cluster.GetFabric()->SetListener(*counter);
        return counter;
    };
    auto workload = TwoTasks(10'000'000, 250'000);
    for (::coflow::FlowId flow = 1; flow < 4; ++flow)
    {
        workload.coflows[1].flows.push_back({flow, 1, 2, 250'000});
    }
    const auto result = RunPacketExperiment(workload, config);
    EXPECT_NEAR(counter->requests[1], 800, 40);
    // Every one, three, five and seven periods.
    EXPECT_NEAR(counter->requests[2], 800 * (1 + 1.0 / 3 + 1.0 / 5 + 1.0 / 7), 70);
    EXPECT_NEAR(result.coflows[1].CctSeconds(), 11'000'000 / BYTES_PER_SECOND, 0.002);
}

TEST(BaraatRequests, TheLastBytesOfAFlowAreSent)
{
    for (const ::coflow::Bytes bytes : {1, 13, 1000, 1448, 1449, 14'580, 100'000})
    {
        for (const std::string period : {"1us", "100us", "1ms", "10ms", "100ms"})
        {
            auto config = ExplicitRates();
            config.attributes.emplace_back("minPeriod", period);
            config.stop = 2'000'000'000;
            const auto result = RunPacketExperiment(TwoTasks(bytes, 2 * bytes), config);
            EXPECT_TRUE(result.coflows[0].IsFinished()) << bytes << " bytes, " << period;
            EXPECT_TRUE(result.coflows[1].IsFinished()) << bytes << " bytes, " << period;
        }
    }
}

TEST(BaraatRequests, EveryFlowEndsWhateverTheNetworkIsLike)
{
    std::mt19937 random(7);
    const auto pick = [&random](const std::vector<std::string>& from) {
        return from[random() % from.size()];
    };
    for (int i = 0; i < 40; ++i)
    {
        Workload workload;
        workload.hosts = 8;
        for (::coflow::CoflowId id = 1; id <= 5; ++id)
        {
            ::coflow::Coflow coflow{
                id,
                static_cast<::coflow::Nanoseconds>(id * 100'000 + random() % 100'000),
                {},
                {},
                {}};
            const uint32_t flows = 1 + random() % 5;
            for (::coflow::FlowId flow = 0; flow < flows; ++flow)
            {
                const auto most = uint64_t{1} << (random() % 17);
                coflow.flows.push_back({flow,
                                        static_cast<::coflow::HostId>(random() % 8),
                                        static_cast<::coflow::HostId>(random() % 8),
                                        static_cast<::coflow::Bytes>(random() % most)});
            }
            workload.coflows.push_back(coflow);
        }
        auto config = ExplicitRates();
        const bool tree = random() % 2;
        config.topology = tree ? "fat-tree" : "big-switch";
        config.attributes = {tree ? std::pair{"k", "4"} : std::pair{"hosts", "8"},
                             {"baraatMode", "explicit-rate"},
                             {"minPeriod", pick({"1us", "20us", "1ms", "30ms"})},
                             {"linkRate", pick({"1Mbps", "50Mbps", "1Gbps", "100Gbps"})},
                             {"heavyBytes", pick({"1", "20000", "837000000"})}};
        config.stop = 100'000'000'000;
        const auto result = RunPacketExperiment(workload, config);
        for (const auto& coflow : result.coflows)
        {
            EXPECT_TRUE(coflow.IsFinished()) << "configuration " << i << ", coflow " << coflow.id;
        }
    }
}

TEST(BaraatRequests, WhoIsCutOffIsForgottenAndComesBack)
{
    auto config = ExplicitRates();
    config.instrument = [](const PacketCluster& cluster) -> std::shared_ptr<void> {
        const Ptr<Topology> topology = cluster.GetFabric()->GetTopology();
        const TopologyPort port = topology->GetPort(0);
        Simulator::Schedule(MilliSeconds(20), [=] { topology->FailLink(port.from, port.to); });
        Simulator::Schedule(MilliSeconds(120), [=] { topology->RestoreLink(port.from, port.to); });
        return nullptr;
    };
    const auto result = RunPacketExperiment(TwoTasks(10'000'000, 2'000'000), config);
    // The port of host 2 keeps the rate of task 1 for 10 ms after its last request.
    EXPECT_NEAR(result.coflows[1].CctSeconds(), 0.030 + 2'000'000 / BYTES_PER_SECOND, 0.002);
    // Task 1 has used 20 ms, and begins again where it was.
    EXPECT_NEAR(result.coflows[0].CctSeconds(), 0.100 + 10'000'000 / BYTES_PER_SECOND, 0.010);
}
