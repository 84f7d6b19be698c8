/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_OPTIONS_H
#define COFLOW_RUN_OPTIONS_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-parameter.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// A part of a run, with its declared parameters. A part is the engine, the policy, or an ns-3
/// class.
struct RunPart
{
    std::string name;                           ///< such as "fluid", "varys", "FatTreeTopology"
    std::vector<::coflow::ParameterSpec> specs; ///< parameters of an engine or a policy
    std::optional<TypeId> type{};               ///< an ns-3 class; its attributes are parameters

    /// @param option name of an option; `Part::name` is the parameter of one part
    /// @return whether this part has the parameter
    bool Has(const std::string& option) const;

    /// @return names of the part's parameters, as options
    std::vector<std::string> GetNames() const;
};

/// @param engine "packet" or "fluid"
/// @param scheduler name of a scheduler of this engine
/// @return the parts of a scheduler: first its policy where the scheduler has one, then ns-3
///         classes
std::vector<RunPart> GetSchedulerParts(const std::string& engine, const std::string& scheduler);

/// @param engine "packet" or "fluid"
/// @param config the configuration, of which topology and fabric are used
/// @param scheduler name of a scheduler of this engine
/// @return the parts of a run: first the engine, then the scheduler's policy where it has one
std::vector<RunPart> GetRunParts(const std::string& engine,
                                 const ExperimentConfig& config,
                                 const std::string& scheduler);

/// @param config the configuration, of which engine, scheduler, topology and fabric are used
/// @param option name of an option
/// @return whether a part of the run has the option, and its value is true or false
bool IsFlag(const ExperimentConfig& config, const std::string& option);

/// @return the queue discs of this module that a fabric's ports may have, by name. An option for
///         one of their attributes has a full name, such as
///         --ns3::coflow::FifoQueueDisc::MarkingThreshold=65p
std::vector<TypeId> GetQueueDiscTypes();

/// A parameter that the user has given.
struct GivenOption
{
    std::size_t part;                    ///< position of its part in the list of parts
    std::string name;                    ///< name of the parameter
    Ptr<const AttributeValue> attribute; ///< value where the part is an ns-3 class; else null
    std::string text;                    ///< value otherwise, which has been checked
};

/// Finds the part that each attribute of a configuration belongs to. No other function does so. An
/// option means the same in all engines. An option without effect is an error.
/// @param engine name of the engine
/// @param config the configuration, whose attributes are the options
/// @param parts the parts of the run, from GetRunParts()
/// @return the options of the run, in the order given. Options that only another scheduler of a
///         comparison has are left out
/// @throws ::coflow::InputError for a name that no part has, with the engine or the schedulers that
///         have it, or else the nearest name; for a name that several parts have; for a value that
///         is malformed or not allowed
std::vector<GivenOption> ResolveOptions(const std::string& engine,
                                        const ExperimentConfig& config,
                                        const std::vector<RunPart>& parts);

} // namespace ns3::coflow

#endif // COFLOW_RUN_OPTIONS_H
