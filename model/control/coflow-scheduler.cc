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

std::vector<Ptr<HostAgent>>
Scheduler::Install(const std::vector<Host>& hosts)
{
    std::vector<Ptr<HostAgent>> agents;
    agents.reserve(hosts.size());
    for (const auto& host : hosts)
    {
        auto agent = CreateAgent();
        agent->SetSource(host.source);
        agent->SetLinkRate(host.linkRate);
        host.node->AddApplication(agent);
        agents.push_back(agent);
    }
    return agents;
}

std::string
Scheduler::GetQueueDisc() const
{
    return "";
}

Scheduler::ControlTotals
Scheduler::GetControlTotals() const
{
    return {};
}

} // namespace ns3::coflow
