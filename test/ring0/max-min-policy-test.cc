/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// max-min: rates computed by hand, what makes rates max-min fair, and that they are those of fair.

#include "fluid-test-util.h"

#include "ns3/coflow-error.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Rates at time 0, in the order of coflows and flows.
std::vector<double>
FirstRates(const Workload& workload, const PortRates& capacity)
{
    FlowTable table;
    for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
    {
        table.Add(workload.coflows[c], c, 0);
    }
    std::vector<double> rates(table.Rates().size(), 0.0);
    MakePolicy("max-min")->Decide(table, 0, capacity, rates);
    return rates;
}

void
ExpectNear(const std::vector<double>& values, const std::vector<double>& expected)
{
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        EXPECT_NEAR(values[i], expected[i], 1e-12) << i;
    }
}

/// Rates of hosts that are not alike.
PortRates
UnequalPorts(HostId hosts, double rate)
{
    PortRates capacity = PortRates::Uniform(hosts, rate);
    for (HostId h = 0; h < hosts; ++h)
    {
        capacity.ingress[h] /= 1 + h % 3;
        capacity.egress[h] /= 1 + h % 2;
    }
    return capacity;
}

/// A run, and all rates that were in force.
struct WatchedRun
{
    FluidResult result;
    std::vector<std::vector<double>> rates;
};

WatchedRun
RunWatched(const Workload& workload, const PortRates& capacity, const std::string& policy)
{
    WatchedRun run;
    run.result = RunGeneral(workload,
                            capacity,
                            *MakePolicy(policy),
                            Watched([&run](const FluidInterval& interval) {
                                auto& rates = run.rates.emplace_back();
                                for (const FlowState& flow : interval.flows)
                                {
                                    rates.push_back(flow.rate);
                                }
                            }));
    return run;
}

} // namespace

TEST(MaxMin, ThreeFlowsByHand)
{
    // 0>2, 0>3, 1>3, where host 3 receives half a unit: two have a quarter there, and the first
    // has what that leaves of the port of host 0.
    const Workload workload = MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}, {0, 3, 1}, {1, 3, 1}})});
    PortRates capacity = PortRates::Uniform(4, 1);
    capacity.egress[3] = 0.5;
    ExpectNear(FirstRates(workload, capacity), {0.75, 0.25, 0.25});
}

TEST(MaxMin, AlongAParkingLotFlowsTakeWhatThoseBeforeLeave)
{
    // Four flows share port 0. The one to 4 leaves 3/4 there for 1>4 and 2>4, and 1>4 leaves 5/8 at
    // 1 for 1>3. Flows of a coflow have different rates: those of a flow do not depend on whose it
    // is.
    const Workload workload = MakeWorkload(8,
                                           {MakeCoflow(1, {{0, 4, 1}, {1, 3, 1}}),
                                            MakeCoflow(2, {{0, 5, 1}, {0, 6, 1}, {1, 4, 1}}),
                                            MakeCoflow(3, {{0, 7, 1}, {2, 4, 1}})});
    ExpectNear(FirstRates(workload, PortRates::Uniform(8, 1)),
               {0.25, 0.625, 0.25, 0.25, 0.375, 0.25, 0.375});
}

TEST(MaxMin, RatesAreHandedOnWhenAFlowFinishes)
{
    // Two flows of one coflow share port 0 until the short one is through after 2 units.
    const Workload workload = MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}, {0, 3, 4}})});
    const FluidResult result = RunUnits(workload, "max-min");
    EXPECT_EQ(result.FlowFinish(0, 0), 2 * UNIT);
    EXPECT_EQ(result.FlowFinish(0, 1), 5 * UNIT);
}

TEST(MaxMin, RatesAreHandedOnSoLongAfterAFlowHasFinished)
{
    // As above, but the other flow goes on at half a unit for another half unit of time: by then
    // it has sent 1.25 of 4.
    const Workload workload = MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}, {0, 3, 4}})});
    const FluidResult result = RunUnits(workload, "max-min", {"coalesce=0.05"});
    EXPECT_EQ(result.FlowFinish(0, 0), 2 * UNIT);
    EXPECT_EQ(result.FlowFinish(0, 1), 2 * UNIT + UNIT / 2 + 2 * UNIT + UNIT * 3 / 4);
    // The rest of ps-p's static parts is handed on in the same way.
    EXPECT_EQ(RunUnits(workload, "ps-p", {"coalesce=0.05"}).FlowFinish(0, 1),
              result.FlowFinish(0, 1));
    // With the sizes as weights, flows that begin together end together.
    const Workload later =
        MakeWorkload(4, {MakeCoflow(1, {{0, 2, 1}}), MakeCoflow(2, {{0, 3, 1}, {0, 1, 2}})});
    EXPECT_EQ(RunUnits(later, "wss", {"coalesce=0.05"}).FlowFinish(1, 1), 4 * UNIT);
    EXPECT_THROW(MakePolicy("ps-p", {"mode=wfq", "coalesce=0.05"}), InputError);
    EXPECT_THROW(MakePolicy("fair", {"coalesce=0.05"}), InputError);
}

TEST(MaxMin, EveryFlowHasAFullPortWhereNoneIsFaster)
{
    // Which is max-min fairness (Bertsekas and Gallager, Data Networks, section 6.5.2).
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        const PortRates capacity = UnequalPorts(workload.hosts, PORT_RATE);
        const auto check = [&](const FluidInterval& interval) {
            // Whether an end of a flow is full, and none is faster there.
            const auto isBottleneck =
                [&](HostId FlowState::* end, const FlowState& of, double port) {
                    double sum = 0;
                    double largest = 0;
                    for (const FlowState& flow : interval.flows)
                    {
                        if (flow.*end == of.*end)
                        {
                            sum += flow.rate;
                            largest = std::max(largest, flow.rate);
                        }
                    }
                    return sum > port * (1 - 1e-6) && of.rate > largest * (1 - 1e-6);
                };
            for (const FlowState& flow : interval.flows)
            {
                EXPECT_TRUE(isBottleneck(&FlowState::src, flow, capacity.ingress[flow.src]) ||
                            isBottleneck(&FlowState::dst, flow, capacity.egress[flow.dst]))
                    << "seed " << seed << " at " << interval.from << " coflow " << flow.coflow
                    << " flow " << flow.flow;
            }
        };
        RunFluid(workload, capacity, *MakePolicy("max-min"), Watched(check));
        RunGeneral(workload, capacity, *MakePolicy("max-min"), Watched(check));
    }
}

TEST(MaxMin, IsFairToTheBit)
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        const Workload workload = RandomWorkload(seed, Shapes()[seed % Shapes().size()]);
        for (const PortRates& capacity : {PortRates::Uniform(workload.hosts, PORT_RATE),
                                          UnequalPorts(workload.hosts, PORT_RATE)})
        {
            const WatchedRun fair = RunWatched(workload, capacity, "fair");
            const WatchedRun maxMin = RunWatched(workload, capacity, "max-min");
            EXPECT_EQ(maxMin.rates, fair.rates) << "seed " << seed;
            EXPECT_EQ(maxMin.result.flowFinish, fair.result.flowFinish) << "seed " << seed;
            // By clocks per port in place of rates per flow.
            EXPECT_EQ(RunFluid(workload, capacity, *MakePolicy("max-min")).flowFinish,
                      RunFluid(workload, capacity, *MakePolicy("fair")).flowFinish)
                << "seed " << seed;
        }
    }
}

TEST(MaxMin, KnowsNoSizesNeedsACoordinatorAndHasNoArtefact)
{
    EXPECT_EQ(Policies::Find("max-min").knowledge, Knowledge::ATTAINED);
    EXPECT_EQ(MakePolicy("max-min")->GetControl(), Control::CENTRAL);
    EXPECT_THROW(MakePolicy("max-min", {"redistribute=false"}), InputError);
}
