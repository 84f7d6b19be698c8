/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_NAMES_H
#define POLICY_NAMES_H

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <string>
#include <vector>

namespace coflow::test
{

/// Names of the registered policies of which something is true, sorted. Tests ask for these
/// instead of listing them, so that a new policy is among them.
/// @param holds is given what is known of a policy, a PolicyInfo, and one with default parameters
template <typename Predicate>
std::vector<std::string>
PolicyNames(const Predicate& holds)
{
    std::vector<std::string> names;
    for (const auto& [name, info] : Policies::All())
    {
        if (holds(info, *MakePolicy(name)))
        {
            names.push_back(name);
        }
    }
    return names;
}

/// Names of the policies that decide at one place.
inline std::vector<std::string>
PolicyNames(Control control)
{
    return PolicyNames(
        [=](const PolicyInfo&, const Policy& policy) { return policy.GetControl() == control; });
}

/// Names of the policies that have a parameter.
inline std::vector<std::string>
PolicyNamesWith(const std::string& parameter)
{
    return PolicyNames([&](const PolicyInfo& info, const Policy&) {
        return std::any_of(info.parameters.begin(), info.parameters.end(), [&](const auto& spec) {
            return spec.name == parameter;
        });
    });
}

/// A policy's name, as a test may be called.
inline std::string
NameInTests(std::string name)
{
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace coflow::test

#endif // POLICY_NAMES_H
