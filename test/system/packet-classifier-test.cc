/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"

#include "ns3/coflow-packet-class-tag.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-ts.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

constexpr uint8_t TCP = ConnectionName::TCP;
constexpr uint8_t UDP = ConnectionName::UDP;

PacketClass
MakeClass(uint64_t coflow, uint32_t flow, uint64_t key, uint8_t band)
{
    return {{coflow, flow}, {key, band}};
}

} // namespace

TEST(PacketClassifier, KnowsConnectionsAndServices)
{
    const auto table = CreateObject<PacketClassifier>();
    const ConnectionName exact{0x0a000007, 49153, 5000, TCP};
    EXPECT_EQ(table->Find(exact), nullptr);

    const PacketClass first = MakeClass(3, 4, 77, 2);
    table->Set(exact, first);
    ASSERT_NE(table->Find(exact), nullptr);
    EXPECT_EQ(*table->Find(exact), first);
    for (const ConnectionName& other : {ConnectionName{0x0a000008, 49153, 5000, TCP},
                                        ConnectionName{0x0a000007, 49154, 5000, TCP},
                                        ConnectionName{0x0a000007, 49153, 5001, TCP},
                                        ConnectionName{0x0a000007, 49153, 5000, UDP}})
    {
        EXPECT_EQ(table->Find(other), nullptr);
    }

    // An exact name goes before a service, a local port before a remote one.
    const PacketClass from = MakeClass(PacketClass::NO_COFLOW, 0, 1, 1);
    const PacketClass to = MakeClass(PacketClass::NO_COFLOW, 0, 2, 3);
    table->Set(ConnectionName::ToPort(TCP, 5000), to);
    EXPECT_EQ(*table->Find({0x0a000007, 49154, 5000, TCP}), to);
    table->Set(ConnectionName::FromPort(TCP, 49154), from);
    EXPECT_EQ(*table->Find({0x0a000007, 49154, 5000, TCP}), from);
    EXPECT_EQ(*table->Find(exact), first);
    EXPECT_EQ(table->Find({0x0a000007, 49154, 5000, UDP}), nullptr);

    const PacketClass second = MakeClass(3, 4, 5, PacketPriority::NO_BAND);
    table->Set(exact, second);
    EXPECT_EQ(*table->Find(exact), second);
    table->Remove(exact);
    EXPECT_EQ(*table->Find(exact), to);
    table->Remove(ConnectionName::ToPort(TCP, 5000));
    EXPECT_EQ(table->Find(exact), nullptr);
    EXPECT_EQ(table->GetN(), 1U);
}

TEST(PacketClassifier, GivesAcknowledgementsAPriorityOfTheirOwn)
{
    const auto table = CreateObject<PacketClassifier>();
    const ConnectionName data{0x0a000007, 49153, 5000, TCP};
    const ConnectionName answer{0x0a000009, 5000, 49153, TCP};
    const PacketClass packetClass = MakeClass(1, 2, 30, 4);
    table->Set(data, packetClass);
    table->SetAcknowledging(answer, {8, 9});
    EXPECT_EQ(*table->Find(answer), MakeClass(8, 9, 0, PacketPriority::NO_BAND));
    table->SetAcknowledgementPriority({0, 0});
    EXPECT_EQ(*table->Find(answer), MakeClass(8, 9, 0, 0));
    EXPECT_EQ(*table->Find(data), packetClass);
    table->SetAcknowledging({0x0a000009, 5000, 49154, TCP}, {8, 10});
    EXPECT_EQ(*table->Find({0x0a000009, 5000, 49154, TCP}), MakeClass(8, 10, 0, 0));
    table->Set(answer, packetClass);
    table->SetAcknowledgementPriority({5, 5});
    EXPECT_EQ(*table->Find(answer), packetClass) << "it acknowledges no longer";
}

TEST(PacketClassifier, TakesAnswersThatNobodyKnowsForAcknowledgements)
{
    const auto table = CreateObject<PacketClassifier>();
    table->SetAcknowledgementPriority({0, 3});
    const ConnectionName tcp{0x0a000007, 49153, 5000, TCP};
    const auto find = [&](uint8_t flags, uint32_t payload, uint32_t before, ConnectionName name) {
        const auto segment = Create<Packet>(payload);
        TcpHeader header;
        header.SetFlags(flags);
        header.AppendOption(CreateObject<TcpOptionTS>());
        segment->AddHeader(header);
        const auto packet = Create<Packet>(before);
        packet->AddAtEnd(segment);
        return table->Find(name, *packet, before);
    };
    for (const uint32_t before : {0, 20})
    {
        for (const int flags :
             {int{TcpHeader::ACK}, int{TcpHeader::RST}, TcpHeader::FIN | TcpHeader::ACK})
        {
            const PacketClass* found = find(flags, 0, before, tcp);
            ASSERT_NE(found, nullptr);
            EXPECT_EQ(*found, MakeClass(PacketClass::NO_COFLOW, 0, 0, 3));
        }
        EXPECT_EQ(find(TcpHeader::SYN, 0, before, tcp), nullptr);
        EXPECT_EQ(find(TcpHeader::ACK, 1, before, tcp), nullptr) << "data";
        EXPECT_EQ(find(TcpHeader::ACK, 0, before, {0x0a000007, 0, 0, TCP}), nullptr)
            << "a fragment";
        EXPECT_EQ(find(TcpHeader::ACK, 0, before, {0x0a000007, 49153, 5000, UDP}), nullptr);
    }
    EXPECT_EQ(table->Find(tcp, *Create<Packet>(10), 0), nullptr) << "too short for a header";
    table->Set(tcp, MakeClass(1, 2, 30, 4));
    EXPECT_EQ(*find(TcpHeader::ACK, 0, 20, tcp), MakeClass(1, 2, 30, 4));
}

TEST(PacketClassTag, IsWhatItWasAfterTheBuffer)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 100; ++i)
    {
        const PacketClass packetClass = MakeClass(random(),
                                                  static_cast<uint32_t>(random()),
                                                  random(),
                                                  static_cast<uint8_t>(random()));
        const auto packet = Create<Packet>(10);
        packet->AddPacketTag(PacketClassTag(packetClass));
        PacketClassTag tag;
        ASSERT_TRUE(packet->Copy()->PeekPacketTag(tag));
        EXPECT_EQ(tag.Get(), packetClass);
    }
}

// As EveryFabric.EveryBandSurvivesSixHops, but the bands are the table's: at every hop, what waits
// is overtaken by everything of a higher band. A change has an effect on the next packet.
TEST_P(EveryFabric, BandsOfTheTableSurviveSixHops)
{
    for (uint32_t bottleneck = 0; bottleneck < 6; ++bottleneck)
    {
        FabricHelper helper("fat-tree", name);
        helper.SetTopologyAttributes("LinkDelay", StringValue("1us"));
        helper.SetFabricAttributes("QueueDisc",
                                   StringValue("ns3::coflow::StrictPriorityQueueDisc"));
        Start(helper);
        std::array<LinkPort, MAX_PATH_PORTS> path{};
        const uint64_t hash = GetFlowHash(
            {Fabric::GetHostAddress(0).Get(), Fabric::GetHostAddress(15).Get(), PORT, PORT, UDP});
        ASSERT_EQ(topology->Path(0, 15, hash, path), 6U);
        const TopologyPort slow = topology->GetPort(path[bottleneck]);
        topology->SetLinkRate(slow.from, slow.to, DataRate("10Mbps"));
        const auto table = fabric->GetHosts().Get(0)->GetObject<PacketClassifier>();
        const ConnectionName connection{Fabric::GetHostAddress(15).Get(), PORT, PORT, UDP};

        // Two packets of each band, the lowest first; the very first finds the port idle.
        for (uint32_t number = 0; number < 16; ++number)
        {
            Simulator::ScheduleWithContext(0, MicroSeconds(20 * number), [&, number] {
                table->Set(connection,
                           MakeClass(1, 1, number, static_cast<uint8_t>(7 - number / 2)));
                sockets[0]->SetIpTos(2); // ECN bits stay
                Send(0, 15, number, 1000);
            });
        }
        Simulator::Run();
        std::vector<uint32_t> order;
        for (const Reception& reception : receptions)
        {
            order.push_back(reception.number);
            EXPECT_EQ(reception.tos, (reception.number / 2) << 5 | 2);
        }
        EXPECT_EQ(order,
                  (std::vector<uint32_t>{0, 14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 1}))
            << "bottleneck " << bottleneck;
        ExpectConservation();
        for (const LinkPort port : path)
        {
            const auto bands = fabric->GetBandStatistics(port);
            ASSERT_EQ(bands.size(), 8U);
            for (const BandStatistics& band : bands)
            {
                EXPECT_EQ(band.receivedPackets, 2U);
                EXPECT_EQ(band.sentPackets, 2U);
                EXPECT_EQ(band.sentBytes, 2 * 1028U);
            }
        }
        receptions.clear();
        sockets.clear();
        fabric = nullptr;
        Simulator::Destroy();
    }
}

// A message of a service overtakes the data that waits at its host.
TEST_P(EveryFabric, AServiceCanHaveABand)
{
    FabricHelper helper = BigSwitchHelper(3, "ns3::coflow::StrictPriorityQueueDisc");
    Start(helper);
    const auto table = fabric->GetHosts().Get(0)->GetObject<PacketClassifier>();
    table->Set(ConnectionName::ToPort(UDP, PORT), {{}, {0, 0}});
    table->Set({Fabric::GetHostAddress(1).Get(), PORT, PORT, UDP}, {});
    for (uint32_t number = 0; number < 5; ++number)
    {
        SendAt(MicroSeconds(1 + number), 0, number < 4 ? 1 : 2, number, 1000);
    }
    Simulator::Run();
    ASSERT_EQ(receptions.size(), 5U);
    EXPECT_EQ(receptions[1].number, 4U);
    EXPECT_EQ(receptions[1].tos, 7 << 5);
    EXPECT_EQ(receptions[0].tos, 0);
    ExpectConservation();
}

namespace
{

/// Collects the classes of packets and the ports that they pass.
class ClassCollector final : public FabricListener
{
  public:
    void Receive(LinkPort port, const Seen& packet) override
    {
        seen[packet.packetClass].insert(port);
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

    std::map<PacketClass, std::set<LinkPort>> seen;
};

/// Flows over a whole transport.
class ClassesOfFlows : public testing::TestWithParam<std::string>
{
  protected:
    ~ClassesOfFlows() override
    {
        Simulator::Destroy();
    }

    void Start()
    {
        FabricHelper helper("fat-tree", GetParam());
        fabric = helper.Create();
        fabric->SetListener(collector);
        for (const HostId host : {0, 15})
        {
            const Ptr<Node> node = fabric->GetHosts().Get(host);
            sources.push_back(CreateObject<CoflowSource>());
            node->AddApplication(sources.back());
            node->AddApplication(CreateObject<CoflowSink>());
            tables.push_back(node->GetObject<PacketClassifier>());
        }
    }

    Ptr<Fabric> fabric;
    ClassCollector collector;
    std::vector<Ptr<CoflowSource>> sources;
    std::vector<Ptr<PacketClassifier>> tables;
};

} // namespace

TEST_P(ClassesOfFlows, TravelWithDataAndAcknowledgements)
{
    Start();
    const FlowKey flow{7, 3};
    const PacketPriority first{100, 5};
    const PacketPriority second{50, 2};
    const PacketPriority acknowledgement{0, 0};
    tables[1]->SetAcknowledgementPriority(acknowledgement);
    sources[0]->StartFlow({flow.coflowId,
                           flow.flowId,
                           Fabric::GetHostAddress(15),
                           500'000,
                           RateLimit::Unlimited(),
                           first});
    Simulator::Schedule(MilliSeconds(2), [&] { sources[0]->SetPriority(flow, second); });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    const auto hops = [this](const PacketClass& c) { return collector.seen[c].size(); };
    EXPECT_EQ(hops({flow, first}), 6U);
    EXPECT_EQ(hops({flow, second}), 6U);
    EXPECT_EQ(hops({flow, acknowledgement}), 6U);
    EXPECT_EQ(hops({{PacketClass::NO_COFLOW, 0}, acknowledgement}), 6U) << "answers to SYNs";
    EXPECT_EQ(hops({}), 0U) << "nor is the answer to the last FIN, when the flow is forgotten";
    EXPECT_EQ(hops({{PacketClass::NO_COFLOW, 0}, PacketPriority{0, PacketPriority::NO_BAND}}), 6U)
        << "that answer, for which the sender's table has no band";
    EXPECT_EQ(collector.seen.size(), 6U) << "all packets have one of these classes";
    EXPECT_EQ(tables[0]->GetN(), 1U) << "only the sink's port is left";
    EXPECT_EQ(tables[1]->GetN(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Fabrics, ClassesOfFlows, testing::Values("express", "nodes"));

TEST(PacketClassifier, SaysWhenAnAnswerMayBeAnotherOne)
{
    // An answer that is kept until the version is another one is always the present one.
    const auto table = CreateObject<PacketClassifier>();
    std::mt19937 dice(7);
    const auto draw = [&dice](uint32_t n) { return static_cast<uint16_t>(dice() % n); };
    const auto service = [&draw] {
        return draw(2) ? ConnectionName::FromPort(TCP, draw(3))
                       : ConnectionName::ToPort(TCP, draw(3));
    };

    struct Kept
    {
        uint32_t version{0};
        const PacketClass* answer{nullptr};
    };

    std::map<std::pair<uint16_t, uint16_t>, Kept> kept;
    uint32_t changes = 0;
    for (uint32_t step = 0; step < 5000; ++step)
    {
        const ConnectionName name = draw(4) ? ConnectionName{1, draw(3), draw(3), TCP} : service();
        const auto packetClass = MakeClass(draw(100), draw(100), draw(100), 7);
        switch (draw(6))
        {
        case 0:
            table->Set(name, packetClass);
            break;
        case 1:
            table->SetAcknowledging(name, packetClass.flow);
            break;
        case 2:
            table->SetAcknowledgementPriority(packetClass.priority);
            break;
        default:
            table->Remove(name);
            break;
        }
        for (uint16_t local = 0; local < 3; ++local)
        {
            for (uint16_t remote = 0; remote < 3; ++remote)
            {
                auto& [version, answer] = kept[{local, remote}];
                if (version != table->GetVersion())
                {
                    version = table->GetVersion();
                    answer = table->Find({1, local, remote, TCP});
                    ++changes;
                }
                ASSERT_EQ(answer, table->Find({1, local, remote, TCP})) << "step " << step;
            }
        }
    }
    EXPECT_LT(changes, 9 * 5000U); // a change in place is none
}
