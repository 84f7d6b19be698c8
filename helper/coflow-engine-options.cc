/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-engine-options.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-clairvoyant-daemon.h"
#include "ns3/coflow-engine.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::coflow
{

namespace
{

/// @return a text with line breaks at spaces, in lines of at most 66 characters
std::string
Wrap(const std::string& text)
{
    constexpr std::size_t WIDTH = 66;
    std::string wrapped;
    std::size_t length = 0;
    std::istringstream words(text);
    for (std::string word; words >> word;)
    {
        const bool fits = length + 1 + word.size() <= WIDTH;
        wrapped += wrapped.empty() ? "" : fits ? " " : "\n";
        length = fits ? length + 1 + word.size() : word.size();
        wrapped += word;
    }
    return wrapped;
}

/// @return the placeholder of a value in a help text
std::string
GetPlaceholder(const ::coflow::ParameterSpec& spec)
{
    switch (spec.unit)
    {
    case ::coflow::Unit::SECONDS:
        return "TIME";
    case ::coflow::Unit::BYTES:
        return "BYTES";
    case ::coflow::Unit::CHOICE: {
        std::string names;
        for (const auto& choice : spec.choices)
        {
            names += (names.empty() ? "" : "|") + choice;
        }
        return names;
    }
    default:
        return "VALUE";
    }
}

bool
Declares(const Engine& engine, const std::string& name)
{
    return std::ranges::any_of(engine.parameters,
                               [&](const auto& spec) { return spec.name == name; });
}

} // namespace

void
AddEngineParameters(OptionTable& table, ExperimentConfig& experiment)
{
    std::vector<std::string> added;
    for (const auto& engine : AllEngines())
    {
        for (const auto& spec : engine.parameters)
        {
            if (std::ranges::count(added, spec.name) > 0)
            {
                continue;
            }
            added.push_back(spec.name);
            // A parameter of all engines has no name of an engine in its help text. In the packet
            // engine, the parameters of a coordinator are attributes of ClairvoyantDaemon.
            const auto& engines = AllEngines();
            const bool ofAll = FindAttribute(ClairvoyantDaemon::GetTypeId(), spec.name) ||
                               std::ranges::all_of(engines, [&](const auto& other) {
                                   return Declares(other, spec.name);
                               });
            std::string help = spec.help + "; default " + spec.Default();
            help += UnitName(spec.unit).empty() ? "" : " ";
            help += UnitName(spec.unit);
            help += spec.scaling == ::coflow::Scaling::WORKLOAD ? ", scales" : "";
            help += ofAll ? "" : ". In the " + engine.name + " engine";
            table.Add(spec.name,
                      GetPlaceholder(spec),
                      Wrap(help),
                      [&experiment, name = spec.name](const std::string& value) {
                          experiment.attributes.emplace_back(name, value);
                      });
        }
    }
}

} // namespace ns3::coflow
