/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-parts.h"

#include "ns3/abort.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-attributes.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-scheduler.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;
using ::coflow::Scaling;

RunParts::RunParts(const std::string& engine, const ExperimentConfig& config)
    : m_scale(config.scale.value_or(1)),
      m_parts(GetRunParts(engine, config, config.scheduler)),
      m_given(ResolveOptions(engine, config, m_parts)),
      m_factories(MakeFactories()),
      m_engine(MakeParameters(0, "engine " + engine, {})),
      m_policy(MakeParameters(1, "scheduler " + config.scheduler, GetPreset()))
{
}

std::vector<ObjectFactory>
RunParts::MakeFactories() const
{
    std::vector<ObjectFactory> factories(m_parts.size());
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        if (m_parts[i].type)
        {
            factories[i].SetTypeId(*m_parts[i].type);
            ScaleDefaultsOf(*m_parts[i].type, factories[i]);
        }
    }
    for (const auto& option : m_given)
    {
        if (option.attribute)
        {
            factories[option.part].Set(option.name, *option.attribute);
        }
    }
    return factories;
}

std::vector<std::string>
RunParts::GetPreset() const
{
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        if (m_parts[i].type && m_parts[i].type->IsChildOf(Scheduler::GetTypeId()))
        {
            return m_factories[i].Create<Scheduler>()->GetPresetParameters();
        }
    }
    return {};
}

::coflow::Parameters
RunParts::MakeParameters(std::size_t part,
                         const std::string& owner,
                         const std::vector<std::string>& preset) const
{
    auto specs = ::coflow::ScaleDefaults(m_parts[part].specs, m_scale);
    std::vector<std::string> assignments;
    for (const auto& option : m_given)
    {
        if (option.part == part && !option.attribute)
        {
            assignments.push_back(option.name + "=" + option.text);
        }
    }
    const ::coflow::Parameters given(owner, specs, assignments);
    for (const auto& text : preset)
    {
        const auto name = text.substr(0, text.find('='));
        const auto spec = std::ranges::find(specs, name, &::coflow::ParameterSpec::name);
        if (spec != specs.end() && !given.IsGiven(name))
        {
            const double full = spec->Parse(text.substr(name.size() + 1)).value();
            assignments.push_back(name + "=" + spec->Format(spec->Scaled(full, m_scale)));
        }
    }
    return {owner, std::move(specs), assignments};
}

void
RunParts::ScaleDefaultsOf(TypeId type, ObjectFactory& factory) const
{
    if (m_scale == 1)
    {
        return;
    }
    for (const auto& name : GetAttributeNames(type))
    {
        const auto attribute = FindAttribute(type, name).value();
        const auto spec = GetSpec(attribute);
        if (!spec || spec->scaling == Scaling::FIXED)
        {
            continue;
        }
        // A default that the user has changed by --ns3::Class::Attribute=value also counts as
        // given.
        const auto& checker = attribute.checker;
        if (attribute.initialValue->SerializeToString(checker) !=
            attribute.originalInitialValue->SerializeToString(checker))
        {
            continue;
        }
        const auto value =
            MakeAttributeValue(attribute, *spec, spec->Scaled(spec->defaultValue, m_scale));
        NS_ABORT_MSG_UNLESS(value, type.GetName() << "::" << attribute.name << " does not scale");
        factory.Set(attribute.name, *value);
    }
}

Json
RunParts::DescribePolicy() const
{
    const bool hasPolicy = !m_parts[1].type;
    return hasPolicy ? DescribeValues(m_policy) : Json();
}

bool
RunParts::IsGiven(TypeId type, const std::string& attribute) const
{
    TypeId::AttributeInformation information;
    const bool isChanged = type.LookupAttributeByName(attribute, &information) &&
                           information.initialValue != information.originalInitialValue;
    return isChanged || std::ranges::any_of(m_given, [&](const auto& option) {
               return m_parts[option.part].type == type && option.name == attribute;
           });
}

std::vector<::coflow::ControlPeriod>
RunParts::GetControlPeriods() const
{
    auto periods = FindControlPeriods(m_policy);
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        if (!m_parts[i].type)
        {
            continue;
        }
        for (const auto& name : GetAttributeNames(*m_parts[i].type))
        {
            const auto attribute = FindAttribute(*m_parts[i].type, name).value();
            const auto spec = GetSpec(attribute);
            if (!spec || !spec->isControlPeriod)
            {
                continue;
            }
            const auto value = attribute.checker->Create();
            m_factories[i].Create<Object>()->GetAttribute(attribute.name, *value);
            const double seconds = GetNumber(*value).value_or(0);
            if (seconds > 0)
            {
                periods.push_back({spec->name, seconds});
            }
        }
    }
    return periods;
}

std::size_t
RunParts::Find(TypeId type) const
{
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        const auto& own = m_parts[i].type;
        if (own && (*own == type || own->IsChildOf(type)))
        {
            return i;
        }
    }
    NS_ABORT_MSG("No part is a " << type.GetName());
}

const ObjectFactory&
RunParts::GetFactory(TypeId type) const
{
    return m_factories[Find(type)];
}

ObjectFactory&
RunParts::GetFactory(TypeId type)
{
    return m_factories[Find(type)];
}

Json
DescribeValues(const ::coflow::Parameters& parameters)
{
    auto values = Json::Object();
    for (const auto& spec : parameters.Specs())
    {
        const auto& all = parameters.Given();
        const auto given = std::ranges::find_if(all, [&spec](const auto& each) {
            return each.first == spec.name;
        });
        values.Set(spec.name, given == all.end() ? spec.Default() : given->second);
    }
    return values;
}

std::vector<::coflow::ControlPeriod>
FindControlPeriods(const ::coflow::Parameters& parameters)
{
    std::vector<::coflow::ControlPeriod> periods;
    for (const auto& spec : parameters.Specs())
    {
        if (spec.isControlPeriod && parameters[spec.name] > 0)
        {
            periods.push_back({spec.name, parameters[spec.name]});
        }
    }
    return periods;
}

void
CheckHosts(const ::coflow::Workload& workload, const Topology& topology)
{
    if (workload.hosts > topology.GetNHosts())
    {
        throw InputError("the workload names " + std::to_string(workload.hosts) +
                         " hosts, but the topology has " + std::to_string(topology.GetNHosts()) +
                         "; allowed: a larger topology, or --remap onto fewer hosts");
    }
}

} // namespace ns3::coflow
