/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The parts of a coordinator, and a daemon that talks to a coordinator of the test's own.

#include "central-fixture.h"

#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-clairvoyant-daemon.h"
#include "ns3/coflow-rate-dispatcher.h"
#include "ns3/coflow-run-queue.h"
#include "ns3/coflow-size-access.h"
#include "ns3/coflow-varys.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

/// Ends the simulation with a test.
class ControlParts : public testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }
};

using Told = std::vector<std::pair<HostId, std::vector<uint64_t>>>;

/// A dispatcher, and what it told: host, rates.
struct Dispatched
{
    RateDispatcher dispatcher{[this](HostId host, const UpdatedRatesMessage& message) {
                                  std::vector<uint64_t> rates;
                                  for (const auto& record : message.records)
                                  {
                                      rates.push_back(record.bitsPerSecond);
                                  }
                                  told.emplace_back(host, rates);
                                  if (reachable && !waits)
                                  {
                                      Apply(host, message);
                                  }
                                  return reachable;
                              },
                              [this](HostId) { return waits; },
                              [this] { return ++schedule; }};
    Told told;
    uint64_t schedule{0};
    bool reachable{true};
    bool waits{false};

    /// What hosts have made of messages: rates, and the number of the last message.
    std::map<HostId, std::pair<uint64_t, std::map<FlowKey, uint64_t>>> hosts;

    void Apply(HostId host, const UpdatedRatesMessage& message)
    {
        auto& [number, rates] = hosts[host];
        if (message.since == 0)
        {
            rates.clear();
        }
        else
        {
            EXPECT_EQ(message.since, number);
        }
        number = message.schedule;
        for (const auto& record : message.records)
        {
            rates[record.key] = record.bitsPerSecond;
            if (record.bitsPerSecond == 0)
            {
                rates.erase(record.key);
            }
        }
    }

    Told Take()
    {
        return std::exchange(told, {});
    }
};

RateRecord
Rate(::coflow::FlowId flow, uint64_t rate)
{
    return {{1, flow}, rate};
}

/// Endpoint of a coordinator that the test plays, on host 0, and a daemon on host 1.
class PlayedCoordinator
{
  public:
    explicit PlayedCoordinator(bool mayKnowSizes, const Attributes& attributes = {})
        : m_cluster(IdealConfig("fair", 4)),
          endpoint(CreateObject<ControlEndpoint>()),
          daemon(mayKnowSizes ? Ptr<CentralDaemon>(CreateObject<ClairvoyantDaemon>())
                              : CreateObject<CentralDaemon>())
    {
        if (mayKnowSizes)
        {
            DynamicCast<ClairvoyantDaemon>(daemon)->SetSizeAccess(
                SizeAccess::Of<::coflow::Varys>());
        }
        const auto& nodes = m_cluster.GetFabric()->GetHosts();
        endpoint->SetNode(nodes.Get(0));
        endpoint->Start();
        endpoint->Listen(ControlEndpoint::DEFAULT_PORT);
        endpoint->SetPeerUpCallback([this](ControlEndpoint::PeerId up) { peer = up; });
        endpoint->On<AddFlowsMessage>(
            [this](ControlEndpoint::PeerId, const AddFlowsMessage& message) {
                puts.insert(puts.end(), message.records.begin(), message.records.end());
                ++putMessages;
            });
        daemon->SetAttribute("ControlBatch", StringValue("1ms"));
        for (const auto& [name, value] : attributes)
        {
            daemon->SetAttribute(name, StringValue(value));
        }
        auto other = CreateObject<ControlEndpoint>();
        other->SetNode(nodes.Get(1));
        daemon->SetHost(1, m_cluster.GetHosts()[1].source, m_cluster.GetHosts()[1].sink);
        daemon->SetUp(other, Fabric::GetHostAddress(0));
        nodes.Get(1)->AddApplication(daemon);
    }

    /// Puts a flow to host 2.
    void Put(::coflow::FlowId flow, uint64_t bytes) const
    {
        CoflowSource::FlowRequest request;
        request.coflowId = 1;
        request.flowId = flow;
        request.dst = Fabric::GetHostAddress(2);
        request.bytes = bytes;
        daemon->Put({1, true}, request);
    }

    void Tell(const std::vector<RateRecord>& rates, uint64_t schedule, uint64_t since = 0) const
    {
        UpdatedRatesMessage message(rates);
        message.schedule = schedule;
        message.since = since;
        endpoint->Send(peer, message);
    }

    uint64_t Written(::coflow::FlowId flow) const
    {
        const auto progress = m_cluster.GetHosts()[1].source->GetProgress({1, flow});
        return progress ? progress->written : 0;
    }

    static void Run(double until)
    {
        Simulator::Stop(Seconds(until) - Simulator::Now());
        Simulator::Run();
    }

  private:
    PacketCluster m_cluster;

  public:
    Ptr<ControlEndpoint> endpoint;
    Ptr<CentralDaemon> daemon;
    ControlEndpoint::PeerId peer{0};
    std::vector<PutRecord> puts;
    int putMessages{0};
};

} // namespace

TEST_F(ControlParts, HostsAreToldWhatIsNew)
{
    Dispatched d;
    d.dispatcher.Dispatch({{1, {Rate(0, 10), Rate(1, 20)}}, {2, {Rate(2, 5)}}});
    EXPECT_EQ(d.Take(), (Told{{1, {10, 20}}, {2, {5}}}));
    d.dispatcher.Dispatch({{1, {Rate(0, 10), Rate(1, 30)}}, {2, {Rate(2, 5)}}});
    EXPECT_EQ(d.Take(), (Told{{1, {30}}})) << "the one that has changed";
    d.dispatcher.Dispatch({{1, {Rate(0, 10), Rate(1, 30)}}});
    EXPECT_EQ(d.Take(), (Told{{2, {}}})) << "its flow left: it has no rate";
    EXPECT_EQ(d.schedule, 3U) << "a number a schedule";
    d.dispatcher.Dispatch({{1, {Rate(0, 11), Rate(1, 31)}}});
    EXPECT_EQ(d.Take(), (Told{{1, {11, 31}}})) << "all have changed";
    d.dispatcher.Dispatch({{1, {Rate(0, 11)}}});
    EXPECT_EQ(d.Take(), (Told{{1, {11}}})) << "as long as to say that the other has none";
    EXPECT_EQ(d.hosts[1].second, (std::map<FlowKey, uint64_t>{{{1, 0}, 11}}));
    d.dispatcher.Dispatch({{1, {Rate(0, 11), Rate(1, 30), Rate(2, 40)}}});
    d.dispatcher.Dispatch({{1, {Rate(0, 11), Rate(2, 40)}}});
    EXPECT_EQ(d.Take().back(), (Told::value_type{1, {0}})) << "one has none any more";
}

TEST_F(ControlParts, HostsAreToldAllWhileSomethingWaitsOrIsUnknown)
{
    Dispatched d;
    const auto both = [](uint64_t rate) { return RateMaps{{1, {Rate(0, 10), Rate(1, rate)}}}; };
    d.dispatcher.Dispatch(both(20));
    d.Take();
    d.waits = true;
    d.dispatcher.Dispatch(both(30));
    EXPECT_EQ(d.Take(), (Told{{1, {10, 30}}})) << "takes the place of what waits";
    d.waits = false;
    d.dispatcher.Forget(1);
    d.dispatcher.Dispatch(both(30));
    EXPECT_EQ(d.Take(), (Told{{1, {10, 30}}})) << "its connection is a new one";
    d.reachable = false;
    d.dispatcher.Dispatch(both(40));
    d.reachable = true;
    d.Take();
    d.dispatcher.Dispatch(both(50));
    EXPECT_EQ(d.Take(), (Told{{1, {50}}})) << "since what it was told, not since what it was not";
}

TEST_F(ControlParts, ChangesMakeTheSameRatesAsWholeMaps)
{
    Dispatched d;
    std::mt19937 random(1);
    const auto draw = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    RateMaps maps;
    std::size_t changes = 0;
    for (int round = 0; round < 2000; ++round)
    {
        for (HostId host = 0; host < 3; ++host)
        {
            std::map<::coflow::FlowId, uint64_t> rates;
            for (const auto& record : maps[host])
            {
                rates[record.key.flowId] = record.bitsPerSecond;
            }
            for (uint32_t i = draw(4); i > 0; --i)
            {
                const auto flow = draw(10);
                const uint64_t rate = draw(3);
                rate > 0 ? rates[flow] = rate : rates.erase(flow);
            }
            maps[host].clear();
            for (const auto& [flow, rate] : rates)
            {
                maps[host].push_back(Rate(flow, rate));
            }
        }
        const auto lost = draw(20);
        if (lost < 3)
        {
            d.dispatcher.Forget(lost);
            d.hosts.erase(lost);
        }
        if (!maps[0].empty() && draw(5) == 0)
        {
            const auto key = maps[0].front().key;
            maps[0].erase(maps[0].begin());
            d.dispatcher.FlowDone(0, key);
            d.hosts[0].second.erase(key);
        }
        d.dispatcher.Dispatch(maps);
        for (const auto& [host, map] : maps)
        {
            std::map<FlowKey, uint64_t> expected;
            for (const auto& record : map)
            {
                expected[record.key] = record.bitsPerSecond;
            }
            ASSERT_EQ(d.hosts[host].second, expected) << "host " << host << ", round " << round;
        }
        for (const auto& [host, rates] : d.Take())
        {
            changes += rates.size() < maps[host].size() ? 1 : 0;
        }
    }
    EXPECT_GT(changes, 2000U) << "most messages are changes";
}

TEST_F(ControlParts, AFlowThatIsDoneIsNoNews)
{
    Dispatched d;
    d.dispatcher.Dispatch({{1, {Rate(0, 10), Rate(1, 20)}}});
    d.Take();
    d.dispatcher.FlowDone(1, {1, 0});
    d.dispatcher.Dispatch({{1, {Rate(1, 20)}}});
    EXPECT_EQ(d.Take(), Told());
    d.dispatcher.Forget(1);
    d.dispatcher.Dispatch({{1, {Rate(1, 20)}}});
    EXPECT_EQ(d.Take(), (Told{{1, {20}}}));
}

TEST_F(ControlParts, WhoCannotBeReachedIsToldAgain)
{
    Dispatched d;
    d.reachable = false;
    EXPECT_EQ(d.dispatcher.Dispatch({{1, {Rate(0, 10)}}}), 0U);
    d.Take();
    d.reachable = true;
    EXPECT_EQ(d.dispatcher.Dispatch({{1, {Rate(0, 10)}}}), 1U);
}

TEST_F(ControlParts, RequestsDuringARunGetOneMoreRun)
{
    std::vector<int64_t> begun;
    std::vector<int64_t> ended;
    const auto now = [] { return Simulator::Now().GetMilliSeconds(); };
    RunQueue runs(
        MilliSeconds(10),
        [&] { begun.push_back(now()); },
        [&] { ended.push_back(now()); });
    for (const int at : {0, 0, 3, 7, 30})
    {
        Simulator::Schedule(MilliSeconds(at), [&runs] { runs.Request(); });
    }
    Simulator::Schedule(MilliSeconds(50), [&runs] { runs.Request(MilliSeconds(8)); });
    Simulator::Schedule(MilliSeconds(52), [&runs] { runs.Request(MilliSeconds(20)); });
    Simulator::Schedule(MilliSeconds(80), [&runs] { runs.SetTimer(MilliSeconds(90)); });
    Simulator::Schedule(MilliSeconds(85), [&runs] { runs.SetTimer(MilliSeconds(95)); });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    EXPECT_EQ(begun, (std::vector<int64_t>{0, 10, 30, 58, 95}));
    EXPECT_EQ(ended, (std::vector<int64_t>{10, 20, 40, 68, 105}));
}

TEST_F(ControlParts, NoRunBeginsWhileTheQueueIsHeld)
{
    std::vector<int64_t> begun;
    std::vector<int64_t> ended;
    const auto now = [] { return Simulator::Now().GetMilliSeconds(); };
    auto queue = std::make_unique<RunQueue>(
        MilliSeconds(10),
        [&] { begun.push_back(now()); },
        [&] { ended.push_back(now()); });
    auto& runs = *queue;
    const auto at = [](int time, std::function<void()> what) {
        Simulator::Schedule(MilliSeconds(time), what);
    };
    // A run that is being computed goes on. What asks meanwhile, a timer too, gets one run.
    at(0, [&] { runs.Request(); });
    at(5, [&] { runs.Hold(); });
    at(7, [&] { runs.Request(); });
    at(12, [&] { runs.Request(MilliSeconds(3)); });
    at(13, [&] { runs.SetTimer(MilliSeconds(20)); });
    at(30, [&] { runs.Hold(); });
    at(40, [&] { runs.Resume(); });
    at(50, [&] { runs.Resume(); });
    // Nobody has asked.
    at(70, [&] { runs.Hold(); });
    at(80, [&] { runs.Resume(); });
    // While a run is computed, its end is what is waited for.
    at(100, [&] { runs.Request(); });
    at(101, [&] { runs.Hold(); });
    at(102, [&] { runs.Request(); });
    at(103, [&] { runs.Resume(); });
    // A queue that is gone neither ends its run nor begins those that were asked for.
    at(130, [&] { runs.Request(); });
    at(131, [&] { runs.Request(MilliSeconds(20)); });
    at(132, [&] { runs.SetTimer(MilliSeconds(160)); });
    at(135, [&] { queue.reset(); });
    Simulator::Run();
    EXPECT_EQ(begun, (std::vector<int64_t>{0, 50, 100, 110, 130}));
    EXPECT_EQ(ended, (std::vector<int64_t>{10, 60, 110, 120}));
}

TEST_F(ControlParts, ADaemonSaysSizesOnlyWhereItMay)
{
    for (const bool say : {true, false})
    {
        PlayedCoordinator coordinator(say);
        coordinator.Run(0.1);
        coordinator.Put(0, 5000);
        coordinator.Put(1, 6000);
        coordinator.Run(0.2);
        ASSERT_EQ(coordinator.puts.size(), 2U);
        EXPECT_EQ(coordinator.putMessages, 1) << "they are told together";
        EXPECT_EQ(coordinator.puts[0].bytes.has_value(), say);
        EXPECT_EQ(coordinator.puts[1].bytes.value_or(6000), 6000U);
    }
}

TEST_F(ControlParts, ADaemonIgnoresSchedulesThatAreNotNewer)
{
    PlayedCoordinator coordinator(true, {{"MasterTimeout", "100s"}});
    coordinator.Run(0.1);
    coordinator.Put(0, 10'000'000);
    coordinator.Put(1, 10'000'000);
    coordinator.Run(0.2);
    EXPECT_EQ(coordinator.Written(0) + coordinator.Written(1), 0U) << "no schedule yet";
    coordinator.Tell({Rate(0, 40'000'000)}, 5);
    coordinator.Run(0.4);
    // 40 Mbit/s for 0.2 s are 1 MB.
    EXPECT_NEAR(static_cast<double>(coordinator.Written(0)), 1e6, 1e5);
    EXPECT_EQ(coordinator.Written(1), 0U);
    coordinator.Tell({Rate(1, 40'000'000)}, 5);
    coordinator.Tell({Rate(1, 40'000'000)}, 4);
    coordinator.Run(0.5);
    EXPECT_EQ(coordinator.Written(1), 0U);
    coordinator.Tell({Rate(1, 40'000'000)}, 6);
    coordinator.Run(0.6);
    const auto paused = coordinator.Written(0);
    EXPECT_GT(coordinator.Written(1), 400'000U);
    coordinator.Run(0.7);
    EXPECT_EQ(coordinator.Written(0), paused) << "what is not in the map has no rate";
}

TEST_F(ControlParts, ADaemonFailsOpenWhenTheCoordinatorIsSilent)
{
    PlayedCoordinator coordinator(true, {{"MasterTimeout", "500ms"}});
    coordinator.Run(0.1);
    coordinator.Put(0, 20'000'000);
    coordinator.Run(0.4);
    EXPECT_FALSE(coordinator.daemon->IsAlone());
    EXPECT_EQ(coordinator.Written(0), 0U);
    coordinator.Run(0.8);
    EXPECT_TRUE(coordinator.daemon->IsAlone());
    EXPECT_GT(coordinator.Written(0), 1'000'000U);
    coordinator.Tell({Rate(0, 8'000'000)}, 1);
    coordinator.Run(0.9);
    EXPECT_FALSE(coordinator.daemon->IsAlone());
    const auto before = coordinator.Written(0);
    coordinator.Run(1.0);
    EXPECT_LT(coordinator.Written(0) - before, 150'000U) << "8 Mbit/s for 0.1 s are 100 kB";
}

TEST_F(ControlParts, AMessageOfChangesBringsBackTheRatesThatItDoesNotName)
{
    // The daemon hears nothing for 0.7 s, and sends without limits. The message that it hears then
    // changes the rate of flow 0 alone. Flow 1 is written at its own again, or not yet, while TCP
    // has too much of it; without a limit it would be ten times as fast.
    PlayedCoordinator coordinator(false, {{"MasterTimeout", "600ms"}});
    Simulator::Schedule(MilliSeconds(10), [&] {
        coordinator.Put(0, 100'000'000);
        coordinator.Put(1, 100'000'000);
    });
    const std::vector<RateRecord> both{Rate(0, 8'000'000), Rate(1, 8'000'000)};
    Simulator::Schedule(MilliSeconds(50), [&] { coordinator.Tell(both, 1); });
    PlayedCoordinator::Run(0.75);
    EXPECT_GT(coordinator.Written(1), 900'000U) << "8 Mbit/s were 0.7 MB";
    coordinator.Tell({Rate(0, 16'000'000)}, 2, 1);
    PlayedCoordinator::Run(1.1);
    const uint64_t before = coordinator.Written(1);
    PlayedCoordinator::Run(1.3);
    EXPECT_LT(static_cast<double>(coordinator.Written(1) - before), 8e6 / 8 * 0.2 + 5000);
}

TEST_F(ControlParts, AFlowThatComesAfterItsRateGetsItWithTheNextMessage)
{
    PlayedCoordinator coordinator(false);
    Simulator::Schedule(MilliSeconds(10), [&] { coordinator.Put(0, 1'000'000); });
    Simulator::Schedule(MilliSeconds(50),
                        [&] { coordinator.Tell({Rate(0, 8'000'000), Rate(1, 8'000'000)}, 1); });
    Simulator::Schedule(MilliSeconds(60), [&] { coordinator.Put(1, 1'000'000); });
    PlayedCoordinator::Run(0.1);
    EXPECT_EQ(coordinator.Written(1), 0U);
    coordinator.Tell({Rate(0, 16'000'000)}, 2, 1);
    PlayedCoordinator::Run(0.2);
    EXPECT_NEAR(static_cast<double>(coordinator.Written(1)), 8e6 / 8 * 0.1, 5000);
}
