/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// That RepairedTcpSocket is ns-3's TCP where nothing has to be mended: the same segments at the
// same times.

#include "fabric-invariants.h"

#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-repaired-tcp-socket.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// Three senders and a receiver with a shallow queue, by upstream's sockets or by ours.
class TcpRun
{
  public:
    /// Time, host, bytes, ECN bits of a packet that a host has received.
    using Segment = std::tuple<int64_t, HostId, uint32_t, uint8_t>;

    TcpRun(const std::string& congestionOps, bool repaired)
        : m_repaired(repaired)
    {
        FabricHelper helper("big-switch", "express");
        helper.SetTopologyAttributes("Hosts",
                                     UintegerValue(4),
                                     "HostRates",
                                     StringValue("1=317Mbps,2=481Mbps,3=753Mbps"));
        helper.SetFabricAttributes(
            "QueueDisc",
            StringValue("ns3::coflow::FifoQueueDisc[MaxSize=20p|MarkingThreshold=9p]"));
        m_fabric = helper.Create();
        m_profile = CreateObject<TransportProfile>();
        m_profile->SetAttribute("CongestionOps", StringValue(congestionOps));
        for (HostId host = 0; host < 4; ++host)
        {
            m_fabric->GetHosts().Get(host)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
                "Rx",
                MakeCallback(&TcpRun::SeeSegment, this).Bind(host));
        }
    }

    ~TcpRun()
    {
        Simulator::Destroy();
    }

    const std::vector<Segment>& Run()
    {
        FabricInvariants invariants(m_fabric);
        auto listener = MakeSocket(0);
        listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        listener->Listen();
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([](Ptr<Socket> socket, const Address&) {
                socket->SetRecvCallback(
                    Callback<void, Ptr<Socket>>([](Ptr<Socket> s) { s->Recv(); }));
                socket->SetCloseCallbacks(
                    Callback<void, Ptr<Socket>>([](Ptr<Socket> s) { s->Close(); }),
                    Callback<void, Ptr<Socket>>([](Ptr<Socket>) {}));
            }));
        for (HostId host = 1; host < 4; ++host)
        {
            Simulator::ScheduleWithContext(host, MicroSeconds(211 * host), [this, host] {
                Send(host);
            });
        }
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        m_dropped = m_fabric->GetTotals().droppedPackets;
        return m_segments;
    }

    uint64_t GetDropped() const
    {
        return m_dropped;
    }

  private:
    static constexpr uint16_t PORT = 77;

    Ptr<Socket> MakeSocket(HostId host)
    {
        const Ptr<Node> node = m_fabric->GetHosts().Get(host);
        if (m_repaired)
        {
            const Ptr<Socket> socket = m_profile->CreateSocket(node);
            EXPECT_NE(DynamicCast<RepairedTcpSocket>(socket), nullptr);
            return socket;
        }
        TypeIdValue congestionOps;
        m_profile->GetAttribute("CongestionOps", congestionOps);
        const auto socket = node->GetObject<TcpL4Protocol>()->CreateSocket(congestionOps.Get());
        m_profile->Configure(socket);
        return socket;
    }

    void Send(HostId host)
    {
        const auto socket = MakeSocket(host);
        socket->SetConnectCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> s) {
                                       s->Send(Create<Packet>(400'000), 0);
                                       s->Close();
                                   }),
                                   MakeNullCallback<void, Ptr<Socket>>());
        socket->Connect(InetSocketAddress(Fabric::GetHostAddress(0), PORT));
    }

    void SeeSegment(HostId host, Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t)
    {
        Ipv4Header header;
        packet->PeekHeader(header);
        m_segments.emplace_back(Simulator::Now().GetNanoSeconds(),
                                host,
                                packet->GetSize(),
                                static_cast<uint8_t>(header.GetEcn()));
    }

    bool m_repaired;
    Ptr<Fabric> m_fabric;
    Ptr<TransportProfile> m_profile;
    std::vector<Segment> m_segments;
    uint64_t m_dropped{0};
};

class RepairedTcp : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(RepairedTcp, SendsWhatUpstreamSends)
{
    std::vector<TcpRun::Segment> upstream;
    {
        TcpRun run(GetParam(), false);
        upstream = run.Run();
        EXPECT_GT(run.GetDropped(), 0U) << "there was something to recover from";
    }
    TcpRun run(GetParam(), true);
    EXPECT_GT(upstream.size(), 3U * 400'000 / 1448);
    EXPECT_EQ(run.Run(), upstream);
}

INSTANTIATE_TEST_SUITE_P(CongestionControls,
                         RepairedTcp,
                         testing::Values("ns3::TcpDctcp", "ns3::TcpNewReno", "ns3::TcpCubic"),
                         [](const auto& i) { return i.param.substr(5); });
