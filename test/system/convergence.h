/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TEST_CONVERGENCE_H
#define COFLOW_TEST_CONVERGENCE_H

#include "ns3/coflow-engine.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-types.h"

#include <gtest/gtest.h>
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

/// Runs a workload on a big switch.
/// @param engine packet or fluid; in the fluid engine, ports have the capacity that TCP can use
inline std::vector<::coflow::CoflowRecord>
RunOnBigSwitch(const std::string& engine,
               const ::coflow::Workload& workload,
               const std::string& scheduler,
               const Attributes& attributes = {})
{
    ExperimentConfig config;
    config.engine = engine;
    config.scheduler = scheduler;
    config.topology = "big-switch";
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
