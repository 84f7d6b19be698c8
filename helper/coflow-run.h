/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_H
#define COFLOW_RUN_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-result-files.h"
#include "ns3/coflow-summary.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// The result of a run and what it says as a whole.
struct RunOutcome
{
    ExperimentResult result;      ///< records and counts
    ::coflow::RunSummary summary; ///< means, quantiles and shares over the records
    ::coflow::Json summaryJson;   ///< the content of summary.json
};

/// Looks at a result as a whole.
/// @param workload that was run
/// @param config what it was run on
/// @param result what came out
/// @param reproduce the command line that gives this result again; empty: a script did it
/// @return the result, with what it says as a whole
RunOutcome SummariseRun(const ::coflow::Workload& workload,
                        const ExperimentConfig& config,
                        ExperimentResult result,
                        const std::string& reproduce);

/// @return the names of all files that a run may write into its folder
const std::vector<std::string>& GetRunFileNames();

/// The result files of a run in a folder: coflows.csv, timeseries.csv where there are samples,
/// flows.csv if wanted, and summary.json, written last.
class RunFiles
{
  public:
    /// @param folder where they are written
    /// @param replace whether the result of an earlier run may be replaced
    /// @throws ::coflow::InputError where that is not possible, or the folder holds something else
    RunFiles(const std::string& folder, bool replace);

    /// Writes them; to be called once.
    /// @param outcome of the run
    /// @param flows whether flows.csv is one of them
    /// @throws ::coflow::InputError where not everything could be written
    void Write(const RunOutcome& outcome, bool flows);

  private:
    ::coflow::ResultFiles m_files;
};

/// The file of a comparison, in whose folder each run has a folder of its own.
class ComparisonFile
{
  public:
    /// @param folder where it is written
    /// @param replace whether an earlier comparison may be replaced
    /// @throws ::coflow::InputError where that is not possible, or the folder holds something else
    ComparisonFile(const std::string& folder, bool replace);

    /// Writes it; to be called once, when the runs have written their files. Runs of an earlier
    /// comparison that this one does not have are removed.
    /// @param names of the runs
    /// @param table the content
    /// @throws ::coflow::InputError where not all of it could be written
    void Write(const std::vector<std::string>& names, const std::string& table);

  private:
    std::filesystem::path m_folder;
    ::coflow::ResultFiles m_files;
};

/// Runs a workload with the engine that the configuration names, and may write result files, see
/// RunFiles.
/// That the folder can be written to is known before the run.
/// @param workload what to run
/// @param config what to run it on
/// @param reproduce the command line that gives this result again
/// @param folder of the files; empty: none are written
/// @param flows whether flows.csv is one of them
/// @param replace whether the result of an earlier run may be replaced
/// @return what came out
/// @throws ::coflow::InputError where the engine does, or files cannot be written
RunOutcome RunExperiment(const ::coflow::Workload& workload,
                         const ExperimentConfig& config,
                         const std::string& reproduce,
                         const std::string& folder = "",
                         bool flows = false,
                         bool replace = false);

} // namespace ns3::coflow

#endif // COFLOW_RUN_H
