/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs in which nothing can happen any more end, and say what coflows wait for; runs that are
// slow, or wait for what is planned, do not.

#include "central-fixture.h"
#include "coflow-program.h"

#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-stall-limit.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-watchdog.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Nanoseconds;
using ::coflow::Workload;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;

/// Two coflows, the second of which waits for the first.
Workload
ParentAndChild()
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back(MakeCoflow(1, {{0, 1, 1}, {1, 2, 0.1}}));
    workload.coflows.push_back(MakeCoflow(2, {{1, 0, 1}}));
    workload.coflows.back().parents = {1};
    return workload;
}

ExperimentConfig
Config(const std::string& scheduler, Nanoseconds watchdog, const Attributes& attributes = {})
{
    auto config = IdealConfig(scheduler, 3, attributes);
    config.watchdog = watchdog;
    return config;
}

/// @return the same, where the only link of host 1 fails for good; the switch is vertex 3
ExperimentConfig
WithoutALink(ExperimentConfig config, Time from)
{
    config.instrument = [from](const PacketCluster& cluster) -> std::shared_ptr<void> {
        const auto topology = cluster.GetFabric()->GetTopology();
        Simulator::Schedule(from, [topology] { topology->FailLink(1, 3); });
        return nullptr;
    };
    return config;
}

/// @return the lines of a result, one after the other
std::string
Waits(const ExperimentResult& result)
{
    std::string text;
    for (const auto& line : result.waits)
    {
        text += line + "\n";
    }
    return text;
}

void
ExpectComplete(const ExperimentResult& result)
{
    EXPECT_EQ(result.end, RunEnd::COMPLETE) << Waits(result);
    for (const auto& record : result.coflows)
    {
        EXPECT_TRUE(record.IsFinished()) << record.id;
    }
}

} // namespace

TEST(Watchdog, ARunOverALinkThatFailsForGoodEnds)
{
    const auto result =
        RunPacketExperiment(ParentAndChild(), WithoutALink(Config("fair", 5 * SECOND), Time()));
    EXPECT_EQ(result.end, RunEnd::STALLED);
    EXPECT_GE(result.simulatedSeconds, 5);
    EXPECT_LE(result.simulatedSeconds, 7.5);
    const auto waits = Waits(result);
    EXPECT_NE(waits.find("coflow 1: registered"), std::string::npos) << waits;
    EXPECT_NE(waits.find("flow 0, host 0 to 1: 1250000 of 1250000 bytes left"), std::string::npos)
        << waits;
    EXPECT_NE(waits.find("coflow 2: waits for its parents 1\n"), std::string::npos) << waits;
    EXPECT_NE(waits.find("cause: no path, as links have failed: 2 flows, the first one flow 0 of "
                         "coflow 1, host 0 to 1"),
              std::string::npos)
        << waits;
    EXPECT_NE(waits.find("the run waits for 5.000 s: --watchdog"), std::string::npos) << waits;
    EXPECT_EQ(waits.find("cause: rates of zero"), std::string::npos) << waits;
}

TEST(Watchdog, FlowsWithoutAPortAreTold)
{
    auto config = Config("fair", 5 * SECOND);
    config.instrument = [](const PacketCluster& cluster) -> std::shared_ptr<void> {
        const auto ports = HostPorts::Of(cluster.GetFabric()->GetHosts().Get(0));
        while (ports->Take() != 0)
        {
        }
        return nullptr;
    };
    const auto waits = Waits(RunPacketExperiment(ParentAndChild(), config));
    EXPECT_NE(waits.find("cause: no port, as others keep all ports of the host: 1 flows, the first "
                         "one flow 0 of coflow 1, host 0 to 1"),
              std::string::npos)
        << waits;
    EXPECT_NE(waits.find("bytes left, waits for a port"), std::string::npos) << waits;
}

TEST(Watchdog, ConnectionsThatDoNotOpenAreTold)
{
    auto config = Config("fair", 5 * SECOND);
    config.instrument = [](const PacketCluster& cluster) -> std::shared_ptr<void> {
        cluster.GetHosts()[1].sink->SetStopTime(NanoSeconds(1)); // nobody listens
        return nullptr;
    };
    const auto waits = Waits(RunPacketExperiment(ParentAndChild(), config));
    EXPECT_NE(waits.find("cause: no handshake, as no SYN was answered in time: 1 flows, the first "
                         "one flow 0 of coflow 1, host 0 to 1"),
              std::string::npos)
        << waits;
    EXPECT_NE(waits.find("bytes left, its connection is not open"), std::string::npos) << waits;
}

TEST(Watchdog, RatesOfZeroAreTold)
{
    auto config = Config("fair", 5 * SECOND);
    config.instrument = [](const PacketCluster& cluster) -> std::shared_ptr<void> {
        Simulator::Schedule(MilliSeconds(50), [source = cluster.GetHosts()[0].source] {
            source->SetRateLimit({1, 0}, RateLimit::Paused());
        });
        return nullptr;
    };
    const auto waits = Waits(RunPacketExperiment(ParentAndChild(), config));
    EXPECT_NE(waits.find("cause: rates of zero, as the scheduler lets them send nothing: 1 flows, "
                         "the first one flow 0 of coflow 1, host 0 to 1"),
              std::string::npos)
        << waits;
    EXPECT_EQ(waits.find("cause: no"), std::string::npos) << waits;
}

TEST(Watchdog, WhatIsSaidTwiceIsNoProgress)
{
    const auto workload = ParentAndChild();
    const auto tracker = CreateObject<CoflowTracker>();
    tracker->Expect(workload, ::coflow::PortRates::Uniform(3, 1e9));
    tracker->NotifyReleased(1);
    tracker->NotifyRegistered(1, true);
    EXPECT_EQ(tracker->GetNEvents(), 2U);
    tracker->NotifyRegistered(1, true); // with a coordinator that has forgotten it
    EXPECT_EQ(tracker->GetNEvents(), 2U);
    Simulator::Destroy();
}

TEST(Watchdog, MessagesThatAreLostOftenAreWaitedFor)
{
    // Every coflow ends at another host than its driver's, which hears of that in a message. Of
    // ten packets nine are lost, so that it takes a hundred tries of up to a second each.
    Workload workload;
    workload.hosts = 3;
    for (::coflow::CoflowId id = 1; id <= 6; ++id)
    {
        workload.coflows.push_back(MakeCoflow(id, {{0, 1, 0.1}}));
        if (id > 1)
        {
            workload.coflows.back().parents = {id - 1};
        }
    }
    auto config = IdealConfig("fair", 3, {{"controlTransport", "tcp"}, {"controlLossRate", "0.9"}});
    config.stop.reset();
    ExpectComplete(RunPacketExperiment(workload, config));
    // With less patience it says that the driver, not the network, has yet to hear.
    config.watchdog = SECOND / 1000;
    const auto waits = Waits(RunPacketExperiment(workload, config));
    EXPECT_NE(waits.find("coflow 2: waits for its parents 1 (finished at 0.0"), std::string::npos)
        << waits;
    EXPECT_NE(waits.find("of which its driver has not heard)"), std::string::npos) << waits;
}

TEST(Watchdog, ItsDefaultIsTold)
{
    auto config = WithoutALink(IdealConfig("fair", 3), Time());
    config.stop.reset();
    const auto waits = Waits(RunPacketExperiment(ParentAndChild(), config));
    EXPECT_NE(waits.find("four times the sum of all timers of the run, of which the longest are "),
              std::string::npos)
        << waits;
    EXPECT_NE(waits.find("MaxRto (1.000 s)"), std::string::npos) << waits;
}

TEST(Watchdog, WhatHasArrivedBeforeIsInTheResult)
{
    // A part of the first flow goes through before.
    const auto config = WithoutALink(Config("fair", 5 * SECOND), Seconds(0.05));
    const auto result = RunPacketExperiment(ParentAndChild(), config);
    EXPECT_EQ(result.end, RunEnd::STALLED);
    const auto waits = Waits(result);
    EXPECT_NE(waits.find("the last byte delivered at 0.05"), std::string::npos) << waits;
    EXPECT_NE(waits.find("without a limit"), std::string::npos) << waits;
}

TEST(Watchdog, ARegistrationWithoutAnAnswerIsTold)
{
    const auto result = RunPacketExperiment(ParentAndChild(),
                                            Config("varys",
                                                   5 * SECOND,
                                                   {{"controlTransport", "tcp"},
                                                    {"coordinatorFailAt", "1ns"},
                                                    {"masterTimeout", "1e6s"}}));
    EXPECT_EQ(result.end, RunEnd::STALLED);
    const auto waits = Waits(result);
    EXPECT_NE(waits.find("coflow 1: its registration has no answer; the coordinator is dead"),
              std::string::npos)
        << waits;
}

TEST(Watchdog, WhatIsPlannedIsWaitedFor)
{
    auto late = ParentAndChild();
    late.coflows[0].arrival = 30 * SECOND;
    late.coflows[1].arrival = 30 * SECOND;
    ExpectComplete(RunPacketExperiment(late, Config("varys", SECOND)));
    ExpectComplete(RunPacketExperiment(
        ParentAndChild(),
        Config("varys", SECOND, {{"getJitter", "ns3::ConstantRandomVariable[Constant=30]"}})));
    ExpectComplete(RunPacketExperiment(ParentAndChild(),
                                       Config("varys",
                                              2 * SECOND,
                                              {{"controlTransport", "tcp"},
                                               {"coordinatorFailAt", "1ns"},
                                               {"coordinatorDownTime", "30s"},
                                               {"masterTimeout", "1e6s"}})));
}

TEST(Watchdog, WhatIsPlannedCostsNoLooks)
{
    // A coflow is to arrive after a year. Looks at every second of it took half a minute.
    const Time year = Seconds(3e7);
    bool stalled = false;
    Watchdog watchdog(
        CreateObject<CoflowTracker>(),
        {},
        [] { return Seconds(4); },
        [year] { return year; },
        [&stalled] { stalled = true; });
    Simulator::Run();
    EXPECT_TRUE(stalled) << "nothing has come";
    EXPECT_LT(watchdog.GetNEvents(), 20U);
    EXPECT_GE(Simulator::Now(), year + Seconds(4));
    EXPECT_LE(Simulator::Now(), year + Seconds(6));
    Simulator::Destroy();
}

TEST(Watchdog, OnlySlowRunsGoOn)
{
    // 125 kB at 100 kbit/s take 10 s, a segment 0.12 s.
    auto config = Config("fair", 2 * SECOND, {{"linkRate", "100kbps"}});
    Workload workload;
    workload.hosts = 2;
    workload.coflows.push_back(MakeCoflow(1, {{0, 1, 0.1}}));
    config.stop = 400 * SECOND;
    ExpectComplete(RunPacketExperiment(workload, config));
}

TEST(Watchdog, ACoordinatorThatIsLateIsWaitedFor)
{
    // A coflow's six messages wait behind those of 60 daemons, of which each takes half a second.
    Workload workload;
    workload.hosts = 60;
    workload.coflows.push_back(MakeCoflow(1, {{0, 1, 1}}));
    const auto config = IdealConfig("varys",
                                    60,
                                    {{"messageTime", "0.5s"},
                                     {"heartbeat", "0.1s"},
                                     {"masterTimeout", "1e6s"},
                                     {"rebuildTime", "1e6s"},
                                     {"daemonTimeout", "1s"}});
    auto patient = config;
    patient.stop = 10000 * SECOND;
    const auto result = RunPacketExperiment(workload, patient);
    ExpectComplete(result);
    const PacketCluster cluster(config);
    EXPECT_GT(result.simulatedSeconds,
              1.5 * StallLimit(workload, cluster).Get(cluster).GetSeconds());
}

class WatchdogProgram : public ::coflow::test::ProgramTest
{
};

TEST_F(WatchdogProgram, EndsWithStatusThreeAndWritesWhatHasFinished)
{
    const std::string run = "--generate=incast,senders=3,bytes=1e6 --topology=big-switch --hosts=4 "
                            "--scheduler=varys --bypassBytes=0 --coordinatorFailAt=1ns "
                            "--masterTimeout=1e6s ";
    const auto ended =
        Run("coflow-replay", run + "--watchdog=2s --out=" + m_folder.string() + "/r");
    EXPECT_EQ(ended.status, 3);
    EXPECT_NE(ended.err.find("1 coflows unfinished: 1"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("nothing has happened since"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("its registration has no answer"), std::string::npos) << ended.err;
    const auto summary = ::coflow::test::ReadFile(m_folder / "r" / "summary.json");
    EXPECT_NE(summary.find("\"reason\": \"stalled\""), std::string::npos);
    EXPECT_NE(::coflow::test::ReadFile(m_folder / "r" / "coflows.csv"), "");
    const auto stopped = Run("coflow-replay", run + "--watchdog=no --stop=10");
    EXPECT_EQ(stopped.status, 3);
    EXPECT_EQ(stopped.err.find("nothing has happened"), std::string::npos) << stopped.err;
    const auto bad = Run("coflow-replay", run + "--watchdog=soon");
    EXPECT_EQ(bad.status, 2);
    EXPECT_NE(bad.err.find("option --watchdog is 'soon'; allowed: no, or a time"),
              std::string::npos)
        << bad.err;
}

TEST(Watchdog, ItCanBeSwitchedOff)
{
    auto config = WithoutALink(Config("fair", 0), Time());
    config.stop = 100 * SECOND;
    const auto result = RunPacketExperiment(ParentAndChild(), config);
    EXPECT_EQ(result.end, RunEnd::STOPPED);
    EXPECT_TRUE(result.waits.empty());
    EXPECT_NEAR(result.simulatedSeconds, 100, 1e-6);
}

TEST(Watchdog, TheDefaultLimitFollowsTheTimersOfTheRun)
{
    auto workload = ParentAndChild();
    const auto limit = [&workload](const std::string& scheduler, const Attributes& attributes) {
        const auto config = IdealConfig(scheduler, 3, attributes);
        const PacketCluster cluster(config);
        return StallLimit(workload, cluster).Get(cluster).GetSeconds();
    };
    const double usual = limit("varys", {});
    // Four times as much as each of them.
    EXPECT_NEAR(limit("varys", {{"daemonTimeout", "70s"}}), usual + 40, 1e-6);
    EXPECT_NEAR(limit("varys", {{"readyTimeout", "5s"}}), usual + 20, 1e-6);
    EXPECT_NEAR(limit("varys", {{"T", "3"}}), usual + 4, 1e-6);
    EXPECT_NEAR(limit("varys", {{"maxRto", "2s"}}), usual + 4, 1e-6);
    // 1000 packets of 1500 bytes take 0.12 s at 100 Mbit/s, 12 s at 1 Mbit/s, and TCP's timers
    // follow the slow link.
    EXPECT_GE(limit("varys", {{"hostRates", "1=1Mbps"}}), usual + 4 * (12 - 0.12));
    EXPECT_LT(limit("fair", {}), 30);
    workload.coflows[1].deadline = 9 * SECOND;
    EXPECT_NEAR(limit("varys", {}), usual + 36, 1e-6);
}
