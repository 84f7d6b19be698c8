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

/// @param workload the workload of the run
/// @param config the configuration of the run
/// @param result the result of the run
/// @param summary the summary of the result
/// @param reproduce the command line that repeats the run
/// @return the content of summary.json. All members except "cost" depend only on the configuration,
///         the seed and the versions
::coflow::Json MakeSummaryJson(const ::coflow::Workload& workload,
                               const ExperimentConfig& config,
                               const ExperimentResult& result,
                               const ::coflow::RunSummary& summary,
                               const std::string& reproduce);

/// @return a table of CCTs by bin, and a few lines on the run, as text
std::string FormatRun(const ExperimentConfig& config,
                      const ExperimentResult& result,
                      const ::coflow::RunSummary& summary);

/// @return one line with the number of unfinished coflows and the ids of the first few. Where the
///         run stalled, more lines give the reasons for which these coflows wait
std::string FormatUnfinished(const ::coflow::RunSummary& summary);

} // namespace ns3::coflow

#endif // COFLOW_RUN_REPORT_H
