/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One TCP transfer through an otherwise idle fabric: how to make a fabric by name, install any
// ns-3 application on its hosts, and read its ports afterwards.
//
//     coflow-fabric --topology=fat-tree --megabytes=10
//     coflow-fabric --pcap=trace            writes trace-0-1.pcap and so on, for tcpdump
//     coflow-fabric --netanim=fabric.xml    writes an animation for NetAnim

#include "ns3/applications-module.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-nodes-fabric.h"
#include "ns3/core-module.h"
#include "ns3/netanim-module.h"
#include "ns3/point-to-point-helper.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// Draws the tiers one above the other, hosts at the bottom.
void
Arrange(const NodesFabric& fabric)
{
    const auto& tiers = fabric.GetTopology()->GetTiers();
    for (std::size_t tier = 0; tier < tiers.size(); ++tier)
    {
        for (uint32_t i = 0; i < tiers[tier].count; ++i)
        {
            AnimationInterface::SetConstantPosition(fabric.GetNodes().Get(tiers[tier].first + i),
                                                    100 * (i + 0.5) / tiers[tier].count,
                                                    20.0 *
                                                        static_cast<double>(tiers.size() - tier));
        }
    }
}

/// Runs the transfer.
void
Run(const std::string& topology,
    uint32_t megabytes,
    const std::string& pcap,
    const std::string& netanim)
{
    const FabricHelper helper(topology, "nodes");
    const auto fabric = helper.Create();
    const HostId last = fabric->GetTopology()->GetNHosts() - 1;

    // From the first host to the last one, with segments that fill the MTU.
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 20));
    const InetSocketAddress address(Fabric::GetHostAddress(last), 9);
    BulkSendHelper source("ns3::TcpSocketFactory", address);
    source.SetAttribute("MaxBytes", UintegerValue(uint64_t{megabytes} * 1000000));
    source.Install(fabric->GetHosts().Get(0));
    PacketSinkHelper sinkHelper("ns3::TcpSocketFactory", address);
    const auto sink =
        DynamicCast<PacketSink>(sinkHelper.Install(fabric->GetHosts().Get(last)).Get(0));
    Time finish;
    sink->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&finish](Ptr<const Packet>, const Address&) { finish = Simulator::Now(); }));

    if (!pcap.empty())
    {
        PointToPointHelper().EnablePcap(pcap, fabric->GetHosts());
    }
    std::unique_ptr<AnimationInterface> animation;
    if (!netanim.empty())
    {
        Arrange(*DynamicCast<NodesFabric>(fabric));
        animation = std::make_unique<AnimationInterface>(netanim);
    }

    Simulator::Run();
    const double seconds = finish.GetSeconds();
    const auto totals = fabric->GetTotals();
    std::cout << sink->GetTotalRx() << " bytes in " << 1e3 * seconds << " ms, "
              << static_cast<double>(sink->GetTotalRx()) * 8e-6 / seconds << " Mbit/s; "
              << totals.packetHops << " packet-hops, " << totals.droppedPackets << " drops, "
              << totals.markedPackets << " marks\n";
    animation.reset();
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string topology = "fat-tree";
    uint32_t megabytes = 10;
    std::string pcap;
    std::string netanim;
    CommandLine cmd(__FILE__);
    cmd.AddValue("topology", "name of the topology", topology);
    cmd.AddValue("megabytes", "megabytes to transfer", megabytes);
    cmd.AddValue("pcap", "prefix of a pcap file per host; empty: none", pcap);
    cmd.AddValue("netanim", "file for NetAnim; empty: none", netanim);
    cmd.Parse(argc, argv);
    try
    {
        Run(topology, megabytes, pcap, netanim);
    }
    catch (const ::coflow::InputError& error)
    {
        std::cerr << "coflow-fabric: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
