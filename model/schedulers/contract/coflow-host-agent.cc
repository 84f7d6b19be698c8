/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-agent.h"

#include "ns3/ipv4.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(HostAgent);

TypeId
HostAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::HostAgent")
            .SetParent<Application>()
            .SetGroupName("Coflow")
            .AddTraceSource("CoflowRejected",
                            "Admission control refused a coflow that was registered on this host",
                            MakeTraceSourceAccessor(&HostAgent::m_coflowRejectedTrace),
                            "ns3::coflow::HostAgent::CoflowRejectedCallback");
    return tid;
}

void
HostAgent::SetHost(::coflow::HostId host, Ptr<CoflowSource> source, Ptr<CoflowSink> sink)
{
    m_host = host;
    m_source = source;
    m_sink = sink;
}

::coflow::CoflowId
HostAgent::Register(uint32_t, const CoflowOptions& options, RegisteredCallback registered)
{
    CoflowHandle coflow{ChooseId(options)};
    coflow.arrivalNumber = options.arrivalNumber;
    if (options.deadline)
    {
        coflow.deadline = Simulator::Now() + *options.deadline;
    }
    registered(coflow);
    return coflow.id;
}

void
HostAgent::PutAgain(const CoflowHandle& coflow, CoflowSource::FlowRequest flow)
{
    const FlowKey key{flow.coflowId, flow.flowId};
    GetSource().CancelFlow(key);
    m_put.erase(key);
    Put(coflow, flow);
}

void
HostAgent::Get(const CoflowHandle&, ::coflow::FlowId)
{
}

void
HostAgent::Unregister(const CoflowHandle&)
{
}

::coflow::HostId
HostAgent::GetHost() const
{
    return m_host;
}

CoflowSource&
HostAgent::GetSource() const
{
    return *m_source;
}

CoflowSink&
HostAgent::GetSink() const
{
    return *m_sink;
}

bool
HostAgent::IsOwnAddress(Ipv4Address address) const
{
    return GetNode()->GetObject<Ipv4>()->GetInterfaceForAddress(address) >= 0;
}

bool
HostAgent::NotePut(const FlowKey& key)
{
    return m_put.insert(key).second;
}

::coflow::CoflowId
HostAgent::ChooseId(const CoflowOptions& options)
{
    constexpr auto CHOSEN_HERE = ::coflow::CoflowId{1} << 63;
    return options.id ? *options.id : CHOSEN_HERE | ::coflow::CoflowId{m_host} << 32 | m_nextId++;
}

void
HostAgent::DoDispose()
{
    m_source = nullptr;
    m_sink = nullptr;
    Application::DoDispose();
}

} // namespace ns3::coflow
