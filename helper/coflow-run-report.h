/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_REPORT_H
#define COFLOW_RUN_REPORT_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-summary.h"

#include <string>

namespace ns3::coflow
{

/// @param workload what was run
/// @param config what it was run on
/// @param result what came out
/// @param summary of the result
/// @param reproduce the command line that gives this result again
/// @return the content of summary.json. All of it but the member "cost" depends only on the
///         configuration, the seed and the versions.
::coflow::Json MakeSummaryJson(const ::coflow::Workload& workload,
                               const ExperimentConfig& config,
                               const ExperimentResult& result,
                               const ::coflow::RunSummary& summary,
                               const std::string& reproduce);

/// @return a table of CCTs by bin and a few lines on the run, for a person
std::string FormatRun(const ExperimentConfig& config,
                      const ExperimentResult& result,
                      const ::coflow::RunSummary& summary);

/// @return one line that lists unfinished coflows, the first few by id; where the run stalled,
///         lines follow that say what they wait for
std::string FormatUnfinished(const ::coflow::RunSummary& summary);

} // namespace ns3::coflow

#endif // COFLOW_RUN_REPORT_H
