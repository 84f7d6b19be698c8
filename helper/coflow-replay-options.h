/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_REPLAY_OPTIONS_H
#define COFLOW_REPLAY_OPTIONS_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-types.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// The options of coflow-replay.
struct ReplayOptions
{
    std::string trace;                           ///< file with the workload; empty: see generate
    std::string generate;                        ///< generator and its parameters
    ::coflow::TraceOptions traceOptions;         ///< the meaning of sizes in the file
    std::vector<::coflow::Transform> transforms; ///< applied to the workload, in order
    ExperimentConfig experiment;                 ///< configuration of the run
    std::vector<std::string> compare;    ///< schedulers to compare; empty: a run of one scheduler
    std::string baseline;                ///< scheduler with which ratios compare; empty: the first
                                         ///< scheduler
    unsigned jobs{0};                    ///< number of processes at a time; 0: the number of cores
    bool hasTimelineWindow{false};       ///< whether the option --timelineWindow was given
    std::vector<std::string> packetOnly; ///< given options that only the packet engine has
    std::string out;                     ///< folder for result files; empty: none
    bool flows{false};                   ///< whether to write flows.csv, too
    bool force{false};                   ///< whether to replace an earlier result in the folder
    bool list{false};                    ///< whether to print only the schedulers
    bool describe{false};                ///< whether to print only the description of the module,
                                         ///< as JSON
    bool version{false};                 ///< whether to print only the versions
    bool help{false};                    ///< whether to print only the help text
    std::string reproduce;               ///< the options that determine results, as one line
};

/// Reads the arguments of coflow-replay. Options of the form --ns3::Class::Attribute=value and
/// global values such as --RngRun=1 take effect at once, in this process.
/// @param arguments without the program's name
/// @throws ::coflow::InputError where an option or value is not allowed
ReplayOptions ParseReplayOptions(const std::vector<std::string>& arguments);

/// @return the text of --help
std::string GetReplayHelp();

/// @return the options as an array for tools: section, name, placeholder (empty: a flag), engines
///         in which they have an effect, help
::coflow::Json DescribeReplayOptions();

/// Reads or generates the workload and transforms it.
/// @throws ::coflow::InputError that names file and line, or the wrong option
::coflow::Workload LoadWorkload(const ReplayOptions& options);

/// Checks that no file is written twice, or written and read.
/// @throws ::coflow::InputError that names both options
void CheckFiles(const ReplayOptions& options);

/// @return names of the options that --help lists
std::vector<std::string> GetReplayOptionNames();

} // namespace ns3::coflow

#endif // COFLOW_REPLAY_OPTIONS_H
