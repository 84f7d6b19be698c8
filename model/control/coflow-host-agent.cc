/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-agent.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(HostAgent);

TypeId
HostAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::HostAgent").SetParent<Application>().SetGroupName("Coflow");
    return tid;
}

void
HostAgent::SetSource(Ptr<CoflowSource> source)
{
    m_source = source;
}

CoflowSource&
HostAgent::GetSource() const
{
    return *m_source;
}

void
HostAgent::SetLinkRate(DataRate rate)
{
    m_linkRate = rate;
}

DataRate
HostAgent::GetLinkRate() const
{
    return m_linkRate;
}

void
HostAgent::DoDispose()
{
    m_source = nullptr;
    Application::DoDispose();
}

} // namespace ns3::coflow
