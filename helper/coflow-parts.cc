/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-parts.h"

#include "ns3/abort.h"
#include "ns3/coflow-attributes.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-replay-options.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-workload-driver.h"
#include "ns3/string.h"

#include <algorithm>
#include <vector>

namespace ns3::coflow
{

using ::coflow::InputError;

Parts::Parts(const ExperimentConfig& config)
{
    Add(FindNamedType(Topology::GetTypeId(), config.topology));
    Add(FindNamedType(Fabric::GetTypeId(), config.fabric));
    Add(TransportProfile::GetTypeId());
    Add(CoflowSource::GetTypeId());
    Add(WorkloadDriver::GetTypeId());
}

void
Parts::Add(TypeId type)
{
    const bool there = std::any_of(m_factories.begin(),
                                   m_factories.end(),
                                   [type](const auto& other) { return other.GetTypeId() == type; });
    if (!there)
    {
        m_factories.emplace_back(type.GetName());
    }
}

bool
Parts::Set(const std::string& name, const std::string& value)
{
    std::vector<ObjectFactory*> having;
    for (auto& factory : m_factories)
    {
        if (FindAttribute(factory.GetTypeId(), name))
        {
            having.push_back(&factory);
        }
    }
    if (having.empty())
    {
        return false;
    }
    if (having.size() > 1)
    {
        std::string names;
        for (const auto* factory : having)
        {
            names +=
                (names.empty() ? "--" : ", --") + GetBareName(factory->GetTypeId()) + "::" + name;
        }
        throw InputError("option --" + name + " is one of several parts; allowed: " + names);
    }
    const auto attribute = FindAttribute(having.front()->GetTypeId(), name);
    CheckAttributeValue("option --" + name, *attribute, value);
    having.front()->Set(attribute->name, StringValue(value));
    return true;
}

void
Parts::RefuseUnknown(const std::string& name) const
{
    std::string classes;
    auto known = GetReplayOptionNames();
    for (const auto& factory : m_factories)
    {
        classes += classes.empty() ? "" : ", ";
        classes += factory.GetTypeId().GetName();
        for (const auto& attribute : GetAttributeNames(factory.GetTypeId()))
        {
            known.push_back(attribute);
        }
    }
    const auto nearest = ::coflow::FindNearest(name, known);
    throw InputError("option --" + name + " is unknown; allowed: " +
                     (nearest.empty() ? "" : "perhaps --" + nearest + ", ") +
                     "those of --help, parameters of the scheduler, and the attributes of " +
                     classes + " (see --describe)");
}

const ObjectFactory&
Parts::GetFactory(TypeId type) const
{
    for (const auto& factory : m_factories)
    {
        if (factory.GetTypeId() == type || factory.GetTypeId().IsChildOf(type))
        {
            return factory;
        }
    }
    NS_ABORT_MSG("No part is a " << type.GetName());
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
