/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-workload-driver.h"

#include "ns3/abort.h"
#include "ns3/coflow-statistics.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowWorkloadDriver");

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
                          "Seconds from the release of a coflow to the start (put) of each of its "
                          "flows, drawn per flow; negative values count as 0",
                          StringValue("ns3::UniformRandomVariable[Min=0|Max=10e-6]"),
                          MakePointerAccessor(&WorkloadDriver::m_startJitter),
                          MakePointerChecker<RandomVariableStream>())
            .AddAttribute("EntryPoints",
                          "Number of entry points. Each coflow arrives at a random one, which "
                          "gives it its number in the order of arrival",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WorkloadDriver::m_entryPoints),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Completion",
                "How the driver of a coflow learns that all data has arrived: message, every "
                "receiving host sends it a message; instant, it knows at once, which is impossible "
                "in a real network",
                EnumValue(Completion::MESSAGE),
                MakeEnumAccessor<Completion>(&WorkloadDriver::m_completion),
                MakeEnumChecker(Completion::MESSAGE, "message", Completion::INSTANT, "instant"))
            .AddAttribute("GetJitter",
                          "Seconds from the release of a coflow to the request (get) for each of "
                          "its flows at the receiver, drawn per flow; negative values count as 0. "
                          "Varys measured a mean of 0.044 on EC2",
                          StringValue("ns3::ConstantRandomVariable[Constant=0]"),
                          MakePointerAccessor(&WorkloadDriver::m_getJitter),
                          MakePointerChecker<RandomVariableStream>())
            .AddTraceSource("CoflowRegistered",
                            "A coflow was registered: its flows are being put and got.",
                            MakeTraceSourceAccessor(&WorkloadDriver::m_coflowRegisteredTrace),
                            "ns3::coflow::WorkloadDriver::CoflowRegisteredCallback")
            .AddTraceSource("CoflowRejected",
                            "Admission control refused a coflow.",
                            MakeTraceSourceAccessor(&WorkloadDriver::m_coflowRejectedTrace),
                            "ns3::coflow::WorkloadDriver::CoflowRejectedCallback")
            .AddTraceSource("CoflowReleased",
                            "A coflow was released: its CCT counts from now.",
                            MakeTraceSourceAccessor(&WorkloadDriver::m_coflowReleasedTrace),
                            "ns3::coflow::WorkloadDriver::CoflowReleasedCallback");
    return tid;
}

void
WorkloadDriver::Start(const ::coflow::Workload& workload, const std::vector<Ptr<HostAgent>>& agents)
{
    NS_ABORT_MSG_IF(m_workload, "A driver plays one workload");
    NS_ABORT_MSG_IF(workload.hosts > agents.size(), "A host of the workload has no agent");
    NS_ABORT_MSG_IF(m_completion == Completion::MESSAGE && !m_control,
                    "A driver that hears of completion in messages has no control plane");
    m_workload = &workload;
    m_arrivalsAtEntry.resize(m_entryPoints);
    if (m_entryPoints > 1)
    {
        m_entryPoint = CreateObject<UniformRandomVariable>();
        m_entryPoint->SetStream(m_entryPointStream);
    }
    for (const auto& agent : agents)
    {
        m_clients.push_back(agent->GetNode()->GetObject<CoflowClient>());
        m_nodes.push_back(agent->GetNode()->GetId());
        agent->TraceConnectWithoutContext("CoflowRejected",
                                          MakeCallback(&WorkloadDriver::NotifyRejected, this));
    }
    m_order = ::coflow::ReleaseOrder(workload);
    m_holds.resize(workload.coflows.size());
    for (uint32_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& coflow = workload.coflows[i];
        m_holds[i] = coflow.parents.empty() ? 1 : 2;
        m_indices[coflow.id] = i;
        m_lastPlanned = Max(m_lastPlanned, NanoSeconds(coflow.arrival));
        Simulator::Schedule(NanoSeconds(coflow.arrival) - Simulator::Now(),
                            &WorkloadDriver::LetGo,
                            this,
                            i);
    }
}

void
WorkloadDriver::NotifyFinished(::coflow::CoflowId coflow)
{
    if (m_completion == Completion::INSTANT)
    {
        Finish(coflow);
    }
}

void
WorkloadDriver::HandleTasksDone(::coflow::CoflowId coflow, HostId host)
{
    const auto playing = m_playing.find(coflow);
    if (playing == m_playing.end())
    {
        return; // a repeated report, or the coflow was refused meanwhile
    }
    playing->second.awaited.erase(host);
    if (playing->second.awaited.empty())
    {
        Finish(coflow);
    }
}

void
WorkloadDriver::Finish(::coflow::CoflowId coflow)
{
    NS_LOG_INFO("coflow " << coflow << " is over");
    const auto playing = m_playing.find(coflow);
    if (playing != m_playing.end())
    {
        const auto host = GetDriverHost(m_workload->coflows[playing->second.index]);
        Simulator::ScheduleWithContext(m_nodes[host],
                                       Time(),
                                       &CoflowClient::Unregister,
                                       m_clients[host],
                                       playing->second.handle);
        m_playing.erase(playing);
    }
    for (const auto child : m_order.Finish(m_indices.at(coflow)))
    {
        LetGo(child);
    }
}

int64_t
WorkloadDriver::AssignStreams(int64_t stream)
{
    m_startJitter->SetStream(stream);
    m_getJitter->SetStream(stream + 1);
    m_entryPointStream = stream + 2;
    return 3;
}

void
WorkloadDriver::DoDispose()
{
    m_clients.clear();
    for (const auto& [host, agent] : m_agents)
    {
        agent->Dispose();
    }
    m_agents.clear();
    if (m_control)
    {
        m_control->Dispose();
    }
    m_control = nullptr;
    m_startJitter = nullptr;
    m_getJitter = nullptr;
    m_entryPoint = nullptr;
    Object::DoDispose();
}

void
WorkloadDriver::LetGo(uint32_t index)
{
    if (--m_holds[index] == 0)
    {
        Release(index);
    }
}

uint64_t
WorkloadDriver::NumberArrival()
{
    const uint32_t entry = m_entryPoint ? m_entryPoint->GetInteger(0, m_entryPoints - 1) : 0;
    return 1 + entry + m_entryPoints * m_arrivalsAtEntry[entry]++;
}

::coflow::HostId
WorkloadDriver::GetDriverHost(const ::coflow::Coflow& coflow)
{
    return coflow.flows.empty() ? 0 : coflow.flows.front().src;
}

void
WorkloadDriver::NotifyRejected(::coflow::CoflowId coflow, bool served)
{
    NS_LOG_INFO("coflow " << coflow << " is refused" << (served ? ", but served" : ""));
    m_coflowRejectedTrace(coflow, served);
    if (served)
    {
        return;
    }
    m_playing.erase(coflow);
    for (const auto descendant : m_order.Reject(m_indices.at(coflow)))
    {
        m_coflowRejectedTrace(m_workload->coflows[descendant].id, false);
    }
}

void
WorkloadDriver::Release(uint32_t index)
{
    const auto& coflow = m_workload->coflows[index];
    NS_LOG_INFO("coflow " << coflow.id << " is released");
    m_coflowReleasedTrace(coflow.id);
    CoflowOptions options;
    options.id = coflow.id;
    options.parents = coflow.parents;
    options.arrivalNumber = NumberArrival();
    options.bottleneckBytes = static_cast<uint64_t>(::coflow::ComputeStatistics(coflow).bottleneck);
    if (coflow.deadline)
    {
        options.deadline = NanoSeconds(*coflow.deadline);
    }
    options.attributes = coflow.attributes;
    const auto host = GetDriverHost(coflow);
    const Ptr<WorkloadDriver> self(this);
    Simulator::ScheduleWithContext(m_nodes[host], Time(), [self, index, host, options] {
        const auto numFlows = static_cast<uint32_t>(self->m_workload->coflows[index].flows.size());
        self->m_clients[host]->Register(numFlows, options, [self, index](const auto& handle) {
            self->Play(index, handle);
        });
    });
}

void
WorkloadDriver::Play(uint32_t index, const CoflowHandle& handle)
{
    const auto& coflow = m_workload->coflows[index];
    auto& playing = m_playing[coflow.id];
    playing = {index, handle, {}};
    NS_LOG_INFO("coflow " << coflow.id << " begins"
                          << (handle.scheduled ? "" : ", without the scheduler"));
    m_coflowRegisteredTrace(coflow.id, handle.scheduled);
    if (m_completion == Completion::MESSAGE)
    {
        ExpectTasks(coflow, playing.awaited);
    }
    for (const auto& flow : coflow.flows)
    {
        Move(flow, handle);
    }
    if (coflow.flows.empty() && m_completion == Completion::MESSAGE)
    {
        Finish(coflow.id);
    }
}

void
WorkloadDriver::ExpectTasks(const ::coflow::Coflow& coflow, std::set<HostId>& awaited)
{
    const auto driverHost = GetDriverHost(coflow);
    GetAgent(driverHost); // the agent must listen for reports
    std::map<HostId, uint32_t> flows;
    for (const auto& flow : coflow.flows)
    {
        ++flows[GetLastHost(flow)];
    }
    for (const auto& [host, number] : flows)
    {
        awaited.insert(host);
        Simulator::ScheduleWithContext(m_nodes[host],
                                       Time(),
                                       &CompletionAgent::Expect,
                                       Ptr<CompletionAgent>(&GetAgent(host)),
                                       coflow.id,
                                       number,
                                       driverHost,
                                       m_control->GetAddress(driverHost));
    }
}

void
WorkloadDriver::Move(const ::coflow::Flow& flow, const CoflowHandle& handle)
{
    const auto draw = [this](RandomVariableStream& jitter) {
        const auto delay =
            NanoSeconds(static_cast<int64_t>(std::llround(std::max(0.0, jitter.GetValue()) * 1e9)));
        m_lastPlanned = Max(m_lastPlanned, Simulator::Now() + delay);
        return delay;
    };
    std::function<void()> done;
    if (m_completion == Completion::MESSAGE)
    {
        done = [agent = Ptr<CompletionAgent>(&GetAgent(GetLastHost(flow))), id = handle.id] {
            agent->NotifyReceived(id);
        };
    }
    const bool empty = flow.bytes == 0;
    const auto sender = m_clients[flow.src];
    Simulator::ScheduleWithContext(
        m_nodes[flow.src],
        draw(*m_startJitter),
        [sender,
         handle,
         flow,
         to = m_clients[flow.dst]->GetAddress(),
         done = empty ? done : nullptr] {
            sender->Put(handle, flow.id, to, static_cast<uint64_t>(flow.bytes));
            if (done)
            {
                done();
            }
        });
    const auto receiver = m_clients[flow.dst];
    Simulator::ScheduleWithContext(
        m_nodes[flow.dst],
        draw(*m_getJitter),
        [receiver, handle, id = flow.id, done = empty ? nullptr : std::move(done)] {
            receiver->Get(handle, id, done);
        });
}

::coflow::HostId
WorkloadDriver::GetLastHost(const ::coflow::Flow& flow)
{
    return flow.bytes == 0 ? flow.src : flow.dst;
}

CompletionAgent&
WorkloadDriver::GetAgent(HostId host)
{
    auto& agent = m_agents[host];
    if (!agent)
    {
        agent = CreateObject<CompletionAgent>();
        agent->Start(
            host,
            m_control->MakeEndpoint(host),
            [this](::coflow::CoflowId coflow, HostId from) { HandleTasksDone(coflow, from); });
    }
    return *agent;
}

WireCount
WorkloadDriver::GetWire() const
{
    return m_control ? m_control->GetWire() : WireCount();
}

ControlCounts
WorkloadDriver::GetSent() const
{
    return m_control ? m_control->GetSent() : ControlCounts();
}

} // namespace ns3::coflow
