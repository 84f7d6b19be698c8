/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-scheduler-options.h"

#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fluid-experiment.h"
#include "ns3/coflow-run-options.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <set>

namespace ns3::coflow
{

using ::coflow::InputError;

namespace
{

std::string
SchedulerOf(const std::string& name)
{
    return name.substr(0, name.find('.'));
}

std::string
PlainOf(const std::string& name)
{
    return name.substr(name.find('.') + 1);
}

/// @return names of all options of a scheduler in an engine, including the options of the engine
std::vector<std::string>
GetOptionNames(const std::string& engine, const std::string& scheduler)
{
    auto parts = GetSchedulerParts(engine, scheduler);
    parts.push_back({engine, FindEngine(engine).parameters});
    if (engine == "fluid")
    {
        parts.push_back({engine, FluidSchedulerSpecs(scheduler)});
    }
    std::vector<std::string> names;
    for (const auto& part : parts)
    {
        const auto more = part.GetNames();
        names.insert(names.end(), more.begin(), more.end());
    }
    return names;
}

/// Whether two names are the same option. The case of the first letter is ignored.
bool
IsSame(const std::string& a, const std::string& b)
{
    return GetOptionName(a) == GetOptionName(b);
}

} // namespace

std::vector<std::string>
ParseSchedulerNames(const std::string& value)
{
    const auto names = ::coflow::SplitText(value, ',');
    const std::set<std::string> different(names.begin(), names.end());
    if (different.contains("") || different.size() != names.size())
    {
        throw InputError("option --compare is '" + value +
                         "'; allowed: one or more schedulers, each once, as in fair,varys, or all");
    }
    return names;
}

bool
IsOfOneScheduler(const std::string& name)
{
    return name.find('.') != std::string::npos && name.find("::") == std::string::npos;
}

void
CheckSchedulerOptions(const ExperimentConfig& config, const std::vector<std::string>& schedulers)
{
    for (const auto& [name, value] : config.attributes)
    {
        if (!IsOfOneScheduler(name))
        {
            continue;
        }
        const auto scheduler = SchedulerOf(name);
        const auto plain = PlainOf(name);
        if (std::ranges::find(schedulers, scheduler) == schedulers.end())
        {
            throw InputError("option --" + name + " is of the scheduler '" + scheduler +
                             "', which is not run; allowed: " + ::coflow::JoinNames(schedulers));
        }
        const auto known = GetOptionNames(config.engine, scheduler);
        if (std::ranges::none_of(known,
                                 [&plain](const auto& option) { return IsSame(option, plain); }))
        {
            const auto nearest = ::coflow::FindNearest(plain, known);
            throw InputError("option --" + name + " is unknown to " + scheduler + "; allowed: " +
                             (nearest.empty() ? "its parameters (see --describe)"
                                              : "perhaps --" + scheduler + "." + nearest));
        }
    }
}

ExperimentConfig
MakeConfigOf(const ExperimentConfig& config, const std::string& scheduler)
{
    auto made = config;
    made.scheduler = scheduler;
    made.attributes.clear();
    const auto own = [&scheduler](const auto& attribute) {
        return IsOfOneScheduler(attribute.first) && SchedulerOf(attribute.first) == scheduler;
    };
    for (const auto& attribute : config.attributes)
    {
        const bool replaced = std::ranges::any_of(config.attributes, [&](const auto& other) {
            return own(other) && IsSame(PlainOf(other.first), attribute.first);
        });
        if (own(attribute))
        {
            made.attributes.emplace_back(PlainOf(attribute.first), attribute.second);
        }
        else if (!replaced && !IsOfOneScheduler(attribute.first))
        {
            made.attributes.push_back(attribute);
        }
    }
    return made;
}

std::string
FormatSchedulerOptions(const ExperimentConfig& config, const std::string& scheduler)
{
    std::string text;
    for (const auto& [name, value] : config.attributes)
    {
        if (IsOfOneScheduler(name) && SchedulerOf(name) == scheduler)
        {
            text += " " + ::coflow::ShellQuote("--" + name + "=" + value);
        }
    }
    return text;
}

} // namespace ns3::coflow
