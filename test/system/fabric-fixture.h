/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_FIXTURE_H
#define FABRIC_FIXTURE_H

#include "fabric-invariants.h"

#include "ns3/boolean.h"
#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-nodes-fabric.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

inline constexpr uint16_t PORT = 9;

/// A packet that a host has received.
struct Reception
{
    HostId src;
    HostId dst;
    uint32_t number; ///< what the sender wrote into it
    Time time;
    uint8_t tos;
};

/// Runs a fabric with a UDP socket on every host.
class FabricTest : public testing::Test
{
  protected:
    explicit FabricTest(const std::string& fabricName)
        : name(fabricName)
    {
    }

    ~FabricTest() override
    {
        invariants.reset();
        Simulator::Destroy();
    }

    /// @return a helper for a fat-tree
    template <typename... Args>
    FabricHelper FatTreeHelper(Args&&... args)
    {
        FabricHelper helper("fat-tree", name);
        helper.SetTopologyAttributes(std::forward<Args>(args)...);
        return helper;
    }

    /// @return a helper for a big switch
    FabricHelper BigSwitchHelper(uint32_t hosts, const std::string& queueDisc)
    {
        FabricHelper helper("big-switch", name);
        helper.SetTopologyAttributes("Hosts", UintegerValue(hosts));
        helper.SetFabricAttributes("QueueDisc", StringValue(queueDisc));
        return helper;
    }

    void Start(const FabricHelper& helper)
    {
        fabric = helper.Create();
        topology = fabric->GetTopology();
        invariants = std::make_unique<FabricInvariants>(fabric);
        topology->AssignStreams(3); // the same paths whatever ran before in this process
        for (HostId host = 0; host < topology->GetNHosts(); ++host)
        {
            auto socket =
                Socket::CreateSocket(fabric->GetHosts().Get(host), UdpSocketFactory::GetTypeId());
            ASSERT_EQ(socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT)), 0);
            socket->SetIpRecvTos(true);
            socket->SetRecvCallback(MakeCallback(&FabricTest::Receive, this).Bind(host));
            sockets.push_back(socket);
        }
    }

    /// Sends one packet now.
    /// @param bytes of UDP payload, at least 4
    /// @return what Socket::SendTo returns
    int Send(HostId src, HostId dst, uint32_t number, uint32_t bytes)
    {
        const std::array<uint8_t, 4> content{static_cast<uint8_t>(number >> 24),
                                             static_cast<uint8_t>(number >> 16),
                                             static_cast<uint8_t>(number >> 8),
                                             static_cast<uint8_t>(number)};
        auto packet = Create<Packet>(content.data(), content.size());
        packet->AddPaddingAtEnd(bytes - content.size());
        return sockets[src]->SendTo(packet,
                                    0,
                                    InetSocketAddress(Fabric::GetHostAddress(dst), PORT));
    }

    /// Sends one packet later, in the sender's context.
    void SendAt(Time time, HostId src, HostId dst, uint32_t number, uint32_t bytes)
    {
        Simulator::ScheduleWithContext(
            fabric->GetHosts().Get(src)->GetId(),
            time,
            [this, src, dst, number, bytes] { Send(src, dst, number, bytes); });
    }

    void Receive(HostId dst, Ptr<Socket> socket)
    {
        Address from;
        while (auto packet = socket->RecvFrom(from))
        {
            std::array<uint8_t, 4> content{};
            packet->CopyData(content.data(), content.size());
            SocketIpTosTag tos;
            packet->PeekPacketTag(tos);
            receptions.push_back(
                {Fabric::GetHostByAddress(InetSocketAddress::ConvertFrom(from).GetIpv4(), 999),
                 dst,
                 uint32_t{content[0]} << 24 | uint32_t{content[1]} << 16 |
                     uint32_t{content[2]} << 8 | content[3],
                 Simulator::Now(),
                 tos.GetTos()});
        }
    }

    /// Expects that no packet and no byte has been lost sight of, at any port and overall.
    void ExpectConservation()
    {
        invariants->Finish();
        const FabricTotals totals = fabric->GetTotals();
        EXPECT_EQ(totals.injectedPackets,
                  totals.deliveredPackets + totals.droppedPackets + totals.queuedPackets);
        for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
        {
            const PortStatistics s = fabric->GetPortStatistics(port);
            EXPECT_EQ(s.receivedPackets, s.packets + s.droppedPackets + s.queuedPackets);
            EXPECT_EQ(s.receivedBytes, s.bytes + s.droppedBytes + s.queuedBytes);
            EXPECT_LE(s.meanQueueBytes, s.maxQueueBytes);
        }
    }

    const std::string name; ///< of the fabric
    Ptr<Fabric> fabric;
    Ptr<Topology> topology;
    std::unique_ptr<FabricInvariants> invariants;
    std::vector<Ptr<Socket>> sockets;
    std::vector<Reception> receptions;
};

/// A test to be run on every fabric.
class EveryFabric : public FabricTest, public testing::WithParamInterface<std::string>
{
  protected:
    EveryFabric()
        : FabricTest(GetParam())
    {
    }
};

/// A test of what only the nodes fabric has.
class NodesFabricTest : public FabricTest
{
  protected:
    NodesFabricTest()
        : FabricTest("nodes")
    {
    }

    void Start(const FabricHelper& helper)
    {
        FabricTest::Start(helper);
        nodesFabric = DynamicCast<NodesFabric>(fabric);
    }

    /// Records the ports that every packet passes, by flow and identification.
    void RecordPaths()
    {
        for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
        {
            nodesFabric->GetPortDevice(port)->TraceConnectWithoutContext(
                "PhyTxBegin",
                MakeCallback(&NodesFabricTest::RecordPort, this).Bind(port));
        }
    }

    void RecordPort(LinkPort port, Ptr<const Packet> packet)
    {
        auto copy = packet->Copy();
        PppHeader ppp;
        Ipv4Header header;
        copy->RemoveHeader(ppp);
        copy->RemoveHeader(header);
        paths[{GetFlowTuple(header, *copy), header.GetIdentification()}].push_back(port);
    }

    Ptr<NodesFabric> nodesFabric;
    std::map<std::pair<FlowTuple, uint16_t>, std::vector<LinkPort>> paths;
};

} // namespace ns3::coflow

#endif // FABRIC_FIXTURE_H
