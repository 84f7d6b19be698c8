/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Who chooses a set of coflows and an order so that they are in time: worked examples, and brute
// force on small instances.

#include "fluid-test-util.h"

#include "ns3/coflow-deadline-order.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Jobs = std::vector<std::uint32_t>;
using Candidates = DeadlineRejection::Candidates;
using Measure = DeadlineRejection::Measure;

/// Jobs that own what they need.
struct Instance
{
    std::size_t ports{1};                       ///< number of ports
    std::vector<std::vector<PortDemand>> loads; ///< per job
    std::vector<double> due;                    ///< per job
    std::vector<double> weight;                 ///< per job

    /// Adds a job.
    void Add(std::vector<PortDemand> load, double deadline, double worth = 1)
    {
        loads.push_back(std::move(load));
        due.push_back(deadline);
        weight.push_back(worth);
    }

    std::vector<DeadlineJob> Make() const
    {
        std::vector<DeadlineJob> made;
        for (std::size_t j = 0; j < loads.size(); ++j)
        {
            made.push_back({loads[j], due[j], weight[j]});
        }
        return made;
    }
};

/// One coflow that uses four ports for a second each, and one more coflow at each of them. All
/// deadlines are one second.
Instance
WideAndNarrow(double weightOfWide)
{
    Instance instance;
    instance.ports = 4;
    instance.Add({{0, 1}, {1, 1}, {2, 1}, {3, 1}}, 1, weightOfWide);
    for (HostPort p = 0; p < 4; ++p)
    {
        instance.Add({{p, 1}}, 1);
    }
    return instance;
}

/// A random instance.
Instance
RandomInstance(unsigned seed, std::size_t jobs, std::size_t ports)
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](int from, int to) {
        return boost::random::uniform_int_distribution<int>(from, to)(random);
    };
    Instance instance;
    instance.ports = ports;
    for (std::size_t j = 0; j < jobs; ++j)
    {
        std::vector<PortDemand> load;
        double longest = 0;
        for (HostPort p = 0; p < ports; ++p)
        {
            if (draw(0, 2) > 0 || (p + 1 == ports && load.empty()))
            {
                load.push_back({p, static_cast<double>(draw(1, 8))});
                longest = std::max(longest, load.back().load);
            }
        }
        instance.Add(std::move(load), longest + draw(0, 12), draw(1, 9));
    }
    return instance;
}

/// Whether some of the jobs can all be in time: at each port by deadline.
bool
Feasible(const Instance& instance, unsigned set)
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t j = 0; j < instance.due.size(); ++j)
    {
        if ((set >> j) & 1U)
        {
            order.push_back(j);
        }
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return instance.due[a] < instance.due[b];
    });
    std::vector<double> busy(instance.ports, 0.0);
    for (const std::uint32_t j : order)
    {
        for (const PortDemand& d : instance.loads[j])
        {
            busy[d.port] += d.load;
            if (busy[d.port] > instance.due[j])
            {
                return false;
            }
        }
    }
    return true;
}

/// The largest number, and the largest weight, of jobs that can all be in time.
std::pair<std::size_t, double>
BestOf(const Instance& instance)
{
    std::pair<std::size_t, double> best{0, 0};
    for (unsigned set = 0; set < (1U << instance.due.size()); ++set)
    {
        if (Feasible(instance, set))
        {
            std::size_t count = 0;
            double weight = 0;
            for (std::size_t j = 0; j < instance.due.size(); ++j)
            {
                count += (set >> j) & 1U;
                weight += ((set >> j) & 1U) ? instance.weight[j] : 0;
            }
            best = {std::max(best.first, count), std::max(best.second, weight)};
        }
    }
    return best;
}

/// Weight of some jobs.
double
WeightOf(const Instance& instance, const Jobs& jobs)
{
    double weight = 0;
    for (const std::uint32_t j : jobs)
    {
        weight += instance.weight[j];
    }
    return weight;
}

/// When the jobs of an order are through at the latest port that they use, where every port serves
/// them in this order and never rests; in seconds.
std::vector<double>
OpenShopTimes(const Instance& instance, const Jobs& order)
{
    std::vector<double> busy(instance.ports, 0.0);
    std::vector<double> times;
    for (const std::uint32_t j : order)
    {
        double through = 0;
        for (const PortDemand& demand : instance.loads[j])
        {
            busy[demand.port] += demand.load;
            through = std::max(through, busy[demand.port]);
        }
        times.push_back(through);
    }
    return times;
}

/// Expects that a choice names every job once, and that its order keeps its deadlines.
void
ExpectSound(const Instance& instance, const DeadlineChoice& choice)
{
    Jobs all = choice.admitted;
    all.insert(all.end(), choice.rejected.begin(), choice.rejected.end());
    std::sort(all.begin(), all.end());
    Jobs expected(instance.due.size());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
    const auto times = OpenShopTimes(instance, choice.admitted);
    for (std::size_t k = 0; k < times.size(); ++k)
    {
        EXPECT_LE(times[k], instance.due[choice.admitted[k]]);
    }
}

} // namespace

// At one port: A and B take 2 and are due at 3, C takes 2 and is due at 6. C is in time as the last
// of 6. Of A and B, 4 together, nobody is; psi is 2 x (3 - 4) of both, and the first one goes.
TEST(DeadlineOrder, DCoflowPlacesFromTheLastPlaceOn)
{
    Instance instance;
    instance.Add({{0, 2}}, 3);
    instance.Add({{0, 2}}, 3);
    instance.Add({{0, 2}}, 6);
    const DeadlineChoice choice = DCoflowChoice(instance.Make(), 1, {});
    EXPECT_EQ(choice.admitted, (Jobs{1, 2}));
    EXPECT_EQ(choice.rejected, (Jobs{0}));
    EXPECT_EQ(OpenShopTimes(instance, choice.admitted), (std::vector<double>{2, 4}));
}

// psi of the wide coflow is 4 x 1 x (1 - 2), of each other one 1 x (1 - 2): DCoflow gives up the
// wide one. By itself every port keeps the first of two that are alike, which is the wide one.
TEST(DeadlineOrder, DCoflowGivesUpTheOneThatIsInTheWayOfMany)
{
    const Instance instance = WideAndNarrow(1);
    EXPECT_EQ(DCoflowChoice(instance.Make(), 4, {}).rejected, (Jobs{0}));
    EXPECT_EQ(CsMhaChoice(instance.Make(), 4).admitted, (Jobs{0}));
}

// With weight 10 psi of the wide one is at most -4 / 10, less in the way than any other one.
TEST(DeadlineOrder, AHeavyOneIsKept)
{
    const Instance instance = WideAndNarrow(10);
    for (const Candidates candidates : {Candidates::ALL, Candidates::LATE})
    {
        const auto choice = DCoflowChoice(instance.Make(), 4, {Measure::NEGATIVE, candidates});
        EXPECT_EQ(choice.admitted, (Jobs{0}));
    }
    // With weight 3 psi is -4 / 3, and it is given up. But at a port the heavier of two is not
    // late.
    const Instance lighter = WideAndNarrow(3);
    EXPECT_EQ(DCoflowChoice(lighter.Make(), 4, {}).rejected, (Jobs{0}));
    EXPECT_EQ(DCoflowChoice(lighter.Make(), 4, {Measure::NEGATIVE, Candidates::LATE}).admitted,
              (Jobs{0}));
}

// Port 0 has 10 and port 1 has 8. At port 0 nobody is in time: A is due at 9, B at 9.5. A would be
// late at port 0 alone, psi = 5 x (9 - 10). If port 1 counts as well, as it has more than 7, what A
// has to spare there makes up for that.
TEST(DeadlineOrder, CongestedPortsCountEvenWhereItIsInTime)
{
    Instance instance;
    instance.ports = 2;
    instance.Add({{0, 5}, {1, 5}}, 9); // psi: 5 x (9 - 10), and 5 x (9 - 8) at port 1
    instance.Add({{0, 5}}, 9.5);       // psi: 5 x (9.5 - 10)
    instance.Add({{1, 3}}, 20);
    const auto given = [&](Measure measure) {
        return DCoflowChoice(instance.Make(), 2, {measure, Candidates::ALL}).rejected;
    };
    EXPECT_EQ(given(Measure::NEGATIVE), (Jobs{0})) << "-5 against -2.5";
    EXPECT_EQ(given(Measure::CONGESTED), (Jobs{1})) << "0 against -2.5";
}

TEST(DeadlineOrder, OneMachineWorkedByHand)
{
    // By number: B, then A makes it 4 by 3, and the longest goes; C is through at 3.
    const std::vector<MachineJob> jobs{{3, 3, 3}, {1, 2, 1}, {2, 3, 1}};
    EXPECT_EQ(LargestNumberInTime(jobs), (std::vector<std::uint8_t>{0, 1, 1}));
    EXPECT_EQ(LargestWeightInTime(jobs), (std::vector<std::uint8_t>{1, 0, 0}));
    EXPECT_TRUE(LargestNumberInTime({}).empty());
    EXPECT_TRUE(LargestWeightInTime({}).empty());
}

// Port 0: G by 4, then H makes it 6.5 by 4, and H goes as the longest. Port 1: I by 2, then G makes
// it 5 by 4 and goes. Only I is chosen. G needs 3/4 of a port and H 7/8: G first, which is through
// at 5 at port 1. H finds port 0 free.
TEST(DeadlineOrder, CsMhaTriesTheOthersBehind)
{
    Instance instance;
    instance.ports = 2;
    instance.Add({{1, 2}}, 2);
    instance.Add({{0, 3}, {1, 3}}, 4);
    instance.Add({{0, 3.5}}, 4);
    const DeadlineChoice choice = CsMhaChoice(instance.Make(), 2);
    EXPECT_EQ(choice.admitted, (Jobs{0, 2}));
    EXPECT_EQ(choice.rejected, (Jobs{1}));
}

// Those that are chosen at all of their ports go by deadline.
TEST(DeadlineOrder, CsMhaServesByDeadline)
{
    Instance instance;
    instance.ports = 2;
    instance.Add({{0, 2}}, 4);
    instance.Add({{0, 1}}, 2);
    instance.Add({{0, 2}, {1, 2}}, 5);
    instance.Add({{1, 4}}, 4);
    instance.Add({{1, 1}}, 1);
    const DeadlineChoice choice = CsMhaChoice(instance.Make(), 2);
    EXPECT_EQ(choice.admitted, (Jobs{4, 1, 0, 2}));
    EXPECT_EQ(choice.rejected, (Jobs{3}));
}

TEST(DeadlineOrder, NoMoreAreAdmittedThanCanBeInTime)
{
    std::size_t dcoflow = 0;
    std::size_t mha = 0;
    std::size_t best = 0;
    double weighed = 0;
    double unweighed = 0;
    for (unsigned seed = 0; seed < 300; ++seed)
    {
        const Instance instance = RandomInstance(seed, 4 + seed % 5, 1 + seed % 4);
        const auto jobs = instance.Make();
        const auto [number, weight] = BestOf(instance);
        best += number;
        for (const Measure measure : {Measure::NEGATIVE, Measure::CONGESTED})
        {
            for (const Candidates candidates : {Candidates::ALL, Candidates::LATE})
            {
                const auto choice = DCoflowChoice(jobs, instance.ports, {measure, candidates});
                ExpectSound(instance, choice);
                EXPECT_LE(choice.admitted.size(), number) << "seed " << seed;
                EXPECT_LE(WeightOf(instance, choice.admitted), weight) << "seed " << seed;
            }
        }
        const auto choice = CsMhaChoice(jobs, instance.ports);
        ExpectSound(instance, choice);
        EXPECT_LE(choice.admitted.size(), number);
        mha += choice.admitted.size();
        if (instance.ports == 1)
        {
            EXPECT_EQ(choice.admitted.size(), number) << "Moore and Hodgson are optimal";
        }
        Instance alike = instance;
        alike.weight.assign(alike.weight.size(), 1);
        const auto plain = DCoflowChoice(alike.Make(), instance.ports, {});
        dcoflow += plain.admitted.size();
        unweighed += WeightOf(instance, plain.admitted);
        weighed += WeightOf(
            instance,
            DCoflowChoice(jobs, instance.ports, {Measure::NEGATIVE, Candidates::LATE}).admitted);
    }
    EXPECT_GT(dcoflow, mha) << "of " << best;
    EXPECT_GT(weighed, unweighed);
}

TEST(DeadlineOrder, TheDynamicProgrammeFindsTheLargestWeight)
{
    for (unsigned seed = 0; seed < 200; ++seed)
    {
        const Instance instance = RandomInstance(1000 + seed, 9, 1);
        std::vector<MachineJob> machine;
        for (std::size_t j = 0; j < instance.due.size(); ++j)
        {
            machine.push_back({instance.loads[j][0].load, instance.due[j], instance.weight[j]});
        }
        const auto inTime = LargestWeightInTime(machine);
        unsigned set = 0;
        double weight = 0;
        for (std::size_t j = 0; j < inTime.size(); ++j)
        {
            set |= static_cast<unsigned>(inTime[j]) << j;
            weight += inTime[j] ? instance.weight[j] : 0;
        }
        EXPECT_TRUE(Feasible(instance, set)) << "seed " << seed;
        EXPECT_EQ(weight, BestOf(instance).second) << "seed " << seed;
    }
}
