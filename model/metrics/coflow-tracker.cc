/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-tracker.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::CoflowRecord;
using ::coflow::FlowId;
using ::coflow::FlowRecord;

NS_LOG_COMPONENT_DEFINE("CoflowTracker");

NS_OBJECT_ENSURE_REGISTERED(CoflowTracker);

TypeId
CoflowTracker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CoflowTracker")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<CoflowTracker>()
            .AddTraceSource("CoflowFinished",
                            "The last byte of a coflow's last flow reached its receiver.",
                            MakeTraceSourceAccessor(&CoflowTracker::m_coflowFinishedTrace),
                            "ns3::coflow::CoflowTracker::CoflowFinishedCallback");
    return tid;
}

void
CoflowTracker::Expect(const ::coflow::Workload& workload,
                      const ::coflow::PortRates& rates,
                      const ::coflow::BinLimits& limits)
{
    m_coflows = ::coflow::MakeCoflowRecords(workload, rates, limits);
    m_registered.resize(workload.coflows.size());
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& coflow = workload.coflows[i];
        m_index[coflow.id] = i;
        m_firstFlow.push_back(m_flows.size());
        m_unfinished.push_back(coflow.flows.size());
        for (const auto& flow : coflow.flows)
        {
            m_flows.push_back({.coflow = coflow.id, .flow = flow});
        }
    }
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        for (const auto parent : workload.coflows[i].parents)
        {
            m_parents[i].push_back(m_index.at(parent));
        }
    }
}

void
CoflowTracker::Listen(Ptr<CoflowSource> source, Ptr<CoflowSink> sink)
{
    const Ptr<CoflowTracker> self = this;
    source->TraceConnectWithoutContext("FlowStarted",
                                       MakeCallback(&CoflowTracker::NotifyStarted, self));
    source->TraceConnectWithoutContext("Retransmission",
                                       MakeCallback(&CoflowTracker::NotifyRetransmission, self));
    sink->TraceConnectWithoutContext("FlowFinished",
                                     MakeCallback(&CoflowTracker::NotifyFinished, self));
}

void
CoflowTracker::NotifyReleased(CoflowId coflow)
{
    const auto index = IndexOf(coflow);
    m_coflows[index].arrival = GetReadyTime(coflow);
    m_nEvents += m_present.insert(index).second;
    NS_LOG_INFO("coflow " << coflow << " arrived: " << m_unfinished[index] << " flows");
    if (m_unfinished[index] == 0)
    {
        Finish(index);
    }
}

::coflow::Nanoseconds
CoflowTracker::GetReadyTime(CoflowId coflow) const
{
    const auto index = IndexOf(coflow);
    const auto parents = m_parents.find(index);
    const auto now = Simulator::Now().GetNanoSeconds();
    if (parents == m_parents.end())
    {
        return now;
    }
    auto ready = m_coflows[index].arrival;
    for (const auto parent : parents->second)
    {
        // A refused coflow does not finish. Its children become ready when the driver learns of the
        // refusal.
        const bool isFinished = m_coflows[parent].IsFinished();
        ready = std::max(ready, isFinished ? m_coflows[parent].finish : now);
    }
    return ready;
}

void
CoflowTracker::NotifyRegistered(CoflowId coflow, bool scheduled)
{
    const auto index = IndexOf(coflow);
    m_nEvents += !m_registered[index];
    m_registered[index] = true;
    m_coflows[index].bypassed = !scheduled;
    NS_LOG_INFO("coflow " << coflow << " registered, "
                          << (scheduled ? "scheduled" : "bypasses the scheduler"));
}

void
CoflowTracker::NotifyRejected(CoflowId coflow, bool served)
{
    const auto index = IndexOf(coflow);
    auto& record = m_coflows[index];
    m_nEvents += record.admitted;
    record.admitted = false;
    NS_LOG_INFO("coflow " << coflow << " rejected, "
                          << (served ? "served all the same" : "not sent"));
    if (!served && !record.IsFinished())
    {
        m_dropped.insert(index);
        m_present.erase(index);
    }
}

bool
CoflowTracker::IsComplete() const
{
    return m_finished.size() + m_dropped.size() == m_coflows.size();
}

const std::vector<FlowRecord>&
CoflowTracker::GetFlowRecords() const
{
    return m_flows;
}

std::span<const FlowRecord>
CoflowTracker::GetFlowRecords(std::size_t index) const
{
    const auto end = index + 1 < m_firstFlow.size() ? m_firstFlow[index + 1] : m_flows.size();
    return std::span(m_flows).subspan(m_firstFlow[index], end - m_firstFlow[index]);
}

bool
CoflowTracker::IsRegistered(CoflowId coflow) const
{
    return m_registered[IndexOf(coflow)];
}

bool
CoflowTracker::IsDropped(std::size_t index) const
{
    return m_dropped.count(index) > 0;
}

uint64_t
CoflowTracker::GetRetransmissions() const
{
    uint64_t sum = 0;
    for (const auto& flow : m_flows)
    {
        sum += flow.retransmits;
    }
    return sum;
}

void
CoflowTracker::NotifyStarted(CoflowId coflow, FlowId flow, Ipv4Address, uint64_t)
{
    auto& record = RecordOf(coflow, flow);
    m_nEvents += record.start == ::coflow::NEVER;
    record.start = Simulator::Now().GetNanoSeconds();
}

void
CoflowTracker::NotifyRetransmission(CoflowId coflow, FlowId flow)
{
    ++RecordOf(coflow, flow).retransmits;
}

void
CoflowTracker::NotifyFinished(CoflowId coflow, FlowId flow, uint64_t bytes, Time)
{
    auto& record = RecordOf(coflow, flow);
    NS_ABORT_MSG_IF(record.finish != ::coflow::NEVER,
                    "Flow " << flow << " of coflow " << coflow << " finished twice");
    NS_ABORT_MSG_IF(bytes != static_cast<uint64_t>(record.flow.bytes),
                    "Flow " << flow << " of coflow " << coflow << " delivered " << bytes
                            << " bytes instead of " << record.flow.bytes);
    ++m_nEvents;
    record.finish = Simulator::Now().GetNanoSeconds();
    const auto index = IndexOf(coflow);
    if (--m_unfinished[index] == 0)
    {
        Finish(index);
    }
}

void
CoflowTracker::Finish(std::size_t index)
{
    m_coflows[index].finish = Simulator::Now().GetNanoSeconds();
    m_present.erase(index);
    // A refused coflow still finishes if its hosts had already sent it, because their daemons had
    // failed. The coflow counts once.
    m_dropped.erase(index);
    m_finished.push_back(index);
    NS_LOG_INFO(
        "coflow " << m_coflows[index].id << " finished after "
                  << NanoSeconds(m_coflows[index].finish - m_coflows[index].arrival).As(Time::US)
                  << "; " << m_finished.size() << " of " << m_coflows.size());
    m_coflowFinishedTrace(m_coflows[index].id);
}

std::size_t
CoflowTracker::IndexOf(CoflowId coflow) const
{
    const auto found = m_index.find(coflow);
    NS_ABORT_MSG_IF(found == m_index.end(), "Coflow " << coflow << " is not in the workload");
    return found->second;
}

FlowRecord&
CoflowTracker::RecordOf(CoflowId coflow, FlowId flow)
{
    const auto index = m_firstFlow[IndexOf(coflow)] + flow;
    NS_ABORT_MSG_IF(index >= m_flows.size() || m_flows[index].coflow != coflow,
                    "Coflow " << coflow << " has no flow " << flow);
    return m_flows[index];
}

} // namespace ns3::coflow
