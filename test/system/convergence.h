/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TEST_CONVERGENCE_H
#define COFLOW_TEST_CONVERGENCE_H

#include "ns3/coflow-engine.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-types.h"

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

/// Six random coflows of one to four flows each on six hosts.
inline ::coflow::Workload
Mix(uint32_t seed)
{
    std::mt19937 random(seed);
    ::coflow::Workload workload;
    workload.hosts = 6;
    ::coflow::Nanoseconds arrival = 0;
    for (::coflow::CoflowId id = 1; id <= 6; ++id)
    {
        ::coflow::Coflow coflow{id, arrival, {}, {}, {}};
        const uint32_t flows = 1 + random() % 4;
        for (uint32_t f = 0; f < flows; ++f)
        {
            const uint32_t src = random() % 3;
            const uint32_t dst = 3 + random() % 3;
            const auto more = static_cast<::coflow::Bytes>(random() % (2 * UNIT));
            coflow.flows.push_back({f, src, dst, UNIT / 5 + more});
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
