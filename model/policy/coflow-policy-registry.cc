/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-policy-registry.h"

#include "ns3/coflow-error.h"

namespace coflow
{

namespace
{

/// The only place that can change the registry; filled before main() starts.
std::map<std::string, PolicyInfo>& Registry()
{
    static std::map<std::string, PolicyInfo> registry;
    return registry;
}

} // namespace

const std::map<std::string, PolicyInfo>& AllPolicies()
{
    return Registry();
}

const PolicyInfo& FindPolicy(const std::string& name)
{
    const auto found = Registry().find(name);
    if (found == Registry().end())
    {
        std::string names;
        for (const auto& [known, info] : Registry())
        {
            names += (names.empty() ? "" : " ") + known;
        }
        throw InputError("unknown scheduler '" + name + "'; allowed: " + names);
    }
    return found->second;
}

std::unique_ptr<Policy> MakePolicy(const std::string& name, const ParameterTexts& texts)
{
    const PolicyInfo& info = FindPolicy(name);
    return info.make(Parameters(name, info.parameters, texts));
}

PolicyRegistration::PolicyRegistration(PolicyInfo info)
{
    const std::string name = info.name;
    Registry().emplace(name, std::move(info));
}

} // namespace coflow
