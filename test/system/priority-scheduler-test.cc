/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Schedulers whose decisions ports take, packet by packet: they agree with the fluid engine, and
// nobody is lost whom they starve.

#include "coflow-expect-error.h"
#include "convergence.h"

#include "ns3/coflow-edf-scheduler.h"
#include "ns3/coflow-key-bands.h"
#include "ns3/coflow-packet-class.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::Nanoseconds;
using ::coflow::Workload;

namespace
{

/// Varys, figure 1: C1 = {1, 2, 4}, C2 = {2, 2}, in units, on three links.
Workload
ThreeLinks(double smaller = 1)
{
    const auto less = static_cast<::coflow::Bytes>(2 * UNIT * smaller);
    Workload workload;
    workload.hosts = 6;
    workload.coflows.push_back(
        {1, 0, {}, {{0, 0, 1, UNIT}, {1, 2, 3, 2 * UNIT}, {2, 4, 5, 4 * UNIT}}, {}});
    workload.coflows.push_back({2, 0, {}, {{0, 0, 1, 2 * UNIT}, {1, 2, 3, less}}, {}});
    return workload;
}

} // namespace

TEST(KeyBands, ThresholdsSeparateThem)
{
    const auto bands = KeyBands::Logarithmic(4, 1000, 10);
    EXPECT_EQ(bands.GetN(), 4U);
    for (const auto& [key, band] : std::vector<std::pair<uint64_t, int>>{{0, 0},
                                                                         {999, 0},
                                                                         {1000, 1},
                                                                         {9999, 1},
                                                                         {10'000, 2},
                                                                         {99'999, 2},
                                                                         {100'000, 3},
                                                                         {UINT64_MAX, 3}})
    {
        EXPECT_EQ(bands.GetBand(key), band) << key;
    }
    EXPECT_EQ(KeyBands::Logarithmic(8, uint64_t{1} << 62, 1e3).GetBand(UINT64_MAX - 1), 1);
    EXPECT_EQ(KeyBands().GetBand(12345), 0);
}

TEST(EdfScheduler, KeysAreOrderedByDeadlineThenByWhatIsLeft)
{
    const auto key = EdfScheduler::GetKey;
    EXPECT_LT(key(MilliSeconds(1), 1 << 30), key(MilliSeconds(2), 1));
    EXPECT_LT(key(MilliSeconds(1), 1 << 20), key(MilliSeconds(1), 1 << 21));
    // Also beyond 19 hours, which 36 bits of 1024 ns would reach.
    EXPECT_LT(key(Seconds(70'000), 1 << 30), key(Seconds(70'001), 1));
    EXPECT_LT(key(Seconds(1'000'000'000), 1 << 30), key(Seconds(1'000'000'001), 1));
    EXPECT_LT(key(Time::Max(), 1), key(std::nullopt, 1));
    for (int64_t time = 1; time < INT64_MAX / 2; time += time / 3 + 1)
    {
        EXPECT_LE(key(NanoSeconds(time), 0), key(NanoSeconds(time + 1), 0)) << time;
        EXPECT_LT(key(NanoSeconds(time), 0), key(NanoSeconds(time + time / 1000 + 1024), 0));
    }
    EXPECT_LT(key(std::nullopt, 1 << 20), key(std::nullopt, 1 << 21));
    EXPECT_LT(key(std::nullopt, UINT64_MAX), PacketPriority::LEAST_URGENT);
}

TEST(PfabricScheduler, ServesTheShortestFlowFirst)
{
    // A hair less for C2 settles the tie that the paper leaves open.
    const auto workload = ThreeLinks(0.99);
    ExpectUnits(RunOnBigSwitch("packet", workload, "pfabric", {{"pfabricTransport", "profile"}}),
                {4, 3});
    // The paper's transport loses up to a tenth of a port on which flows starve.
    const auto minimal = RunOnBigSwitch("packet", workload, "pfabric");
    EXPECT_NEAR(minimal[0].CctSeconds(), 4 * UNIT_SECONDS / GOODPUT, 0.4 * UNIT_SECONDS);
    EXPECT_NEAR(minimal[1].CctSeconds(), 3 * UNIT_SECONDS / GOODPUT, 0.3 * UNIT_SECONDS);
}

TEST(PfabricScheduler, WithBandsServesThemInOrder)
{
    Workload workload;
    workload.hosts = 2;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 1, 4 * UNIT}}, {}});
    workload.coflows.push_back({2, 0, {}, {{0, 0, 1, UNIT / 2}}, {}});
    ExpectUnits(
        RunOnBigSwitch("packet", workload, "pfabric", {{"bands", "8"}, {"firstBand", "20000"}}),
        {4.5, 0.5});
}

TEST(EdfScheduler, ServesTheEarliestDeadlineFirst)
{
    auto workload = ThreeLinks();
    workload.coflows[0].deadline = 200'000'000;
    workload.coflows[1].deadline = 190'000'000;
    ExpectUnits(RunOnBigSwitch("packet", workload, "edf"), {4, 2});
    workload.coflows[1].deadline = 210'000'000;
    ExpectUnits(RunOnBigSwitch("packet", workload, "edf"), {4, 4});
    workload.coflows[1].deadline.reset();
    ExpectUnits(RunOnBigSwitch("packet", workload, "edf"), {4, 4});
}

TEST(BaraatScheduler, HeavyTasksShareWithTheNext)
{
    ExpectUnits(RunOnBigSwitch("packet", ThreeTasks(), "baraat"), {10, 12, 14});
    // TCP's flows take a while to share equally.
    constexpr ::coflow::Bytes SCALE = 5;
    const auto heavy = std::to_string(SCALE * 4 * UNIT);
    ExpectUnits(RunOnBigSwitch("packet", ThreeTasks(SCALE), "baraat", {{"heavyBytes", heavy}}),
                {14, 8, 12},
                SCALE);
}

TEST(BaraatScheduler, EntryPointsCountByThemselves)
{
    // With as many entry points as tasks, their order is mostly chance: some run has another one.
    Workload workload;
    workload.hosts = 2;
    for (::coflow::CoflowId id = 1; id <= 8; ++id)
    {
        workload.coflows.push_back(
            {id, static_cast<Nanoseconds>(id) * 10'000, {}, {{0, 0, 1, UNIT / 8}}, {}});
    }
    const auto inOrder = [](const std::vector<::coflow::CoflowRecord>& records) {
        return std::is_sorted(records.begin(), records.end(), [](const auto& a, const auto& b) {
            return a.finish < b.finish;
        });
    };
    EXPECT_TRUE(inOrder(RunOnBigSwitch("packet", workload, "baraat")));
    EXPECT_FALSE(inOrder(RunOnBigSwitch("packet", workload, "baraat", {{"entryPoints", "8"}})));
}

TEST(PriorityScheduler, QueuesThatDoNotKnowKeysAreRefused)
{
    const auto run = [](const std::string& scheduler, const std::string& queueDisc) {
        RunOnBigSwitch("packet", ThreeTasks(), scheduler, {{"queueDisc", queueDisc}});
    };
    const auto error = [&run](const std::string& scheduler, const std::string& queueDisc) {
        return ::coflow::test::ErrorOf([&] { run(scheduler, queueDisc); });
    };
    EXPECT_EQ(error("pfabric", "ns3::coflow::FifoQueueDisc"),
              "option --queueDisc is 'ns3::coflow::FifoQueueDisc', which the scheduler pfabric "
              "cannot work with; allowed: ns3::coflow::PfabricQueueDisc, with values for its "
              "attributes if need be, or no such option");
    EXPECT_NE(error("baraat", "ns3::coflow::PfabricQueueDisc[MaxSize=10p]").find("FifoLmQueueDisc"),
              std::string::npos);
    run("baraat", "ns3::coflow::FifoLmQueueDisc[HeavyBytes=1000000]");
    run("fair", "ns3::coflow::PfabricQueueDisc[MaxSize=256KiB|MarkingThreshold=30000B]");
}

namespace
{

/// Random coflows on senders and receivers that all share.
Workload
SharedMix(uint32_t seed)
{
    return Mix(seed);
}

Workload
MixWithDeadlines(uint32_t seed)
{
    auto workload = Mix(seed);
    for (auto& coflow : workload.coflows)
    {
        coflow.deadline = static_cast<Nanoseconds>(coflow.id * 5 % 12 + 1) * 20'000'000;
    }
    return workload;
}

Workload
MixOfOwnReceivers(uint32_t seed)
{
    return Mix(seed, true);
}

/// What a change of order costs: some round trips of 0.25 ms with a queue at the marking threshold,
/// until the flow that goes on has its window back.
constexpr double SOME_ROUND_TRIPS = 0.0005;

/// What TCP's bytes on the wire differ by from those of a fluid at its goodput, at most.
constexpr double LITTLE = 0.015;

/// Period of D-CAS's rounds: packets may learn of a change a round later than the fluid engine.
constexpr double ROUND = 0.002;

/// Becoming heavy is common at this size. At packet level, headers count.
const std::string HEAVY = std::to_string(UNIT / 2);

} // namespace

/// A scheduler, workloads, and parameters that packets and the fluid engine are given.
struct Convergence
{
    std::string name;
    std::string scheduler;
    Workload (*workload)(uint32_t seed);
    Attributes packet;
    Attributes fluid;
    double relative; ///< allowed difference of a CCT
    double seconds;  ///< allowed besides
};

class EveryPriorityScheduler : public testing::TestWithParam<Convergence>
{
};

TEST_P(EveryPriorityScheduler, ConvergesToTheFluidEngineCoflowByCoflow)
{
    const auto& [name, scheduler, workload, packet, fluid, relative, seconds] = GetParam();
    for (uint32_t seed = 1; seed <= 3; ++seed)
    {
        SCOPED_TRACE(seed);
        const auto coflows = workload(seed);
        ExpectSameCcts(RunOnBigSwitch("packet", coflows, scheduler, packet),
                       RunOnBigSwitch("fluid", coflows, scheduler, fluid),
                       relative,
                       seconds);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Named,
    EveryPriorityScheduler,
    testing::Values(Convergence{"pfabricWithDctcp",
                                "pfabric",
                                SharedMix,
                                {{"pfabricTransport", "profile"}},
                                {},
                                LITTLE,
                                SOME_ROUND_TRIPS},
                    Convergence{"edf", "edf", MixWithDeadlines, {}, {}, LITTLE, SOME_ROUND_TRIPS},
                    // Of coflows that want nearly the same time, either may go first.
                    Convergence{
                        "dcas",
                        "dcas",
                        MixOfDistinctSizes,
                        {{"delta", "2ms"}, {"T", "1s"}, {"threshold", "20000"}},
                        {{"delta", "2ms"}, {"T", "1s"}, {"threshold", "20000"}, {"coalesce", "0"}},
                        LITTLE,
                        SOME_ROUND_TRIPS + ROUND},
                    Convergence{"baraat",
                                "baraat",
                                MixOfOwnReceivers,
                                {},
                                {{"coalesce", "0"}},
                                LITTLE,
                                SOME_ROUND_TRIPS},
                    Convergence{"baraatWithHeavyTasks",
                                "baraat",
                                MixOfOwnReceivers,
                                {{"heavyBytes", HEAVY}},
                                {{"heavyBytes", HEAVY}, {"coalesce", "0"}},
                                LITTLE,
                                SOME_ROUND_TRIPS},
                    // At packet level a flow that is in the class at one of its ports only has its
                    // share there; the fluid engine gives it the worse of its places at both: up to
                    // 3 % where nobody is heavy, up to 9 % otherwise.
                    Convergence{"baraatAtBothPorts",
                                "baraat",
                                SharedMix,
                                {},
                                {{"coalesce", "0"}},
                                0.05,
                                SOME_ROUND_TRIPS},
                    Convergence{"baraatWithHeavyTasksAtBothPorts",
                                "baraat",
                                SharedMix,
                                {{"heavyBytes", HEAVY}},
                                {{"heavyBytes", HEAVY}, {"coalesce", "0"}},
                                0.12,
                                SOME_ROUND_TRIPS}),
    [](const auto& i) { return i.param.name; });

// A link of 1 Mbps is busy with something more urgent for two minutes. Of the starved flows one has
// been under way before, and one opens its connection meanwhile.
TEST(PriorityScheduler, WhoStarvesForMinutesFinishes)
{
    Workload workload;
    workload.hosts = 2;
    workload.coflows.push_back({1, 0, {}, {{0, 0, 1, 300'000}}, {}});
    workload.coflows.push_back({2, 1'000'000'000, 1'000'000, {{0, 0, 1, 14'000'000}}, {}});
    workload.coflows.push_back({3, 2'000'000'000, {}, {{0, 0, 1, 20'000}}, {}});
    for (const std::string room : {"4MiB", "36000B"})
    {
        const auto records = RunOnBigSwitch(
            "packet",
            workload,
            "edf",
            {{"linkRate", "1Mbps"},
             {"queueDisc",
              "ns3::coflow::PfabricQueueDisc[MaxSize=" + room + "|MarkingThreshold=30000B]"}});
        const auto secondsOf = [&records](std::size_t i) {
            return static_cast<double>(records[i].finish) * 1e-9;
        };
        ASSERT_TRUE(records[0].IsFinished() && records[1].IsFinished() && records[2].IsFinished());
        EXPECT_NEAR(secondsOf(1), 1 + 112 / GOODPUT, 3) << room;
        EXPECT_GT(secondsOf(2), secondsOf(1) - 1) << "the test is meant to starve it";
        // What is delayed at the port goes on at once; where it was given up, it takes a timeout,
        // which is a second at most, or a SYN.
        const double late = 4;
        EXPECT_LT(secondsOf(0), secondsOf(1) + late) << room;
        EXPECT_LT(secondsOf(2), secondsOf(1) + late) << room;
    }
}
