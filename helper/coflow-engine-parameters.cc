/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-engine-parameters.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::Json;
using ::coflow::ParameterSpec;

bool
HasParameter(const std::vector<ParameterSpec>& specs, const std::string& name)
{
    return std::any_of(specs.begin(), specs.end(), [&name](const ParameterSpec& spec) {
        return spec.name == name;
    });
}

std::vector<std::string>
TakeParameters(ExperimentConfig& config, const std::vector<ParameterSpec>& specs)
{
    std::vector<std::string> assignments;
    std::erase_if(config.attributes, [&](const auto& attribute) {
        const bool taken = HasParameter(specs, attribute.first);
        if (taken)
        {
            assignments.push_back(attribute.first + "=" + attribute.second);
        }
        return taken;
    });
    return assignments;
}

Json
GetParameterValues(const std::vector<ParameterSpec>& specs,
                   const std::vector<std::string>& assignments)
{
    auto values = Json::Object();
    for (const auto& spec : specs)
    {
        auto value = spec.Default();
        for (const auto& assignment : assignments)
        {
            if (assignment.starts_with(spec.name + "="))
            {
                value = assignment.substr(spec.name.size() + 1);
            }
        }
        values.Set(spec.name, value);
    }
    return values;
}

ParameterSpec
MakeSampleIntervalSpec(double defaultSeconds)
{
    return {"sampleInterval",
            ::coflow::Unit::SECONDS,
            defaultSeconds,
            0,
            1e6,
            "take samples of utilisation and progress so far apart; 0: none",
            ""};
}

} // namespace ns3::coflow
