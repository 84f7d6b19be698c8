/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-random.h"
#include "ns3/coflow-statistics.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

using namespace coflow;

namespace
{

Coflow
Make(const std::vector<Flow>& flows)
{
    Coflow coflow;
    coflow.flows = flows;
    for (FlowId i = 0; i < flows.size(); ++i)
    {
        coflow.flows[i].id = i;
    }
    return coflow;
}

/// As many flows of as many bytes.
Coflow
Uniform(std::size_t flows, Bytes bytes)
{
    return Make(std::vector<Flow>(flows, {0, 0, 1, bytes}));
}

} // namespace

TEST(Statistics, DescribesACoflow)
{
    // Uplinks: host 0 carries 6, host 2 carries 2. Downlinks: host 1 carries 7, host 3 carries 1.
    const Coflow coflow =
        Make({{0, 0, 1, 5}, {0, 2, 1, 2}, {0, 0, 3, 1}, {0, 3, 3, 12}, {0, 4, 4, 0}});
    const CoflowStatistics statistics = ComputeStatistics(coflow);
    EXPECT_EQ(statistics.length, 12);
    EXPECT_EQ(statistics.width, 5U);
    EXPECT_EQ(statistics.size, 20);
    EXPECT_EQ(statistics.senders, 4U);
    EXPECT_EQ(statistics.receivers, 3U);
    EXPECT_EQ(statistics.localFlows, 2U);
    EXPECT_EQ(statistics.bottleneck, 7);
    // Mean 4; squared distances 1 + 4 + 9 + 64 + 16 = 94; sqrt(94 / 5) / 4.
    EXPECT_NEAR(statistics.skew, std::sqrt(94.0 / 5) / 4, 1e-12);

    const PortLoads loads = ComputePortLoads(coflow);
    EXPECT_EQ(loads.ingress, (std::vector<PortLoad>{{0, 6}, {2, 2}}));
    EXPECT_EQ(loads.egress, (std::vector<PortLoad>{{1, 7}, {3, 1}}));
}

TEST(Statistics, DescribesCoflowsWithoutBytes)
{
    const CoflowStatistics nothing = ComputeStatistics(Coflow{});
    EXPECT_EQ(nothing.width, 0U);
    EXPECT_EQ(nothing.senders, 0U);
    EXPECT_EQ(nothing.skew, 0);
    EXPECT_EQ(nothing.bin, Bin::SN);
    const CoflowStatistics empty = ComputeStatistics(Uniform(3, 0));
    EXPECT_EQ(empty.skew, 0);
    EXPECT_EQ(empty.bottleneck, 0);
    EXPECT_EQ(ComputePortLoads(Uniform(3, 0)).ingress, (std::vector<PortLoad>{{0, 0}}));
}

TEST(Statistics, SortsIntoBinsAtTheLimits)
{
    EXPECT_EQ(ComputeStatistics(Uniform(50, 4'999'999)).bin, Bin::SN);
    EXPECT_EQ(ComputeStatistics(Uniform(50, 5'000'000)).bin, Bin::LN);
    EXPECT_EQ(ComputeStatistics(Uniform(51, 4'999'999)).bin, Bin::SW);
    EXPECT_EQ(ComputeStatistics(Uniform(51, 5'000'000)).bin, Bin::LW);
    const BinLimits dCas{10'000'000, 50};
    EXPECT_EQ(ComputeStatistics(Uniform(51, 9'999'999), dCas).bin, Bin::SW);
    EXPECT_EQ(BinName(Bin::LN), "LN");
}

TEST(Statistics, GammaIsTheTimeOfTheSlowestPort)
{
    const Coflow coflow = Make({{0, 0, 1, 600}, {0, 2, 1, 200}, {0, 0, 3, 100}});
    PortRates rates = PortRates::Uniform(4, 100);
    EXPECT_DOUBLE_EQ(GammaSeconds(coflow, rates), 8);
    rates.egress[3] = 10;
    EXPECT_DOUBLE_EQ(GammaSeconds(coflow, rates), 10);
    rates.ingress[0] = 50;
    EXPECT_DOUBLE_EQ(GammaSeconds(coflow, rates), 14);
    rates.ingress[1] = 0;
    EXPECT_DOUBLE_EQ(GammaSeconds(coflow, rates), 14);
    rates.ingress[2] = 0;
    EXPECT_EQ(GammaSeconds(coflow, rates), std::numeric_limits<double>::infinity());
}

TEST(Statistics, GammaCountsNeitherLocalNorEmptyFlows)
{
    const PortRates dead = PortRates::Uniform(3, 0);
    EXPECT_EQ(GammaSeconds(Make({{0, 1, 1, 100}, {0, 0, 2, 0}}), dead), 0);
    EXPECT_EQ(GammaSeconds(Coflow{}, dead), 0);
}

TEST(Statistics, PortLoadsAgreeWithABruteForceSumOnFewAndOnManyHosts)
{
    Random random(3);
    for (const HostId hosts : {2U, 30U, 100'000U})
    {
        for (int round = 0; round < 50; ++round)
        {
            std::vector<Flow> flows(random.UniformInt<std::size_t>(0, 40));
            std::map<HostId, Bytes> ingress;
            std::map<HostId, Bytes> egress;
            for (Flow& flow : flows)
            {
                flow.src = random.UniformInt<HostId>(0, hosts - 1);
                flow.dst = random.UniformInt(0, 3) > 0 ? random.UniformInt<HostId>(0, hosts - 1)
                                                       : flow.src;
                flow.bytes = random.UniformInt<Bytes>(0, 9);
                if (flow.src != flow.dst)
                {
                    ingress[flow.src] += flow.bytes;
                    egress[flow.dst] += flow.bytes;
                }
            }
            const PortLoads loads = ComputePortLoads(Make(flows));
            const auto same = [](const PortLoad& load, const std::pair<const HostId, Bytes>& sum) {
                return load.host == sum.first && load.bytes == sum.second;
            };
            EXPECT_TRUE(std::equal(loads.ingress.begin(),
                                   loads.ingress.end(),
                                   ingress.begin(),
                                   ingress.end(),
                                   same));
            EXPECT_TRUE(std::equal(loads.egress.begin(),
                                   loads.egress.end(),
                                   egress.begin(),
                                   egress.end(),
                                   same));
        }
    }
}

TEST(Statistics, SumsPortsOverTheWorkload)
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows = {Make({{0, 0, 1, 5}, {0, 2, 2, 9}}), Make({{0, 0, 2, 7}})};
    const PortTotals totals = ComputePortTotals(workload);
    EXPECT_EQ(totals.ingress, (std::vector<Bytes>{12, 0, 0}));
    EXPECT_EQ(totals.egress, (std::vector<Bytes>{0, 5, 7}));
}

TEST(Statistics, TakesQuantilesByNearestRank)
{
    const std::vector<double> values{1, 2, 3, 4};
    EXPECT_EQ(Quantile(values, 0), 1);
    EXPECT_EQ(Quantile(values, 0.25), 1);
    EXPECT_EQ(Quantile(values, 0.5), 2);
    EXPECT_EQ(Quantile(values, 0.51), 3);
    EXPECT_EQ(Quantile(values, 1), 4);
    EXPECT_EQ(Quantile({}, 0.5), 0);
}
