/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_SCENARIO_H
#define FABRIC_SCENARIO_H

#include "fabric-invariants.h"

#include "ns3/coflow-express-fabric.h"
#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-nodes-fabric.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// A network and what happens in it, to be run on several fabrics.
struct FabricScenario
{
    struct Flow
    {
        HostId src;
        HostId dst;
        uint64_t bytes;
        int64_t start; ///< nanoseconds
        uint64_t key{PacketPriority::LEAST_URGENT};
    };

    struct Datagram
    {
        HostId src;
        HostId dst;
        uint32_t bytes; ///< of payload, at least 4
        int64_t start;  ///< nanoseconds
        uint8_t tos;
        uint64_t key{PacketPriority::LEAST_URGENT};
    };

    using Attributes = std::vector<std::pair<std::string, std::string>>;
    /// What happens to the topology at a time in nanoseconds.
    using Change = std::pair<int64_t, std::function<void(Topology&)>>;

    std::string topology{"fat-tree"};
    Attributes topologyAttributes;
    Attributes fabricAttributes;
    Attributes profileAttributes;
    std::vector<Flow> flows;         ///< by TCP
    std::vector<Datagram> datagrams; ///< by UDP
    std::vector<Change> changes;
    int64_t stop{5'000'000'000}; ///< nanoseconds
};

/// What can be seen of a run from outside of the fabric, and the fabric's own statistics.
struct FabricOutcome
{
    /// Flow, time of its last byte.
    std::vector<std::pair<::coflow::FlowId, int64_t>> flows;
    /// Number, time, receiving host, ToS field.
    std::vector<std::tuple<uint32_t, int64_t, HostId, uint8_t>> datagrams;
    /// Time, host, bytes of what its sniffer has seen.
    std::vector<std::tuple<int64_t, HostId, uint32_t>> sniffed;
    std::vector<PortStatistics> ports;
    std::vector<std::map<std::string, uint64_t>> drops; ///< by port: packets by reason
    std::vector<std::vector<BandStatistics>> bands;     ///< by port
    FabricTotals totals;
    FabricInvariants::ByCoflow coflows; ///< where the packets of each are
    uint64_t ties{0};                   ///< of an express fabric
};

/// Runs scenarios.
class FabricRun
{
  public:
    FabricRun(const std::string& fabricName, const FabricScenario& scenario)
        : m_scenario(scenario)
    {
        m_topology = CreateByName<Topology>(scenario.topology);
        Set(m_topology, scenario.topologyAttributes);
        m_topology->AssignStreams(7); // the same paths whatever ran before in this process
        m_profile = CreateObject<TransportProfile>();
        Set(m_profile, scenario.profileAttributes);
        m_fabric = CreateByName<Fabric>(fabricName);
        Set(m_fabric, scenario.fabricAttributes);
        m_fabric->SetTopology(m_topology);
        m_fabric->Build();
        m_invariants = std::make_unique<FabricInvariants>(m_fabric);
        m_profile->Install(m_fabric->GetHosts());
        for (HostId host = 0; host < m_topology->GetNHosts(); ++host)
        {
            AddHost(host);
        }
    }

    ~FabricRun()
    {
        m_sockets.clear();
        Simulator::Destroy();
    }

    const Ptr<Fabric>& GetFabric() const
    {
        return m_fabric;
    }

    /// @param sniffing whether to record what the hosts' sniffers see
    FabricOutcome Run(bool sniffing = false)
    {
        ScheduleAll();
        for (HostId host = 0; sniffing && host < m_topology->GetNHosts(); ++host)
        {
            m_fabric->GetHostDevice(host)->TraceConnectWithoutContext(
                "PromiscSniffer",
                MakeCallback(&FabricRun::SeePacket, this).Bind(host));
        }
        Simulator::Stop(NanoSeconds(m_scenario.stop));
        Simulator::Run();
        // At different hosts, several things may happen in one nanosecond, in any order.
        std::sort(m_outcome.flows.begin(), m_outcome.flows.end());
        std::sort(m_outcome.datagrams.begin(), m_outcome.datagrams.end());
        std::sort(m_outcome.sniffed.begin(), m_outcome.sniffed.end());
        for (LinkPort port = 0; port < m_topology->GetNPorts(); ++port)
        {
            m_outcome.ports.push_back(m_fabric->GetPortStatistics(port));
            m_outcome.drops.push_back(m_fabric->GetDrops(port));
            m_outcome.bands.push_back(m_fabric->GetBandStatistics(port));
        }
        m_outcome.totals = m_fabric->GetTotals();
        m_invariants->Finish();
        m_outcome.coflows = m_invariants->GetCoflows();
        if (const auto express = DynamicCast<ExpressFabric>(m_fabric))
        {
            m_outcome.ties = express->GetTies();
        }
        return std::move(m_outcome);
    }

  private:
    static constexpr uint16_t PORT = 9;

    static void Set(const Ptr<Object>& object, const FabricScenario::Attributes& attributes)
    {
        for (const auto& [name, value] : attributes)
        {
            object->SetAttribute(name, StringValue(value));
        }
    }

    void AddHost(HostId host)
    {
        const Ptr<Node> node = m_fabric->GetHosts().Get(host);
        const auto source = CreateObject<CoflowSource>();
        const auto sink = CreateObject<CoflowSink>();
        source->SetAttribute("Profile", PointerValue(m_profile));
        sink->SetAttribute("Profile", PointerValue(m_profile));
        node->AddApplication(source);
        node->AddApplication(sink);
        m_sources.push_back(source);
        sink->TraceConnectWithoutContext("FlowFinished",
                                         MakeCallback(&FabricRun::FinishFlow, this));
        const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        socket->SetIpRecvTos(true);
        socket->SetRecvCallback(MakeCallback(&FabricRun::ReceiveDatagram, this).Bind(host));
        m_sockets.push_back(socket);
    }

    void ScheduleAll()
    {
        ::coflow::FlowId id = 0;
        for (const auto& flow : m_scenario.flows)
        {
            Simulator::ScheduleWithContext(m_fabric->GetHosts().Get(flow.src)->GetId(),
                                           NanoSeconds(flow.start),
                                           [this, flow, id] {
                                               m_sources[flow.src]->StartFlow(
                                                   {id % 3,
                                                    id,
                                                    Fabric::GetHostAddress(flow.dst),
                                                    flow.bytes,
                                                    RateLimit::Unlimited(),
                                                    {flow.key, PacketPriority::NO_BAND}});
                                           });
            ++id;
        }
        uint32_t number = 0;
        for (const auto& datagram : m_scenario.datagrams)
        {
            Simulator::ScheduleWithContext(m_fabric->GetHosts().Get(datagram.src)->GetId(),
                                           NanoSeconds(datagram.start),
                                           [this, datagram, number] { Send(datagram, number); });
            ++number;
        }
        for (const auto& [time, change] : m_scenario.changes)
        {
            Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                           NanoSeconds(time),
                                           [this, apply = change] { apply(*m_topology); });
        }
    }

    void Send(const FabricScenario::Datagram& datagram, uint32_t number)
    {
        const std::array<uint8_t, 4> content{static_cast<uint8_t>(number >> 24),
                                             static_cast<uint8_t>(number >> 16),
                                             static_cast<uint8_t>(number >> 8),
                                             static_cast<uint8_t>(number)};
        auto packet = Create<Packet>(content.data(), content.size());
        packet->AddPaddingAtEnd(datagram.bytes - content.size());
        m_sockets[datagram.src]->SetIpTos(datagram.tos);
        if (datagram.key != PacketPriority::LEAST_URGENT)
        {
            m_fabric->GetHosts()
                .Get(datagram.src)
                ->GetObject<PacketClassifier>()
                ->Set({Fabric::GetHostAddress(datagram.dst).Get(), PORT, PORT, ConnectionName::UDP},
                      {{datagram.src, datagram.dst}, {datagram.key, PacketPriority::NO_BAND}});
        }
        m_sockets[datagram.src]->SendTo(
            packet,
            0,
            InetSocketAddress(Fabric::GetHostAddress(datagram.dst), PORT));
    }

    void ReceiveDatagram(HostId host, Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            std::array<uint8_t, 4> content{};
            packet->CopyData(content.data(), content.size());
            SocketIpTosTag tos;
            packet->PeekPacketTag(tos);
            m_outcome.datagrams.emplace_back(uint32_t{content[0]} << 24 |
                                                 uint32_t{content[1]} << 16 |
                                                 uint32_t{content[2]} << 8 | content[3],
                                             Simulator::Now().GetNanoSeconds(),
                                             host,
                                             tos.GetTos());
        }
    }

    void SeePacket(HostId host, Ptr<const Packet> packet)
    {
        // The nodes fabric shows frames, the express fabric packets.
        PppHeader ppp;
        const bool framed = DynamicCast<NodesFabric>(m_fabric) != nullptr;
        m_outcome.sniffed.emplace_back(Simulator::Now().GetNanoSeconds(),
                                       host,
                                       packet->GetSize() - (framed ? ppp.GetSerializedSize() : 0));
    }

    void FinishFlow(::coflow::CoflowId, ::coflow::FlowId flow, uint64_t, Time)
    {
        m_outcome.flows.emplace_back(flow, Simulator::Now().GetNanoSeconds());
    }

    FabricScenario m_scenario;
    Ptr<Topology> m_topology;
    Ptr<TransportProfile> m_profile;
    Ptr<Fabric> m_fabric;
    std::unique_ptr<FabricInvariants> m_invariants;
    std::vector<Ptr<CoflowSource>> m_sources;
    std::vector<Ptr<Socket>> m_sockets;
    FabricOutcome m_outcome;
};

inline FabricOutcome
RunScenario(const std::string& fabric, const FabricScenario& scenario)
{
    return FabricRun(fabric, scenario).Run();
}

/// Expects that no packet and no byte has been lost sight of, at any port and overall.
inline void
ExpectConservation(const FabricOutcome& outcome)
{
    EXPECT_EQ(outcome.totals.injectedPackets,
              outcome.totals.deliveredPackets + outcome.totals.droppedPackets +
                  outcome.totals.queuedPackets);
    for (std::size_t port = 0; port < outcome.ports.size(); ++port)
    {
        const PortStatistics& s = outcome.ports[port];
        uint64_t drops = 0;
        for (const auto& [reason, packets] : outcome.drops[port])
        {
            drops += packets;
        }
        EXPECT_EQ(s.droppedPackets, drops);
        EXPECT_EQ(s.receivedPackets, s.packets + s.droppedPackets + s.queuedPackets);
        EXPECT_EQ(s.receivedBytes, s.bytes + s.droppedBytes + s.queuedBytes);
        EXPECT_LE(s.meanQueueBytes, static_cast<double>(s.maxQueueBytes));
    }
}

/// Expects that two outcomes are the same, to the nanosecond and at every port.
inline void
ExpectEqual(const FabricOutcome& a, const FabricOutcome& b)
{
    EXPECT_EQ(a.flows, b.flows);
    EXPECT_EQ(a.datagrams, b.datagrams);
    EXPECT_EQ(a.sniffed, b.sniffed);
    EXPECT_EQ(a.drops, b.drops);
    EXPECT_EQ(a.bands, b.bands);
    ASSERT_EQ(a.ports.size(), b.ports.size());
    for (std::size_t port = 0; port < a.ports.size(); ++port)
    {
        SCOPED_TRACE("port " + std::to_string(port));
        const PortStatistics& p = a.ports[port];
        const PortStatistics& q = b.ports[port];
        EXPECT_EQ(p.receivedPackets, q.receivedPackets);
        EXPECT_EQ(p.receivedBytes, q.receivedBytes);
        EXPECT_EQ(p.packets, q.packets);
        EXPECT_EQ(p.bytes, q.bytes);
        EXPECT_EQ(p.droppedPackets, q.droppedPackets);
        EXPECT_EQ(p.droppedBytes, q.droppedBytes);
        EXPECT_EQ(p.markedPackets, q.markedPackets);
        EXPECT_EQ(p.maxQueueBytes, q.maxQueueBytes);
        EXPECT_NEAR(p.meanQueueBytes, q.meanQueueBytes, 1e-9 * p.meanQueueBytes);
    }
    EXPECT_EQ(a.coflows, b.coflows);
    EXPECT_EQ(a.totals.deliveredPackets, b.totals.deliveredPackets);
    EXPECT_EQ(a.totals.droppedPackets, b.totals.droppedPackets);
}

/// @return all queue discs that ports of both fabrics can have, as classes
inline std::vector<TypeId>
GetQueueDiscsOfBothFabrics()
{
    std::vector<TypeId> result;
    for (const NamedType& type : GetNamedTypes(QueueDisc::GetTypeId()))
    {
        result.push_back(type.typeId);
    }
    return result;
}

/// @return those of some attributes that a class has
inline FabricScenario::Attributes
ChooseAttributes(TypeId type, FabricScenario::Attributes attributes)
{
    std::erase_if(attributes, [type](const auto& attribute) {
        TypeId::AttributeInformation information;
        return !type.LookupAttributeByName(attribute.first, &information);
    });
    return attributes;
}

/// @return a network with traffic, all at random: any registered topology with nine hosts
/// @param seed what the random numbers follow from
/// @param reordering whether packets of a flow may overtake each other, by spraying and failing
///        links; then there is no TCP
/// @param queueDisc of the ports. Unless they are first in, first out, flows have one key each, and
///        a datagram has one whatever came before it
inline FabricScenario
MakeRandomScenario(uint32_t seed, bool reordering, TypeId queueDisc = FifoQueueDisc::GetTypeId())
{
    std::mt19937 random(seed);
    const auto pick = [&random](uint64_t lowest, uint64_t highest) {
        return lowest + random() % (highest - lowest + 1);
    };
    // Rates at which a byte takes a whole number of nanoseconds, as ns-3's devices round others.
    const auto bps = [&pick](const std::vector<uint64_t>& nanosecondsPerByte) {
        const auto place = pick(0, nanosecondsPerByte.size() - 1);
        return std::to_string(8'000'000'000 / nanosecondsPerByte[place]) + "bps";
    };
    FabricScenario s;
    const auto topologies = GetNamedTypes(Topology::GetTypeId());
    s.topology = topologies[pick(0, topologies.size() - 1)].name;
    const uint32_t hosts = 9;
    const TypeId topologyType = FindNamedType(Topology::GetTypeId(), s.topology);
    s.topologyAttributes =
        ChooseAttributes(topologyType,
                         {{"K", "4"}, {"Leaves", "3"}, {"Spines", "2"}, {"Hosts", "9"}});
    s.topologyAttributes.emplace_back("FabricLinkRate", bps({4, 5, 8, 10, 16, 20, 25}));
    s.topologyAttributes.emplace_back("LinkDelay", std::to_string(pick(1, 9000)) + "ns");
    if (reordering && pick(0, 1))
    {
        s.topologyAttributes.emplace_back("PacketSpraying", "true");
    }
    // A rate of its own for every host keeps packets from meeting in the same nanosecond.
    std::string rates;
    std::vector<uint64_t> left{4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 128, 160};
    for (uint32_t host = 0; host < hosts; ++host)
    {
        const auto own = left.begin() + static_cast<std::ptrdiff_t>(pick(0, left.size() - 1));
        rates += (host ? "," : "") + std::to_string(host) + "=" + bps({*own});
        left.erase(own);
    }
    s.topologyAttributes.emplace_back("HostRates", rates);

    const std::string maxSize =
        pick(0, 1) ? std::to_string(pick(5, 60)) + "p" : std::to_string(pick(6000, 90000)) + "B";
    const std::string threshold =
        pick(0, 1) ? std::to_string(pick(0, 20)) + "p" : std::to_string(pick(0, 30000)) + "B";
    const bool keys = queueDisc != FifoQueueDisc::GetTypeId();
    std::string attributes;
    for (const auto& [name, value] : ChooseAttributes(queueDisc,
                                                      {{"MaxSize", maxSize},
                                                       {"BandSize", maxSize},
                                                       {"MarkingThreshold", threshold},
                                                       {"Bands", "4"},
                                                       {"HeavyBytes", "60000"}}))
    {
        attributes += (attributes.empty() ? "[" : "|") + name + "=" + value;
    }
    s.fabricAttributes = {{"QueueDisc", queueDisc.GetName() + attributes + "]"}};
    const std::array<std::string, 3> tcps{"ns3::TcpDctcp", "ns3::TcpNewReno", "ns3::TcpCubic"};
    s.profileAttributes = {{"CongestionOps", tcps[pick(0, 2)]}};

    const auto otherHost = [&](HostId src) {
        return static_cast<HostId>((src + pick(1, hosts - 1)) % hosts);
    };
    for (uint64_t n = reordering ? 0 : pick(4, 25); n > 0; --n)
    {
        const auto src = static_cast<HostId>(pick(0, hosts - 1));
        // Half of all flows go to one host, so that there is congestion.
        const HostId dst = n % 2 && src != 0 ? 0 : otherHost(src);
        s.flows.push_back({src, dst, pick(1, 150'000), static_cast<int64_t>(pick(1, 4'000'000))});
    }
    for (uint64_t n = reordering ? pick(1000, 3000) : pick(0, 400); n > 0; --n)
    {
        const auto src = static_cast<HostId>(pick(0, hosts - 1));
        s.datagrams.push_back({src,
                               otherHost(src),
                               static_cast<uint32_t>(pick(4, 1400)),
                               static_cast<int64_t>(pick(1, 4'000'000)),
                               static_cast<uint8_t>(pick(0, 255)),
                               pick(0, 9)});
    }

    for (auto& flow : s.flows)
    {
        flow.key = keys ? pick(1, 12) : flow.key;
    }
    for (auto& datagram : s.datagrams)
    {
        datagram.key = keys ? pick(0, 12) : datagram.key;
    }

    for (uint64_t n = pick(0, 3); n > 0; --n)
    {
        const auto host = static_cast<HostId>(pick(0, hosts - 1));
        const DataRate rate(bps({4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80}));
        s.changes.emplace_back(pick(1, 4'000'000), [host, rate](Topology& topology) {
            topology.SetLinkRate(host, topology.GetHostSwitch(host), rate);
        });
    }
    for (uint64_t n = reordering ? pick(0, 6) : 0; n > 0; --n)
    {
        const uint64_t link = pick(0, 100);
        const bool restore = pick(0, 1);
        s.changes.emplace_back(pick(1, 4'000'000), [link, restore](Topology& topology) {
            const LinkPort port = 2 * (link % (topology.GetNPorts() / 2));
            const TopologyPort& p = topology.GetPort(port);
            restore ? topology.RestoreLink(p.from, p.to) : topology.FailLink(p.from, p.to);
        });
    }
    return s;
}

} // namespace ns3::coflow

#endif // FABRIC_SCENARIO_H
