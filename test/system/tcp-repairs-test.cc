/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What RepairedTcpSocket mends of ns-3's TCP: each test shows the repair, and then the defect with
// ns-3's own socket. Where a newer ns-3 has not got the defect, the test says which repair can go.

#include "ns3-defect.h"
#include "transport-fixture.h"

#include "ns3/coflow-repaired-tcp-socket.h"
#include "ns3/object-factory.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-recovery-ops.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ns3::coflow::test::Star;

namespace
{

/// Whose sockets.
enum class Kind
{
    NS3,      ///< TcpSocketBase
    REPAIRED, ///< RepairedTcpSocket
    COFLOW    ///< CoflowTcpSocket
};

constexpr uint16_t PORT = 80;

/// Two hosts with sockets of one kind and a connection between them.
struct Pair : Star
{
    explicit Pair(Kind kind,
                  Ptr<TransportProfile> given = nullptr,
                  Options options = {.applications = false})
        : Star(options, given),
          listener(MakeSocket(1, kind)),
          client(MakeSocket(0, kind))
    {
    }

    /// Opens the connection from host 0 to host 1, from now on for a time.
    void Open(Time duration = MilliSeconds(10))
    {
        listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        listener->Listen();
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([this](Ptr<Socket> socket, const Address&) {
                accepted = DynamicCast<TcpSocketBase>(socket);
            }));
        Simulator::ScheduleNow([this] { client->Connect(InetSocketAddress(address[1], PORT)); });
        RunFor(duration);
    }

    void RunFor(Time duration)
    {
        Run(Simulator::Now() + duration);
    }

    /// Sends so many bytes from within the simulation.
    void Send(uint32_t bytes)
    {
        Simulator::ScheduleNow([this, bytes] { client->Send(Create<Packet>(bytes), 0); });
    }

    /// Notes when packets leave a host from now on.
    void Watch(uint32_t host)
    {
        hostDevice[host]->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>>(
                [this](Ptr<const Packet>) { left.push_back(Simulator::Now()); }));
    }

    Ptr<TcpSocketBase> MakeSocket(uint32_t host, Kind kind) const
    {
        const auto node = hosts.Get(host);
        const auto tcp = node->GetObject<TcpL4Protocol>();
        TypeIdValue ops;
        profile->GetAttribute("CongestionOps", ops);
        if (kind == Kind::COFLOW)
        {
            return profile->CreateSocket(node);
        }
        if (kind == Kind::NS3)
        {
            const auto socket = tcp->CreateSocket(ops.Get());
            profile->Configure(socket);
            return DynamicCast<TcpSocketBase>(socket);
        }
        TypeIdValue recovery;
        tcp->GetAttribute("RecoveryType", recovery);
        ObjectFactory opsFactory;
        opsFactory.SetTypeId(ops.Get());
        ObjectFactory recoveryFactory;
        recoveryFactory.SetTypeId(recovery.Get());
        auto socket = CreateObject<RepairedTcpSocket>();
        socket->SetNode(node);
        socket->SetTcp(tcp);
        socket->SetCongestionControlAlgorithm(opsFactory.Create<TcpCongestionOps>());
        socket->SetRecoveryAlgorithm(recoveryFactory.Create<TcpRecoveryOps>());
        profile->Configure(socket);
        tcp->AddSocket(socket);
        return socket;
    }

    Ptr<TcpSocketBase> listener;
    Ptr<TcpSocketBase> client;
    Ptr<TcpSocketBase> accepted;
    std::vector<Time> left; ///< when packets left the host that is watched
};

/// Sees what a socket keeps to itself.
struct Inside : TcpSocketBase
{
    static Ptr<TcpSocketState> GetState(TcpSocketBase& socket)
    {
        return socket.*(&Inside::m_tcb);
    }

    static void CountDuplicates(TcpSocketBase& socket, uint32_t count)
    {
        socket.*(&Inside::m_dupAckCount) = count;
    }
};

/// @return whether a process that does this comes to a bad end
bool
Dies(const std::function<void()>& what)
{
    const pid_t child = fork();
    if (child == 0)
    {
        // What ns-3 says of its end would look like a failure of the test.
        if (!std::freopen("/dev/null", "w", stderr))
        {
            _exit(0);
        }
        what();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

/// @return the last sample of the round trip of who asks every 100 ms and is answered at once
Time
RoundTripOfQuestions(Kind kind)
{
    Pair pair(kind);
    pair.Open();
    pair.accepted->SetRecvCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> socket) {
        const auto question = socket->Recv();
        socket->Send(Create<Packet>(question->GetSize()));
    }));
    for (uint32_t i = 0; i < 3; ++i)
    {
        pair.Send(100);
        pair.RunFor(MilliSeconds(100));
    }
    return Inside::GetState(*pair.client)->m_lastRtt;
}

/// A subclass as any user of ns-3 writes one.
class PlainSubclass : public TcpSocketBase
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::coflow::PlainSubclass").SetParent<TcpSocketBase>();
        return tid;
    }
};

Ptr<TransportProfile>
MakeProfile(const std::string& attribute, const AttributeValue& value)
{
    auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute(attribute, value);
    return profile;
}

} // namespace

TEST(TcpRepairs, AttributesOfASubclass)
{
    auto repaired = CreateObject<RepairedTcpSocket>();
    EXPECT_EQ(repaired->GetInstanceTypeId(), RepairedTcpSocket::GetTypeId());
    EXPECT_TRUE(repaired->SetAttributeFailSafe("MaxRto", TimeValue(Seconds(2))));
    EXPECT_EQ(CreateObject<CoflowTcpSocket>()->GetInstanceTypeId(), CoflowTcpSocket::GetTypeId());
    EXPECT_NS3_DEFECT(CreateObject<PlainSubclass>()->GetInstanceTypeId() !=
                          PlainSubclass::GetTypeId(),
                      "WithOwnType");
}

TEST(TcpRepairs, ConnectionIsRefused)
{
    const auto untilRefused = [](Kind kind) {
        Pair pair(kind);
        Time at = Seconds(100);
        pair.client->SetConnectCallback(
            MakeNullCallback<void, Ptr<Socket>>(),
            Callback<void, Ptr<Socket>>([&](Ptr<Socket>) { at = Simulator::Now(); }));
        Simulator::ScheduleNow(
            [&] { pair.client->Connect(InetSocketAddress(pair.address[1], PORT)); });
        pair.RunFor(Seconds(5));
        return at;
    };
    EXPECT_LT(untilRefused(Kind::REPAIRED), MilliSeconds(1)) << "a round trip";
    EXPECT_NS3_DEFECT(untilRefused(Kind::NS3) > Seconds(1), "RepairedTcpSocket::TakeReset()");
}

TEST(TcpRepairs, ResetAtAListeningSocket)
{
    const auto reset = [](Kind kind) {
        Pair pair(kind);
        TcpHeader header;
        header.SetFlags(TcpHeader::RST);
        header.SetSourcePort(12345);
        header.SetDestinationPort(PORT);
        Simulator::ScheduleNow([&] {
            pair.hosts.Get(0)->GetObject<TcpL4Protocol>()->SendPacket(Create<Packet>(),
                                                                      header,
                                                                      pair.address[0],
                                                                      pair.address[1]);
        });
        pair.Open(Seconds(1));
        EXPECT_TRUE(pair.accepted) << "it listens as before";
    };
    reset(Kind::REPAIRED);
    EXPECT_NS3_DEFECT(Dies([&] { reset(Kind::NS3); }), "RepairedTcpSocket::TakeReset()");
}

TEST(TcpRepairs, AnswersCarryAcknowledgements)
{
    EXPECT_LE(RoundTripOfQuestions(Kind::REPAIRED), MilliSeconds(1));
    EXPECT_NS3_DEFECT(RoundTripOfQuestions(Kind::NS3) >= MilliSeconds(100),
                      "RepairedTcpSocket::NoteAcknowledged()");
}

TEST(TcpRepairs, WindowBelowASegment)
{
    const auto arrived = [](Kind kind) {
        Pair pair(kind);
        pair.Open();
        Simulator::ScheduleNow([&] {
            // As marks among short messages may leave it.
            Inside::GetState(*pair.client)->m_cWnd = 100;
            pair.client->Send(Create<Packet>(1000), 0);
            pair.accepted->Send(Create<Packet>(10), 0);
        });
        pair.RunFor(MilliSeconds(200));
        return pair.accepted->GetRxAvailable();
    };
    EXPECT_EQ(arrived(Kind::REPAIRED), 1000U);
    EXPECT_NS3_DEFECT(arrived(Kind::NS3) == 0, "RepairedTcpSocket::KeepWindowOfASegment()");
}

TEST(TcpRepairs, LongestTimeout)
{
    const auto longest = [](Kind kind, Time maxRto, Time duration) {
        Pair pair(kind, MakeProfile("MaxRto", TimeValue(maxRto)));
        pair.Open();
        pair.LosePackets(1);
        pair.Watch(0);
        pair.Send(1000);
        pair.RunFor(duration);
        Time gap;
        for (std::size_t i = 1; i < pair.left.size(); ++i)
        {
            gap = Max(gap, pair.left[i] - pair.left[i - 1]);
        }
        return gap;
    };
    EXPECT_EQ(longest(Kind::REPAIRED, MilliSeconds(40), Seconds(1)), MilliSeconds(40));
    EXPECT_GT(longest(Kind::REPAIRED, Seconds(200), Seconds(600)), Seconds(61));
    EXPECT_NS3_DEFECT(longest(Kind::NS3, MilliSeconds(40), Seconds(600)) == Seconds(60),
                      "RepairedTcpSocket::PassAMinute()");
}

class TcpRepairsOfTimeouts : public testing::TestWithParam<bool>
{
};

INSTANTIATE_TEST_SUITE_P(Timestamps, TcpRepairsOfTimeouts, testing::Bool());

TEST_P(TcpRepairsOfTimeouts, ShorterThanTheRoundTrip)
{
    // Twenty packets in the queue take 240 ms, timeouts begin at 5 ms.
    constexpr uint32_t SEGMENTS = 200;
    const auto sent = [](Kind kind) {
        Pair pair(kind,
                  MakeProfile("Timestamps", BooleanValue(GetParam())),
                  {.rate = "1Mbps", .marking = true, .applications = false});
        pair.Open(MilliSeconds(100));
        pair.Watch(0);
        pair.Send(SEGMENTS * 1448);
        pair.RunFor(Seconds(20));
        EXPECT_EQ(pair.accepted->GetRxAvailable(), SEGMENTS * 1448);
        return pair.left.size();
    };
    EXPECT_LT(sent(Kind::REPAIRED), SEGMENTS * 5 / 4);
    EXPECT_NS3_DEFECT(sent(Kind::NS3) > SEGMENTS * 3 / 2,
                      "RepairedTcpSocket::RememberFirstUnacknowledged() or KeepBackedOff()");
}

class TcpRepairsOfFins : public testing::TestWithParam<bool>
{
};

INSTANTIATE_TEST_SUITE_P(IsFirst, TcpRepairsOfFins, testing::Bool());

TEST_P(TcpRepairsOfFins, ToNobody)
{
    // The first FIN (FIN_WAIT_1), or the one that answers it (LAST_ACK).
    const auto fins = [](Kind kind, uint32_t retries) {
        Pair pair(kind, MakeProfile("DataRetries", UintegerValue(retries)));
        pair.Open();
        if (!GetParam())
        {
            Simulator::ScheduleNow([&] { pair.client->Close(); });
            pair.RunFor(MilliSeconds(3));
        }
        pair.LosePackets(1);
        pair.Watch(GetParam() ? 0 : 1);
        Simulator::ScheduleNow([&] { (GetParam() ? pair.client : pair.accepted)->Close(); });
        pair.RunFor(Seconds(20));
        return pair.left.size();
    };
    // 5 ms, doubled to 1 s, and then every second.
    EXPECT_LT(fins(Kind::REPAIRED, 1'000'000), 30U);
    EXPECT_GT(fins(Kind::REPAIRED, 1'000'000), 20U);
    EXPECT_EQ(fins(Kind::REPAIRED, 5), 6U) << "and then it is given up";
    EXPECT_NS3_DEFECT(fins(Kind::NS3, 1'000'000) > 1000, "RepairedTcpSocket::SpendFinRetry()");
}

TEST(TcpRepairs, OldAcknowledgementWithBlocks)
{
    const auto overtaken = [](Kind kind) {
        Pair pair(kind);
        pair.Open();
        pair.Send(10'000);
        Simulator::ScheduleNow([&] { pair.client->Close(); });
        pair.RunFor(MilliSeconds(3)); // all is acknowledged, and the FIN, too
        Address local;
        pair.client->GetSockName(local);
        TcpHeader header;
        header.SetFlags(TcpHeader::ACK);
        header.SetSourcePort(PORT);
        header.SetDestinationPort(InetSocketAddress::ConvertFrom(local).GetPort());
        header.SetSequenceNumber(SequenceNumber32(1));
        header.SetAckNumber(SequenceNumber32(1));
        header.SetWindowSize(1000);
        auto stamp = CreateObject<TcpOptionTS>();
        stamp->SetTimestamp(TcpOptionTS::NowToTsValue());
        stamp->SetEcho(TcpOptionTS::NowToTsValue());
        header.AppendOption(stamp);
        auto blocks = CreateObject<TcpOptionSack>();
        blocks->AddSackBlock({SequenceNumber32(1449), SequenceNumber32(2897)});
        header.AppendOption(blocks);
        Simulator::ScheduleNow([&] {
            pair.hosts.Get(1)->GetObject<TcpL4Protocol>()->SendPacket(Create<Packet>(),
                                                                      header,
                                                                      pair.address[1],
                                                                      pair.address[0]);
        });
        pair.RunFor(MilliSeconds(10));
    };
    overtaken(Kind::REPAIRED);
    EXPECT_NS3_DEFECT(Dies([&] { overtaken(Kind::NS3); }), "RepairedTcpSocket::TakeOldAck()");
}

// Whole runs in which marks and losses lead there by themselves are in tcp-robustness-test.cc.
TEST(TcpRepairs, DuplicatesOfAReductionThatIsOver)
{
    constexpr uint32_t BYTES = 10 * 1448;
    const auto lose = [](Kind kind) {
        Pair pair(kind);
        pair.Open();
        auto loss = CreateObject<ReceiveListErrorModel>();
        loss->SetList({0});
        pair.hostDevice[1]->SetReceiveErrorModel(loss);
        // As CA_CWR leaves the count when two duplicates came in it.
        Simulator::ScheduleNow([&] { Inside::CountDuplicates(*pair.client, 2); });
        pair.Send(BYTES);
        pair.RunFor(MilliSeconds(100));
        return pair.accepted->GetRxAvailable();
    };
    EXPECT_EQ(lose(Kind::REPAIRED), BYTES);
    EXPECT_NS3_DEFECT(Dies([&] { lose(Kind::NS3); }), "RepairedTcpSocket::ForgetOldDuplicates()");
}

TEST(TcpRepairs, PacingWithoutARate)
{
    constexpr uint32_t BYTES = 20'000;
    const auto arrived = [](Kind kind) {
        Pair pair(kind);
        pair.client->SetPacingStatus(true);
        pair.client->SetPaceInitialWindow(true);
        pair.Open();
        // What a division by a round trip of 0 makes of a rate.
        Simulator::ScheduleNow([&] { Inside::GetState(*pair.client)->m_pacingRate = DataRate(0); });
        pair.Send(BYTES);
        pair.RunFor(Seconds(1));
        return pair.accepted->GetRxAvailable();
    };
    EXPECT_EQ(arrived(Kind::REPAIRED), BYTES);
    EXPECT_NS3_DEFECT(Dies([&] { _exit(arrived(Kind::NS3) < BYTES); }),
                      "RepairedTcpSocket::KeepPacingRate()");
}
