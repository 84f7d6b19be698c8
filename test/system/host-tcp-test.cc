/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// That what a connection costs does not grow with the number of connections of its host: nothing
// is looked for in ns-3's lists, and these stay short.

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-host-tcp.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/object-ptr-container.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// What a host's TCP has to go through.
struct Work
{
    std::size_t sockets{0}; ///< most in the list of a host
    uint64_t searches{0};   ///< segments that were looked for, all hosts
};

Work
WorkOf(uint32_t coflows)
{
    // Every coflow has a flow from each of two hosts to a third, all at once.
    const auto workload = ::coflow::Generate(
        "incast",
        {"senders=2", "bytes=300", "interval=0", "coflows=" + std::to_string(coflows)});
    ExperimentConfig config;
    config.topology = "big-switch";
    // Messages of completion have connections of their own.
    config.attributes = {{"hosts", "3"}, {"completion", "instant"}, {"hostStack", "ns3"}};
    Work work;
    config.instrument = [&work](const PacketCluster& cluster) {
        const auto hosts = cluster.GetFabric()->GetHosts();
        for (int i = 1; i < 20; ++i)
        {
            Simulator::Schedule(MicroSeconds(100 * i), [&work, hosts] {
                for (uint32_t host = 0; host < hosts.GetN(); ++host)
                {
                    ObjectPtrContainerValue sockets;
                    hosts.Get(host)->GetObject<HostTcp>()->GetAttribute("SocketList", sockets);
                    work.sockets = std::max(work.sockets, sockets.GetN());
                }
            });
        }
        return std::shared_ptr<void>(nullptr, [&work, hosts](void*) {
            for (uint32_t host = 0; host < hosts.GetN(); ++host)
            {
                work.searches += hosts.Get(host)->GetObject<HostTcp>()->GetSearches();
            }
        });
    };
    const auto result = RunPacketExperiment(workload, config);
    EXPECT_TRUE(std::all_of(result.coflows.begin(), result.coflows.end(), [](const auto& coflow) {
        return coflow.IsFinished();
    }));
    return work;
}

} // namespace

TEST(HostTcp, WorkOfAConnectionDoesNotGrowWithTheirNumber)
{
    const auto work = WorkOf(500);
    EXPECT_EQ(work.sockets, 1U) << "the sink's, which listens";
    EXPECT_EQ(work.searches, 0U);
}
