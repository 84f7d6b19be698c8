/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

std::unique_ptr<Policy>
MakePolicy(const std::string& name, const std::vector<std::string>& assignments, double scale)
{
    const PolicyInfo& info = Policies::Find(name);
    return info.make(
        Parameters("scheduler " + name, ScaleDefaults(info.parameters, scale), assignments));
}

} // namespace coflow
