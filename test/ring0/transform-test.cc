/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-expect-error.h"
#include "coflow-test-data.h"

#include "ns3/coflow-generator.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

using namespace coflow;

namespace
{

Workload
Apply(Workload workload, const std::string& text)
{
    for (const Transform& transform : ParseTransforms(text))
    {
        ApplyTransform(workload, transform);
    }
    return workload;
}

std::vector<CoflowId>
Ids(const Workload& workload)
{
    std::vector<CoflowId> ids;
    for (const Coflow& coflow : workload.coflows)
    {
        ids.push_back(coflow.id);
    }
    return ids;
}

/// Coflows 1, 2, 3, 4 at 0, 1, 2, 3 s with 10, 200, 30, 40 bytes.
Workload
Four()
{
    constexpr Nanoseconds S = 1'000'000'000;
    Workload workload;
    workload.hosts = 6;
    workload.coflows = {{1, 0, std::nullopt, {{0, 0, 1, 10}}, {}},
                        {2, S, 5 * S, {{0, 2, 3, 150}, {1, 4, 3, 50}}, {1}},
                        {3, 2 * S, std::nullopt, {{0, 5, 1, 30}}, {2}},
                        {4, 3 * S, std::nullopt, {{0, 0, 0, 40}, {1, 1, 2, 0}}, {3, 1}}};
    return workload;
}

} // namespace

TEST(Transforms, AreAllThere)
{
    std::set<std::string> names;
    for (const auto& [name, kind] : TransformKinds::All())
    {
        names.insert(name);
        EXPECT_FALSE(kind.syntax.empty());
        EXPECT_FALSE(kind.help.empty());
    }
    EXPECT_EQ(names,
              (std::set<std::string>{"deadlines",
                                     "first",
                                     "load",
                                     "max-coflow-bytes",
                                     "merge",
                                     "min-flow-bytes",
                                     "remap",
                                     "sample",
                                     "scale",
                                     "scale-bytes",
                                     "scale-time",
                                     "weights",
                                     "window"}));
}

TEST(Transforms, AreRecordedInCanonicalTextThatCanBeAppliedAgain)
{
    const std::string text =
        "first=3,window=500ms:2.0,max-coflow-bytes=1kB,scale-bytes=5e-1,min-flow-bytes=2e0,"
        "scale-time=2.0,remap=fold:4,remap=spread:9,remap=random:12:7,deadlines=1:1Gbps:3:1us,"
        "weights=5e-1:7:2";
    const Workload workload = Apply(Four(), text);
    EXPECT_EQ(workload.history,
              (std::vector<std::string>{"transform first=3",
                                        "transform window=0.5:2",
                                        "transform max-coflow-bytes=1000",
                                        "transform scale-bytes=0.5",
                                        "transform min-flow-bytes=2",
                                        "transform scale-time=2",
                                        "transform remap=fold:4",
                                        "transform remap=spread:9",
                                        "transform remap=random:12:7",
                                        "transform deadlines=1:1e+09:3:1e-06",
                                        "transform weights=0.5:7:2"}));
    EXPECT_EQ(Apply(Four(), "sample=3e0:5,load=0.250:800bps:busiest,load=4e-1:1kbps").history,
              (std::vector<std::string>{"transform sample=3:5",
                                        "transform load=0.25:800:busiest",
                                        "transform load=0.4:1000"}));
    std::string again;
    for (const std::string& line : workload.history)
    {
        again += again.empty() ? "" : ",";
        again += line.substr(std::string("transform ").size());
    }
    EXPECT_EQ(Apply(Four(), again).coflows, workload.coflows);
}

TEST(Transforms, FirstKeepsTheEarliest)
{
    EXPECT_EQ(Ids(Apply(Four(), "first=2")), (std::vector<CoflowId>{1, 2}));
    EXPECT_EQ(Apply(Four(), "first=2").coflows[1], Four().coflows[1]);
    EXPECT_EQ(Ids(Apply(Four(), "first=0")), std::vector<CoflowId>{});
    EXPECT_EQ(Apply(Four(), "first=9").coflows, Four().coflows);
}

TEST(Transforms, WindowIsHalfOpenAndStartsTheClock)
{
    const Workload workload = Apply(Four(), "window=1:3");
    EXPECT_EQ(Ids(workload), (std::vector<CoflowId>{2, 3}));
    EXPECT_EQ(workload.coflows[0].arrival, 0);
    EXPECT_EQ(workload.coflows[1].arrival, 1'000'000'000);
    EXPECT_EQ(workload.coflows[0].deadline, 5'000'000'000);
}

TEST(Transforms, MaxCoflowBytesCountsAllFlows)
{
    EXPECT_EQ(Ids(Apply(Four(), "max-coflow-bytes=200")), (std::vector<CoflowId>{1, 2, 3, 4}));
    EXPECT_EQ(Ids(Apply(Four(), "max-coflow-bytes=199")), (std::vector<CoflowId>{1, 3, 4}));
}

TEST(Transforms, WhatWaitedForADroppedCoflowWaitsForItsParents)
{
    // 2 is dropped: 3 waited for it and now waits for 1.
    const Workload workload = Apply(Four(), "max-coflow-bytes=199");
    EXPECT_EQ(workload.coflows[1].parents, std::vector<CoflowId>{1});
    EXPECT_EQ(workload.coflows[2].parents, (std::vector<CoflowId>{3, 1}));
    // 2 and 3 are dropped: 4 waited for 3 and 1, and names 1 once.
    const Workload two = Apply(Four(), "max-coflow-bytes=199,window=0:9");
    Workload dropped = Four();
    KeepCoflows(dropped, [](const Coflow& coflow) { return coflow.id == 1 || coflow.id == 4; });
    EXPECT_EQ(dropped.coflows.at(1).parents, std::vector<CoflowId>{1});
    // The first one is dropped: nobody waits for it.
    EXPECT_EQ(Apply(Four(), "window=1:9").coflows[0].parents, std::vector<CoflowId>{});
}

TEST(Transforms, DroppingKeepsTheOrderOfWhatIsKept)
{
    // Whether a coflow waits, over others, for another one must not change.
    const auto waitsFor = [](const Workload& workload) {
        std::map<CoflowId, std::set<CoflowId>> ancestors;
        for (const Coflow& coflow : workload.coflows)
        {
            for (const CoflowId parent : coflow.parents)
            {
                ancestors[coflow.id].insert(parent);
                ancestors[coflow.id].insert(ancestors[parent].begin(), ancestors[parent].end());
            }
        }
        return ancestors;
    };
    Random random(11);
    for (int round = 0; round < 200; ++round)
    {
        Workload workload;
        for (CoflowId id = 0; id < 12; ++id)
        {
            Coflow coflow{id, static_cast<Nanoseconds>(id), std::nullopt, {}, {}};
            for (CoflowId parent = 0; parent < id; ++parent)
            {
                if (random.UniformInt(0, 3) == 0)
                {
                    coflow.parents.push_back(parent);
                }
            }
            workload.coflows.push_back(coflow);
        }
        std::set<CoflowId> kept;
        for (const HostId id : random.Hosts(12, 6))
        {
            kept.insert(id);
        }
        auto before = waitsFor(workload);
        KeepCoflows(workload, [&](const Coflow& coflow) { return kept.count(coflow.id) > 0; });
        auto after = waitsFor(workload);
        ASSERT_EQ(workload.coflows.size(), 6U);
        for (const CoflowId a : kept)
        {
            for (const CoflowId b : kept)
            {
                EXPECT_EQ(before[a].count(b), after[a].count(b));
            }
        }
    }
}

TEST(Transforms, ScaleBytesRoundsToTheNearestAndKeepsFlowsWithBytes)
{
    const Workload workload = Apply(Four(), "scale-bytes=0.01");
    // 10, 150, 50, 30, 40, 0 become 0.1, 1.5, 0.5, 0.3, 0.4, 0.
    std::vector<Bytes> sizes;
    for (const Coflow& coflow : workload.coflows)
    {
        for (const Flow& flow : coflow.flows)
        {
            sizes.push_back(flow.bytes);
        }
    }
    EXPECT_EQ(sizes, (std::vector<Bytes>{1, 2, 1, 1, 1, 0}));
    EXPECT_EQ(Apply(Four(), "scale-bytes=1").coflows, Four().coflows);
}

TEST(Transforms, AScaleThatNoFileMayHaveIsRefused)
{
    EXPECT_EQ(Apply(Four(), "scale-bytes=1e-9,scale-bytes=1e-9").scale, 1e-9 * 1e-9);
    EXPECT_EQ(test::ErrorOf([] { Apply(Four(), "scale-bytes=1e-9,scale=1e-9,scale-bytes=0.5"); }),
              "transform scale-bytes=0.5 scales sizes by 5e-19 in all; allowed: from 1e-18 to "
              "1e+18");
}

TEST(Transforms, MinFlowBytesLeavesEmptyFlowsEmpty)
{
    const Workload workload = Apply(Four(), "min-flow-bytes=45");
    EXPECT_EQ(workload.coflows[0].flows[0].bytes, 45);
    EXPECT_EQ(workload.coflows[1].flows[0].bytes, 150);
    EXPECT_EQ(workload.coflows[1].flows[1].bytes, 50);
    EXPECT_EQ(workload.coflows[3].flows[1].bytes, 0);
}

TEST(Transforms, ScaleTimeScalesArrivalsAndDeadlinesAndSortsAgain)
{
    Workload workload = Four();
    workload.coflows[1].id = 9;
    workload.coflows[2].parents = {9};
    workload.coflows[2].deadline = 1;
    workload = Apply(workload, "scale-time=1e-9");
    // All within 3 ns; coflow 9 at 1 ns stays before coflow 3 at 2 ns.
    EXPECT_EQ(Ids(workload), (std::vector<CoflowId>{1, 9, 3, 4}));
    EXPECT_EQ(workload.coflows[1].deadline, 5);
    EXPECT_EQ(workload.coflows[2].deadline, 1);
    // All at 0: by id.
    EXPECT_EQ(Ids(Apply(workload, "scale-time=0.1")), (std::vector<CoflowId>{1, 3, 4, 9}));
}

TEST(Transforms, FoldTakesHostsModulo)
{
    const Workload workload = Apply(Four(), "remap=fold:4");
    EXPECT_EQ(workload.hosts, 4U);
    EXPECT_EQ(workload.coflows[1].flows[1], (Flow{1, 0, 3, 50}));
    // 5 and 1 fall on one host: the flow has become local.
    EXPECT_TRUE(workload.coflows[2].flows[0].IsLocal());
}

TEST(Transforms, SpreadKeepsEvenDistances)
{
    const Workload workload = Apply(Four(), "remap=spread:15");
    EXPECT_EQ(workload.hosts, 15U);
    // Hosts 0 to 5 go to 0, 2, 5, 7, 10, 12.
    EXPECT_EQ(workload.coflows[1].flows[0], (Flow{0, 5, 7, 150}));
    EXPECT_EQ(workload.coflows[2].flows[0], (Flow{0, 12, 2, 30}));
    EXPECT_EQ(Apply(Four(), "remap=spread:6").coflows, Four().coflows);
}

TEST(Transforms, RandomRemapKeepsHostsApartOrSharesThemEqually)
{
    const Workload original = Generate("permutation", {"hosts=24"});
    const auto flowsPerHost = [](const Workload& workload) {
        std::map<HostId, int> counts;
        for (const Flow& flow : workload.coflows[0].flows)
        {
            ++counts[flow.src];
        }
        return counts;
    };
    const auto apart = flowsPerHost(Apply(original, "remap=random:432:5"));
    EXPECT_EQ(apart.size(), 24U);
    EXPECT_GT(apart.rbegin()->first, 24U);
    const auto shared = flowsPerHost(Apply(original, "remap=random:8:5"));
    EXPECT_EQ(shared.size(), 8U);
    for (const auto& [host, count] : shared)
    {
        EXPECT_EQ(count, 3) << host;
    }
    EXPECT_NE(Apply(original, "remap=random:432:6").coflows,
              Apply(original, "remap=random:432:5").coflows);
}

TEST(Transforms, DeadlinesAreGammaStretched)
{
    // Gamma at 800 bit/s = 100 bytes/s: 0.1, 2, 0.3, 0 s.
    const Workload exact = Apply(Four(), "deadlines=0:800bps:1");
    EXPECT_EQ(exact.coflows[0].deadline, 200'000'000);
    EXPECT_EQ(exact.coflows[1].deadline, 2'000'000'000);
    EXPECT_EQ(exact.coflows[2].deadline, 300'000'000);
    EXPECT_EQ(exact.coflows[3].deadline, 200'000'000);
    const Workload stretched = Apply(Four(), "deadlines=2:800bps:1");
    EXPECT_GT(stretched.coflows[1].deadline, 2'000'000'000);
    EXPECT_LT(stretched.coflows[1].deadline, 6'000'000'000);
}

TEST(Transforms, ShortestDeadlineIsAParameter)
{
    // Gamma at 8000 bit/s: 10, 200, 30, 0 ms.
    const Workload exact = Apply(Four(), "deadlines=0:8kbps:1:20ms");
    EXPECT_EQ(exact.coflows[0].deadline, 20'000'000);
    EXPECT_EQ(exact.coflows[1].deadline, 200'000'000);
    EXPECT_EQ(exact.coflows[2].deadline, 30'000'000);
    EXPECT_EQ(exact.coflows[3].deadline, 20'000'000);
}

TEST(Transforms, ShortestDeadlineScalesWithTheWorkload)
{
    // Sizes and deadlines at a tenth are a tenth, whichever comes first.
    const Workload before = Apply(Four(), "deadlines=0:800bps:1,scale=0.1");
    const Workload after = Apply(Four(), "scale=0.1,deadlines=0:800bps:1");
    EXPECT_EQ(after.coflows[0].deadline, 20'000'000) << "one byte takes 10 ms";
    EXPECT_EQ(after.coflows[1].deadline, 200'000'000);
    EXPECT_EQ(before.coflows, after.coflows);
}

TEST(Transforms, DeadlinesThatAreAllTheDefaultShortestAreRefused)
{
    EXPECT_EQ(test::ErrorOf([] { Apply(Four(), "deadlines=1:1Gbps:3"); }),
              "transform deadlines=1:1e+09:3 gives all 3 coflows the shortest deadline, 0.2 s, as "
              "none takes so long; allowed: a shortest deadline that suits, as in "
              "deadlines=1:1e+09:3:1ms, or a workload that says how it is scaled (# scale=1/250)");
    // Who asks for it gets it.
    const Workload same = Apply(Four(), "deadlines=1:1Gbps:3:200ms");
    EXPECT_EQ(same.coflows[1].deadline, 200'000'000);
    // One coflow that takes longer is enough; without bytes there is nothing to tell.
    EXPECT_EQ(Apply(Four(), "deadlines=0:6400bps:3").coflows[1].deadline, 250'000'000);
    EXPECT_EQ(Apply(Four(), "first=0,deadlines=0:1Gbps:3").coflows.size(), 0U);
}

TEST(Transforms, DeadlinesBeyondAllTimesAreRefused)
{
    Workload large = Four();
    large.coflows[1].flows[0].bytes = 1'000'000'000'000'000;
    EXPECT_EQ(
        test::ErrorOf([&] { ApplyTransforms(large, ParseTransforms("deadlines=0:1kbps:1")); }),
        "transform deadlines=0:1000:1 gives coflow " + std::to_string(large.coflows[1].id) +
            " a deadline of 8000000000000.4 s; allowed: at most 4e9 s, so a smaller X or a faster "
            "LINKRATE");
}

TEST(Transforms, WeightsMakeTwoClasses)
{
    Workload many;
    many.hosts = 2;
    for (CoflowId id = 0; id < 1000; ++id)
    {
        many.coflows.push_back({id, 0, std::nullopt, {{0, 0, 1, 1}}, {}, 3});
    }
    const auto heavy = [](const Workload& workload) {
        return std::count_if(workload.coflows.begin(), workload.coflows.end(), [](const Coflow& c) {
            EXPECT_TRUE(c.attributes.weight == 1 || c.attributes.weight == 10);
            return c.attributes.weight == 10;
        });
    };
    const Workload made = Apply(many, "weights=0.25:10:1");
    // Five times the standard deviation of 1000 draws.
    EXPECT_NEAR(heavy(made), 250, 69);
    EXPECT_EQ(Apply(many, "weights=0.25:10:1").coflows, made.coflows);
    EXPECT_NE(Apply(many, "weights=0.25:10:2").coflows, made.coflows);
    EXPECT_EQ(heavy(Apply(many, "weights=0:10:1")), 0);
    EXPECT_EQ(heavy(Apply(many, "weights=1:10:1")), 1000);
}

TEST(Transforms, TellWhatIsAllowed)
{
    const std::map<std::string, std::string> expected{
        {"frist=1",
         "transform is 'frist'; allowed: deadlines, first, load, max-coflow-bytes, merge, "
         "min-flow-bytes, remap, sample, scale, scale-bytes, scale-time, weights, window "
         "(perhaps first)"},
        {"first", "transform first is ''; allowed: first=N, a whole number, from 0 to 1e+15"},
        {"weights=0.5", "transform weights is '0.5'; allowed: weights=P:W:SEED, three values"},
        {"weights=0.5:0:1",
         "transform weights is '0.5:0:1'; allowed: weights=P:W:SEED, a whole number, from 1 to "
         "1000"},
        {"load=0.4",
         "transform load is '0.4'; allowed: load=LOAD:LINKRATE[:busiest], a load such as 0.4 and "
         "the rate of hosts' links, as in load=0.4:1Gbps"},
        {"load=0:1Gbps",
         "transform load is '0:1Gbps'; allowed: load=LOAD:LINKRATE[:busiest], a number, such as "
         "0.5 "
         "or 1/250, from 1e-06 to 1e+06"},
        {"load=1:1Gbps:mean",
         "transform load is '1:1Gbps:mean'; allowed: load=LOAD:LINKRATE[:busiest], with busiest "
         "for the load of the busiest port, otherwise nothing"},
        {"sample=3", "transform sample is '3'; allowed: sample=N:SEED, two whole numbers"},
        {"merge=", "transform merge is ''; allowed: merge=FILE, the name of a file without commas"},
        {"deadlines=1:1Gbps",
         "transform deadlines is '1:1Gbps'; allowed: deadlines=X:LINKRATE:SEED[:LEAST], three "
         "values, or four"},
        {"first=1:2", "transform first is '1:2'; allowed: first=N, one number"},
        {"window=3:1",
         "transform window is '3:1'; allowed: window=FROM:TO, the first time not after the second"},
        {"scale-bytes=0",
         "transform scale-bytes is '0'; allowed: scale-bytes=FACTOR, a number, such as 0.5 or "
         "1/250, from 1e-09 to 1e+09"},
        {"remap=fold:0",
         "transform remap is 'fold:0'; allowed: remap=fold:HOSTS|spread:HOSTS|random:HOSTS:SEED, a "
         "whole number, from 1 to 1e+07"},
        {"remap=random:4",
         "transform remap is 'random:4'; allowed: remap=fold:HOSTS|spread:HOSTS|random:HOSTS:SEED, "
         "with HOSTS the new number of hosts and SEED a whole number"},
        {"remap=spread:5",
         "transform remap=spread:5 has too few hosts; allowed: at least the 6 of the workload, or "
         "fold, or random"},
        {"scale-time=1e9",
         "transform scale-time=1e+09 makes 5e+18 of 5000000000; allowed: at most "
         "4000000000000000000"},
    };
    for (const auto& [text, message] : expected)
    {
        EXPECT_EQ(test::ErrorOf([&step = text] { Apply(Four(), step); }), message) << text;
    }
}

TEST(Transforms, AWorkloadCarriesTheScaleOfItsSizes)
{
    const Workload four = Four();
    EXPECT_EQ(four.scale, 1);
    EXPECT_EQ(Apply(four, "scale-bytes=0.5").scale, 0.5);
    // Other distances in time are another load.
    EXPECT_EQ(Apply(four, "scale-time=0.5").scale, 1);
    EXPECT_EQ(Apply(Apply(four, "scale-bytes=1/10"), "first=2").scale, 0.1);

    const Workload both = Apply(four, "scale=1/250");
    const Workload apart = Apply(Apply(four, "scale-bytes=0.004"), "scale-time=0.004");
    EXPECT_EQ(both.coflows, apart.coflows);
    EXPECT_EQ(both.scale, 0.004);
    EXPECT_EQ(apart.scale, 0.004);
    EXPECT_EQ(both.history.back(), "transform scale=0.004");
    EXPECT_EQ(Apply(both, "scale=250").scale, 1);
}

TEST(Transforms, CutTheRealTrace)
{
    const auto path = test::FacebookTrace();
    if (!path)
    {
        GTEST_SKIP() << "the Facebook trace is not here; COFLOW_BENCHMARK_TRACE can name it";
    }
    const Workload trace = ReadTrace(*path);
    const auto count = [](const Workload& workload) {
        std::size_t flows = 0;
        double bytes = 0;
        for (const Coflow& coflow : workload.coflows)
        {
            flows += coflow.flows.size();
            bytes += static_cast<double>(ComputeStatistics(coflow).size);
        }
        return std::tuple(workload.coflows.size(), flows, std::round(bytes / 1e8) / 10);
    };
    EXPECT_EQ(count(Apply(trace, "max-coflow-bytes=1e8")), std::tuple(360U, 3657U, 5.8));
    EXPECT_EQ(count(Apply(trace, "max-coflow-bytes=1GB")), std::tuple(420U, 7840U, 23.8));
    EXPECT_EQ(Apply(trace, "window=0:600").coflows.size(), 113U);
}
