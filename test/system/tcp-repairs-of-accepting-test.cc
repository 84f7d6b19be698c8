/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What RepairedTcpSocket mends where a listening socket of ns-3 accepts connections.

#include "ns3-defect.h"
#include "transport-fixture.h"

#include "ns3/coflow-congestion-control-factory.h"
#include "ns3/coflow-repaired-tcp-socket.h"
#include "ns3/error-model.h"
#include "ns3/ipv4-header.h"
#include "ns3/ppp-header.h"
#include "ns3/rtt-estimator.h"
#include "ns3/socket.h"
#include "ns3/tcp-cubic.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-option-ts.h"

#include <cstring>
#include <memory>
#include <new>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

namespace
{

constexpr uint16_t PORT = 80;

/// @return the timestamps that come back with a SYN of timestamp 500, and with one of timestamp
///         400 that arrives after it
std::vector<uint32_t>
EchoesOfTwoSyns(bool isRepaired)
{
    Star star({.applications = false}, nullptr);
    const auto node = star.hosts.Get(1);
    TypeIdValue control;
    star.profile->GetAttribute("CongestionOps", control);
    const auto listener = isRepaired
                              ? DynamicCast<Socket>(star.profile->CreateSocket(node))
                              : node->GetObject<TcpL4Protocol>()->CreateSocket(control.Get());
    star.profile->Configure(listener);
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    listener->Listen();
    std::vector<uint32_t> echoes;
    star.hostDevice[1]->TraceConnectWithoutContext(
        "PhyTxBegin",
        Callback<void, Ptr<const Packet>>([&echoes](Ptr<const Packet> packet) {
            const auto copy = packet->Copy();
            PppHeader link;
            Ipv4Header ip;
            TcpHeader tcp;
            copy->RemoveHeader(link);
            copy->RemoveHeader(ip);
            copy->RemoveHeader(tcp);
            if (tcp.HasOption(TcpOption::TS) && (tcp.GetFlags() & TcpHeader::SYN))
            {
                echoes.push_back(
                    DynamicCast<const TcpOptionTS>(tcp.GetOption(TcpOption::TS))->GetEcho());
            }
        }));
    for (const uint32_t timestamp : {500U, 400U})
    {
        Simulator::Schedule(MicroSeconds(600 - timestamp), [&star, timestamp] {
            TcpHeader header;
            header.SetFlags(TcpHeader::SYN);
            header.SetSourcePort(static_cast<uint16_t>(timestamp));
            header.SetDestinationPort(PORT);
            const auto option = CreateObject<TcpOptionTS>();
            option->SetTimestamp(timestamp);
            header.AppendOption(option);
            star.hosts.Get(0)->GetObject<TcpL4Protocol>()->SendPacket(Create<Packet>(),
                                                                      header,
                                                                      star.address[0],
                                                                      star.address[1]);
        });
    }
    star.Run(MilliSeconds(1));
    return echoes;
}

/// @return the attribute TcpFriendliness
bool
IsFriendly(const TcpCongestionOps& control)
{
    BooleanValue value;
    control.GetAttribute("TcpFriendliness", value);
    return value.Get();
}

/// @return a number that is an attribute
double
GetNumber(const TcpCongestionOps& control, const std::string& name)
{
    DoubleValue value;
    control.GetAttribute(name, value);
    return value.Get();
}

/// Sees what a socket keeps to itself.
struct Inside : TcpSocketBase
{
    static uint32_t CountSamples(TcpSocketBase& socket)
    {
        return (socket.*(&Inside::m_rtt))->GetNSamples();
    }

    static SequenceNumber32 GetLastMark(TcpSocketBase& socket)
    {
        return socket.*(&Inside::m_ecnCESeq);
    }
};

/// What a connection has in the beginning.
struct Start
{
    uint32_t samples;          ///< of its round trip
    SequenceNumber32 lastMark; ///< sequence number of the last marked segment
};

/// Accepts a connection after a segment of an earlier one has come: a marked acknowledgement.
/// @param window that the late segment tells
Start
AcceptAfterALateSegment(bool isRepaired, uint16_t window)
{
    Star star({.applications = false}, nullptr);
    const auto node = star.hosts.Get(1);
    TypeIdValue control;
    star.profile->GetAttribute("CongestionOps", control);
    const auto listener = isRepaired
                              ? DynamicCast<Socket>(star.profile->CreateSocket(node))
                              : node->GetObject<TcpL4Protocol>()->CreateSocket(control.Get());
    star.profile->Configure(listener);
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    listener->Listen();
    Ptr<TcpSocketBase> accepted;
    listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        Callback<void, Ptr<Socket>, const Address&>([&](Ptr<Socket> socket, const Address&) {
            accepted = DynamicCast<TcpSocketBase>(socket);
        }));
    Simulator::Schedule(MilliSeconds(50), [&] {
        TcpHeader header;
        header.SetFlags(TcpHeader::ACK);
        header.SetSourcePort(12345);
        header.SetDestinationPort(PORT);
        header.SetSequenceNumber(SequenceNumber32(5000));
        header.SetAckNumber(SequenceNumber32(7000));
        header.SetWindowSize(window);
        const auto stamp = CreateObject<TcpOptionTS>();
        stamp->SetTimestamp(TcpOptionTS::NowToTsValue());
        stamp->SetEcho(TcpOptionTS::NowToTsValue() - 8);
        header.AppendOption(stamp);
        SocketIpTosTag mark;
        mark.SetTos(Ipv4Header::ECN_CE);
        const auto packet = Create<Packet>();
        packet->AddPacketTag(mark);
        star.hosts.Get(0)->GetObject<TcpL4Protocol>()->SendPacket(packet,
                                                                  header,
                                                                  star.address[0],
                                                                  star.address[1]);
    });
    const auto client = star.profile->CreateSocket(star.hosts.Get(0));
    Simulator::Schedule(MilliSeconds(60),
                        [&] { client->Connect(InetSocketAddress(star.address[1], PORT)); });
    star.Run(Seconds(10));
    return {Inside::CountSamples(*accepted), Inside::GetLastMark(*accepted)};
}

/// The last packet of a handshake is lost, and the client has nothing to send.
/// @return when the listening socket has accepted the connection; 0: never
Time
AcceptSilentClient(bool isRepaired)
{
    Star star({.applications = false}, nullptr);
    auto loss = CreateObject<ReceiveListErrorModel>();
    loss->SetList({1}); // SYN, acknowledgement
    star.hostDevice[1]->SetReceiveErrorModel(loss);
    TypeIdValue control;
    star.profile->GetAttribute("CongestionOps", control);
    const auto create = [&](uint32_t host) {
        const auto node = star.hosts.Get(host);
        const auto socket = isRepaired
                                ? DynamicCast<Socket>(star.profile->CreateSocket(node))
                                : node->GetObject<TcpL4Protocol>()->CreateSocket(control.Get());
        star.profile->Configure(socket);
        return socket;
    };
    Time at;
    const auto listener = create(1);
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    listener->Listen();
    listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                Callback<void, Ptr<Socket>, const Address&>(
                                    [&at](Ptr<Socket>, const Address&) { at = Simulator::Now(); }));
    const auto client = create(0);
    Simulator::Schedule(MilliSeconds(1),
                        [&] { client->Connect(InetSocketAddress(star.address[1], PORT)); });
    star.Run(Seconds(10));
    return at;
}

} // namespace

TEST(TcpRepairs, TheLastPacketOfAHandshakeIsLost)
{
    // The server repeats its packet after 10 ms.
    const Time at = AcceptSilentClient(true);
    EXPECT_GT(at, MilliSeconds(11));
    EXPECT_LT(at, MilliSeconds(12));
    EXPECT_NS3_DEFECT(AcceptSilentClient(false).IsZero(), "RepairedTcpSocket::IsSynAck()");
}

TEST(TcpRepairs, SynHasItsOwnTimestamp)
{
    EXPECT_EQ(EchoesOfTwoSyns(true), (std::vector<uint32_t>{500, 400}));
    EXPECT_NS3_DEFECT(EchoesOfTwoSyns(false) == (std::vector<uint32_t>{500, 500}),
                      "RepairedTcpSocket::ForgetTimestamps()");
}

TEST(TcpRepairs, LateSegmentsAtAListeningSocket)
{
    for (const uint16_t window : {0, 1000})
    {
        const Start start = AcceptAfterALateSegment(true, window);
        EXPECT_EQ(start.samples, 1U) << "that of its own handshake";
        EXPECT_EQ(start.lastMark, SequenceNumber32(0));
    }
    // A closed window ends in a crash, as in TcpRepairs.ResetAtAListeningSocket.
    const Start start = AcceptAfterALateSegment(false, 1000);
    EXPECT_NS3_DEFECT(start.lastMark == SequenceNumber32(5000), "RepairedTcpSocket::LeavesAlone()");
}

TEST(TcpRepairs, AcceptedConnectionKeepsSettings)
{
    for (const bool friendly : {true, false})
    {
        const auto listening = CreateObject<TcpCubic>();
        listening->SetAttribute("TcpFriendliness", BooleanValue(friendly));
        listening->SetAttribute("Beta", DoubleValue(0.25));
        const CongestionControlFactory factory(listening);
        EXPECT_EQ(IsFriendly(*factory.Create()), friendly);
        EXPECT_EQ(GetNumber(*factory.Create(), "Beta"), 0.25);
    }
    // A congestion control that is at work; TcpDctcp does not take its first alpha again.
    const auto dctcp = CreateObject<TcpDctcp>();
    dctcp->SetAttribute("DctcpShiftG", DoubleValue(0.5));
    dctcp->Init(CreateObject<TcpSocketState>());
    EXPECT_EQ(GetNumber(*CongestionControlFactory(dctcp).Create(), "DctcpShiftG"), 0.5);

    // What ns-3's copy has is what was in memory before.
    const auto model = CreateObject<TcpCubic>();
    const auto memory = std::make_unique<std::byte[]>(sizeof(TcpCubic) + alignof(TcpCubic));
    void* place = memory.get();
    std::size_t size = sizeof(TcpCubic) + alignof(TcpCubic);
    std::align(alignof(TcpCubic), sizeof(TcpCubic), place, size);
    std::memset(place, 0, sizeof(TcpCubic));
    const auto* copy = new (place) TcpCubic(*model);
    const bool isKept = IsFriendly(*copy);
    copy->~TcpCubic();
    EXPECT_NS3_DEFECT(!isKept, "CongestionControlFactory");
}
