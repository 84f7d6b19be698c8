/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-parts.h"

#include "ns3/abort.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-attributes.h"
#include "ns3/coflow-error.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;
using ::coflow::ParameterSpec;
using ::coflow::Scaling;

RunParts::RunParts(const std::string& engine, const ExperimentConfig& config)
    : m_scale(config.scale.value_or(1)),
      m_parts(GetRunParts(engine, config, config.scheduler)),
      m_given(ResolveOptions(engine, config, m_parts)),
      m_factories(m_parts.size())
{
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        auto& part = m_parts[i];
        part.specs = ::coflow::ScaleDefaults(std::move(part.specs), m_scale);
        if (part.type)
        {
            m_factories[i].SetTypeId(*part.type);
            ScaleDefaultsOf(i);
        }
    }
    for (const auto& option : m_given)
    {
        if (option.attribute)
        {
            m_factories[option.part].Set(
                option.name,
                *ParseAttribute("option --" + option.name, *option.attribute, option.text));
            continue;
        }
        auto& assignments = option.part == 0 ? m_ofEngine : m_ofPolicy;
        assignments.push_back(option.name + "=" + option.text);
    }
}

void
RunParts::ScaleDefaultsOf(std::size_t part)
{
    if (m_scale == 1)
    {
        return;
    }
    const auto type = *m_parts[part].type;
    for (const auto& name : GetAttributeNames(type))
    {
        const auto attribute = FindAttribute(type, name).value();
        const auto spec = GetSpec(attribute);
        if (!spec || spec->scaling == Scaling::FIXED)
        {
            continue;
        }
        // A default that the user has changed by --ns3::Class::Attribute=value is given, too.
        const auto& checker = attribute.checker;
        if (attribute.initialValue->SerializeToString(checker) !=
            attribute.originalInitialValue->SerializeToString(checker))
        {
            continue;
        }
        const auto value =
            MakeAttributeValue(attribute, *spec, spec->Scaled(spec->defaultValue, m_scale));
        NS_ABORT_MSG_UNLESS(value, type.GetName() << "::" << attribute.name << " does not scale");
        m_factories[part].Set(attribute.name, *value);
    }
}

double
RunParts::GetScale() const
{
    return m_scale;
}

const std::vector<ParameterSpec>&
RunParts::GetEngineSpecs() const
{
    return m_parts.front().specs;
}

const std::vector<std::string>&
RunParts::GetEngineAssignments() const
{
    return m_ofEngine;
}

const std::vector<std::string>&
RunParts::GetPolicyAssignments() const
{
    return m_ofPolicy;
}

const std::vector<ParameterSpec>&
RunParts::GetPolicySpecs() const
{
    return m_parts[1].specs; // of an ns-3 class: none
}

Json
RunParts::DescribePolicy() const
{
    const bool hasPolicy = !m_parts[1].type;
    return hasPolicy ? DescribeValues(m_parts[1].specs, m_ofPolicy) : Json();
}

bool
RunParts::IsGiven(TypeId type, const std::string& attribute) const
{
    TypeId::AttributeInformation information;
    const bool isChanged = type.LookupAttributeByName(attribute, &information) &&
                           information.initialValue != information.originalInitialValue;
    return isChanged || std::any_of(m_given.begin(), m_given.end(), [&](const auto& option) {
               return m_parts[option.part].type == type && option.name == attribute;
           });
}

std::vector<::coflow::ControlPeriod>
RunParts::GetControlPeriods() const
{
    auto periods = FindControlPeriods(GetPolicySpecs(), m_ofPolicy);
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
DescribeValues(const std::vector<ParameterSpec>& specs, const std::vector<std::string>& assignments)
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

std::vector<::coflow::ControlPeriod>
FindControlPeriods(const std::vector<ParameterSpec>& specs,
                   const std::vector<std::string>& assignments)
{
    std::vector<::coflow::ControlPeriod> periods;
    const ::coflow::Parameters values("control periods", specs, assignments);
    for (const auto& spec : specs)
    {
        if (spec.isControlPeriod && values[spec.name] > 0)
        {
            periods.push_back({spec.name, values[spec.name]});
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
