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

/// The result of a run, with its summary.
struct RunOutcome
{
    ExperimentResult result;      ///< records and counts
    ::coflow::RunSummary summary; ///< means, quantiles and shares over the records
    ::coflow::Json summaryJson;   ///< the content of summary.json
};

/// Summarises the result of a run.
/// @param workload the workload of the run
/// @param config the configuration of the run
/// @param result the result of the run
/// @param reproduce the command line that repeats the run; empty: a script has run the workload
/// @return the result, with its summary
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
    /// @param folder the folder of the files
    /// @param replace whether the result of an earlier run may be replaced
    /// @throws ::coflow::InputError where the folder cannot be used, or has other content
    RunFiles(const std::string& folder, bool replace);

    /// Writes the files; to be called once.
    /// @param outcome the outcome of the run
    /// @param flows whether to write flows.csv, too
    /// @throws ::coflow::InputError where not everything could be written
    void Write(const RunOutcome& outcome, bool flows);

  private:
    ::coflow::ResultFiles m_files;
};

/// The file of a comparison. Each run of the comparison has a subfolder in the folder of this file.
class ComparisonFile
{
  public:
    /// @param folder the folder of the file
    /// @param replace whether an earlier comparison may be replaced
    /// @throws ::coflow::InputError where the folder cannot be used, or has other content
    ComparisonFile(const std::string& folder, bool replace);

    /// Writes the file; to be called once, when the runs have written their files. The function
    /// also removes the folders of earlier runs that this comparison does not have.
    /// @param names names of the runs
    /// @param table the content of the file
    /// @throws ::coflow::InputError where the file could not be written
    void Write(const std::vector<std::string>& names, const std::string& table);

  private:
    std::filesystem::path m_folder;
    ::coflow::ResultFiles m_files;
};

/// Runs a workload with the engine that the configuration names. Writes result files where a folder
/// is given, see RunFiles. Before the run, this function checks that the folder can be written to.
/// @param workload the workload
/// @param config engine, scheduler, network and parameters of the run
/// @param reproduce the command line that repeats the run
/// @param folder the folder of the files; empty: no files are written
/// @param flows whether to write flows.csv, too
/// @param replace whether the result of an earlier run may be replaced
/// @return the outcome
/// @throws ::coflow::InputError where the engine throws this error, or where files cannot be
///         written
RunOutcome RunExperiment(const ::coflow::Workload& workload,
                         const ExperimentConfig& config,
                         const std::string& reproduce,
                         const std::string& folder = "",
                         bool flows = false,
                         bool replace = false);

} // namespace ns3::coflow

#endif // COFLOW_RUN_H
