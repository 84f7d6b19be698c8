/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The lower bounds are at most what runs have on record, for every policy and at every scale of
// sizes, times and rates.

#include "fluid-test-util.h"

#include "ns3/coflow-bounds.h"
#include "ns3/coflow-least-time.h"
#include "ns3/coflow-summary.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// A workload and the ports that it runs on.
struct ScaledCase
{
    Workload workload;
    PortRates rates;
};

/// Draws a case: sizes from 1 byte to 1e15, rates from 10 to 1e13 bytes per second, arrivals up to
/// 1e9 s after the start, all by their logarithm; within a case, sizes of up to nine decades.
ScaledCase
Draw(unsigned seed)
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return boost::random::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    const auto logarithmic = [&](double from, double to) {
        return std::pow(10.0, from + (to - from) * static_cast<double>(draw(0, 1000)) / 1000);
    };
    ScaledCase result;
    const auto hosts = static_cast<HostId>(draw(2, 6));
    const double rate = logarithmic(1, 13);
    // No port needs more than 1e7 s for a flow, so that all times are within 64 bits; the slowest
    // one has a thousandth of the rate.
    const double largest = std::min(logarithmic(0, 15), rate * 1e4);
    const double decades = static_cast<double>(draw(0, 9));
    result.rates = PortRates::Uniform(hosts, rate);
    if (draw(0, 2) == 0)
    {
        for (auto* side : {&result.rates.ingress, &result.rates.egress})
        {
            for (double& port : *side)
            {
                port = rate * static_cast<double>(draw(1, 1000)) / 1000;
            }
        }
    }
    const auto start = draw(0, 1) == 0 ? 0 : static_cast<Nanoseconds>(logarithmic(0, 18));
    const auto span = draw(0, 2) == 0 ? 0.0 : largest / rate * 1e9 * logarithmic(-2, 1);
    std::vector<Coflow> coflows;
    const auto count = draw(1, 10);
    for (std::int64_t c = 0; c < count; ++c)
    {
        Coflow coflow;
        coflow.id = static_cast<CoflowId>(1 + c);
        coflow.arrival =
            start + static_cast<Nanoseconds>(span * static_cast<double>(draw(0, 100)) / 100);
        const auto flows = draw(1, 6);
        for (std::int64_t f = 0; f < flows; ++f)
        {
            const double bytes = largest * logarithmic(-decades, 0);
            coflow.flows.push_back({static_cast<FlowId>(f),
                                    static_cast<HostId>(draw(0, hosts - 1)),
                                    static_cast<HostId>(draw(0, hosts - 1)),
                                    draw(0, 9) == 0 ? 0 : 1 + static_cast<Bytes>(bytes)});
        }
        if (draw(0, 3) == 0)
        {
            coflow.deadline = 1 + static_cast<Nanoseconds>(largest / rate * 1e9 * 3);
        }
        coflows.push_back(coflow);
    }
    result.workload = MakeWorkload(hosts, std::move(coflows));
    return result;
}

/// What a policy's run has on record; nothing where a period of the policy is so short beside the
/// case's times that the run would take for ever.
std::vector<CoflowRecord>
RunCase(const ScaledCase& scaled, const std::string& policy, Executor executor)
{
    struct TooLong
    {
    };

    FluidOptions options;
    int polls = 0;
    options.poll = [&] {
        if (++polls > 20)
        {
            throw TooLong();
        }
    };
    std::vector<CoflowRecord> records = MakeCoflowRecords(scaled.workload, scaled.rates);
    const auto made = MakePolicy(policy);
    try
    {
        const FluidResult result = executor == Executor::GENERAL
                                       ? RunGeneral(scaled.workload, scaled.rates, *made, options)
                                       : RunFluid(scaled.workload, scaled.rates, *made, options);
        for (std::size_t c = 0; c < records.size(); ++c)
        {
            records[c].finish = result.coflows[c].finish;
            records[c].admitted = result.coflows[c].admitted;
        }
    }
    catch (const TooLong&)
    {
        return {};
    }
    return records;
}

/// How many seeds a test draws; COFLOW_BOUND_SEEDS asks for more.
unsigned
Seeds(unsigned usual)
{
    const char* text = std::getenv("COFLOW_BOUND_SEEDS");
    return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : usual;
}

} // namespace

TEST(BoundScale, BoundsAreAtMostWhatAnyPolicyHasOnRecord)
{
    std::uint64_t runs = 0;
    std::uint64_t coflows = 0;
    std::uint64_t wholes = 0;
    const unsigned seeds = Seeds(100);
    for (unsigned seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed)
    {
        const ScaledCase scaled = Draw(seed);
        const double bound = LowerBound(scaled.workload, scaled.rates, {}, 20).mean;
        EXPECT_TRUE(std::isfinite(bound));
        for (const auto& [name, info] : Policies::All())
        {
            const auto records = RunCase(scaled, name, EXECUTORS[seed % 2]);
            runs += !records.empty();
            for (const CoflowRecord& record : records)
            {
                if (record.IsFinished())
                {
                    ++coflows;
                    EXPECT_LE(record.minCct, record.Cct())
                        << name << " seed " << seed << " coflow " << record.id;
                    EXPECT_GE(record.Slowdown().value_or(1), 1);
                }
            }
            const RunSummary summary = RunSummary::Of(records, scaled.rates, bound);
            wholes += !records.empty() && summary.finished == summary.coflows;
            EXPECT_LE(summary.boundMeanCctSeconds, summary.cct.mean) << name << " seed " << seed;
        }
    }
    EXPECT_GT(runs, 10 * seeds);
    EXPECT_GT(wholes, 5 * seeds);
    RecordProperty("runs", std::to_string(runs));
    RecordProperty("coflows", std::to_string(coflows));
    RecordProperty("wholes", std::to_string(wholes));
    std::cout << runs << " runs, " << coflows << " coflows, " << wholes << " whole\n";
}

// Two coflows of 1 and 3 kB through one port: SEBF gives 1 and 4 units, and that is optimal,
// whenever they come.
TEST(BoundScale, LateArrivalsCostNoDigits)
{
    for (const Nanoseconds start :
         {Nanoseconds{0}, Nanoseconds{10'000'000'000'000}, Nanoseconds{1'000'000'000'000'000'000}})
    {
        Workload workload;
        workload.hosts = 2;
        workload.coflows = {{1, start, {}, {{0, 0, 1, 1000}}, {}},
                            {2, start, {}, {{0, 0, 1, 3000}}, {}}};
        const auto bound = LowerBound(workload, PortRates::Uniform(2, PORT_RATE));
        EXPECT_LE(bound.mean, 20e-6);
        EXPECT_GT(bound.mean, 20e-6 * (1 - 1e-6)) << "from " << start;
    }
}

// A small coflow leaves a port with a level of 35,000 per second, and 1600 s later a large one
// comes.
TEST(BoundScale, AnIdlePortCostsNoDigits)
{
    constexpr Nanoseconds LATER = 1'600'000'000'000;
    Workload workload;
    workload.hosts = 2;
    workload.coflows = {{1, 0, {}, {{0, 0, 1, 9290}}, {}},
                        {2, LATER, {}, {{0, 0, 1, 48'752'849'011}, {1, 0, 1, 11'587'774}}, {}}};
    const auto rates = PortRates::Uniform(2, 325e6);
    for (const char* name : {"wss", "fair"})
    {
        const auto policy = MakePolicy(name);
        const auto result = RunFluid(workload, rates, *policy, {});
        const Nanoseconds late = result.coflows[1].Cct() - LeastCct(workload.coflows[1], rates);
        EXPECT_GE(late, 0) << name;
        EXPECT_LE(late, 1) << name << ": each of two finishes is rounded up";
    }
}

// The fluid engine takes 1 + 4e-3 ns for 1 ns, so each of many such flows gains a little.
TEST(BoundScale, WhatRoundingGainsIsInTheBound)
{
    // 1000 bytes take 1000.0039 ns.
    const double rate = 1000 / 1000.0039 * 1e9;
    Workload workload;
    workload.hosts = 2;
    Coflow coflow{1, 0, {}, {}, {}};
    for (FlowId f = 0; f < 1000; ++f)
    {
        coflow.flows.push_back({f, 0, 1, 1000});
    }
    workload.coflows = {coflow};
    const auto rates = PortRates::Uniform(2, rate);
    const auto policy = MakePolicy("pfabric");
    const auto result = RunFluid(workload, rates, *policy, {});
    EXPECT_EQ(result.coflows[0].Cct(), 1'000'000) << "exact are 1000003.9 ns";
    EXPECT_LE(LeastCct(coflow, rates), 1'000'000);
    EXPECT_GT(LeastCct(coflow, rates), 999'990);
    EXPECT_LE(LowerBound(workload, rates).mean, 1e-3);
}

TEST(BoundScale, GammaIsExactWhereItIsWholeNanoseconds)
{
    const Coflow coflow{1, 0, {}, {{0, 0, 1, 1000}, {1, 1, 0, 500}, {2, 1, 1, 9000}}, {}};
    EXPECT_EQ(LeastCct(coflow, PortRates::Uniform(2, 1e9)), 1000);
    EXPECT_EQ(LeastCct(coflow, PortRates::Uniform(2, 0.99e9)), 1011) << "1010.1, rounded up";
    EXPECT_EQ(LeastCct(coflow, PortRates::Uniform(2, 0)), NEVER);
    EXPECT_EQ(LeastCct(Coflow{}, PortRates::Uniform(2, 0)), 0);
    // A run may be on record that takes longer than a flow may: 1000 s per byte, 127 years.
    EXPECT_EQ(LeastCct(coflow, PortRates::Uniform(2, 1e-8)), 4'000'000'000'000'000'000);
}
