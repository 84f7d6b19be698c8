/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-baraat-rate-agent.h"

#include "ns3/coflow-rate-request.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/ipv4.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(BaraatRateAgent);

namespace
{

constexpr uint32_t MOST_PATIENCE = 8;

/// @return the number that ports know a coflow by; without an arrival number, after all that have
uint64_t
GetTask(const CoflowSource::FlowRequest& flow)
{
    return flow.arrivalNumber > 0 ? flow.arrivalNumber : uint64_t{1} << 63 | flow.coflowId;
}

} // namespace

TypeId
BaraatRateAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::BaraatRateAgent").SetParent<HostAgent>().SetGroupName("Coflow");
    return tid;
}

BaraatRateAgent::BaraatRateAgent(const BaraatRateParameters& parameters)
    : m_parameters(parameters)
{
}

BaraatRateAgent::~BaraatRateAgent()
{
}

void
BaraatRateAgent::DoDispose()
{
    StopApplication();
    PriorityAgent::DoDispose();
}

void
BaraatRateAgent::StartApplication()
{
    PriorityAgent::StartApplication();
    GetSource().TraceConnectWithoutContext("RateEcho",
                                           MakeCallback(&BaraatRateAgent::HandleEcho, this));
}

void
BaraatRateAgent::StopApplication()
{
    for (auto& [task, flow] : m_flows)
    {
        flow.event.Cancel();
    }
    m_flows.clear();
}

void
BaraatRateAgent::Prioritise(CoflowSource::FlowRequest& request)
{
    const bool local = GetNode()->GetObject<Ipv4>()->GetInterfaceForAddress(request.dst) >= 0;
    if (local || request.bytes.IsZero())
    {
        return;
    }
    request.allowance = Allowance::Paused();
    request.priority = {GetTask(request), PacketPriority::NO_BAND};
    const FlowKey task{GetTask(request), request.flowId};
    Flow& flow = m_flows[task];
    flow.event.Cancel(); // of the same flow, if it is put again
    flow = Flow();
    flow.key = {request.coflowId, request.flowId};
    flow.answered = Simulator::Now();
    flow.event = Simulator::Schedule(GetPeriod(), &BaraatRateAgent::Ask, this, task);
}

Time
BaraatRateAgent::GetPeriod() const
{
    return std::max(m_roundTrip, m_parameters.minPeriod);
}

uint64_t
BaraatRateAgent::GetDemand(const Flow& flow, uint64_t left) const
{
    if (left == 0)
    {
        return 0;
    }
    const auto perPeriod = [period = GetPeriod().GetSeconds()](uint64_t bytes) {
        return static_cast<uint64_t>(static_cast<double>(bytes) * 8 / period);
    };
    const uint64_t useful = std::min(m_parameters.linkRate.GetBitRate(), perPeriod(left));
    const uint64_t entitled =
        flow.answers ? std::max(flow.nominal, perPeriod(m_parameters.segmentBytes)) : useful;
    return std::max(RateRequest::UNIT, std::min(useful, entitled));
}

void
BaraatRateAgent::Ask(FlowKey task)
{
    Flow& flow = m_flows.at(task);
    const auto progress = GetSource().GetProgress(flow.key);
    if (!progress)
    {
        m_flows.erase(task);
        return;
    }
    const Time now = Simulator::Now();
    const Time period = GetPeriod();
    if (flow.waiting && flow.rate > 0 && now - flow.answered > 2 * period)
    {
        flow.rate /= 2;
        Apply(flow);
    }
    RateRequest request;
    request.demand = GetDemand(flow, progress->backlog);
    const PacketClass packetClass{task,
                                  {request.Pack(), PacketPriority::NO_BAND, RateSignal::REQUEST}};
    if (GetSource().SendRateRequest(flow.key, packetClass))
    {
        ++m_sent.messages;
        m_sent.bytes += TransportProfile::HEADER_BYTES;
        flow.asked = now;
        flow.waiting = true;
        if (request.demand == 0)
        {
            m_flows.erase(task);
            return;
        }
    }
    // The answer comes before that, unless it is lost.
    flow.event =
        Simulator::Schedule((flow.waiting ? 2 : 1) * period, &BaraatRateAgent::Ask, this, task);
}

void
BaraatRateAgent::HandleEcho(const PacketClass& echo)
{
    ++m_sent.messages;
    m_sent.bytes += TransportProfile::HEADER_BYTES;
    const auto entry = m_flows.find(echo.flow);
    if (entry == m_flows.end())
    {
        return;
    }
    Flow& flow = entry->second;
    const Time now = Simulator::Now();
    const RateRequest answer = RateRequest::Unpack(echo.priority.key);
    if (flow.waiting)
    {
        const Time sample = now - flow.asked;
        m_roundTrip = m_roundTrip.IsZero() ? sample : (7 * m_roundTrip + sample) / 8;
    }
    const bool hadNone = flow.rate == 0;
    flow.rate = answer.actual < m_parameters.minRate ? 0 : answer.actual;
    flow.nominal = answer.nominal;
    flow.answers = true;
    flow.answered = now;
    flow.waiting = false;
    flow.patience = flow.rate > 0 ? 1 : hadNone ? std::min(2 * flow.patience, MOST_PATIENCE) : 1;
    Apply(flow);
    const Time next = std::max(Time(0), flow.asked + flow.patience * GetPeriod() - now);
    flow.event.Cancel();
    flow.event = Simulator::Schedule(next, &BaraatRateAgent::Ask, this, entry->first);
}

void
BaraatRateAgent::Apply(const Flow& flow)
{
    GetSource().SetAllowance(flow.key, Allowance::Rate(DataRate(flow.rate)));
}

} // namespace ns3::coflow
