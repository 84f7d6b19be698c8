/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-client.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowClient");
NS_OBJECT_ENSURE_REGISTERED(CoflowClient);

namespace
{

CoflowSource::FlowRequest
MakeRequest(const CoflowHandle& coflow, ::coflow::FlowId flow, Ipv4Address dst, uint64_t bytes)
{
    CoflowSource::FlowRequest request;
    request.coflowId = coflow.id;
    request.flowId = flow;
    request.dst = dst;
    request.bytes = bytes;
    request.arrivalNumber = coflow.arrivalNumber;
    request.deadline = coflow.deadline;
    return request;
}

} // namespace

TypeId
CoflowClient::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::CoflowClient")
                            .SetParent<Object>()
                            .SetGroupName("Coflow")
                            .AddConstructor<CoflowClient>();
    return tid;
}

void
CoflowClient::SetAgent(Ptr<HostAgent> agent, Ptr<CoflowSink> sink, Ipv4Address address)
{
    m_address = address;
    m_agent = agent;
    m_sink = sink;
    sink->TraceConnectWithoutContext("FlowFinished", MakeCallback(&CoflowClient::OnReceived, this));
}

::coflow::CoflowId
CoflowClient::Register(uint32_t numFlows,
                       const CoflowOptions& options,
                       HostAgent::RegisteredCallback registered)
{
    NS_ABORT_MSG_UNLESS(
        options.attributes.IsAllowed(),
        "An attribute of a coflow has a value that COFLOW_ATTRIBUTES does not allow");
    NS_LOG_INFO(m_address << " registers a coflow of " << numFlows << " flows");
    return m_agent->Register(numFlows, options, std::move(registered));
}

void
CoflowClient::Put(const CoflowHandle& coflow,
                  ::coflow::FlowId flow,
                  Ipv4Address dst,
                  uint64_t bytes)
{
    NS_LOG_LOGIC(m_address << " puts flow " << flow << " of coflow " << coflow.id << ": " << bytes
                           << " bytes to " << dst);
    m_agent->Put(coflow, MakeRequest(coflow, flow, dst, bytes));
}

void
CoflowClient::PutAgain(const CoflowHandle& coflow,
                       ::coflow::FlowId flow,
                       Ipv4Address dst,
                       uint64_t bytes)
{
    m_agent->PutAgain(coflow, MakeRequest(coflow, flow, dst, bytes));
}

void
CoflowClient::Get(const CoflowHandle& coflow, ::coflow::FlowId flow, std::function<void()> received)
{
    NS_LOG_LOGIC(m_address << " gets flow " << flow << " of coflow " << coflow.id);
    const FlowKey key{coflow.id, flow};
    const bool arrived = m_sink->IsFinished(key);
    if (received && !arrived)
    {
        m_waiting.emplace(key, received);
    }
    m_agent->Get(coflow, flow);
    if (received && arrived)
    {
        received();
    }
}

void
CoflowClient::Unregister(const CoflowHandle& coflow)
{
    NS_LOG_INFO(m_address << " unregisters coflow " << coflow.id);
    m_agent->Unregister(coflow);
}

void
CoflowClient::OnReceived(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, Time)
{
    const auto waiting = m_waiting.extract(FlowKey{coflow, flow});
    if (!waiting.empty())
    {
        waiting.mapped()();
    }
}

void
CoflowClient::DoDispose()
{
    m_waiting.clear();
    m_agent = nullptr;
    m_sink = nullptr;
    Object::DoDispose();
}

} // namespace ns3::coflow
