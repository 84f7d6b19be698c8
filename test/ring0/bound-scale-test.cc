/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The lower bounds are at most what runs have on record, for every policy and at every scale of
// sizes, times and rates.

#include "coflow-effort.h"
#include "fluid-test-util.h"

#include "ns3/coflow-bounds.h"
#include "ns3/coflow-least-time.h"
#include "ns3/coflow-summary.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <numeric>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// A workload, the ports that it runs on, and what defaults of policies are multiplied by.
struct ScaledCase
{
    Workload workload;
    PortRates rates;
    double scale{1};
};

/// @name The range of the cases
/// @{
/// The largest flow. A workload has at most MAX_BYTES, and a flow at most half of what its
/// predecessors have left of them.
constexpr double LARGEST_FLOW = 2e18;
/// 1 bit per second, and the 2^64 of them that ns-3's DataRate can express.
constexpr double LEAST_RATE = 0.125;
constexpr double LARGEST_RATE = 2.3e18;
/// Ports of a case differ by up to a factor 1e4.
constexpr double PORT_DECADES = 4;
/// Seconds that all flows one after the other take on the slowest port: with the latest arrival,
/// MAX_TIME, 5e9 of the 9.2e9 s that 64 bits of nanoseconds have. The rest is for policies that
/// leave ports idle.
constexpr double LONGEST_CASE = 1e9;

/// @}

/// Draws a case, all by logarithm: sizes of 1 byte to LARGEST_FLOW, within a case of up to
/// eighteen decades; ports of LEAST_RATE / 1e4 to LARGEST_RATE; the largest flow takes from 1 ns to
/// LONGEST_CASE; the first arrival at 0 or from 1 ns to MAX_TIME. In every second case the
/// parameters of policies that scale are in proportion to the times of the case.
ScaledCase
Draw(unsigned seed)
{
    boost::random::mt19937 random(seed);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return boost::random::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    const auto logarithmic = [&](double from, double to) {
        const double exponent = std::log10(from) + (std::log10(to) - std::log10(from)) *
                                                       static_cast<double>(draw(0, 1000)) / 1000;
        return std::pow(10.0, exponent);
    };
    ScaledCase result;
    const auto hosts = static_cast<HostId>(draw(2, 6));
    std::vector<std::int64_t> widths(static_cast<std::size_t>(draw(1, 10)));
    std::generate(widths.begin(), widths.end(), [&] { return draw(1, 6); });
    const auto flows = static_cast<double>(std::accumulate(widths.begin(), widths.end(), 0LL));

    double largest = logarithmic(1, LARGEST_FLOW);
    const double time = logarithmic(1e-9, LONGEST_CASE / flows);
    const double rate = std::clamp(largest / time, LEAST_RATE, LARGEST_RATE);
    double slowest = rate;
    result.rates = PortRates::Uniform(hosts, rate);
    if (draw(0, 2) == 0)
    {
        const double range = logarithmic(1, std::pow(10, PORT_DECADES));
        for (auto* side : {&result.rates.ingress, &result.rates.egress})
        {
            for (double& port : *side)
            {
                port = rate / logarithmic(1, range);
                slowest = std::min(slowest, port);
            }
        }
    }
    largest = std::min(largest, slowest * LONGEST_CASE / flows);
    const double span = draw(0, 2) == 0 ? 0.0 : largest / rate * 1e9 * logarithmic(1e-2, 10);
    const auto start = draw(0, 1) == 0 ? 0.0 : logarithmic(1, static_cast<double>(MAX_TIME));
    const double decades = static_cast<double>(draw(0, 18));
    result.scale = draw(0, 1) == 0 ? 1.0 : std::max(1e-9, largest / rate / 10);

    Bytes left = MAX_BYTES;
    std::vector<Coflow> coflows;
    for (const std::int64_t width : widths)
    {
        Coflow coflow;
        coflow.id = static_cast<CoflowId>(1 + coflows.size());
        coflow.arrival = static_cast<Nanoseconds>(
            std::min(static_cast<double>(MAX_TIME),
                     start + std::floor(span * static_cast<double>(draw(0, 100)) / 100)));
        for (std::int64_t f = 0; f < width; ++f)
        {
            const double bytes = largest / logarithmic(1, std::pow(10, decades));
            const Bytes size =
                draw(0, 9) == 0 ? 0 : std::min(left / 2, 1 + static_cast<Bytes>(bytes));
            left -= size;
            coflow.flows.push_back({static_cast<FlowId>(f),
                                    static_cast<HostId>(draw(0, hosts - 1)),
                                    static_cast<HostId>(draw(0, hosts - 1)),
                                    size});
        }
        if (draw(0, 3) == 0)
        {
            coflow.deadline =
                1 + static_cast<Nanoseconds>(
                        std::min(largest / rate * 3e9, 0.9 * static_cast<double>(MAX_TIME)));
        }
        coflows.push_back(coflow);
    }
    result.workload = MakeWorkload(hosts, std::move(coflows));
    return result;
}

/// Smallest and largest of what is above 0.
struct Range
{
    double least{std::numeric_limits<double>::infinity()};
    double most{0};

    void Add(double value)
    {
        if (value > 0)
        {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }

    double Decades() const
    {
        return std::log10(most / least);
    }
};

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
    const auto made = MakePolicy(policy, {}, scaled.scale);
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

/// How many seeds a test draws; COFLOW_BOUND_SEEDS asks for another number.
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
    Range sizes;
    Range rates;
    Range ccts;
    Range ends;
    const unsigned seeds = Seeds(Effort(100U, 20'000U));
    for (unsigned seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed)
    {
        const ScaledCase scaled = Draw(seed);
        const double bound = LowerBound(scaled.workload, scaled.rates, 20).mean;
        EXPECT_TRUE(std::isfinite(bound));
        for (const Coflow& coflow : scaled.workload.coflows)
        {
            for (const Flow& flow : coflow.flows)
            {
                sizes.Add(static_cast<double>(flow.bytes));
            }
        }
        for (double rate : scaled.rates.ingress)
        {
            rates.Add(rate);
        }
        for (const auto& [name, info] : Policies::All())
        {
            const auto records = RunCase(scaled, name, EXECUTORS[seed % 2]);
            runs += !records.empty();
            for (const CoflowRecord& record : records)
            {
                if (record.IsFinished())
                {
                    ++coflows;
                    ccts.Add(static_cast<double>(record.Cct()));
                    ends.Add(static_cast<double>(record.finish));
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
    // 64 bits have 18.6 decades of bytes and nanoseconds below MAX_BYTES and MAX_TIME.
    EXPECT_GT(sizes.Decades(), 18);
    EXPECT_GT(rates.Decades(), 20);
    EXPECT_GT(ccts.Decades(), 17);
    EXPECT_GT(ends.Decades(), 17);
    RecordProperty("runs", std::to_string(runs));
    RecordProperty("coflows", std::to_string(coflows));
    RecordProperty("wholes", std::to_string(wholes));
    std::cout << runs << " runs, " << coflows << " coflows, " << wholes << " whole\n";
    for (const auto& [what, range] : {std::pair("bytes", sizes),
                                      std::pair("bytes/s", rates),
                                      std::pair("ns of CCT", ccts),
                                      std::pair("ns of finish", ends)})
    {
        std::cout << range.least << " to " << range.most << " " << what << "\n";
    }
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
