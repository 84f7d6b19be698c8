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

/// The description of a policy.
struct PolicyInfo
{
    static constexpr const char* KIND = "scheduler"; ///< name of the kind in messages

    std::string name;                            ///< name on the command line
    std::string summary;                         ///< one line
    Knowledge knowledge{Knowledge::CLAIRVOYANT}; ///< information that the policy gets
    std::vector<ParameterSpec> parameters;       ///< its parameters
    std::function<std::unique_ptr<Policy>(const Parameters&)> make; ///< makes a policy object
};

/// All policies that are linked in, by name.
using Policies = Registry<PolicyInfo>;

/// Makes a policy.
/// @param name name of the policy
/// @param assignments parameters that differ from their default, as texts NAME=VALUE
/// @param scale scale of the workload, by which the defaults of parameters that scale are
///        multiplied
/// @return a new policy object
/// @throws InputError for an unknown name, parameter or value
std::unique_ptr<Policy> MakePolicy(const std::string& name,
                                   const std::vector<std::string>& assignments = {},
                                   double scale = 1);

/// Registers a policy of class P. The base class of P determines the information that the policy
/// gets. The constructor of P takes Parameters. The source file of a policy has one constant with
/// the result of this call. No other registration is needed.
/// @tparam P the class
/// @param name name on the command line, in lower case with dashes
/// @param summary one line for lists
/// @param parameters the policy's parameters
/// @return an object with which the policy is registered as long as the object exists
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
