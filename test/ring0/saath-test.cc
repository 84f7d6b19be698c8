/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples and properties of Saath, and the count of contention.

#include "fluid-test-util.h"

#include "ns3/coflow-contention-count.h"
#include "ns3/coflow-ledger.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// Exact parameters, and others.
/// @param threshold first threshold, in units
std::vector<std::string>
With(double threshold, std::initializer_list<std::string> more = {})
{
    std::vector<std::string> texts{"firstThreshold=" +
                                       std::to_string(static_cast<Bytes>(threshold * UNIT_BYTES)),
                                   "coalesce=0"};
    texts.insert(texts.end(), more);
    return texts;
}

void
ExpectTimes(const Times& times, const Times& expected)
{
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t k = 0; k < times.size(); ++k)
    {
        EXPECT_NEAR(times[k], expected[k], 1e-6) << "coflow " << k;
    }
}

} // namespace

TEST(Saath, AllFlowsOfACoflowOrNone)
{
    // C1 has port 0 for 2. C2 needs ports 0 and 1, and waits at both: it runs 2..3. What is left is
    // for nobody, or with work conservation for the flow at port 1: 0..1. The coflow is no earlier.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 2}}), MakeCoflow(2, {{0, 3, 1}, {1, 4, 1}})});
    const FluidResult strict =
        RunUnits(workload, "saath", With(100, {"delta=0", "workConservation=false"}));
    ExpectTimes(Ccts(strict), {2, 3});
    EXPECT_NEAR(static_cast<double>(strict.FlowFinish(1, 1)) / UNIT, 3, 1e-6);
    const FluidResult conserving = RunUnits(workload, "saath", With(100, {"delta=0"}));
    ExpectTimes(Ccts(conserving), {2, 3});
    EXPECT_NEAR(static_cast<double>(conserving.FlowFinish(1, 1)) / UNIT, 1, 1e-6);
}

TEST(Saath, DecidesAtItsPeriodAfterAnIdleTime)
{
    // C1 would fall at 1, which the coordinator would see at 1.2; but it ends at 0.1. C2 comes at
    // 1.25 and waits until 1.5.
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 0.1}}), MakeCoflow(2, {{2, 3, 0.1}}, 1.25)});
    ExpectTimes(Ccts(RunUnits(workload, "saath", With(1, {"delta=0.03"}))), {0.1, 0.35});
}

TEST(Saath, FlowsOfACoflowHaveOneRate)
{
    // Port 0 has two flows of C1, so that each has half of it; the third flow, which has port 1 for
    // itself, goes no faster: it takes 4, not 2.
    const Workload workload = MakeWorkload(5, {MakeCoflow(1, {{0, 2, 1}, {0, 3, 2}, {1, 4, 2}})});
    const FluidResult result = RunUnits(workload, "saath", With(100, {"delta=0"}));
    // Until 2 all have 1/2; then port 0 has one flow, and the others have 1 left at rate 1: 3.
    ExpectTimes(Ccts(result), {3});
    EXPECT_NEAR(static_cast<double>(result.FlowFinish(0, 0)) / UNIT, 2, 1e-6);
    EXPECT_NEAR(static_cast<double>(result.FlowFinish(0, 2)) / UNIT, 3, 1e-6);
}

TEST(Saath, LeastContentionFirst)
{
    // C1 came first and blocks two others, each of which blocks one: C2 and C3 run 0..1, C1 1..2.
    // First in, first out would be 1, 2, 2.
    const Workload workload = MakeWorkload(6,
                                           {MakeCoflow(1, {{0, 2, 1}, {1, 3, 1}}),
                                            MakeCoflow(2, {{0, 4, 1}}),
                                            MakeCoflow(3, {{1, 5, 1}})});
    ExpectTimes(Ccts(RunUnits(workload, "saath", With(100, {"delta=0"}))), {2, 1, 1});
}

TEST(Saath, ContentionIsCountedInsideAQueue)
{
    // C1 falls at 2. At 2.5 come C2 and C3, which share port 0; C2 also shares a receiver with C1.
    // In their queue each blocks one: C2 is first by id, 2.5..3.4, then C3. Counted among all, C2
    // blocks two, and C3 goes first. C1 has 1.5 left at 2.5, and cannot run while C2 does.
    const Workload workload = MakeWorkload(6,
                                           {MakeCoflow(1, {{5, 3, 4}}),
                                            MakeCoflow(2, {{0, 2, 0.9}, {1, 3, 0.9}}, 2.5),
                                            MakeCoflow(3, {{0, 4, 0.9}}, 2.5)});
    ExpectTimes(Ccts(RunUnits(workload, "saath", With(2, {"delta=0"}))), {4.9, 0.9, 1.8});
    const auto all = With(2, {"delta=0", "contention=all"});
    ExpectTimes(Ccts(RunUnits(workload, "saath", all)), {4.9, 1.8, 0.9});
}

TEST(Saath, QueuesGoByTheLongestFlow)
{
    // A flow of C1 may send 8 / 2 = 4: it falls at 4, when all have sent 5, and C2 runs 4..6. With
    // thresholds for the sum, it would not fall before its end at 6.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 6}, {1, 3, 1}}), MakeCoflow(2, {{0, 4, 2}}, 1)});
    ExpectTimes(Ccts(RunUnits(workload, "saath", With(8, {"delta=0"}))), {8, 5});
    const auto aalo = With(8, {"delta=0", "sharing=strict"});
    ExpectTimes(Ccts(RunUnits(workload, "aalo", aalo)), {6, 7});
}

TEST(Saath, TheCoordinatorDecidesOncePerPeriod)
{
    // A period of 4. C1 comes at 1 and starts at 4. It is over at 5, and C2, which came at 2,
    // runs 8..9.
    const Workload workload =
        MakeWorkload(3, {MakeCoflow(1, {{0, 1, 1}}, 1), MakeCoflow(2, {{0, 2, 1}}, 2)});
    ExpectTimes(Ccts(RunUnits(workload, "saath", With(100, {"delta=0.4"}))), {4, 7});
}

TEST(Saath, ADecisionWhoseTimeComesDuringAnotherIsMadeLate)
{
    // A period of 4, and decisions take 1. That C2 comes at 3.5 is looked at until 4.5, in vain. So
    // what was due at 4 is decided at 4.5, and both have rates from 5.5 on.
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 1, 1}}, 1), MakeCoflow(2, {{2, 3, 1}}, 3.5)});
    FluidOptions options;
    options.control.delay = UNIT;
    ExpectTimes(Ccts(RunUnits(workload, "saath", With(100, {"delta=0.4"}), options)), {5.5, 3});
}

TEST(Saath, FallsAtTheEndOfAPeriod)
{
    // As QueuesGoByTheLongestFlow, with periods of 3: C1 has sent 4 at 4, which is known at 6. Then
    // C1 is over.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{0, 2, 7}, {1, 3, 1}}), MakeCoflow(2, {{0, 4, 2}}, 1)});
    // C1 runs 0..6, C2 6..8, and C1, which has 1 left, 9..10.
    ExpectTimes(Ccts(RunUnits(workload, "saath", With(8, {"delta=0.3"}))), {10, 7});
}

TEST(Saath, AfterTheDeadlineACoflowGoesFirst)
{
    // One queue of span 2, three coflows, port rate 1, factor 1: all deadlines are at 6. C1 blocks
    // two and waits. At 6 all are late, and C1 is the first by id: it runs 6..10, the others to 14.
    const Workload workload = MakeWorkload(7,
                                           {MakeCoflow(1, {{0, 3, 4}, {1, 4, 4}}),
                                            MakeCoflow(2, {{0, 5, 10}}),
                                            MakeCoflow(3, {{1, 6, 10}})});
    const auto guarded = With(2, {"delta=0", "queues=1", "deadlineFactor=1"});
    ExpectTimes(Ccts(RunUnits(workload, "saath", guarded)), {10, 14, 14});
    const auto never = With(2, {"delta=0", "queues=1", "deadlineFactor=0"});
    ExpectTimes(Ccts(RunUnits(workload, "saath", never)), {14, 10, 10});
}

TEST(Saath, WithoutWorkConservationACoflowHasOneRateAtAnyTime)
{
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        std::uint64_t served = 0;
        const auto check = [&](const FluidInterval& interval) {
            std::map<std::uint32_t, std::set<double>> rates;
            for (const FlowState& flow : interval.flows)
            {
                rates[flow.coflow].insert(flow.rate);
            }
            for (const auto& [coflow, values] : rates)
            {
                EXPECT_EQ(values.size(), 1U) << "seed " << seed << " coflow " << coflow;
                served += *values.begin() > 0;
            }
        };
        RunUnits(workload, "saath", With(1, {"delta=0", "workConservation=false"}), Watched(check));
        EXPECT_GT(served, 0U);
    }
}

TEST(Saath, WithWorkConservationNoFlowOfAMissedCoflowCouldGoFaster)
{
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        const auto check = [&](const FluidInterval& interval) {
            std::vector<double> load(2 * workload.hosts, 0.0);
            std::map<std::uint32_t, std::set<double>> rates;
            for (const FlowState& flow : interval.flows)
            {
                load[flow.src] += flow.rate;
                load[workload.hosts + flow.dst] += flow.rate;
                rates[flow.coflow].insert(flow.rate);
            }
            for (const FlowState& flow : interval.flows)
            {
                const double most = std::max(load[flow.src], load[workload.hosts + flow.dst]);
                EXPECT_TRUE(rates[flow.coflow].size() == 1 || most > PORT_RATE * (1 - 1e-6))
                    << "seed " << seed;
            }
        };
        RunUnits(workload, "saath", With(1, {"delta=0"}), Watched(check));
    }
}

TEST(ContentionCount, IsWhatCountingPairsGives)
{
    boost::random::mt19937 random(7);
    const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(random);
    };
    for (int round = 0; round < 30; ++round)
    {
        const int rows = draw(1, 150); // more than two words of bits
        FlowTable table;
        std::vector<std::set<int>> ports;
        std::vector<std::uint8_t> group;
        for (int r = 0; r < rows; ++r)
        {
            Coflow coflow;
            coflow.id = static_cast<CoflowId>(r);
            ports.emplace_back();
            for (FlowId f = 0; f < static_cast<FlowId>(draw(1, 4)); ++f)
            {
                const auto src = static_cast<HostId>(draw(0, 19));
                const auto dst = static_cast<HostId>(20 + draw(0, 19));
                coflow.flows.push_back({f, src, dst, 1});
                ports.back().insert({static_cast<int>(src), static_cast<int>(dst)});
            }
            table.Add(coflow, r, 0);
            group.push_back(static_cast<std::uint8_t>(draw(0, 2)));
        }
        CoflowLoads loads;
        loads.ComputeCounts(table.Attained(0), PortRates::Uniform(40, 1));
        ContentionCount contention;
        contention.Compute(loads, group);
        for (int a = 0; a < rows; ++a)
        {
            std::uint32_t expected = 0;
            for (int b = 0; b < rows; ++b)
            {
                expected += a != b && group[a] == group[b] &&
                            std::any_of(ports[a].begin(), ports[a].end(), [&](int port) {
                                return ports[b].count(port) > 0;
                            });
            }
            EXPECT_EQ(contention.Of(a), expected) << "row " << a;
        }
    }
}

TEST(Ledger, KnowsWhatTheLongestFlowHasSentFromReportsAlone)
{
    CoflowLedger ledger(Knowledge::ATTAINED, CoflowLedger::Estimate::INTEGRATED);
    ledger.Register(1, {0, 2});
    for (const FlowId flow : {0, 1})
    {
        ledger.Put(1, flow, 0, 1000);
        ledger.Get(1, flow, 1);
    }
    ASSERT_TRUE(ledger.MakeReady(1, 0));
    const auto longest = [&] { return ledger.Table().Attained(0).coflows[0].longest; };
    EXPECT_EQ(longest(), 0);
    ledger.Progress(1, 0, 300, false);
    EXPECT_EQ(longest(), 300);
    ledger.Progress(1, 1, 200, false);
    EXPECT_EQ(longest(), 300);
    ledger.Progress(1, 1, 150, true); // it is over, and still the longest
    EXPECT_EQ(longest(), 350);
    ledger.Progress(1, 0, 10, false);
    EXPECT_EQ(longest(), 350);
}
