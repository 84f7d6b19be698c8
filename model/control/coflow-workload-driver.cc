/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-workload-driver.h"

#include "ns3/abort.h"
#include "ns3/coflow-fabric.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadDriver);

TypeId
WorkloadDriver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::WorkloadDriver")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<WorkloadDriver>()
            .AddAttribute("StartJitter",
                          "Seconds between the release of a coflow and the start of each of its "
                          "flows, drawn per flow; negative values count as 0.",
                          StringValue("ns3::UniformRandomVariable[Min=0|Max=10e-6]"),
                          MakePointerAccessor(&WorkloadDriver::m_startJitter),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("EntryPoints",
                          "Number of entry points, at one of which, drawn at random, each coflow "
                          "arrives and is numbered",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WorkloadDriver::m_entryPoints),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("CoflowReleased",
                            "A coflow was released: its CCT counts from now.",
                            MakeTraceSourceAccessor(&WorkloadDriver::m_coflowReleasedTrace),
                            "ns3::coflow::WorkloadDriver::CoflowReleasedCallback");
    return tid;
}

WorkloadDriver::WorkloadDriver()
    : m_entryPoint(CreateObject<UniformRandomVariable>())
{
}

WorkloadDriver::~WorkloadDriver() = default;

void
WorkloadDriver::Start(const ::coflow::Workload& workload, std::vector<Ptr<HostAgent>> agents)
{
    NS_ABORT_MSG_IF(m_workload, "A driver plays one workload");
    NS_ABORT_MSG_IF(workload.hosts > agents.size(), "A host of the workload has no agent");
    m_workload = &workload;
    m_agents = std::move(agents);
    m_holds.resize(workload.coflows.size());
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& coflow = workload.coflows[i];
        m_holds[i] = 1 + coflow.parents.size();
        for (const auto parent : coflow.parents)
        {
            m_children.emplace(parent, i);
        }
        Simulator::Schedule(NanoSeconds(coflow.arrival) - Simulator::Now(),
                            &WorkloadDriver::Arrive,
                            this,
                            i);
    }
}

void
WorkloadDriver::NotifyFinished(::coflow::CoflowId coflow)
{
    const auto [first, last] = m_children.equal_range(coflow);
    for (auto child = first; child != last; ++child)
    {
        Arrive(child->second);
    }
}

int64_t
WorkloadDriver::AssignStreams(int64_t stream)
{
    m_startJitter->SetStream(stream);
    m_entryPoint->SetStream(stream + 1);
    return 2;
}

void
WorkloadDriver::DoDispose()
{
    m_agents.clear();
    m_startJitter = nullptr;
    m_entryPoint = nullptr;
    Object::DoDispose();
}

void
WorkloadDriver::Arrive(std::size_t index)
{
    if (--m_holds[index] == 0)
    {
        Release(index);
    }
}

uint64_t
WorkloadDriver::NumberArrival()
{
    m_arrivalsAtEntry.resize(m_entryPoints);
    const uint32_t entry = m_entryPoints == 1 ? 0 : m_entryPoint->GetInteger(0, m_entryPoints - 1);
    return 1 + entry + m_entryPoints * m_arrivalsAtEntry[entry]++;
}

void
WorkloadDriver::Release(std::size_t index)
{
    const auto& coflow = m_workload->coflows[index];
    m_coflowReleasedTrace(coflow.id);
    const uint64_t arrivalNumber = NumberArrival();
    for (const auto& flow : coflow.flows)
    {
        const auto& agent = m_agents[flow.src];
        CoflowSource::FlowRequest request;
        request.coflowId = coflow.id;
        request.flowId = flow.id;
        request.dst = Fabric::GetHostAddress(flow.dst);
        request.bytes = static_cast<uint64_t>(flow.bytes);
        request.arrivalNumber = arrivalNumber;
        if (coflow.deadline)
        {
            request.deadline = Simulator::Now() + NanoSeconds(*coflow.deadline);
        }
        const auto jitter = NanoSeconds(
            static_cast<int64_t>(std::llround(std::max(0.0, m_startJitter->GetValue()) * 1e9)));
        Simulator::ScheduleWithContext(agent->GetNode()->GetId(), jitter, [agent, request] {
            agent->Put(request);
        });
    }
}

} // namespace ns3::coflow
