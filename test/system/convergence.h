/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TEST_CONVERGENCE_H
#define COFLOW_TEST_CONVERGENCE_H

#include "ns3/coflow-engine.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-types.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// One unit of the worked examples at packet level: bytes, and seconds that it takes at 1 Gbps. It
/// is some thirty round trips with a full queue, so that these do not matter much.
inline constexpr ::coflow::Bytes UNIT = 2'500'000;
inline constexpr double UNIT_SECONDS = 0.02;

/// Share of a link's rate that is application bytes: a full segment in its frame.
inline constexpr double GOODPUT = 1448.0 / 1502;

/// Baraat's example: tasks of 10, 2 and 2 units on one link.
/// @param scale of the unit
inline ::coflow::Workload
ThreeTasks(::coflow::Bytes scale = 1)
{
    ::coflow::Workload workload;
    workload.hosts = 2;
    ::coflow::CoflowId id = 0;
    for (const ::coflow::Bytes units : {10, 2, 2})
    {
        ++id;
        workload.coflows.push_back({id, 0, {}, {{0, 0, 1, units * scale * UNIT}}, {}});
    }
    return workload;
}

/// Six random coflows of one to four flows each, from three senders.
/// @param ownReceivers whether every flow has a receiver of its own, so that no flow has to share
/// two
///        ports with others; otherwise there are three receivers
inline ::coflow::Workload
Mix(uint32_t seed, bool ownReceivers = false)
{
    std::mt19937 random(seed);
    ::coflow::Workload workload;
    workload.hosts = ownReceivers ? 3 : 6;
    ::coflow::Nanoseconds arrival = 0;
    for (::coflow::CoflowId id = 1; id <= 6; ++id)
    {
        ::coflow::Coflow coflow{id, arrival, {}, {}, {}};
        const uint32_t flows = 1 + random() % 4;
        for (uint32_t f = 0; f < flows; ++f)
        {
            const uint32_t src = random() % 3;
            const uint32_t shared = 3 + random() % 3;
            const uint32_t dst = ownReceivers ? workload.hosts++ : shared;
            const auto more = static_cast<::coflow::Bytes>(random() % (2 * UNIT));
            coflow.flows.push_back({f, src, dst, UNIT / 5 + more});
        }
        workload.coflows.push_back(coflow);
        arrival += random() % 30'000'000;
    }
    return workload;
}

/// Six random coflows whose flows differ from those of any other coflow by a factor of 1.5 or more:
/// which of two coflows has less left is no close call.
inline ::coflow::Workload
MixOfDistinctSizes(uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<int> ranks{0, 1, 2, 3, 4, 5};
    for (uint32_t i = 5; i > 0; --i)
    {
        std::swap(ranks[i], ranks[random() % (i + 1)]);
    }
    ::coflow::Workload workload;
    workload.hosts = 6;
    ::coflow::Nanoseconds arrival = 0;
    for (::coflow::CoflowId id = 1; id <= 6; ++id)
    {
        ::coflow::Coflow coflow{id, arrival, {}, {}, {}};
        const uint32_t senders = 1 + random() % 3;
        const uint32_t first = random() % 3;
        for (uint32_t f = 0; f < senders; ++f)
        {
            const uint32_t dst = 3 + random() % 3;
            const double units = 0.25 * std::pow(1.7, ranks[id - 1]) *
                                 (1 + 0.01 * static_cast<double>(random() % 15));
            coflow.flows.push_back(
                {f, (first + f) % 3, dst, static_cast<::coflow::Bytes>(units * UNIT)});
        }
        workload.coflows.push_back(coflow);
        arrival += random() % 30'000'000;
    }
    return workload;
}

/// Runs a workload on a big switch.
/// @param engine packet or fluid; in the fluid engine, ports have the capacity that TCP can use
inline std::vector<::coflow::CoflowRecord>
RunOnBigSwitch(const std::string& engine,
               const ::coflow::Workload& workload,
               const std::string& scheduler,
               const Attributes& attributes = {},
               const std::string& fabric = "express")
{
    ExperimentConfig config;
    config.engine = engine;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.fabric = fabric;
    config.attributes = {{"hosts", std::to_string(workload.hosts)}};
    if (engine == "fluid")
    {
        config.attributes.emplace_back("linkRate",
                                       std::to_string(static_cast<int>(1e9 * GOODPUT)) + "bps");
    }
    config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
    return FindEngine(engine).run(workload, config).coflows;
}

/// @return mean CCT in seconds
inline double
MeanCct(const std::vector<::coflow::CoflowRecord>& records)
{
    double sum = 0;
    for (const auto& record : records)
    {
        EXPECT_TRUE(record.IsFinished());
        sum += record.CctSeconds();
    }
    return sum / static_cast<double>(records.size());
}

/// Expects that every coflow takes as long in packets as in the fluid engine.
/// @param relative allowed difference, as part of the CCT in the fluid engine
/// @param seconds allowed difference besides
inline void
ExpectSameCcts(const std::vector<::coflow::CoflowRecord>& packets,
               const std::vector<::coflow::CoflowRecord>& fluid,
               double relative,
               double seconds)
{
    ASSERT_EQ(packets.size(), fluid.size());
    for (std::size_t i = 0; i < packets.size(); ++i)
    {
        ASSERT_TRUE(packets[i].IsFinished() && fluid[i].IsFinished());
        ASSERT_EQ(packets[i].id, fluid[i].id);
        EXPECT_NEAR(packets[i].CctSeconds(),
                    fluid[i].CctSeconds(),
                    relative * fluid[i].CctSeconds() + seconds)
            << "coflow " << packets[i].id;
    }
}

/// Expects CCTs at packet level, in units at the goodput.
/// @param scale of the unit
inline void
ExpectUnits(const std::vector<::coflow::CoflowRecord>& records,
            const std::vector<double>& units,
            double scale = 1)
{
    ASSERT_EQ(records.size(), units.size());
    for (std::size_t i = 0; i < records.size(); ++i)
    {
        ASSERT_TRUE(records[i].IsFinished());
        const double expected = units[i] * scale * UNIT_SECONDS / GOODPUT;
        EXPECT_NEAR(records[i].CctSeconds() / expected, 1, 0.05) << "coflow " << records[i].id;
    }
}

} // namespace ns3::coflow

#endif // COFLOW_TEST_CONVERGENCE_H
