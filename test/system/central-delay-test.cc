/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What control costs: small coflows pay for delays first, bypassing repairs them; nobody starves;
// admission is what it is for fluids; the coordinator's link is a bottleneck.

#include "central-fixture.h"

#include "ns3/coflow-generator.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <gtest/gtest.h>
#include <optional>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

/// Large coflows that keep two ports busy, and small ones among them.
Workload
LargeAndSmall()
{
    Workload workload;
    workload.hosts = 4;
    for (int i = 0; i < 6; ++i)
    {
        const auto id = static_cast<::coflow::CoflowId>(i);
        workload.coflows.push_back(
            MakeCoflow(10 + id, {{0, 2, 1.5}, {1, 3, 1.5}, {0, 3, 0.5}}, 2.5 * i));
        workload.coflows.push_back(MakeCoflow(20 + id, {{0, 2, 0.04}, {1, 2, 0.04}}, 2.5 * i + 1));
    }
    return workload;
}

struct Means
{
    double large{0};
    double small{0};
};

/// Mean completion times in units.
Means
MeansOf(const ExperimentResult& result)
{
    Means means;
    for (const auto& [id, cct] : Ccts(result))
    {
        EXPECT_GT(cct, 0) << "coflow " << id;
        (id >= 20 ? means.small : means.large) += cct / 6;
    }
    return means;
}

Workload
WithDeadlines(unsigned seed)
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(random);
    };
    Workload workload;
    workload.hosts = 4;
    double arrival = 0;
    for (::coflow::CoflowId id = 1; id <= 5; ++id)
    {
        std::vector<UnitFlow> flows;
        const int count = draw(1, 3);
        double load = 0;
        for (int i = 0; i < count; ++i)
        {
            const auto src = static_cast<::coflow::HostId>(draw(0, 3));
            const auto dst = static_cast<::coflow::HostId>((src + draw(1, 3)) % 4);
            flows.push_back({src, dst, 0.01 * draw(20, 80)});
            load += flows.back().size;
        }
        auto coflow = MakeCoflow(id, flows, arrival);
        coflow.deadline = static_cast<::coflow::Nanoseconds>(load * 0.01 * draw(90, 220) * UNIT);
        workload.coflows.push_back(coflow);
        arrival += 0.01 * draw(1, 40);
    }
    return workload;
}

} // namespace

TEST(CentralDelay, SmallCoflowsPayFirstAndBypassingRepairsThem)
{
    const auto workload = LargeAndSmall();
    const auto ideal = MeansOf(RunPacketExperiment(workload, IdealConfig("varys", 5)));
    auto before = ideal;
    for (const auto& [delay, units] : std::vector<std::pair<std::string, double>>{{"0.1ms", 0.001},
                                                                                  {"1ms", 0.01},
                                                                                  {"10ms", 0.1},
                                                                                  {"100ms", 1}})
    {
        const auto late = MeansOf(
            RunPacketExperiment(workload, IdealConfig("varys", 5, {{"dispatchDelay", delay}})));
        EXPECT_GT(late.small, before.small) << delay;
        EXPECT_GT(late.small - ideal.small, 0.9 * units) << "they wait that long for a rate";
        EXPECT_GT(late.small / ideal.small, late.large / ideal.large) << delay;
        const auto bypassed = MeansOf(RunPacketExperiment(
            workload,
            IdealConfig("varys", 5, {{"dispatchDelay", delay}, {"bypassBytes", "125e3"}})));
        EXPECT_LT(bypassed.small, 3 * ideal.small) << "they share with others, but do not wait";
        before = late;
    }
}

TEST(CentralDelay, BypassedCoflowsAreMarkedInTheRecords)
{
    const auto result =
        RunPacketExperiment(LargeAndSmall(), IdealConfig("varys", 5, {{"bypassBytes", "125e3"}}));
    for (const auto& record : result.coflows)
    {
        EXPECT_EQ(record.bypassed, record.id >= 20) << "coflow " << record.id;
        EXPECT_TRUE(record.admitted);
    }
}

TEST(CentralDelay, AStarvedCoflowIsServedEveryTAndDelta)
{
    // Small coflows always want the one port that the large one needs.
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back(MakeCoflow(1, {{0, 1, 8}}));
    for (int i = 0; i < 30; ++i)
    {
        workload.coflows.push_back(
            MakeCoflow(100 + static_cast<::coflow::CoflowId>(i), {{2, 1, 0.5}}, 0.01 + 0.4 * i));
    }
    const auto written = [&](const std::string& t) {
        auto config = IdealConfig("varys", 4, {{"T", t}, {"delta", "100ms"}});
        PacketCluster cluster(config);
        cluster.GetDriver()->Start(workload, cluster.GetAgents());
        Simulator::Stop(Seconds(1.2));
        Simulator::Run();
        return cluster.GetHosts()[0].source->GetProgress({1, 0})->written;
    };
    EXPECT_LT(written("0"), UNIT_BYTES / 10) << "it had the port for a moment";
    // It had a rate in the first interval; then it has the port twice for 0.1 s.
    EXPECT_GT(written("300ms"), 2 * 0.8 * KAPPA * UNIT_BYTES);
}

// T is over at every run, and then Varys keeps its rates if nothing has happened since the last
// one.
TEST(CentralDelay, AFlowThatIsDoneIsAnEventIfOneWantsThat)
{
    const Attributes attributes{{"onFlowCompletion", "always"},
                                {"T", "0.001"},
                                {"delta", "0.0001"},
                                {"computeDelay", "5ms"},
                                {"minFlowRate", "10Mbps"},
                                {"backfill", "false"}};
    // MADD would have the second flow at 50 kbps. That is below the least rate: it waits for the
    // first one, which takes a unit.
    Workload workload{5, {MakeCoflow(1, {{0, 1, 1}, {0, 1, 0.0005}})}};
    for (const bool another : {false, true})
    {
        if (another)
        {
            workload.coflows.push_back(MakeCoflow(2, {{3, 4, 3}}));
        }
        const auto ccts = Ccts(RunPacketExperiment(workload, IdealConfig("varys", 6, attributes)));
        EXPECT_NEAR(ccts.at(1), 1 / KAPPA + 0.15, 0.15) << another;
    }
}

TEST(CentralDelay, AdmissionIsAsForFluids)
{
    std::size_t admitted = 0;
    std::size_t rejected = 0;
    for (const std::string scheduler : {"varys-deadline", "vc"})
    {
        for (unsigned seed = 1; seed <= 12; ++seed)
        {
            const auto workload = WithDeadlines(seed);
            const auto fluid = RunFluidAtGoodput(workload, scheduler);
            const auto packet = RunPacketExperiment(workload, IdealConfig(scheduler, 5));
            for (std::size_t i = 0; i < workload.coflows.size(); ++i)
            {
                const auto& record = packet.coflows[i];
                EXPECT_EQ(record.admitted, fluid.coflows[i].admitted)
                    << scheduler << " seed " << seed << " coflow " << i;
                EXPECT_EQ(record.IsFinished(), record.admitted) << "what is refused is not sent";
                if (record.admitted && scheduler == "vc")
                {
                    EXPECT_TRUE(record.MetDeadline().value_or(true))
                        << "seed " << seed << " coflow " << i << ": " << record.CctSeconds()
                        << " s of " << static_cast<double>(record.deadline.value_or(0)) * 1e-9;
                }
                else if (record.admitted && record.IsFinished())
                {
                    EXPECT_LE(record.CctSeconds(),
                              1.03 * static_cast<double>(*record.deadline) * 1e-9 + 0.001)
                        << scheduler << " seed " << seed << " coflow " << i;
                }
                ++(record.admitted ? admitted : rejected);
            }
        }
    }
    EXPECT_GT(admitted, 30U);
    EXPECT_GT(rejected, 20U);
}

// Three coflows that arrive at once: whoever is looked at first, the two shorter ones are admitted.
TEST(CentralDelay, AdmissionDoesNotDependOnTheOrderOfMessages)
{
    const double sizes[] = {4.8, 2.4, 0.8};
    const double deadlines[] = {5.5, 4.5, 2.5};
    // Representatives: all that derive from AdmittingPolicy.
    for (const std::string scheduler : {"dcoflow", "wdcoflow", "cs-mha"})
    {
        // In one message, or in those of three hosts.
        for (const std::vector<::coflow::HostId>& from :
             {std::vector<::coflow::HostId>{0, 0, 0}, {0, 1, 2}, {2, 1, 0}})
        {
            std::vector<int> places{0, 1, 2};
            do
            {
                Workload workload;
                workload.hosts = 4;
                for (int i = 0; i < 3; ++i)
                {
                    workload.coflows.push_back(MakeCoflow(static_cast<::coflow::CoflowId>(i + 1),
                                                          {{from[i], 3, sizes[places[i]]}}));
                    workload.coflows.back().deadline =
                        static_cast<::coflow::Nanoseconds>(deadlines[places[i]] * UNIT);
                }
                // A coordinator that is busy with every message hears of them one after the other.
                auto config =
                    IdealConfig(scheduler,
                                5,
                                {{"messageTime", "0s"},
                                 {"startJitter", "ns3::ConstantRandomVariable[Constant=0]"}});
                for (auto& [name, value] : config.attributes)
                {
                    value = name == "controlBatch" ? "10ms" : value;
                }
                const auto run = RunPacketExperiment(workload, config);
                for (int i = 0; i < 3; ++i)
                {
                    EXPECT_EQ(run.coflows[i].admitted, places[i] != 0)
                        << scheduler << ", size " << sizes[places[i]] << " from host " << from[i];
                }
            } while (std::next_permutation(places.begin(), places.end()));
        }
    }
}

// Only one of two coflows can be in time: with equal weights the second one, which is shorter, and
// else the heavier one. A coordinator that is not told the weight cannot do that.
TEST(CentralDelay, AWeightTravels)
{
    Workload workload;
    workload.hosts = 4;
    workload.coflows = {MakeCoflow(1, {{0, 1, 10}}), MakeCoflow(2, {{2, 1, 5}})};
    for (auto& coflow : workload.coflows)
    {
        coflow.deadline = 12 * UNIT;
    }
    for (const std::string enforceAt : {"sender", "network"})
    {
        const auto met = [&](const std::string& scheduler) {
            const auto run = RunPacketExperiment(
                workload,
                IdealConfig(scheduler, 5, {{"bestEffort", "true"}, {"enforceAt", enforceAt}}));
            return std::pair(run.coflows[0].MetDeadline().value_or(false),
                             run.coflows[1].MetDeadline().value_or(false));
        };
        workload.coflows[0].attributes.weight = 1;
        EXPECT_EQ(met("wdcoflow"), std::pair(false, true)) << enforceAt;
        workload.coflows[0].attributes.weight = 10;
        EXPECT_EQ(met("wdcoflow"), std::pair(true, false)) << enforceAt;
        EXPECT_EQ(met("dcoflow"), std::pair(false, true)) << enforceAt;
    }
}

TEST(CentralDelay, ARefusedCoflowMayComeAgainOrBeSentAllTheSame)
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows = {MakeCoflow(1, {{0, 1, 1}}), MakeCoflow(2, {{2, 1, 1}}, 0.1)};
    workload.coflows[0].deadline = 12 * UNIT / 10;
    const auto run = [&](const Attributes& attributes) {
        return RunPacketExperiment(workload, IdealConfig("varys-deadline", 4, attributes)).coflows;
    };
    // The first one is owed nearly the whole port for 1.2 units; what is left of it is too little
    // for the second one in its 2.4, but the whole port after the first one is enough.
    workload.coflows[1].deadline = 24 * UNIT / 10;
    const auto dropped = run({});
    EXPECT_FALSE(dropped[1].admitted);
    EXPECT_FALSE(dropped[1].IsFinished());
    const auto retried = run({{"retryAfter", "50ms"}});
    EXPECT_TRUE(retried[1].admitted);
    EXPECT_TRUE(retried[1].MetDeadline().value_or(false));
    const auto bestEffort = run({{"bestEffort", "true"}});
    EXPECT_FALSE(bestEffort[1].admitted);
    EXPECT_TRUE(bestEffort[1].IsFinished());
    EXPECT_TRUE(bestEffort[0].MetDeadline().value_or(false));
}

TEST(CentralDelay, ChildrenOfARefusedCoflowAreRefused)
{
    Workload workload;
    workload.hosts = 2;
    workload.coflows = {MakeCoflow(1, {{0, 1, 1}}),
                        MakeCoflow(2, {{0, 1, 1}}),
                        MakeCoflow(3, {{0, 1, 1}})};
    workload.coflows[0].deadline = UNIT / 2;
    workload.coflows[1].parents = {1};
    const auto result = RunPacketExperiment(workload, IdealConfig("varys-deadline", 3));
    const auto fluid = RunFluidAtGoodput(workload, "varys-deadline");
    for (std::size_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(result.coflows[i].admitted, i == 2) << "coflow " << i + 1;
        EXPECT_EQ(result.coflows[i].IsFinished(), i == 2) << "coflow " << i + 1;
        EXPECT_EQ(fluid.coflows[i].admitted, i == 2) << "coflow " << i + 1 << " as a fluid";
        EXPECT_EQ(fluid.coflows[i].finish != ::coflow::NEVER, i == 2) << "coflow " << i + 1;
    }
}

TEST(CentralDelay, AReservationBelowTheLeastRateIsServed)
{
    // 4 kB in 2 s are 16 kbps, and the least rate is 100 kbps: 0.32 s. The second coflow has no
    // deadline and fills the port; what the first one needs comes before it.
    for (const bool contended : {false, true})
    {
        Workload workload;
        workload.hosts = 3;
        workload.coflows = {MakeCoflow(1, {{0, 1, 0.0032}})};
        workload.coflows[0].deadline = 20 * UNIT;
        if (contended)
        {
            workload.coflows.push_back(MakeCoflow(2, {{2, 1, 15}}));
        }
        const auto result =
            RunPacketExperiment(workload, IdealConfig("vc", 4, {{"minFlowRate", "100kbps"}}));
        for (const auto& record : result.coflows)
        {
            EXPECT_TRUE(record.IsFinished()) << "coflow " << record.id;
        }
        EXPECT_TRUE(result.coflows[0].MetDeadline().value_or(false)) << contended;
        EXPECT_NEAR(result.coflows[0].CctSeconds(), 0.32, 0.05) << contended;
    }
}

TEST(CentralDelay, TheCoordinatorsLinkIsABottleneck)
{
    // 380 flows: a schedule is 380 x 24 bytes and 20 frames, 79 ms on a link of 1 Mbit/s.
    const auto workload = ::coflow::Generate("all-to-all", {"hosts=20", "bytes=1e5"});
    const auto lastRate = [&](const std::string& rate) {
        ExperimentConfig config;
        config.scheduler = "varys";
        config.topology = "big-switch";
        config.attributes = {{"hosts", "21"},
                             {"linkRate", rate},
                             {"bypassBytes", "0"},
                             {"minFlowRate", "1bps"},
                             {"controlBatch", "0s"}};
        PacketCluster cluster(config);
        Time scheduled = Time::Max();
        Time last;
        std::optional<uint64_t> first; // its number; a later one says that the coflow is over
        const auto scheduler = DynamicCast<CentralScheduler>(cluster.GetScheduler());
        scheduler->GetCoordinator()->TraceConnectWithoutContext(
            "Schedule",
            Callback<void, uint64_t, Time, Time>(
                [&](uint64_t, Time, Time) { scheduled = Min(scheduled, Simulator::Now()); }));
        for (HostId host = 0; host < 20; ++host)
        {
            scheduler->GetDaemon(host)->TraceConnectWithoutContext(
                "ScheduleApplied",
                Callback<void, uint64_t>([&](uint64_t number) {
                    first = first.value_or(number);
                    last = number == *first ? Simulator::Now() : last;
                }));
        }
        cluster.GetDriver()->Start(workload, cluster.GetAgents());
        Simulator::Stop(Seconds(3));
        Simulator::Run();
        return last - scheduled;
    };
    EXPECT_GT(lastRate("1Mbps"), MilliSeconds(73));
    EXPECT_LT(lastRate("1Gbps"), MilliSeconds(2));
}

TEST(CentralDelay, TheSameSeedGivesTheSameRun)
{
    const auto run = [] {
        RngSeedManager::ResetNextStreamIndex();
        return RunPacketExperiment(LargeAndSmall(),
                                   IdealConfig("varys", 5, {{"controlTransport", "tcp"}}));
    };
    const auto first = run();
    const auto second = run();
    EXPECT_EQ(Ccts(first), Ccts(second));
    EXPECT_EQ(first.control.ToString(), second.control.ToString());
}
