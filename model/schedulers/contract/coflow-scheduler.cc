/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-scheduler.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(Scheduler);

TypeId
Scheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::Scheduler").SetParent<Object>().SetGroupName("Coflow");
    return tid;
}

std::vector<TypeId>
Scheduler::GetPartTypes() const
{
    return {};
}

void
Scheduler::SetPart(const ObjectFactory& factory)
{
    m_parts[factory.GetTypeId()] = factory;
}

ObjectFactory
Scheduler::GetPart(TypeId type) const
{
    const auto part = m_parts.find(type);
    return part == m_parts.end() ? ObjectFactory(type.GetName()) : part->second;
}

std::vector<Ptr<HostAgent>>
Scheduler::Install(const Cluster& cluster)
{
    Prepare(cluster);
    std::vector<Ptr<HostAgent>> agents;
    agents.reserve(cluster.hosts.size());
    for (HostId host = 0; host < cluster.hosts.size(); ++host)
    {
        auto agent = CreateAgent(host);
        agent->SetHost(host, cluster.hosts[host].source, cluster.hosts[host].sink);
        CompleteAgent(host, agent);
        cluster.network->GetHosts().Get(host)->AddApplication(agent);
        agents.push_back(agent);
    }
    return agents;
}

void
Scheduler::Configure(const HostNetwork&, uint32_t)
{
}

std::vector<std::pair<std::string, std::string>>
Scheduler::GetTransportDefaults() const
{
    return {};
}

std::vector<std::string>
Scheduler::GetPresetParameters() const
{
    return {};
}

std::string
Scheduler::GetQueueDisc() const
{
    return "";
}

bool
Scheduler::GivesRates(const CoflowOptions&) const
{
    return false;
}

Scheduler::ControlTotals
Scheduler::GetControlTotals() const
{
    return {};
}

ControlCounts
Scheduler::GetSentByType() const
{
    return {};
}

::coflow::Json
Scheduler::DescribeControl() const
{
    return ::coflow::Json::Object();
}

std::string Scheduler::DescribeWait(::coflow::CoflowId) const
{
    return "";
}

Time
Scheduler::GetLastPlanned() const
{
    return Time();
}

Time
Scheduler::GetLongestMessageDelay() const
{
    return Time();
}

void
Scheduler::Prepare(const Cluster&)
{
}

void
Scheduler::CompleteAgent(HostId, Ptr<HostAgent>)
{
}

void
Scheduler::DoDispose()
{
    m_parts.clear();
    Object::DoDispose();
}

} // namespace ns3::coflow
