/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_POLICY_REGISTRY_H
#define COFLOW_POLICY_REGISTRY_H

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-registry.h"

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace coflow
{

/// What is known of a policy without making one.
struct PolicyInfo
{
    static constexpr const char* KIND = "scheduler"; ///< its kind in messages

    std::string name;                                               ///< name on the command line
    std::string summary;                                            ///< one line
    Knowledge knowledge{Knowledge::CLAIRVOYANT};                    ///< what it may know
    std::vector<ParameterSpec> parameters;                          ///< its parameters
    std::function<std::unique_ptr<Policy>(const Parameters&)> make; ///< makes one
};

/// All policies that are linked in, by name.
using Policies = Registry<PolicyInfo>;

/// Makes a policy.
/// @param name its name
/// @param assignments parameters that differ from their default, as texts NAME=VALUE
/// @param scale of the workload: the defaults of parameters that scale are multiplied by it
/// @return a policy with a fresh state
/// @throws InputError for an unknown name, parameter or value
std::unique_ptr<Policy> MakePolicy(const std::string& name,
                                   const std::vector<std::string>& assignments = {},
                                   double scale = 1);

/// Enters class P, whose base class says what it may know and whose constructor takes
/// Parameters. One constant per policy, in its source file: the file alone makes it known.
/// @tparam P the class
/// @param name on the command line, in lower case with dashes
/// @param summary one line for lists
/// @param parameters what can be set
/// @return what keeps it known; to be held in a constant
template <class P>
Policies::Entry
RegisterPolicy(std::string name, std::string summary, std::vector<ParameterSpec> parameters)
{
    return Policies::Entry(
        {std::move(name),
         std::move(summary),
         std::is_base_of_v<ClairvoyantPolicy, P> ? Knowledge::CLAIRVOYANT : Knowledge::ATTAINED,
         std::move(parameters),
         [](const Parameters& given) { return std::make_unique<P>(given); }});
}

} // namespace coflow

#endif // COFLOW_POLICY_REGISTRY_H
