/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transforms load, sample and merge.

#include "coflow-expect-error.h"

#include "ns3/coflow-generator.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-transform.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

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

TEST(ReshapingTransforms, LoadIsOfAllUplinks)
{
    // 240 bytes between hosts in 3 s on 6 uplinks of 100 bytes/s are a load of 240 / 1800.
    const Workload loaded = Apply(Four(), "load=0.4:800bps");
    const double factor = 240.0 / 1800 / 0.4;
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(loaded.coflows[i].arrival, std::llround(static_cast<double>(i) * 1e9 * factor));
        EXPECT_EQ(loaded.coflows[i].flows, Four().coflows[i].flows);
    }
    EXPECT_NEAR(ComputeOfferedLoad(loaded, PortRates::Uniform(loaded.hosts, 100)).mean, 0.4, 1e-8);
    EXPECT_EQ(loaded.coflows[1].deadline, 5'000'000'000) << "sizes stay, so deadlines do";
}

TEST(ReshapingTransforms, LoadMayBeOfTheBusiestPort)
{
    // The downlink of host 3 has 200 bytes, more than any other port: 200 / (100 * 3) now.
    const Workload loaded = Apply(Four(), "load=2:800bps:busiest");
    EXPECT_EQ(loaded.coflows[3].arrival, 1'000'000'000);
    EXPECT_NEAR(ComputeOfferedLoad(loaded, PortRates::Uniform(loaded.hosts, 100)).busiest, 2, 1e-9);
}

TEST(ReshapingTransforms, LoadNeedsBytesAndTime)
{
    EXPECT_EQ(test::ErrorOf([] { Apply(Four(), "first=1,load=0.4:1Gbps"); }),
              "transform load=0.4:1e+09 finds all coflows arriving at one time; allowed: a "
              "workload with a load that time changes");
    EXPECT_EQ(test::ErrorOf([] { Apply(Four(), "remap=fold:1,load=0.4:1Gbps"); }),
              "transform load=0.4:1e+09 finds no bytes between different hosts; allowed: a "
              "workload with a load that time changes");
    EXPECT_EQ(test::ErrorOf([] { Apply(Four(), "first=0,load=0.4:1Gbps"); }),
              "transform load=0.4:1e+09 finds no bytes between different hosts; allowed: a "
              "workload with a load that time changes");
}

TEST(ReshapingTransforms, SampleKeepsSoManyInOrder)
{
    const Workload original = Generate("fb-like", {"coflows=50", "hosts=20", "seed=4"});
    const Workload sample = Apply(original, "sample=20:1");
    EXPECT_EQ(sample.coflows.size(), 20U);
    std::size_t next = 0;
    for (const Coflow& coflow : sample.coflows)
    {
        while (next < original.coflows.size() && original.coflows[next] != coflow)
        {
            ++next;
        }
    }
    EXPECT_LT(next, original.coflows.size()) << "each is one of the original, in the same order";
    EXPECT_EQ(Apply(original, "sample=20:1").coflows, sample.coflows);
    EXPECT_NE(Apply(original, "sample=20:2").coflows, sample.coflows);
    EXPECT_EQ(Apply(original, "sample=50:3").coflows, original.coflows);
    EXPECT_EQ(test::ErrorOf([&] { Apply(original, "sample=51:3"); }),
              "transform sample=51:3 wants more coflows than there are; allowed: at most 50");
}

TEST(ReshapingTransforms, SampleTakesEachCoflowEquallyOften)
{
    // 2 of 4 in 600 seeds: each pair 100 times, give or take 4 standard deviations of 9.1.
    std::map<std::vector<CoflowId>, int> times;
    for (int seed = 0; seed < 600; ++seed)
    {
        ++times[Ids(Apply(Four(), "sample=2:" + std::to_string(seed)))];
    }
    EXPECT_EQ(times.size(), 6U);
    for (const auto& [pair, count] : times)
    {
        EXPECT_NEAR(count, 100, 37) << pair[0] << " and " << pair[1];
    }
}

TEST(ReshapingTransforms, MergeNumbersTheOthersOn)
{
    const auto path = std::filesystem::temp_directory_path() / "coflow-merge-test.csv";
    std::ofstream(path) << "# hosts=9\n# history=by hand\n"
                           "coflow_id,arrival_s,src,dst,bytes,parents\n"
                           "2,0.5,7,8,11,\n"
                           "1,1.5,8,7,12,2\n";
    const Workload merged = Apply(Four(), "merge=" + path.string());
    EXPECT_EQ(Ids(merged), (std::vector<CoflowId>{1, 5, 2, 6, 3, 4}));
    EXPECT_EQ(merged.hosts, 9);
    EXPECT_EQ(merged.coflows[0], Four().coflows[0]);
    EXPECT_EQ(merged.coflows[2], Four().coflows[1]);
    EXPECT_EQ(merged.coflows[1].arrival, 500'000'000);
    EXPECT_EQ(merged.coflows[1].flows, (std::vector<Flow>{{0, 7, 8, 11}}));
    EXPECT_EQ(merged.coflows[3].parents, std::vector<CoflowId>{5});
    EXPECT_EQ(merged.history,
              (std::vector<std::string>{"merged: by hand",
                                        "merged: flow-csv " + path.string(),
                                        "transform merge=" + path.string()}));
    // Twice the same file: the ids go on.
    EXPECT_EQ(Ids(Apply(merged, "merge=" + path.string())),
              (std::vector<CoflowId>{1, 5, 7, 2, 6, 8, 3, 4}));
    EXPECT_EQ(test::ErrorOf([&] { Apply(Four(), "scale=0.5,merge=" + path.string()); }),
              "transform merge=" + path.string() +
                  " finds sizes scaled by 1, but here they are scaled by 0.5; allowed: traces of "
                  "one scale");
    std::filesystem::remove(path);
    EXPECT_EQ(test::ErrorOf([] { Apply(Four(), "merge=nowhere.csv"); }),
              "trace is 'nowhere.csv', which cannot be read (No such file or directory); allowed: "
              "a file");
}
