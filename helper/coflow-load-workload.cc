/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How the workload that options name comes to be.

#include "ns3/coflow-error.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"

#include <sstream>
#include <string>
#include <vector>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Workload;

namespace
{

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        if (!part.empty())
        {
            parts.push_back(part);
        }
    }
    return parts;
}

} // namespace

Workload
LoadWorkload(const ReplayOptions& options)
{
    Workload workload;
    if (!options.trace.empty())
    {
        workload = ::coflow::ReadTrace(options.trace, options.traceOptions);
    }
    else
    {
        auto parameters = Split(options.generate, ',');
        if (parameters.empty())
        {
            throw InputError("option --generate is ''; allowed: NAME,KEY=VALUE,...");
        }
        const auto name = parameters.front();
        parameters.erase(parameters.begin());
        workload = ::coflow::Generate(name, parameters);
    }
    for (const auto& transform : options.transforms)
    {
        ::coflow::ApplyTransform(workload, transform);
    }
    return workload;
}

} // namespace ns3::coflow
