/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-expect-error.h"

#include "ns3/coflow-random.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

using namespace coflow;

namespace
{

/// Three coflows on four hosts, the last one waiting for the others.
Workload
Valid()
{
    Workload workload;
    workload.hosts = 4;
    workload.coflows = {{1, 0, std::nullopt, {{0, 0, 1, 5}}, {}},
                        {2, 10, 7, {{0, 2, 3, 5}, {1, 3, 3, 0}}, {}},
                        {4, 10, std::nullopt, {}, {1, 2}}};
    return workload;
}

} // namespace

TEST(WorkloadCheck, AcceptsAValidWorkload)
{
    EXPECT_FALSE(FindWorkloadProblem(Valid()));
    EXPECT_FALSE(FindWorkloadProblem(Workload{}));
}

TEST(WorkloadCheck, FindsEveryKindOfProblem)
{
    const std::map<std::string, std::function<void(Workload&)>> problems{
        {"w: hosts is '10000001'; allowed: 0 to 10000000",
         [](Workload& w) { w.hosts = MAX_HOSTS + 1; }},
        {"w: coflow 1: coflow id is '1'; allowed: an id that no other coflow has",
         [](Workload& w) { w.coflows[1].id = 1; }},
        {"w: coflow 1: arrival is '-1'; allowed: 0 to 4000000000000000000 ns",
         [](Workload& w) { w.coflows[0].arrival = -1; }},
        {"w: coflow 4: arrival is '9'; allowed: coflows sorted by arrival, ties by id; the one "
         "before arrives at 10 ns",
         [](Workload& w) { w.coflows[2].arrival = 9; }},
        {"w: coflow 3: arrival is '10'; allowed: coflows sorted by arrival, ties by id; the one "
         "before arrives at 10 ns",
         [](Workload& w) {
             w.coflows[1].id = 5;
             w.coflows[2].id = 3;
         }},
        {"w: coflow 2: deadline is '0'; allowed: 1 to 4000000000000000000 ns",
         [](Workload& w) { w.coflows[1].deadline = 0; }},
        {"w: coflow 2: weight is '0'; allowed: 1 to 1000",
         [](Workload& w) { w.coflows[1].attributes.weight = 0; }},
        {"w: coflow 1: weight is '1001'; allowed: 1 to 1000",
         [](Workload& w) { w.coflows[0].attributes.weight = 1001; }},
        {"w: coflow 2: flow id is '2'; allowed: its position among the flows, 1",
         [](Workload& w) { w.coflows[1].flows[1].id = 2; }},
        {"w: coflow 2: src is '4'; allowed: a host from 0 to 3",
         [](Workload& w) { w.coflows[1].flows[0].src = 4; }},
        {"w: coflow 1: dst is '7'; allowed: a host from 0 to 3",
         [](Workload& w) { w.coflows[0].flows[0].dst = 7; }},
        {"w: coflow 1: bytes is '-5'; allowed: 0 to 4000000000000000000, in all flows together",
         [](Workload& w) { w.coflows[0].flows[0].bytes = -5; }},
        {"w: coflow 2: bytes is '5'; allowed: 0 to 4000000000000000000, in all flows together",
         [](Workload& w) { w.coflows[0].flows[0].bytes = MAX_BYTES - 4; }},
        {"w: coflow 4: parents is '3'; allowed: ids of coflows of this workload",
         [](Workload& w) { w.coflows[2].parents[1] = 3; }},
        {"w: coflow 4: parents is '1'; allowed: every parent once",
         [](Workload& w) { w.coflows[2].parents[1] = 1; }},
        {"w: coflow 2: parents is '4'; allowed: coflows that do not wait for this one (a cycle)",
         [](Workload& w) { w.coflows[1].parents = {4}; }},
    };
    for (const auto& [message, change] : problems)
    {
        Workload workload = Valid();
        change(workload);
        EXPECT_EQ(test::ErrorOf([&] { CheckWorkload(workload, "w"); }), message);
    }
}

TEST(WorkloadCheck, PutsParentsFirst)
{
    Random random(5);
    for (int round = 0; round < 100; ++round)
    {
        // Parents by a random ranking, which differs from the order by arrival.
        std::vector<std::size_t> ranking(20);
        std::iota(ranking.begin(), ranking.end(), 0);
        random.Shuffle(ranking);
        Workload workload;
        workload.coflows.resize(ranking.size());
        for (std::size_t i = 0; i < ranking.size(); ++i)
        {
            Coflow& coflow = workload.coflows[i];
            coflow.id = i * 2;
            coflow.arrival = static_cast<Nanoseconds>(i);
            for (std::size_t j = 0; j < ranking.size(); ++j)
            {
                if (ranking[j] < ranking[i] && random.UniformInt(0, 4) == 0)
                {
                    coflow.parents.push_back(j * 2);
                }
            }
        }
        ASSERT_FALSE(FindWorkloadProblem(workload));
        const auto order = ParentsFirst(workload);
        ASSERT_EQ(order.size(), ranking.size());
        for (auto child = order.begin(); child != order.end(); ++child)
        {
            for (const CoflowId parent : workload.coflows[*child].parents)
            {
                EXPECT_NE(std::find(order.begin(), child, parent / 2), child);
            }
        }
    }
}

TEST(WorkloadCheck, LeavesOutCyclesAndWhatWaitsForThem)
{
    Workload workload = Valid();
    workload.coflows[0].parents = {2};
    workload.coflows[1].parents = {1};
    EXPECT_EQ(ParentsFirst(workload), std::vector<std::size_t>{});
    workload.coflows[2].parents = {};
    EXPECT_EQ(ParentsFirst(workload), std::vector<std::size_t>{2});
}

TEST(WorkloadCheck, StandsAVeryLongChain)
{
    Workload workload;
    for (CoflowId id = 0; id < 200'000; ++id)
    {
        workload.coflows.push_back({id, 0, std::nullopt, {}, {id + 1}});
    }
    workload.coflows.back().parents.clear();
    EXPECT_FALSE(FindWorkloadProblem(workload));
    EXPECT_EQ(ParentsFirst(workload).front(), 199'999U);
}
