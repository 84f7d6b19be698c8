/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-scheduler.h"

#include "ns3/coflow-dcas-agent.h"
#include "ns3/coflow-named-type.h"

namespace ns3::coflow
{

COFLOW_REGISTER(DcasScheduler, "senders and receivers negotiate priorities by remaining time");

TypeId
DcasScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::DcasScheduler")
                            .SetParent<PriorityScheduler>()
                            .SetGroupName("Coflow")
                            .AddConstructor<DcasScheduler>();
    return tid;
}

void
DcasScheduler::DoDispose()
{
    m_agents.clear();
    m_network = nullptr;
    PriorityScheduler::DoDispose();
}

std::vector<TypeId>
DcasScheduler::GetPartTypes() const
{
    return {DcasAgent::GetTypeId()};
}

void
DcasScheduler::Prepare(const Cluster& cluster)
{
    m_network = cluster.network;
}

Ptr<HostAgent>
DcasScheduler::CreateAgent(::coflow::HostId host)
{
    const auto agent = GetPart(DcasAgent::GetTypeId()).Create<DcasAgent>();
    agent->SetUp(m_network->GetUplinkRate(host), GetBands());
    m_agents.push_back(agent);
    return agent;
}

Scheduler::ControlTotals
DcasScheduler::GetControlTotals() const
{
    return SumSent(m_agents);
}

} // namespace ns3::coflow
