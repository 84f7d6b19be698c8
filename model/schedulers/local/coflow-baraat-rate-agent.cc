/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-baraat-rate-agent.h"

#include "ns3/coflow-rate-request.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowBaraatRateAgent");

NS_OBJECT_ENSURE_REGISTERED(BaraatRateAgent);

namespace
{

constexpr int64_t MOST_PERIODS = 8;         ///< most periods between two requests of a flow
constexpr int64_t MOST_PERIODS_PAUSED = 64; ///< most periods for a paused flow
constexpr uint64_t SEGMENTS_PER_REQUEST = 4;
constexpr uint64_t PROBE_SHARE =
    10000; ///< a flow entitled to rate 0 demands the host's rate divided by this

/// @return number of a coflow's task at ports; coflows without an arrival number come last
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
    GetSource().TraceConnectWithoutContext("FlowConnected",
                                           MakeCallback(&BaraatRateAgent::HandleOpened, this));
}

void
BaraatRateAgent::StopApplication()
{
    for (auto& [task, flow] : m_flows)
    {
        flow.event.Cancel();
    }
    m_flows.clear();
    m_tasks.clear();
}

void
BaraatRateAgent::Prioritise(CoflowSource::FlowRequest& request)
{
    if (IsOwnAddress(request.dst) || request.bytes.IsZero())
    {
        return;
    }
    request.priority = {GetTask(request), PacketPriority::NO_BAND};
    if (CoflowSource::GetBacklog(request.bytes) <= m_parameters.segmentBytes)
    {
        request.rateLimit = RateLimit::Unlimited();
        return;
    }
    request.rateLimit = RateLimit::Paused();
    const FlowKey task{GetTask(request), request.flowId};
    Flow& flow = m_flows[task];
    flow.event.Cancel(); // the flow may be put again
    flow = Flow();
    flow.key = {request.coflowId, request.flowId};
    m_tasks[flow.key] = task;
    // The connection of the flow may be open already.
    flow.event = Simulator::ScheduleNow(&BaraatRateAgent::Ask, this, task);
}

void
BaraatRateAgent::HandleOpened(::coflow::CoflowId coflowId, ::coflow::FlowId flowId)
{
    const auto task = m_tasks.find({coflowId, flowId});
    if (task != m_tasks.end())
    {
        Flow& flow = m_flows.at(task->second);
        flow.waiting = false; // an earlier request belongs to a former connection
        flow.event.Cancel();
        flow.event = Simulator::ScheduleNow(&BaraatRateAgent::Ask, this, task->second);
    }
}

Time
BaraatRateAgent::GetPeriod() const
{
    return std::max(m_roundTrip, m_parameters.minPeriod);
}

Time
BaraatRateAgent::GetPatience(const Flow& flow) const
{
    constexpr uint32_t MOST_DOUBLINGS = 6;
    // With a shorter time, requests would fill slow links, because requests go before data.
    const Time usual = m_roundTrip.IsZero()
                           ? std::max(2 * GetPeriod(), MilliSeconds(1))
                           : std::max(2 * GetPeriod(), m_roundTrip + 4 * m_variation);
    return usual * (int64_t{1} << std::min(flow.repeats, MOST_DOUBLINGS));
}

uint64_t
BaraatRateAgent::GetDemand(const Flow& flow, uint64_t left) const
{
    if (left == 0)
    {
        return 0;
    }
    const uint64_t most = m_parameters.linkRate.GetBitRate();
    // The flow keeps its rate until its request with demand 0, which follows its last write.
    const double shortest = m_roundTrip.IsZero() ? 1e-6 : m_roundTrip.GetSeconds();
    const double perRoundTrip = static_cast<double>(left) * 8 / shortest;
    const uint64_t useful =
        perRoundTrip < static_cast<double>(most) ? static_cast<uint64_t>(perRoundTrip) : most;
    const uint64_t entitled =
        flow.answers ? std::max(flow.nominal, most / PROBE_SHARE) : uint64_t{most};
    return std::max<uint64_t>(1, std::min(useful, entitled));
}

void
BaraatRateAgent::Ask(FlowKey task)
{
    Flow& flow = m_flows.at(task);
    flow.event.Cancel();
    const auto forget = [this, task, &flow] {
        m_tasks.erase(flow.key);
        m_flows.erase(task);
    };
    const auto progress = GetSource().GetProgress(flow.key);
    if (!progress)
    {
        forget();
        return;
    }
    uint64_t left = progress->backlog;
    if (left <= m_parameters.segmentBytes)
    {
        GetSource().SetRateLimit(flow.key, RateLimit::Unlimited());
        left = 0;
    }
    else if (flow.waiting && flow.rate > 0)
    {
        flow.rate /= 2;
        Apply(flow);
    }
    RateRequest request;
    request.demand = GetDemand(flow, left);
    const PacketClass packetClass{task,
                                  {request.Pack(), PacketPriority::NO_BAND, RateSignal::REQUEST}};
    if (GetSource().SendRateRequest(flow.key, packetClass))
    {
        ++m_sent.messages;
        m_sent.bytes += TransportProfile::HEADER_BYTES;
        m_sent.wire.Add(TransportProfile::HEADER_BYTES - WireCount::IPV4_HEADER_BYTES);
        // An answer does not name its request. The round trip is measured from the first request
        // without an answer, so that the measured time is never too short.
        flow.repeats = flow.waiting ? flow.repeats + 1 : 0;
        flow.asked = flow.waiting ? flow.asked : Simulator::Now();
        flow.demand = request.demand;
        flow.waiting = true;
        NS_LOG_LOGIC("host " << GetHost() << ": flow " << flow.key.flowId << " of coflow "
                             << flow.key.coflowId << " asks for " << request.demand << " bit/s");
        if (request.demand == 0)
        {
            forget();
            AskForPaused();
            return;
        }
    }
    // An answer in time replaces this event. So does the opening of the connection, see
    // HandleOpened().
    constexpr int64_t RETRY_MS = 10;
    flow.event = Simulator::Schedule(flow.waiting ? GetPatience(flow)
                                                  : Max(GetPeriod(), MilliSeconds(RETRY_MS)),
                                     &BaraatRateAgent::Ask,
                                     this,
                                     task);
}

void
BaraatRateAgent::AskForPaused()
{
    constexpr int MOST = 2;
    int asked = 0;
    for (auto flow = m_flows.begin(); flow != m_flows.end() && asked < MOST; ++flow)
    {
        if (flow->second.rate == 0 && flow->second.answers && !flow->second.waiting)
        {
            flow->second.event.Cancel();
            flow->second.event = Simulator::ScheduleNow(&BaraatRateAgent::Ask, this, flow->first);
            ++asked;
        }
    }
}

Time
BaraatRateAgent::GetInterval(FlowKey task, const Flow& flow, uint64_t left) const
{
    const Time period = GetPeriod();
    if (flow.rate > 0)
    {
        const auto until = [&flow](uint64_t bytes) {
            return Seconds(static_cast<double>(bytes) * 8 / static_cast<double>(flow.rate));
        };
        const Time segments = until(SEGMENTS_PER_REQUEST * m_parameters.segmentBytes);
        const Time usual = std::clamp(segments, period, MOST_PERIODS * period);
        // The request with demand 0 must follow the last write at once.
        return std::max(std::min(usual, until(left)), m_roundTrip);
    }
    if (flow.nominal > 0)
    {
        // Other flows will give up this rate with their next requests.
        return std::max(m_roundTrip, period / 4);
    }
    // Older paused flows get a rate earlier, and send requests more often.
    int64_t periods = 1;
    for (auto other = m_flows.begin(); other->first != task && periods < MOST_PERIODS_PAUSED;
         ++other)
    {
        periods += other->second.rate == 0 ? 2 : 0;
    }
    return std::min(periods, MOST_PERIODS_PAUSED) * period;
}

void
BaraatRateAgent::HandleEcho(const PacketClass& echo)
{
    ++m_sent.messages;
    m_sent.bytes += TransportProfile::HEADER_BYTES;
    m_sent.wire.Add(TransportProfile::HEADER_BYTES - WireCount::IPV4_HEADER_BYTES);
    const auto entry = m_flows.find(echo.flow);
    if (entry == m_flows.end() || !entry->second.waiting)
    {
        return;
    }
    Flow& flow = entry->second;
    const auto progress = GetSource().GetProgress(flow.key);
    if (!progress)
    {
        return; // the next Ask() removes the flow
    }
    const Time now = Simulator::Now();
    const RateRequest answer = RateRequest::Unpack(echo.priority.key);
    const Time sample = now - flow.asked;
    const bool isFirst = m_roundTrip.IsZero();
    m_variation = isFirst ? sample / 2 : (3 * m_variation + Abs(m_roundTrip - sample)) / 4;
    m_roundTrip = isFirst ? sample : (7 * m_roundTrip + sample) / 8;
    if (flow.rate != answer.actual)
    {
        NS_LOG_INFO("host " << GetHost() << ": flow " << flow.key.flowId << " of coflow "
                            << flow.key.coflowId << " gets " << answer.actual << " bit/s");
    }
    flow.rate = answer.actual;
    flow.nominal = answer.nominal;
    flow.answers = true;
    flow.waiting = false;
    Apply(flow);
    const uint64_t left = progress->backlog;
    const uint64_t demand = GetDemand(flow, left);
    // Ports on the path keep the old demand, or could grant more with the new demand.
    flow.hastened = !flow.hastened && (demand > flow.demand + flow.demand / 4 ||
                                       demand < flow.demand - flow.demand / 4);
    const Time next = flow.hastened ? now : flow.asked + GetInterval(entry->first, flow, left);
    flow.event.Cancel();
    flow.event = Simulator::Schedule(std::max(Time(0), next - now),
                                     &BaraatRateAgent::Ask,
                                     this,
                                     entry->first);
}

void
BaraatRateAgent::Apply(const Flow& flow)
{
    GetSource().SetRateLimit(flow.key, RateLimit::Rate(DataRate(flow.rate)));
}

} // namespace ns3::coflow
