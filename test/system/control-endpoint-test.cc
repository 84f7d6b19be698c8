/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Control endpoints over every transport: order, loss, congestion, failures, counters.
 */

#include "control-fixture.h"

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

constexpr uint16_t PORT = ControlEndpoint::DEFAULT_PORT;

/// A coordinator on host 0 and a daemon on every other one.
class ControlPlane
{
  public:
    explicit ControlPlane(Transport transport, const Star::Options& options = {})
        : star(options)
    {
        for (uint32_t i = 0; i < options.hosts; ++i)
        {
            processes.push_back(
                std::make_unique<Process>(star.hosts.Get(i), transport, star.profile));
        }
    }

    ~ControlPlane()
    {
        processes.clear();
    }

    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        for (auto& process : processes)
        {
            process->endpoint->SetAttribute(name, value);
        }
    }

    void StartCoordinator()
    {
        Coordinator().endpoint->Start();
        Coordinator().endpoint->Listen(PORT);
    }

    PeerId StartDaemon(uint32_t host)
    {
        Daemon(host).endpoint->Start();
        return Daemon(host).endpoint->Connect(star.address[0], PORT);
    }

    void Start()
    {
        StartCoordinator();
        for (uint32_t i = 1; i < processes.size(); ++i)
        {
            StartDaemon(i);
        }
    }

    Process& Coordinator()
    {
        return *processes[0];
    }

    Process& Daemon(uint32_t host = 1)
    {
        return *processes[host];
    }

    Star star;
    std::vector<std::unique_ptr<Process>> processes;
};

class EveryTransport : public ::testing::TestWithParam<Transport>
{
};

const auto GET_NAME = [](const auto& test) { return GetTransportName(test.param); };

INSTANTIATE_TEST_SUITE_P(Control,
                         EveryTransport,
                         ::testing::Values(Transport::TCP, Transport::IDEAL),
                         GET_NAME);

} // namespace

TEST_P(EveryTransport, DeliversInOrderBothWays)
{
    ControlPlane plane(GetParam(), {.hosts = 4});
    constexpr uint64_t BEATS = 500;
    for (uint32_t host = 1; host < 4; ++host)
    {
        auto& daemon = plane.Daemon(host);
        daemon.onUp = [&daemon](PeerId peer) {
            for (uint64_t i = 0; i < BEATS; ++i)
            {
                EXPECT_TRUE(daemon.Beat(peer, i));
            }
        };
    }
    auto& coordinator = plane.Coordinator();
    const auto rates = MakeRates(1000);
    coordinator.onUp = [&](PeerId peer) {
        coordinator.endpoint->Send(peer, MakeSchedule(7, rates));
        coordinator.endpoint->Send(peer, MakeSchedule(8, {}));
    };
    plane.Start();
    plane.star.Run(Seconds(1));
    ASSERT_EQ(coordinator.ups.size(), 3U);
    EXPECT_EQ(coordinator.beats.size(), 3 * BEATS);
    for (const auto& up : coordinator.ups)
    {
        std::vector<uint64_t> numbers;
        for (const auto& beat : coordinator.beats)
        {
            if (beat.peer == up.first)
            {
                numbers.push_back(beat.number);
            }
        }
        EXPECT_EQ(numbers, Count(BEATS));
    }
    std::set<Ipv4Address> addresses;
    for (const auto& up : coordinator.ups)
    {
        addresses.insert(coordinator.endpoint->GetAddress(up.first));
    }
    EXPECT_EQ(addresses,
              (std::set<Ipv4Address>{plane.star.address[1],
                                     plane.star.address[2],
                                     plane.star.address[3]}));
    for (uint32_t host = 1; host < 4; ++host)
    {
        const auto& got = plane.Daemon(host).rates;
        ASSERT_EQ(got.size(), 2U);
        EXPECT_EQ(got[0].first, 7U);
        EXPECT_EQ(got[0].second, rates);
        EXPECT_EQ(got[1].first, 8U);
        EXPECT_TRUE(got[1].second.empty());
        EXPECT_TRUE(plane.Daemon(host).downs.empty());
    }
}

TEST_P(EveryTransport, CountsByType)
{
    ControlPlane plane(GetParam());
    std::vector<uint32_t> traced;
    plane.Coordinator().endpoint->TraceConnectWithoutContext(
        "Received",
        Callback<void, PeerId, uint16_t, uint32_t>(
            [&traced](PeerId, uint16_t, uint32_t bytes) { traced.push_back(bytes); }));
    plane.Daemon().onUp = [&](PeerId peer) {
        plane.Daemon().Beat(peer, 0);
        plane.Daemon().Beat(peer, 1);
        // Nobody wants these, yet they count.
        plane.Daemon().endpoint->Send(peer, AddFlowsMessage({{{1, 2}, 5}, {{1, 3}}}));
    };
    plane.Start();
    plane.star.Run(Seconds(1));
    const ControlCounts expected{{HeartbeatMessage::TYPE, {2, 88}},
                                 {AddFlowsMessage::TYPE, {1, 64}}};
    auto equal = [](const ControlCounts& left, const ControlCounts& right) {
        return std::equal(left.begin(),
                          left.end(),
                          right.begin(),
                          right.end(),
                          [](const auto& a, const auto& b) {
                              return a.first == b.first && a.second.messages == b.second.messages &&
                                     a.second.bytes == b.second.bytes;
                          });
    };
    EXPECT_TRUE(equal(plane.Daemon().endpoint->GetSent(), expected));
    EXPECT_TRUE(equal(plane.Coordinator().endpoint->GetReceived(), expected));
    EXPECT_TRUE(plane.Coordinator().endpoint->GetSent().empty());
    EXPECT_EQ(traced, (std::vector<uint32_t>{44, 44, 64}));
}

TEST_P(EveryTransport, AMessageToAPeerThatIsNotUpIsDropped)
{
    ControlPlane plane(GetParam());
    const auto peer = plane.StartDaemon(1);
    EXPECT_FALSE(plane.Daemon().Beat(peer, 0));
    EXPECT_FALSE(plane.Daemon().Beat(peer + 1, 0));
    plane.star.Run(MilliSeconds(100));
    EXPECT_FALSE(plane.Daemon().endpoint->IsUp(peer));
    EXPECT_FALSE(plane.Daemon().Beat(peer, 1));
    EXPECT_TRUE(plane.Daemon().downs.empty()) << "it was never up";
    plane.StartCoordinator();
    plane.star.Run(Seconds(2));
    EXPECT_TRUE(plane.Daemon().endpoint->IsUp(peer));
    EXPECT_TRUE(plane.Daemon().Beat(peer, 2));
    plane.star.Run(Seconds(3));
    EXPECT_EQ(plane.Coordinator().GetNumbers(), std::vector<uint64_t>{2});
    EXPECT_EQ(plane.Daemon().endpoint->GetSent().at(HeartbeatMessage::TYPE).messages, 1U);
}

TEST_P(EveryTransport, ACoordinatorDiesAndReturns)
{
    ControlPlane plane(GetParam(), {.hosts = 4});
    for (uint32_t host = 1; host < 4; ++host)
    {
        auto& daemon = plane.Daemon(host);
        daemon.onUp = [&daemon](PeerId peer) { daemon.Beat(peer, daemon.ups.size()); };
    }
    plane.Start();
    plane.star.Run(MilliSeconds(500));
    plane.Coordinator().endpoint->Stop();
    EXPECT_FALSE(plane.Coordinator().endpoint->IsRunning());
    plane.star.Run(MilliSeconds(600));
    for (uint32_t host = 1; host < 4; ++host)
    {
        ASSERT_EQ(plane.Daemon(host).downs.size(), 1U);
        EXPECT_LT(plane.Daemon(host).downs[0].second, MilliSeconds(600));
        EXPECT_FALSE(plane.Daemon(host).endpoint->IsUp(1));
    }
    EXPECT_EQ(plane.Coordinator().GetNumbers(), std::vector<uint64_t>(3, 1));
    plane.StartCoordinator();
    plane.star.Run(MilliSeconds(4000));
    EXPECT_EQ(plane.Coordinator().GetNumbers(), (std::vector<uint64_t>{1, 1, 1, 2, 2, 2}));
    ASSERT_EQ(plane.Coordinator().ups.size(), 6U);
    for (std::size_t i = 0; i < 3; ++i)
    {
        EXPECT_GT(plane.Coordinator().ups[3 + i].first, plane.Coordinator().ups[2].first)
            << "names of peers are not used again";
        EXPECT_EQ(plane.Daemon(1 + i).ups[0].first, plane.Daemon(1 + i).ups[1].first)
            << "who connected keeps the name";
    }
    EXPECT_TRUE(plane.Coordinator().downs.empty()) << "a dead process hears nothing";
}

TEST_P(EveryTransport, ADaemonDiesAndReturns)
{
    ControlPlane plane(GetParam());
    plane.Start();
    plane.star.Run(MilliSeconds(100));
    plane.Daemon().endpoint->Stop();
    plane.star.Run(MilliSeconds(200));
    ASSERT_EQ(plane.Coordinator().ups.size(), 1U);
    const auto peer = plane.Coordinator().ups[0].first;
    plane.Coordinator().Beat(peer, 0);
    plane.star.Run(MilliSeconds(1000));
    EXPECT_EQ(plane.Coordinator().downs.size(), 1U);
    EXPECT_FALSE(plane.Coordinator().Beat(peer, 1));
    plane.StartDaemon(1);
    plane.star.Run(MilliSeconds(1500));
    ASSERT_EQ(plane.Coordinator().ups.size(), 2U);
    EXPECT_TRUE(plane.Coordinator().Beat(plane.Coordinator().ups[1].first, 2));
    plane.star.Run(MilliSeconds(2000));
    EXPECT_EQ(plane.Daemon().GetNumbers(), std::vector<uint64_t>{2});
}

TEST_P(EveryTransport, AProcessMayEndItselfAmidAMessage)
{
    ControlPlane plane(GetParam());
    plane.Daemon().onUp = [&](PeerId peer) {
        for (uint64_t i = 0; i < 10; ++i)
        {
            plane.Daemon().Beat(peer, i);
        }
    };
    uint64_t seen = 0;
    auto& endpoint = *plane.Coordinator().endpoint;
    endpoint.On<HeartbeatMessage>([&](PeerId, const HeartbeatMessage&) {
        if (++seen == 3)
        {
            endpoint.Stop();
        }
    });
    plane.Start();
    plane.star.Run(MilliSeconds(50));
    EXPECT_EQ(seen, 3U);
    plane.StartCoordinator();
    plane.star.Run(Seconds(5));
    EXPECT_EQ(seen, 13U);
}

TEST_P(EveryTransport, APeerMayBeForgottenAmidItsMessage)
{
    ControlPlane plane(GetParam());
    plane.Daemon().onUp = [&](PeerId peer) {
        for (uint64_t i = 0; i < 10; ++i)
        {
            plane.Daemon().Beat(peer, i);
        }
    };
    uint64_t seen = 0;
    auto& endpoint = *plane.Coordinator().endpoint;
    endpoint.On<HeartbeatMessage>([&](PeerId peer, const HeartbeatMessage&) {
        ++seen;
        endpoint.Disconnect(peer);
        EXPECT_FALSE(endpoint.IsUp(peer));
    });
    plane.Start();
    plane.star.Run(MilliSeconds(5));
    EXPECT_EQ(seen, 1U);
    EXPECT_EQ(plane.Daemon().downs.size(), 1U);
    EXPECT_TRUE(plane.Coordinator().downs.empty());
}

TEST(TcpControl, DeliversOverALossyControlPlane)
{
    ControlPlane plane(Transport::TCP);
    plane.SetAttribute("LossRate", DoubleValue(0.1));
    auto& daemon = plane.Daemon();
    daemon.onUp = [&](PeerId peer) {
        for (uint64_t i = 0; i < 300; ++i)
        {
            Simulator::Schedule(MicroSeconds(500 * i), [&, i, peer] { daemon.Beat(peer, i); });
        }
    };
    const auto rates = MakeRates(3000);
    plane.Coordinator().onUp = [&](PeerId peer) {
        plane.Coordinator().endpoint->Send(peer, MakeSchedule(3, rates));
    };
    plane.Start();
    plane.star.Run(Seconds(20));
    EXPECT_EQ(plane.Coordinator().GetNumbers(), Count(300));
    ASSERT_EQ(daemon.rates.size(), 1U);
    EXPECT_EQ(daemon.rates[0].second, rates);
    EXPECT_TRUE(daemon.downs.empty());
    // Some were late.
    Time latest;
    for (const auto& beat : plane.Coordinator().beats)
    {
        latest = Max(latest,
                     beat.at - plane.Coordinator().ups[0].second - MicroSeconds(500 * beat.number));
    }
    EXPECT_GT(latest, MilliSeconds(2));
}

TEST(TcpControl, WhatHasNotLeftIsReplacedByWhatRenewsIt)
{
    // Far more than TCP's buffer has room for, all at the same time.
    constexpr uint64_t BEATS = 100'000;
    ControlPlane plane(Transport::TCP);
    auto& daemon = plane.Daemon();
    daemon.onUp = [&](PeerId peer) {
        for (uint64_t i = 0; i < BEATS; ++i)
        {
            daemon.Beat(peer, i, true);
            if (i == BEATS / 2)
            {
                daemon.Beat(peer, BEATS); // renews nothing, and is not replaced
            }
        }
    };
    plane.Start();
    plane.star.Run(Seconds(5));
    auto numbers = plane.Coordinator().GetNumbers();
    ASSERT_GE(numbers.size(), 3U);
    EXPECT_LT(numbers.size(), BEATS / 2);
    // The last one has the place of those that were replaced, before the one that was not.
    EXPECT_EQ(numbers.back(), BEATS);
    numbers.pop_back();
    EXPECT_EQ(numbers.back(), BEATS - 1);
    numbers.pop_back();
    EXPECT_EQ(numbers, Count(numbers.size())) << "those that have left arrive in order";
    const auto sent = daemon.endpoint->GetSent().at(HeartbeatMessage::TYPE);
    const auto received = plane.Coordinator().endpoint->GetReceived().at(HeartbeatMessage::TYPE);
    EXPECT_EQ(sent.messages, received.messages);
    EXPECT_EQ(sent.bytes, received.bytes);
}

TEST(TcpControl, SharesAQueueWithData)
{
    // Two senders fill the queue to the coordinator, which drops.
    ControlPlane plane(Transport::TCP, {.hosts = 4, .queue = "50p"});
    plane.star.Start(2, 0, 0, 8'000'000);
    plane.star.Start(3, 0, 1, 8'000'000);
    auto& daemon = plane.Daemon();
    std::vector<Time> sent;
    daemon.onUp = [&](PeerId peer) {
        for (uint64_t i = 0; i < 100; ++i)
        {
            Simulator::Schedule(MicroSeconds(1000 * i), [&, i, peer] {
                sent.push_back(Simulator::Now());
                daemon.Beat(peer, i);
            });
        }
    };
    plane.Start();
    plane.star.Run(Seconds(5));
    ASSERT_EQ(plane.Coordinator().GetNumbers(), Count(100));
    // 50 packets at 1 Gbps last 600 us; the empty network takes some 21 us.
    int behindData = 0;
    for (std::size_t i = 0; i < 100; ++i)
    {
        behindData += plane.Coordinator().beats[i].at - sent[i] > MicroSeconds(100);
    }
    EXPECT_GT(behindData, 40);
}

TEST(TcpControl, TakesTheTimeOfTheWayWhenTheNetworkIsEmpty)
{
    ControlPlane plane(Transport::TCP);
    plane.Start();
    plane.star.Run(Seconds(1));
    const auto sent = Simulator::Now();
    plane.Daemon().Beat(plane.Daemon().ups[0].first, 0);
    plane.star.Run(Seconds(2));
    ASSERT_EQ(plane.Coordinator().beats.size(), 1U);
    const auto took = plane.Coordinator().beats[0].at - sent;
    // Two links of 5 us, and some 100 bytes twice at 8 ns each.
    EXPECT_GT(took, MicroSeconds(10));
    EXPECT_LT(took, MicroSeconds(13));
}

TEST(IdealControl, TakesNoTime)
{
    ControlPlane plane(Transport::IDEAL);
    plane.Start();
    plane.star.Run(Seconds(1));
    const auto sent = Simulator::Now();
    plane.Daemon().Beat(plane.Daemon().ups[0].first, 0);
    EXPECT_TRUE(plane.Coordinator().beats.empty()) << "but it is not a function call";
    plane.star.Run(Seconds(2));
    ASSERT_EQ(plane.Coordinator().beats.size(), 1U);
    EXPECT_EQ(plane.Coordinator().beats[0].at, sent);
}

TEST(IdealControl, TakesItsDelayAndKeepsTheOrder)
{
    // Both ends are up after one delay. What is sent every 0.7 ms, in twos, is under way for 2.5 ms
    // each, so that several are under way at a time.
    const auto delay = MicroSeconds(2500);
    ControlPlane plane(Transport::IDEAL);
    plane.SetAttribute("MessageDelay", TimeValue(delay));
    auto& daemon = plane.Daemon();
    daemon.onUp = [&](PeerId peer) {
        for (uint64_t i = 0; i < 100; ++i)
        {
            Simulator::Schedule(MicroSeconds(700 * (i / 2)),
                                [&, i, peer] { daemon.Beat(peer, i); });
        }
    };
    plane.Start();
    plane.star.Run(Seconds(1));
    ASSERT_EQ(daemon.ups.size(), 1U);
    EXPECT_EQ(daemon.ups[0].second, delay);
    EXPECT_EQ(plane.Coordinator().ups[0].second, delay);
    const auto& beats = plane.Coordinator().beats;
    ASSERT_EQ(plane.Coordinator().GetNumbers(), Count(100));
    for (uint64_t i = 0; i < 100; ++i)
    {
        EXPECT_EQ(beats[i].at, delay + MicroSeconds(700 * (i / 2)) + delay) << i;
    }
}

TEST(IdealControl, WhatIsUnderWayHasNotArrived)
{
    ControlPlane plane(Transport::IDEAL);
    plane.SetAttribute("MessageDelay", TimeValue(MilliSeconds(3)));
    plane.Start();
    plane.star.Run(MilliSeconds(10));
    auto& daemon = plane.Daemon();
    const auto peer = daemon.ups.at(0).first;
    EXPECT_TRUE(daemon.endpoint->HasDeliveredAll(peer)) << "nothing was sent";
    daemon.Beat(peer, 0);
    plane.star.Run(MicroSeconds(12'999));
    EXPECT_FALSE(daemon.endpoint->HasDeliveredAll(peer));
    EXPECT_TRUE(plane.Coordinator().beats.empty());
    plane.star.Run(MicroSeconds(13'001));
    EXPECT_TRUE(daemon.endpoint->HasDeliveredAll(peer));
    EXPECT_EQ(plane.Coordinator().beats.size(), 1U);
    // The last words of a process that dies arrive before the news of its death.
    daemon.Beat(peer, 1);
    daemon.endpoint->Stop();
    plane.star.Run(MilliSeconds(20));
    ASSERT_EQ(plane.Coordinator().beats.size(), 2U);
    ASSERT_EQ(plane.Coordinator().downs.size(), 1U);
    EXPECT_EQ(plane.Coordinator().beats[1].at, plane.Coordinator().downs[0].second);
}

TEST(ControlTos, IsThatOfTheDscp)
{
    ControlPlane plane(Transport::TCP);
    plane.SetAttribute("Dscp", UintegerValue(46));
    std::vector<uint8_t> dscps;
    for (uint32_t host : {0, 1})
    {
        plane.star.hosts.Get(host)->GetObject<Ipv4>()->TraceConnectWithoutContext(
            "SendOutgoing",
            Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t>(
                [&](const Ipv4Header& header, Ptr<const Packet>, uint32_t) {
                    dscps.push_back(header.GetDscp());
                }));
    }
    plane.Daemon().onUp = [&](PeerId peer) { plane.Daemon().Beat(peer, 0); };
    plane.Coordinator().onUp = [&](PeerId peer) { plane.Coordinator().Beat(peer, 0); };
    plane.Start();
    plane.star.Run(Seconds(1));
    EXPECT_GT(dscps.size(), 4U);
    EXPECT_EQ(std::count(dscps.begin(), dscps.end(), 46), std::ssize(dscps));
}
