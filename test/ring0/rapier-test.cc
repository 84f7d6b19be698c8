/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// RAPIER's paths and rates by hand on a fat-tree, its order, and what holds of every decision.

#include "fat-tree-paths.h"
#include "fluid-test-util.h"

#include "ns3/coflow-rapier.h"

#include <gtest/gtest.h>
#include <limits>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Runs a policy on a fat-tree whose links limit; completion times in units.
std::vector<double>
OnFatTree(const std::vector<Coflow>& coflows,
          const std::string& policy,
          double linkRate,
          const std::vector<std::string>& parameters = {})
{
    const FatTreePaths paths(linkRate);
    FluidOptions options;
    options.paths = &paths;
    const auto made = MakePolicy(policy, parameters);
    return Ccts(
        RunFluid(MakeWorkload(16, coflows), PortRates::Uniform(16, PORT_RATE), *made, options));
}

/// What a decision has granted per port and link of the fat-tree, ports that send first.
std::vector<double>
Granted(const FlowTable& table, const FatTreePaths& paths, std::span<const double> rates)
{
    std::vector<double> granted(32 + paths.Rates().size(), 0.0);
    for (const CoflowRow& row : table.Rows())
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            granted[table.Src()[f]] += rates[f];
            granted[16 + table.Dst()[f]] += rates[f];
            if (rates[f] > 0)
            {
                EXPECT_NE(table.Paths()[f], NO_PATH) << "a rate without a path";
                const auto choices = paths.Between(table.Src()[f], table.Dst()[f]);
                for (const FabricLink link : choices[table.Paths()[f] - 1].Links())
                {
                    granted[32 + link] += rates[f];
                }
            }
        }
    }
    return granted;
}

} // namespace

// Hosts 0 and 1 are at one switch and send 2 and 3 units into another pod. By hashes they share a
// link: 2 + 2 units by time 4, and the last unit alone. Each on a path of its own takes what its
// port takes.
TEST(Rapier, CoflowsWhosePathsCollideUnderEcmpGetDisjointOnes)
{
    const std::vector<Coflow> coflows{MakeCoflow(1, {{0, 4, 2}}), MakeCoflow(2, {{1, 6, 3}})};
    EXPECT_EQ(OnFatTree(coflows, "varys", PORT_RATE), (std::vector<double>{4, 5}));
    EXPECT_EQ(OnFatTree(coflows, "rapier", PORT_RATE), (std::vector<double>{2, 3}));
}

// Links have half a port. Coflow 1 has 2 units from each of hosts 0 and 1, which have two links
// together: 4 alone. Coflow 2 has 1 unit from host 1: 2 alone, so it is first, and takes one link.
// Coflow 1 has the other one, at 1/4 per flow. At time 2 it has 1.5 left of each flow.
TEST(Rapier, FlowsThatHaveBegunKeepTheirPathsUnlessTheyMayMove)
{
    const std::vector<Coflow> coflows{MakeCoflow(1, {{0, 4, 2}, {1, 6, 2}}),
                                      MakeCoflow(2, {{1, 8, 1}})};
    EXPECT_EQ(OnFatTree(coflows, "rapier", PORT_RATE / 2), (std::vector<double>{8, 2}))
        << "3 units over the one link, by 1/2";
    EXPECT_EQ(OnFatTree(coflows, "rapier", PORT_RATE / 2, {"reroute=true"}),
              (std::vector<double>{5, 2}))
        << "1.5 units over each of the links, by 1/2";
}

// Coflow 1 takes both links of hosts 0 and 1, and coflow 2 has what is left of host 0's port, but
// no link. It begins when coflow 1 ends.
TEST(Rapier, ACoflowWithoutALinkWaits)
{
    const std::vector<Coflow> coflows{MakeCoflow(1, {{0, 4, 1}, {1, 6, 1}}),
                                      MakeCoflow(2, {{0, 8, 2}, {2, 12, 1}})};
    // Host 2's flow gets what it can by backfill, and is done at 2; host 0's one needs 4 by 1/2.
    EXPECT_EQ(OnFatTree(coflows, "rapier", PORT_RATE / 2), (std::vector<double>{2, 6}));
    EXPECT_EQ(OnFatTree(coflows, "rapier", PORT_RATE / 2, {"backfill=false"}),
              (std::vector<double>{2, 6}));
}

// Coflow 1 takes 2, and half of host 0's port. On whole ports coflow 2 takes 2.5 and coflow 3 takes
// 3, both to host 3. On what coflow 1 leaves, coflow 2 takes 5.
TEST(Rapier, TheOrderIsThatOfTimesOnWhatIsLeft)
{
    const Workload workload = MakeWorkload(5,
                                           {MakeCoflow(1, {{0, 2, 1}, {1, 2, 1}}),
                                            MakeCoflow(2, {{0, 3, 2.5}}),
                                            MakeCoflow(3, {{4, 3, 3}})});
    // Coflow 3 has host 3 until it is done, although 1 + 2.5 would be done sooner at time 2.
    EXPECT_EQ(Ccts(RunUnits(workload, "rapier")), (std::vector<double>{2, 5.5, 3}));
    // Coflow 2 has 1/2 until time 2, and then all for the 1.5 that are left.
    EXPECT_EQ(Ccts(RunUnits(workload, "rapier", {"order=all"})),
              (std::vector<double>{2, 3.5, 5.5}));
}

// A unit from host 0 to host 1 comes every unit of time, and 2 units to begin with. These would
// wait for the end; with T of 3 units they have half a unit at times 3 and 6.5, and then as little
// left as the others, and came before them.
TEST(Rapier, ACoflowThatWaitsForTooLongGoesFirstForAWhile)
{
    std::vector<Coflow> coflows{MakeCoflow(1, {{0, 1, 2}})};
    for (CoflowId id = 2; id < 12; ++id)
    {
        coflows.push_back(MakeCoflow(id, {{0, 1, 1}}, static_cast<double>(id - 2)));
    }
    const Workload workload = MakeWorkload(2, coflows);
    EXPECT_EQ(Ccts(RunUnits(workload, "rapier", {"T=0"}))[0], 12);
    EXPECT_EQ(Ccts(RunUnits(workload, "rapier", {"T=0.3", "delta=0.05"}))[0], 8);
}

// Every decision, with parameters and workloads of all kinds: no port and no link is granted more
// than the share that may be, and a flow with a rate has a port or a link with nothing left.
TEST(Rapier, GrantsNoLinkMoreThanItHasAndLeavesNothing)
{
    const std::vector<std::vector<std::string>> kinds{
        {},
        {"reroute=true"},
        {"routing=hash"},
        {"order=all"},
        {"routing=hash", "order=all", "reroute=true"}};
    constexpr double SHARE = 0.9;
    std::uint64_t moved = 0;
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const double rate = PORT_RATE * (0.25 + 0.25 * (seed % 4));
        const FatTreePaths paths(rate);
        const Workload workload = RandomWorkload(seed, {16, 8, 12, 2 * UNIT_BYTES, 0, 0});
        const PortRates ports = PortRates::Uniform(16, PORT_RATE);
        const auto& parameters = kinds[seed % kinds.size()];
        const auto policy = MakePolicy("rapier", parameters);
        policy->ShowPaths(paths, SHARE);
        const bool moves = std::count(parameters.begin(), parameters.end(), "reroute=true") > 0;
        FlowTable table;
        for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
        {
            table.Add(workload.coflows[c], c, 0);
        }
        Nanoseconds now = 0;
        while (!table.Rows().empty())
        {
            std::vector<double> rates(table.Src().size(), 0.0);
            const Decision decision = policy->Decide(table, now, ports, rates);
            ASSERT_EQ(decision.paths.size(), rates.size());
            moved += table.TakePaths(decision.paths);
            EXPECT_EQ(decision.order.size(), table.Rows().size());
            const std::vector<double> granted = Granted(table, paths, rates);
            const auto most = [&](std::size_t limit) {
                return limit < 32 ? PORT_RATE : rate * SHARE;
            };
            for (std::size_t limit = 0; limit < granted.size(); ++limit)
            {
                EXPECT_LE(granted[limit], most(limit) * (1 + 1e-9)) << "seed " << seed;
            }
            // Time goes by until the first flow is done, which leaves the table.
            double seconds = std::numeric_limits<double>::infinity();
            for (const CoflowRow& row : table.Rows())
            {
                for (std::uint32_t f = row.begin; f < row.end; ++f)
                {
                    if (rates[f] == 0)
                    {
                        continue;
                    }
                    seconds = std::min(seconds, table.Remaining()[f] / rates[f]);
                    const auto full = [&](std::size_t limit) {
                        return granted[limit] >= most(limit) * (1 - 1e-6);
                    };
                    bool stopped = full(table.Src()[f]) || full(16 + table.Dst()[f]);
                    const auto choices = paths.Between(table.Src()[f], table.Dst()[f]);
                    for (const FabricLink link : choices[table.Paths()[f] - 1].Links())
                    {
                        stopped = stopped || full(32 + link);
                    }
                    EXPECT_TRUE(stopped) << "seed " << seed << ", flow " << f;
                }
            }
            ASSERT_LT(seconds, 1e9) << "somebody gets on";
            for (std::size_t r = 0; r < table.Rows().size(); ++r)
            {
                std::vector<std::uint32_t> done;
                std::uint32_t f = table.Rows()[r].begin;
                for (double& remaining : table.Remaining(r))
                {
                    remaining -= rates[f] * seconds;
                    if (remaining < 1e-3)
                    {
                        done.push_back(f);
                    }
                    ++f;
                }
                table.RemoveFinished(r, done);
            }
            table.RemoveEmpty();
            now += static_cast<Nanoseconds>(seconds * 1e9) + 1;
        }
        if (moves)
        {
            EXPECT_GT(moved, 0U);
        }
    }
}

// Without links that limit, paths do not matter.
TEST(Rapier, FastLinksAreNoLimit)
{
    for (unsigned seed = 0; seed < 10; ++seed)
    {
        const FatTreePaths paths(16 * PORT_RATE);
        const Workload workload = RandomWorkload(seed, {16, 10, 8, 2 * UNIT_BYTES, 4 * UNIT, 0});
        FluidOptions options;
        options.paths = &paths;
        const auto policy = MakePolicy("rapier");
        const auto links =
            Ccts(RunFluid(workload, PortRates::Uniform(16, PORT_RATE), *policy, options));
        const auto alone = Ccts(RunUnits(workload, "rapier"));
        for (std::size_t c = 0; c < links.size(); ++c)
        {
            EXPECT_NEAR(links[c], alone[c], 1e-5) << "seed " << seed;
        }
    }
}
