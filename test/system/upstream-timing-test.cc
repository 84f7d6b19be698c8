/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-invariants.h"

#include "ns3/coflow-fabric-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// When a packet arrived at which host, and its number.
using Arrival = std::tuple<int64_t, HostId, uint32_t>;

/// @return a topology with one path between any two hosts, and a slow and a fast host
Ptr<Topology>
MakeTopology()
{
    auto topology = CreateByName<Topology>("leaf-spine");
    topology->SetAttribute("Leaves", UintegerValue(2));
    topology->SetAttribute("Spines", UintegerValue(1));
    topology->SetAttribute("HostsPerLeaf", UintegerValue(3));
    topology->SetAttribute("HostRates", StringValue("1=800Mbps,4=4Gbps"));
    return topology;
}

/// Sends packets of random sizes between random hosts at distinct random nanoseconds, faster than
/// the links between the switches can carry them.
/// @return the arrivals in order
std::vector<Arrival>
SendAndReceive(const NodeContainer& hosts, const std::vector<Ipv4Address>& addresses)
{
    std::vector<Arrival> arrivals;
    std::vector<Ptr<Socket>> sockets;
    for (HostId host = 0; host < hosts.GetN(); ++host)
    {
        auto socket = Socket::CreateSocket(hosts.Get(host), UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        socket->SetRecvCallback(
            Callback<void, Ptr<Socket>>([&arrivals, host](Ptr<Socket> receiver) {
                while (auto packet = receiver->Recv())
                {
                    std::array<uint8_t, 2> number{};
                    packet->CopyData(number.data(), number.size());
                    arrivals.emplace_back(Simulator::Now().GetNanoSeconds(),
                                          host,
                                          number[0] << 8 | number[1]);
                }
            }));
        sockets.push_back(socket);
    }
    std::mt19937 random(5);
    std::set<int64_t> times;
    while (times.size() < 1500)
    {
        times.insert(1 + random() % 1200000);
    }
    uint32_t number = 0;
    for (const int64_t time : times)
    {
        const HostId src = random() % hosts.GetN();
        const HostId dst = (src + 1 + random() % (hosts.GetN() - 1)) % hosts.GetN();
        const std::array<uint8_t, 2> content{static_cast<uint8_t>(number >> 8),
                                             static_cast<uint8_t>(number)};
        auto packet = Create<Packet>(content.data(), content.size());
        packet->AddPaddingAtEnd(random() % 1400);
        Simulator::ScheduleWithContext(hosts.Get(src)->GetId(),
                                       NanoSeconds(time),
                                       [socket = sockets[src], packet, address = addresses[dst]] {
                                           socket->SendTo(packet, 0, InetSocketAddress(address, 9));
                                       });
        ++number;
    }
    Simulator::Run();
    sockets.clear();
    Simulator::Destroy();
    return arrivals;
}

} // namespace

// The reference is of nobody's making: ns-3's own devices and queues, routed by ns3::GlobalRouting.
TEST(UpstreamTiming, DeliversEveryPacketInTheSameNanosecond)
{
    const auto topology = MakeTopology();
    topology->Build();
    NodeContainer nodes;
    nodes.Create(topology->GetNVertices());
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addressHelper("10.0.0.0", "255.255.255.252");
    NodeContainer hosts;
    std::vector<Ipv4Address> addresses;
    for (LinkPort port = 0; port < topology->GetNPorts(); port += 2)
    {
        const TopologyPort& link = topology->GetPort(port);
        PointToPointHelper pointToPoint;
        pointToPoint.SetDeviceAttribute("DataRate", DataRateValue(link.rate));
        pointToPoint.SetChannelAttribute("Delay", TimeValue(link.delay));
        pointToPoint.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("100000p"));
        const auto devices = pointToPoint.Install(nodes.Get(link.from), nodes.Get(link.to));
        const auto interfaces = addressHelper.Assign(devices);
        TrafficControlHelper().Uninstall(devices);
        addressHelper.NewNetwork();
        if (topology->IsHost(link.from))
        {
            hosts.Add(nodes.Get(link.from));
            addresses.push_back(interfaces.GetAddress(0));
        }
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const auto expected = SendAndReceive(hosts, addresses);
    ASSERT_EQ(expected.size(), 1500U);

    for (const std::string name : {"nodes", "express"})
    {
        SCOPED_TRACE(name);
        const auto fabric = CreateByName<Fabric>(name);
        fabric->SetTopology(MakeTopology());
        fabric->SetAttribute("QueueDisc", StringValue("ns3::coflow::FifoQueueDisc[MaxSize=100MB]"));
        fabric->Build();
        FabricInvariants invariants(fabric);
        addresses.clear();
        for (HostId host = 0; host < fabric->GetHosts().GetN(); ++host)
        {
            addresses.push_back(Fabric::GetHostAddress(host));
        }
        EXPECT_EQ(SendAndReceive(fabric->GetHosts(), addresses), expected);
        uint64_t longest = 0;
        for (LinkPort port = 0; port < fabric->GetTopology()->GetNPorts(); ++port)
        {
            longest = std::max(longest, fabric->GetPortStatistics(port).maxQueueBytes);
        }
        EXPECT_GT(longest, 50000U) << "queues were long enough to matter";
        Simulator::Destroy();
    }
}
