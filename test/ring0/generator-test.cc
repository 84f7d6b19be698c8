/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-expect-error.h"
#include "coflow-test-paths.h"

#include "ns3/coflow-generator.h"
#include "ns3/coflow-shuffle.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace coflow;

namespace
{

/// Coflows per bin.
std::array<int, 4>
CountBins(const Workload& workload, const BinLimits& limits = {})
{
    std::array<int, 4> counts{};
    for (const Coflow& coflow : workload.coflows)
    {
        ++counts[static_cast<std::size_t>(ComputeStatistics(coflow, limits).bin)];
    }
    return counts;
}

/// Offered load of the uplinks until the last arrival.
double
Load(const Workload& workload, double bytesPerSecond)
{
    double bytes = 0;
    for (const Bytes port : ComputePortTotals(workload).ingress)
    {
        bytes += static_cast<double>(port);
    }
    const double seconds = static_cast<double>(workload.coflows.back().arrival) / 1e9;
    return bytes / (bytesPerSecond * workload.hosts * seconds);
}

} // namespace

TEST(Generators, AreAllThere)
{
    std::set<std::string> names;
    for (const auto& [name, generator] : Generators::All())
    {
        names.insert(name);
        EXPECT_FALSE(generator.help.empty());
        for (const ParameterSpec& spec : generator.parameters)
        {
            EXPECT_LE(spec.least, spec.defaultValue) << name << ' ' << spec.name;
            EXPECT_LE(spec.defaultValue, spec.most) << name << ' ' << spec.name;
            EXPECT_FALSE(spec.help.empty()) << name << ' ' << spec.name;
        }
    }
    EXPECT_EQ(names,
              (std::set<std::string>{"varys-mix",
                                     "dcas-mix",
                                     "fb-like",
                                     "incast",
                                     "permutation",
                                     "broadcast",
                                     "all-to-all",
                                     "nc-drf-table3",
                                     "ring-all-reduce",
                                     "all-to-all-collective"}));
}

TEST(Generators, GiveTheSameForTheSameParametersAndAnotherForAnotherSeed)
{
    for (const auto& [name, generator] : Generators::All())
    {
        std::vector<std::string> few;
        bool isSeeded = false;
        for (const ParameterSpec& spec : generator.parameters)
        {
            if (spec.name == "coflows")
            {
                few.push_back("coflows=12");
            }
            isSeeded |= spec.name == "seed";
        }
        const Workload workload = Generate(name, few);
        EXPECT_EQ(workload.coflows, Generate(name, few).coflows) << name;
        EXPECT_EQ(workload.history.size(), 1U);
        EXPECT_EQ(workload.history[0].rfind("generator " + name, 0), 0U);
        if (isSeeded)
        {
            few.push_back("seed=2");
            EXPECT_NE(workload.coflows, Generate(name, few).coflows) << name;
        }
    }
}

TEST(Generators, HistoryReproducesTheWorkload)
{
    const Workload workload = Generate("dcas-mix", {"coflows=20", "load=0.3", "maxBytes=20MB"});
    std::istringstream words(workload.history.at(0));
    std::string kind;
    std::string name;
    words >> kind >> name;
    std::vector<std::string> assignments;
    for (std::string word; words >> word;)
    {
        assignments.push_back(word);
    }
    EXPECT_EQ(Generate(name, assignments).coflows, workload.coflows);
}

TEST(Generators, TellWhatIsAllowed)
{
    EXPECT_EQ(test::ErrorOf([] { Generate("incasts"); }),
              "generator is 'incasts'; allowed: all-to-all, all-to-all-collective, broadcast, "
              "dcas-mix, fb-like, incast, nc-drf-table3, permutation, ring-all-reduce, varys-mix "
              "(perhaps incast)");
    EXPECT_EQ(test::ErrorOf([] { Generate("incast", {"senders=0"}); }),
              "generator incast: senders is '0'; allowed: a whole number, from 1 to 1e+05");
    EXPECT_EQ(test::ErrorOf([] { Generate("varys-mix", {"minBytes=5MB"}); }),
              "generator varys-mix: minBytes is '5e+06'; allowed: fewer than shortBytes");
    EXPECT_EQ(test::ErrorOf([] { Generate("dcas-mix", {"maxBytes=1MB"}); }),
              "generator dcas-mix: shortBytes is '1e+07'; allowed: at most maxBytes");
    EXPECT_EQ(test::ErrorOf([] { Generate("fb-like", {"sn=0", "ln=0", "sw=0", "lw=0"}); }),
              "generator fb-like: sn is '0'; allowed: a share > 0 of at least one of sn, ln, sw, "
              "lw");
    EXPECT_EQ(test::ErrorOf([] { Generate("nc-drf-table3", {"minBytes=1GB"}); }),
              "generator nc-drf-table3: minBytes is '1e+09'; allowed: at most maxBytes");
}

TEST(Shuffle, BinsMatchTheSharesByLargestRemainder)
{
    Random random(1);
    // 10 coflows at 52/16/15/17: 5.2, 1.6, 1.5, 1.7; the two left over go to LW and LN.
    const auto bins = DrawBins({52, 16, 15, 17}, 10, random);
    EXPECT_EQ(std::count(bins.begin(), bins.end(), Bin::SN), 5);
    EXPECT_EQ(std::count(bins.begin(), bins.end(), Bin::LN), 2);
    EXPECT_EQ(std::count(bins.begin(), bins.end(), Bin::SW), 1);
    EXPECT_EQ(std::count(bins.begin(), bins.end(), Bin::LW), 2);
    EXPECT_EQ(DrawBins({0, 0, 3, 0}, 7, random), std::vector<Bin>(7, Bin::SW));
    EXPECT_EQ(DrawBins({1e-3, 0.1, 0, 0.3}, 1, random), std::vector<Bin>{Bin::LW});
}

TEST(Shuffle, ShapesAreFittedToEveryBinOnEveryNumberOfHosts)
{
    for (const HostId hosts : {8U, 9U, 16U, 50U, 51U, 150U})
    {
        for (HostId senders = 1; senders <= hosts; ++senders)
        {
            for (HostId receivers = 1; receivers <= hosts; ++receivers)
            {
                for (const Bin bin : ALL_BINS)
                {
                    const ShuffleShape shape = FitToBin({senders, receivers}, bin, hosts);
                    ASSERT_GE(shape.senders, 1U);
                    ASSERT_GE(shape.receivers, 1U);
                    ASSERT_LE(shape.senders, hosts);
                    ASSERT_LE(shape.receivers, hosts);
                    const bool isNarrow = bin == Bin::SN || bin == Bin::LN;
                    ASSERT_EQ(shape.senders * shape.receivers <= 50, isNarrow);
                }
            }
        }
    }
}

TEST(VarysMix, HasItsBinsSizesAndLoad)
{
    double sumOfLoads = 0;
    for (const std::string seed : {"1", "2", "3", "4", "5"})
    {
        const Workload workload =
            Generate("varys-mix", {"coflows=400", "hosts=40", "seed=" + seed});
        EXPECT_EQ(CountBins(workload), (std::array<int, 4>{208, 64, 60, 68}));
        sumOfLoads += Load(workload, 125e6);
        for (const Coflow& coflow : workload.coflows)
        {
            for (const Flow& flow : coflow.flows)
            {
                ASSERT_GE(flow.bytes, 1'000'000);
                ASSERT_LE(flow.bytes, 1'000'000'000);
            }
        }
    }
    // 2000 gaps: the mean gap has a standard deviation of 2.2 %.
    EXPECT_NEAR(sumOfLoads / 5, 0.5, 0.05);
}

TEST(DcasMix, IsTheSetUpOfThePaper)
{
    const Workload workload = Generate("dcas-mix");
    EXPECT_EQ(workload.hosts, 80U);
    EXPECT_EQ(workload.coflows.size(), 400U);
    EXPECT_EQ(CountBins(workload, {10'000'000, 50}), (std::array<int, 4>{208, 64, 60, 68}));
    EXPECT_NEAR(Load(workload, 125e6), 1, 0.15);
    Bytes longest = 0;
    for (const Coflow& coflow : workload.coflows)
    {
        longest = std::max(longest, ComputeStatistics(coflow).length);
    }
    EXPECT_LE(longest, 500'000'000);
    EXPECT_GE(longest, 490'000'000);
}

TEST(PoissonArrivals, HaveExponentialGapsOfTheGivenRate)
{
    const Workload workload =
        Generate("varys-mix", {"coflows=4000", "hosts=8", "arrivalRate=20", "lw=0", "sw=0"});
    std::vector<double> gaps;
    Nanoseconds previous = 0;
    for (const Coflow& coflow : workload.coflows)
    {
        gaps.push_back(static_cast<double>(coflow.arrival - previous) / 1e9);
        previous = coflow.arrival;
    }
    double mean = 0;
    for (const double gap : gaps)
    {
        mean += gap / 4000;
    }
    EXPECT_NEAR(mean, 0.05, 0.05 * 4 / std::sqrt(4000.0));
    // Kolmogorov and Smirnov at the 0.1 % level: 1.95 / sqrt(n).
    std::sort(gaps.begin(), gaps.end());
    double distance = 0;
    for (std::size_t i = 0; i < gaps.size(); ++i)
    {
        const double expected = 1 - std::exp(-gaps[i] / 0.05);
        distance = std::max({distance,
                             std::abs(expected - static_cast<double>(i) / 4000),
                             std::abs(expected - static_cast<double>(i + 1) / 4000)});
    }
    EXPECT_LT(distance, 1.95 / std::sqrt(4000.0));
}

TEST(FbLike, FollowsThePublishedStatistics)
{
    double fewSenders = 0;
    double manySenders = 0;
    double bytes = 0;
    double bytesOfLw = 0;
    double flows = 0;
    double load = 0;
    std::vector<double> gammas;
    constexpr int SEEDS = 5;
    for (int seed = 1; seed <= SEEDS; ++seed)
    {
        const Workload workload = Generate("fb-like", {"seed=" + std::to_string(seed)});
        EXPECT_EQ(CountBins(workload), (std::array<int, 4>{309, 90, 59, 68}));
        load += Load(workload, 125e6) / SEEDS;
        const PortRates rates = PortRates::Uniform(workload.hosts, 125e6);
        for (const Coflow& coflow : workload.coflows)
        {
            const CoflowStatistics statistics = ComputeStatistics(coflow);
            fewSenders += statistics.senders < 10;
            manySenders += statistics.senders > 100;
            bytes += static_cast<double>(statistics.size);
            bytesOfLw += statistics.bin == Bin::LW ? static_cast<double>(statistics.size) : 0;
            flows += static_cast<double>(statistics.width);
            gammas.push_back(GammaSeconds(coflow, rates));
        }
    }
    std::sort(gammas.begin(), gammas.end());
    // The trace: 65.6 %, 8.4 %, 99.07 %, 35.5 TB, 706,397 flows, Gamma 0.15 and 37.5 s.
    EXPECT_NEAR(fewSenders / (SEEDS * 526), 0.656, 0.05);
    EXPECT_NEAR(manySenders / (SEEDS * 526), 0.084, 0.03);
    EXPECT_GT(bytesOfLw / bytes, 0.97);
    EXPECT_GT(bytes / SEEDS, 35.5e12 / 2);
    EXPECT_LT(bytes / SEEDS, 35.5e12 * 2);
    EXPECT_NEAR(flows / SEEDS, 706'397, 300'000);
    EXPECT_NEAR(Quantile(gammas, 0.5), 0.15, 0.05);
    EXPECT_NEAR(Quantile(gammas, 0.95), 37.5, 15);
    EXPECT_NEAR(load, 0.52, 0.05);
}

TEST(FbLike, GivesTheSampleThatIsShipped)
{
    const Workload sample = ReadTrace(COFLOW_SOURCE_DIR "/examples/data/fb-like-16.csv");
    Workload workload = Generate("fb-like", {"coflows=60", "hosts=16", "load=0.9", "seed=19"});
    for (const Transform& transform : ParseTransforms("scale=1/250"))
    {
        ApplyTransform(workload, transform);
    }
    EXPECT_EQ(sample.hosts, workload.hosts);
    EXPECT_EQ(sample.coflows, workload.coflows);
    EXPECT_EQ(sample.scale, workload.scale);
    EXPECT_TRUE(
        std::equal(workload.history.begin(), workload.history.end(), sample.history.begin()));
}

TEST(Patterns, IncastAndBroadcastAreMirrorImages)
{
    const Workload incast =
        Generate("incast", {"senders=3", "bytes=7", "coflows=2", "interval=20ms"});
    EXPECT_EQ(incast.hosts, 4U);
    const std::vector<Flow> expected{{0, 1, 0, 7}, {1, 2, 0, 7}, {2, 3, 0, 7}};
    EXPECT_EQ(incast.coflows.at(0).flows, expected);
    EXPECT_EQ(incast.coflows.at(1).flows, expected);
    EXPECT_EQ(incast.coflows.at(1).arrival, 20'000'000);

    Workload broadcast = Generate("broadcast", {"receivers=3", "bytes=7"});
    for (Flow& flow : broadcast.coflows.at(0).flows)
    {
        std::swap(flow.src, flow.dst);
    }
    EXPECT_EQ(broadcast.coflows.at(0).flows, expected);
}

TEST(Patterns, PermutationLetsEverybodySendAndReceiveOnceButNotToThemselves)
{
    for (const std::string hosts : {"2", "3", "17"})
    {
        const Workload workload = Generate("permutation", {"hosts=" + hosts, "coflows=20"});
        for (const Coflow& coflow : workload.coflows)
        {
            const CoflowStatistics statistics = ComputeStatistics(coflow);
            EXPECT_EQ(statistics.width, workload.hosts);
            EXPECT_EQ(statistics.senders, workload.hosts);
            EXPECT_EQ(statistics.receivers, workload.hosts);
            EXPECT_EQ(statistics.localFlows, 0U);
        }
    }
}

TEST(Patterns, AllToAllHasEveryPairOnce)
{
    const Workload workload = Generate("all-to-all", {"hosts=5"});
    std::set<std::pair<HostId, HostId>> pairs;
    for (const Flow& flow : workload.coflows.at(0).flows)
    {
        EXPECT_NE(flow.src, flow.dst);
        pairs.insert({flow.src, flow.dst});
    }
    EXPECT_EQ(pairs.size(), 20U);
    EXPECT_EQ(workload.coflows[0].flows.size(), 20U);
}

TEST(NcDrfTable3, HasTheFlowsOfTheTestbed)
{
    const Workload workload = Generate("nc-drf-table3");
    ASSERT_EQ(workload.coflows.size(), 3U);
    EXPECT_EQ(workload.hosts, 60U);
    const std::array<std::size_t, 3> widths{360, 60, 60};
    for (std::size_t i = 0; i < 3; ++i)
    {
        const Coflow& coflow = workload.coflows[i];
        const CoflowStatistics statistics = ComputeStatistics(coflow);
        EXPECT_EQ(coflow.arrival, static_cast<Nanoseconds>(i) * 10'000'000'000);
        EXPECT_EQ(statistics.width, widths[i]);
        EXPECT_EQ(statistics.senders, 60U);
        EXPECT_EQ(statistics.receivers, 60U);
        for (const Flow& flow : coflow.flows)
        {
            EXPECT_GE(flow.bytes, 30'000'000);
            EXPECT_LE(flow.bytes, 100'000'000);
            const HostId distance = std::max(flow.src, flow.dst) - std::min(flow.src, flow.dst);
            EXPECT_TRUE(i == 0 ? flow.src / 6 == flow.dst / 6 : distance == (i == 1 ? 30U : 15U));
        }
    }
    EXPECT_EQ(ComputeStatistics(workload.coflows[0]).localFlows, 60U);
}

TEST(Collectives, RingAllReduceBringsEveryChunkToEverybody)
{
    const Workload workload = Generate("ring-all-reduce", {"hosts=4", "bytes=10"});
    ASSERT_EQ(workload.coflows.size(), 6U);
    // What host h holds of chunk c: the set of hosts whose part is in it.
    std::vector<std::vector<std::set<HostId>>> held(4, std::vector<std::set<HostId>>(4));
    for (HostId host = 0; host < 4; ++host)
    {
        for (auto& chunk : held[host])
        {
            chunk = {host};
        }
    }
    const std::array<Bytes, 4> sizes{3, 3, 2, 2};
    for (HostId step = 0; step < 6; ++step)
    {
        const Coflow& coflow = workload.coflows[step];
        EXPECT_EQ(coflow.parents,
                  step == 0 ? std::vector<CoflowId>{} : std::vector<CoflowId>{step});
        const auto before = held;
        for (const Flow& flow : coflow.flows)
        {
            EXPECT_EQ(flow.dst, (flow.src + 1) % 4);
            // The chunk that the textbook algorithm sends in this step.
            const HostId chunk = (flow.src + 8 - step) % 4;
            EXPECT_EQ(flow.bytes, sizes[chunk]);
            held[flow.dst][chunk].insert(before[flow.src][chunk].begin(),
                                         before[flow.src][chunk].end());
        }
    }
    for (const auto& chunks : held)
    {
        for (const auto& parts : chunks)
        {
            EXPECT_EQ(parts.size(), 4U);
        }
    }
}

TEST(Collectives, AllToAllStepsArePermutationsThatCoverEveryPair)
{
    const Workload workload =
        Generate("all-to-all-collective", {"hosts=5", "bytes=9", "iterations=2", "interval=1s"});
    ASSERT_EQ(workload.coflows.size(), 8U);
    std::set<std::pair<HostId, HostId>> pairs;
    for (std::size_t i = 0; i < 8; ++i)
    {
        const Coflow& coflow = workload.coflows[i];
        EXPECT_EQ(coflow.arrival, i < 4 ? 0 : 1'000'000'000);
        EXPECT_EQ(coflow.parents, i == 0 ? std::vector<CoflowId>{} : std::vector<CoflowId>{i});
        const CoflowStatistics statistics = ComputeStatistics(coflow);
        EXPECT_EQ(statistics.senders, 5U);
        EXPECT_EQ(statistics.receivers, 5U);
        EXPECT_EQ(statistics.localFlows, 0U);
        for (const Flow& flow : coflow.flows)
        {
            EXPECT_EQ(flow.bytes, 9);
            pairs.insert({flow.src, flow.dst});
        }
    }
    EXPECT_EQ(pairs.size(), 20U);
}
