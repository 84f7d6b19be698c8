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

    void Receive(PortId port, const Seen& packet) override
    {
        const Time now = Simulator::Now();
        const bool fromHost = port % 2 == 0;
        if (fromHost && now >= m_from && now < m_to &&
            packet.packetClass.priority.signal == RateSignal::REQUEST)
        {
            ++requests[packet.packetClass.flow.coflowId];
        }
    }

    void Drop(PortId, const Seen&) override
    {
    }

    void Arrive(PortId, const Seen&) override
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

TEST(BaraatRequests, PausedFlowsAskEveryEightRoundTrips)
{
    // The shortest period, 100 us, is longer than a round trip of requests.
    const auto counter = std::make_shared<RequestCounter>(MilliSeconds(20), MilliSeconds(60));
    auto config = ExplicitRates();
    config.instrument = [&](const PacketCluster& cluster) {
        cluster.GetFabric()->SetListener(*counter);
        return counter;
    };
    const auto result = RunPacketExperiment(TwoTasks(10'000'000, 1'000'000), config);
    EXPECT_NEAR(counter->requests[1], 400, 20);
    EXPECT_NEAR(counter->requests[2], 50, 3);
    // It is granted what becomes free within those round trips.
    EXPECT_NEAR(result.coflows[1].CctSeconds(), 11'000'000 / BYTES_PER_SECOND, 0.002);
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
