/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_POLICY_REGISTRY_H
#define COFLOW_POLICY_REGISTRY_H

#include "ns3/coflow-policy.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace coflow
{

/// What is known of a policy without making one.
struct PolicyInfo
{
    std::string name;                                               ///< name on the command line
    std::string summary;                                            ///< one line
    Knowledge knowledge{Knowledge::CLAIRVOYANT};                    ///< what it may know
    std::vector<ParameterSpec> parameters;                          ///< its parameters
    std::function<std::unique_ptr<Policy>(const Parameters&)> make; ///< makes one
};

/// All policies that are linked in, by name.
const std::map<std::string, PolicyInfo>& AllPolicies();

/// The policy of that name.
/// @throws InputError if there is none
const PolicyInfo& FindPolicy(const std::string& name);

/// Makes a policy.
/// @param name its name
/// @param texts parameters that differ from their default
/// @throws InputError for an unknown name, parameter or value
std::unique_ptr<Policy> MakePolicy(const std::string& name, const ParameterTexts& texts = {});

/// Adds a policy to AllPolicies(). One constant per policy, in its source file:
/// the file alone makes it known.
class PolicyRegistration
{
  public:
    /// @param info all about it
    explicit PolicyRegistration(PolicyInfo info);

    /// Registers class P, whose base class says what it may know and whose constructor
    /// takes Parameters.
    template <class P>
    static PolicyRegistration Of(std::string name,
                                 std::string summary,
                                 std::vector<ParameterSpec> parameters)
    {
        return PolicyRegistration(
            {std::move(name),
             std::move(summary),
             std::is_base_of_v<ClairvoyantPolicy, P> ? Knowledge::CLAIRVOYANT : Knowledge::ATTAINED,
             std::move(parameters),
             [](const Parameters& p) { return std::make_unique<P>(p); }});
    }
};

} // namespace coflow

#endif // COFLOW_POLICY_REGISTRY_H
