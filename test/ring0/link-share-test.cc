/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Links inside the fabric in the fluid engine: who gets what of them, the lower bound, and paths
// that a coordinator chooses.

#include "fluid-test-util.h"
#include "leaf-spine-paths.h"

#include "ns3/coflow-bounds.h"
#include "ns3/coflow-link-share.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Runs a policy with links that limit.
FluidResult
RunOnLinks(const Workload& workload,
           const std::string& policy,
           const PathMap& paths,
           FluidOptions options = {})
{
    options.paths = &paths;
    const auto made = MakePolicy(policy);
    return RunFluid(workload, PortRates::Uniform(workload.hosts, PORT_RATE), *made, options);
}

} // namespace

// Hosts 0 and 1 send one unit each to hosts 2 and 3, over one link of half a port.
TEST(LinkShare, HalvesALinkBetweenTwoFlows)
{
    const LeafSpinePaths paths(2, 2, 1, PORT_RATE / 2);
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}}), MakeCoflow(2, {{1, 3, 1}})});
    // Representatives of policies that decide nowhere, at a coordinator, in ports and on hosts.
    for (const std::string policy : {"fair", "varys", "pfabric", "aalo"})
    {
        EXPECT_EQ(Ccts(RunOnLinks(workload, policy, paths)), (std::vector<double>{4, 4})) << policy;
    }
}

// What one flow loses at a full link goes to others that only its port held back: under fairness,
// but not under a coordinator that knows ports only and has promised each flow half a port.
TEST(LinkShare, HandsOnWhatALinkHoldsBackUnlessItWasGrantedToAnother)
{
    const LeafSpinePaths paths(2, 2, 1, PORT_RATE / 4);
    // Host 0 sends over the link, and to its neighbour.
    const Workload workload = MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}, {0, 1, 3}})});
    const FluidResult fair = RunOnLinks(workload, "fair", paths);
    EXPECT_NEAR(static_cast<double>(fair.FlowFinish(0, 0)) / UNIT, 4, 1e-6);
    EXPECT_NEAR(static_cast<double>(fair.FlowFinish(0, 1)) / UNIT, 4, 1e-6);
    const FluidResult granted = RunOnLinks(workload, "max-min", paths);
    EXPECT_NEAR(static_cast<double>(granted.FlowFinish(0, 0)) / UNIT, 4, 1e-6);
    EXPECT_NEAR(static_cast<double>(granted.FlowFinish(0, 1)) / UNIT, 5, 1e-6)
        << "2 units in 4, and the last at once";
}

// Both flows could have a spine of their own. By hashes that put them on one, they take twice as
// long.
TEST(LinkShare, FlowsWithPathsDoNotCollide)
{
    const LeafSpinePaths paths(2, 2, 2, PORT_RATE);
    Workload workload = MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}, {1, 3, 1}})});
    bool collided = false;
    for (CoflowId id = 1; id <= 20; ++id)
    {
        workload.coflows[0].id = id;
        const double cct = Ccts(RunOnLinks(workload, "varys", paths)).front();
        EXPECT_TRUE(cct == 1 || cct == 2) << cct;
        collided |= cct == 2;
        FluidOptions options;
        options.pathChoice = PathChoice::START;
        EXPECT_EQ(Ccts(RunOnLinks(workload, "varys", paths, options)).front(), 1);
    }
    EXPECT_TRUE(collided) << "or this shows nothing";
}

// For every policy: no port and no link has more than its rate, every flow ends, and nothing is
// below the bound, with paths that are chosen in any way.
TEST(LinkShare, NoLinkIsExceededAndTheBoundHoldsUnderEveryPolicy)
{
    for (unsigned seed = 0; seed < 12; ++seed)
    {
        // From a fourth of what hosts can send to more than that.
        const double rate = PORT_RATE * (0.25 + 0.2 * (seed % 4));
        const LeafSpinePaths paths(3, 2, 1 + seed % 3, rate);
        const RandomShape shape{6, 10, 8, 2 * UNIT_BYTES, 8 * UNIT, 0};
        const Workload workload = RandomWorkload(seed, shape);
        const PortRates ports = PortRates::Uniform(workload.hosts, PORT_RATE);
        const double bound = LowerBound(workload, ports, 50, &paths).mean;
        EXPECT_GE(bound, LowerBound(workload, ports, 50).mean * (1 - 1e-3));
        for (const auto& [name, info] : Policies::All())
        {
            for (const PathChoice choice :
                 {PathChoice::FABRIC, PathChoice::START, PathChoice::MOVE})
            {
                const auto made = MakePolicy(name);
                if (choice != PathChoice::FABRIC && made->GetControl() != Control::CENTRAL)
                {
                    continue;
                }
                SCOPED_TRACE(name + ", seed " + std::to_string(seed));
                FluidOptions options = Watched([&](const FluidInterval& interval) {
                    std::vector<double> out(3);
                    std::vector<double> in(3);
                    std::vector<double> port(6);
                    for (const FlowState& flow : interval.flows)
                    {
                        port[flow.src] += flow.rate;
                        if (flow.src / 2 != flow.dst / 2)
                        {
                            out[flow.src / 2] += flow.rate;
                            in[flow.dst / 2] += flow.rate;
                        }
                    }
                    const double most = rate * paths.GetSpines() * (1 + 1e-9);
                    for (const auto* side : {&out, &in})
                    {
                        for (const double sum : *side)
                        {
                            EXPECT_LE(sum, most);
                        }
                    }
                    for (const double sum : port)
                    {
                        EXPECT_LE(sum, PORT_RATE * (1 + 1e-9));
                    }
                });
                options.paths = &paths;
                options.pathChoice = choice;
                const FluidResult result = RunFluid(workload, ports, *made, options);
                const auto ccts = Ccts(result);
                if (std::find(ccts.begin(), ccts.end(), -1) == ccts.end())
                {
                    EXPECT_GE(Mean(ccts) * UNIT * 1e-9, bound);
                }
                else
                {
                    EXPECT_TRUE(std::any_of(result.coflows.begin(),
                                            result.coflows.end(),
                                            [](const auto& c) { return !c.admitted; }));
                }
            }
        }
    }
}

// A link of a fourth of a port is what a narrow coflow takes at least, and what leaves a leaf is
// what all take together.
TEST(LinkShare, TheBoundKnowsPathsAndCuts)
{
    const PortRates ports = PortRates::Uniform(4, PORT_RATE);
    const Workload narrow = MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}})});
    const LeafSpinePaths quarter(2, 2, 2, PORT_RATE / 4);
    EXPECT_NEAR(LowerBound(narrow, ports).mean, 0.1, 1e-6);
    EXPECT_NEAR(LowerBound(narrow, ports, 200, &quarter).mean, 0.4, 1e-6);
    // Two flows of one unit leave a leaf by half a port in all: 4 units, one of them after 2.
    const Workload both = MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}}), MakeCoflow(2, {{1, 3, 1}})});
    const LeafSpinePaths half(2, 2, 1, PORT_RATE / 2);
    EXPECT_NEAR(LowerBound(both, ports, 200, &half).mean, 0.3, 1e-6);
}

// Links that are as fast as all hosts behind them change nothing, whatever executor a policy has.
TEST(LinkShare, FastLinksAreNoLimit)
{
    for (unsigned seed = 0; seed < 6; ++seed)
    {
        const LeafSpinePaths paths(3, 2, 2, 2 * PORT_RATE);
        const Workload workload = RandomWorkload(seed);
        // Representatives of policies with a form, with an order, and of a coordinator with both.
        for (const std::string policy : {"fair", "varys", "sincronia", "max-min", "drf"})
        {
            const auto links = Ccts(RunOnLinks(workload, policy, paths));
            const auto alone = Ccts(RunUnits(workload, policy));
            for (std::size_t c = 0; c < links.size(); ++c)
            {
                EXPECT_NEAR(links[c], alone[c], 1e-6) << policy << ", seed " << seed;
            }
        }
    }
}
