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

/// What a user asks coflow-replay for.
struct ReplayOptions
{
    std::string trace;                           ///< file to read the workload from; or
    std::string generate;                        ///< generator to make it with, and its parameters
    ::coflow::TraceOptions traceOptions;         ///< how to read the file
    std::vector<::coflow::Transform> transforms; ///< to be applied to it, in order
    ExperimentConfig experiment;                 ///< what to run it on
    std::vector<std::string> compare;    ///< schedulers to run side by side; empty: only one
    std::string baseline;                ///< ratios are against it; empty: the first of them
    unsigned jobs{0};                    ///< processes at a time; 0: as many as cores
    bool hasTimelineWindow{false};       ///< option --timelineWindow was given
    std::vector<std::string> packetOnly; ///< options given that only the packet engine has
    std::string out;                     ///< folder for result files; empty: none
    bool flows{false};                   ///< also write flows.csv
    bool force{false};                   ///< replace the result that the folder holds
    bool list{false};                    ///< only say which schedulers there are
    bool describe{false};                ///< the same, with all attributes, as JSON
    bool version{false};                 ///< only say which versions these are
    bool help{false};                    ///< only say how to use the program
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
/// @throws ::coflow::InputError with file and line, or naming the option that is wrong
::coflow::Workload LoadWorkload(const ReplayOptions& options);

/// Sees that no file is written twice, or written and read.
/// @throws ::coflow::InputError that names both options
void CheckFiles(const ReplayOptions& options);

/// @return names of the options that --help lists
std::vector<std::string> GetReplayOptionNames();

} // namespace ns3::coflow

#endif // COFLOW_REPLAY_OPTIONS_H
