/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What all coordinators and daemons have in common, with a coordinator and daemons that decide
// nothing: they count what happens to them.

#include "central-fixture.h"

#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-daemon.h"
#include "ns3/coflow-host-peers.h"
#include "ns3/coflow-host-phase.h"
#include "ns3/coflow-pending-registrations.h"
#include "ns3/log.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>
#include <random>
#include <sstream>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

using Hosts = std::vector<HostId>;
using Coflows = std::vector<::coflow::CoflowId>;

class CountingCoordinator : public Coordinator
{
  public:
    using Coordinator::Disconnect;
    using Coordinator::GetLastSchedule;
    using Coordinator::NextSchedule;
    using Coordinator::SendTo;

    Hosts ups;
    Hosts downs;
    Hosts beats;
    std::vector<std::pair<HostId, ::coflow::CoflowId>> over;
    int begun{0};
    int ended{0};

  private:
    void SetHandlers() override
    {
        On(&CountingCoordinator::OnUnregister);
    }

    void Begin() override
    {
        ++begun;
    }

    void End() override
    {
        ++ended;
    }

    void OnDaemonUp(HostId host) override
    {
        ups.push_back(host);
    }

    void OnDaemonDown(HostId host) override
    {
        downs.push_back(host);
    }

    void OnHeartbeat(HostId host, const HeartbeatMessage&) override
    {
        beats.push_back(host);
    }

    void OnUnregister(HostId host, const UnregisterCoflowMessage& message)
    {
        over.emplace_back(host, message.id);
    }
};

class CountingDaemon : public Daemon
{
  public:
    using Daemon::BeginAlone;
    using Daemon::GetLastHeard;
    using Daemon::GetPending;
    using Daemon::IsAlive;
    using Daemon::IsConnected;
    using Daemon::Send;

    void Put(const CoflowHandle&, CoflowSource::FlowRequest) override
    {
    }

    bool Beat()
    {
        HeartbeatMessage message;
        message.host = GetHost();
        return Send(message);
    }

    bool SayOver(::coflow::CoflowId coflow)
    {
        UnregisterCoflowMessage message;
        message.id = coflow;
        return Send(message);
    }

    int told{0};
    int alone{0};
    int begun{0};
    int ended{0};
    Coflows registered;

  private:
    void SetHandlers() override
    {
        On(&CountingDaemon::OnRegistered);
    }

    void OnRegistered(const RegisteredCoflowMessage& message)
    {
        registered.push_back(message.id);
    }

    void Begin() override
    {
        ++begun;
    }

    void End() override
    {
        ++ended;
    }

    void ReportAll() override
    {
        ++told;
        SayOver(100 + GetHost());
    }

    void FailOpen() override
    {
        ++alone;
    }
};

/// A coordinator on host 0, and daemons on hosts 1 and 2.
class CoordinatedParts : public testing::Test
{
  protected:
    CoordinatedParts()
        : m_cluster(IdealConfig("fair", 3))
    {
        const auto& nodes = m_cluster.GetFabric()->GetHosts();
        coordinator->SetUp(MakeEndpoint(0), 3);
        nodes.Get(0)->AddApplication(coordinator);
        for (const HostId host : {1, 2})
        {
            auto daemon = CreateObject<CountingDaemon>();
            const auto& parts = m_cluster.GetHosts()[host];
            daemon->SetHost(host, parts.source, parts.sink);
            daemon->SetUp(MakeEndpoint(host), Fabric::GetHostAddress(0));
            nodes.Get(host)->AddApplication(daemon);
            daemons.push_back(daemon);
        }
    }

    Ptr<ControlEndpoint> MakeEndpoint(HostId host) const
    {
        auto endpoint = CreateObject<ControlEndpoint>();
        endpoint->SetNode(m_cluster.GetFabric()->GetHosts().Get(host));
        return endpoint;
    }

    static void Run(double until)
    {
        Simulator::Stop(Seconds(until) - Simulator::Now());
        Simulator::Run();
    }

    static constexpr uint16_t PORT = ControlEndpoint::DEFAULT_PORT;

  private:
    PacketCluster m_cluster;

  protected:
    Ptr<CountingCoordinator> coordinator{CreateObject<CountingCoordinator>()};
    std::vector<Ptr<CountingDaemon>> daemons;
};

RegisteredCoflowMessage
Registered(::coflow::CoflowId coflow)
{
    RegisteredCoflowMessage message;
    message.id = coflow;
    return message;
}

} // namespace

TEST_F(CoordinatedParts, ADaemonSaysHelloFirstAndThenAllThatItKnows)
{
    Run(0.1);
    EXPECT_EQ(coordinator->begun, 1);
    std::sort(coordinator->ups.begin(), coordinator->ups.end());
    EXPECT_EQ(coordinator->ups, (Hosts{1, 2}));
    EXPECT_EQ(coordinator->beats, Hosts()) << "a hello is no heartbeat";
    std::sort(coordinator->over.begin(), coordinator->over.end());
    EXPECT_EQ(coordinator->over,
              (std::vector<std::pair<HostId, ::coflow::CoflowId>>{{1, 101}, {2, 102}}));
    EXPECT_TRUE(daemons[1]->Beat());
    Run(0.2);
    EXPECT_EQ(coordinator->beats, Hosts{2});
    EXPECT_TRUE(coordinator->SendTo(2, Registered(7)));
    EXPECT_FALSE(coordinator->SendTo(0, Registered(7))) << "it has no daemon";
    Run(0.3);
    EXPECT_EQ(daemons[1]->registered, Coflows{7});
    EXPECT_EQ(daemons[0]->registered, Coflows());
}

TEST_F(CoordinatedParts, WhoDoesNotSayHelloIsNotHeard)
{
    auto stranger = MakeEndpoint(2);
    stranger->Start();
    const auto peer = stranger->Connect(Fabric::GetHostAddress(0), PORT);
    Run(0.1);
    coordinator->over.clear();
    UnregisterCoflowMessage message;
    EXPECT_TRUE(stranger->Send(peer, message));
    HeartbeatMessage hello;
    hello.host = 3; // there are hosts 0 to 2
    EXPECT_TRUE(stranger->Send(peer, hello));
    EXPECT_TRUE(stranger->Send(peer, message));
    Run(0.2);
    EXPECT_TRUE(coordinator->over.empty());
    EXPECT_EQ(coordinator->ups.size(), 2U);
    hello.host = 0;
    EXPECT_TRUE(stranger->Send(peer, hello));
    EXPECT_TRUE(stranger->Send(peer, message));
    Run(0.3);
    EXPECT_EQ(coordinator->ups.back(), 0U);
    EXPECT_EQ(coordinator->over.size(), 1U);
    stranger->Dispose();
}

TEST_F(CoordinatedParts, ANewConnectionOfAHostClosesTheFormerOne)
{
    Run(0.1);
    auto other = MakeEndpoint(1);
    other->Start();
    const auto peer = other->Connect(Fabric::GetHostAddress(0), PORT);
    Run(0.2);
    HeartbeatMessage hello;
    hello.host = 1;
    EXPECT_TRUE(other->Send(peer, hello));
    Run(0.2005);
    EXPECT_EQ(coordinator->ups.size(), 3U);
    EXPECT_EQ(coordinator->downs, Hosts()) << "the host has a connection all the time";
    EXPECT_FALSE(daemons[0]->IsConnected());
    other->Dispose();
}

TEST_F(CoordinatedParts, LivesHaveRisingNumbersAndBreakConnections)
{
    Run(0.1);
    std::vector<uint64_t> numbers;
    for (int life = 0; life < 3; ++life)
    {
        for (int i = 0; i < 2; ++i)
        {
            numbers.push_back(coordinator->NextSchedule());
            EXPECT_EQ(coordinator->GetLastSchedule(), numbers.back());
        }
        coordinator->Fail();
        coordinator->Fail();
        EXPECT_EQ(coordinator->ended, life + 1);
        EXPECT_FALSE(coordinator->SendTo(1, Registered(7)));
        coordinator->Recover();
        coordinator->Recover();
        EXPECT_EQ(coordinator->begun, life + 2);
    }
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end(), std::less_equal<>()));
    EXPECT_EQ(coordinator->downs, Hosts()) << "who dies does not hear of it";
    Run(0.5);
    EXPECT_EQ(daemons[0]->told, 2) << "once a connection";
    EXPECT_EQ(coordinator->ups.size(), 4U);
}

TEST_F(CoordinatedParts, ADeadDaemonIsAloneAndFollowsWhenItReturns)
{
    const auto& daemon = daemons[0];
    EXPECT_FALSE(daemon->IsAlone()) << "it has not begun";
    EXPECT_FALSE(daemon->IsAlive());
    Run(0.1);
    EXPECT_TRUE(daemon->IsAlive());
    EXPECT_FALSE(daemon->IsAlone());
    daemon->Fail();
    daemon->Fail();
    EXPECT_FALSE(daemon->IsAlive());
    EXPECT_TRUE(daemon->IsAlone());
    EXPECT_FALSE(daemon->IsConnected());
    EXPECT_EQ(daemon->alone, 1);
    EXPECT_EQ(daemon->ended, 1);
    EXPECT_EQ(daemon->GetTimesAlone(), 1U);
    Run(0.2);
    EXPECT_EQ(coordinator->downs, Hosts{1});
    daemon->Recover();
    daemon->Recover();
    EXPECT_EQ(daemon->begun, 2);
    EXPECT_TRUE(daemon->IsAlive());
    EXPECT_FALSE(daemon->IsAlone());
    Run(0.3);
    EXPECT_EQ(coordinator->ups.back(), 1U);
    EXPECT_EQ(daemon->told, 2);
}

TEST_F(CoordinatedParts, ADaemonThatIsAloneFollowsAgainAtTheFirstWord)
{
    const auto& daemon = daemons[1];
    Run(0.1);
    daemon->BeginAlone();
    EXPECT_TRUE(daemon->IsAlone());
    EXPECT_TRUE(daemon->IsAlive());
    EXPECT_EQ(daemon->alone, 1);
    const auto before = daemon->GetLastHeard();
    Run(0.2);
    EXPECT_TRUE(daemon->IsAlone());
    EXPECT_EQ(daemon->GetLastHeard(), before);
    coordinator->SendTo(2, Registered(5));
    Run(0.3);
    EXPECT_FALSE(daemon->IsAlone());
    EXPECT_GT(daemon->GetLastHeard(), Seconds(0.2));
    EXPECT_EQ(daemon->GetTimesAlone(), 1U);
}

TEST_F(CoordinatedParts, TheLogTellsOfDaemonsAndSchedules)
{
#ifdef NS3_LOG_ENABLE
    std::ostringstream log;
    auto* const former = std::clog.rdbuf(log.rdbuf());
    LogComponentEnable("CoflowCoordinator", LOG_LEVEL_INFO);
    Run(0.1);
    coordinator->NextSchedule();
    daemons[0]->Fail();
    Run(0.2);
    LogComponentDisable("CoflowCoordinator", LOG_LEVEL_ALL);
    std::clog.rdbuf(former);
    for (const auto* text : {"daemon of host 2 is up", "schedule 1", "daemon of host 1 is down"})
    {
        EXPECT_NE(log.str().find(text), std::string::npos) << text << " in\n" << log.str();
    }
#else
    GTEST_SKIP() << "this ns-3 has no log";
#endif
}

TEST(HostPhase, SpreadsHostsOverTheSecondHalfOfAPeriod)
{
    for (const HostId hosts : {2, 16, 150, 3000})
    {
        std::vector<double> phases;
        for (HostId host = 0; host < hosts; ++host)
        {
            phases.push_back(GetHostPhase(host));
        }
        std::sort(phases.begin(), phases.end());
        EXPECT_GE(phases.front(), 0.5);
        EXPECT_LT(phases.back(), 1);
        // The three-gap theorem: of n multiples of the golden ratio, no gap is more than 2.2 / n.
        for (HostId host = 1; host < hosts; ++host)
        {
            const double gap = phases[host] - phases[host - 1];
            EXPECT_LT(gap, 0.5 * 2.2 / hosts);
            EXPECT_GT(gap, 0.5 * 0.3 / hosts);
        }
    }
}

TEST(HostPeers, AHostHasItsLatestConnection)
{
    HostPeers peers;
    EXPECT_FALSE(peers.Join(10, 1));
    EXPECT_FALSE(peers.Join(11, 2));
    EXPECT_EQ(peers.Join(12, 1), 10U);
    EXPECT_FALSE(peers.HostOf(10));
    EXPECT_FALSE(peers.Leave(10)) << "its host has another one";
    EXPECT_EQ(peers.PeerOf(1), 12U);
    EXPECT_EQ(peers.Leave(12), 1U);
    EXPECT_FALSE(peers.PeerOf(1));
    EXPECT_EQ(peers.Drop(2), 11U);
    EXPECT_FALSE(peers.Drop(2));
    EXPECT_FALSE(peers.HostOf(11));
}

TEST(HostPeers, BothDirectionsAgree)
{
    std::mt19937 random(7);
    const auto draw = [&](uint32_t values) { return static_cast<uint32_t>(random() % values); };
    HostPeers peers;
    for (int step = 0; step < 5000; ++step)
    {
        switch (draw(3))
        {
        case 0:
            peers.Join(draw(12), draw(6));
            break;
        case 1:
            peers.Leave(draw(12));
            break;
        default:
            peers.Drop(draw(6));
        }
        for (uint32_t peer = 0; peer < 12; ++peer)
        {
            const auto host = peers.HostOf(peer);
            ASSERT_TRUE(!host || peers.PeerOf(*host) == peer);
        }
        for (HostId host = 0; host < 6; ++host)
        {
            const auto peer = peers.PeerOf(host);
            ASSERT_TRUE(!peer || peers.HostOf(*peer) == host);
        }
    }
    peers.Clear();
    for (HostId host = 0; host < 6; ++host)
    {
        EXPECT_FALSE(peers.PeerOf(host));
    }
}

TEST(PendingRegistrations, EachIsAnsweredOnce)
{
    PendingRegistrations pending;
    Coflows told;
    const auto note = [&](const CoflowHandle& handle) { told.push_back(handle.id); };
    for (const ::coflow::CoflowId id : {3, 1, 2})
    {
        pending.Add(id, note);
    }
    EXPECT_EQ(pending.GetAll(), (Coflows{1, 2, 3}));
    pending.Answer({2});
    pending.Answer({2});
    pending.Answer({9});
    EXPECT_EQ(told, Coflows{2});
    pending.Remove(1);
    pending.Answer({1});
    EXPECT_EQ(told, Coflows{2}) << "it is over";
    pending.Answer({3});
    EXPECT_TRUE(pending.IsEmpty());
}

TEST(PendingRegistrations, AnAnswerMayLeadToOthers)
{
    // A driver that is answered registers the same coflow again, and another one is over.
    PendingRegistrations pending;
    int answers = 0;
    const auto other = [&](const CoflowHandle&) { FAIL() << "it is over"; };
    const auto again = [&](const CoflowHandle& handle) {
        ++answers;
        pending.Remove(2);
        pending.Add(handle.id, [&](const CoflowHandle&) { ++answers; });
    };
    pending.Add(1, again);
    pending.Add(2, other);
    for (const auto id : pending.GetAll())
    {
        pending.Answer({id});
    }
    EXPECT_EQ(answers, 1);
    EXPECT_EQ(pending.GetAll(), Coflows{1});
}
