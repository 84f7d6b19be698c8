/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-time-jumper.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-light-schedule.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/enum.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::coflow
{

using ::coflow::InputError;

NS_OBJECT_ENSURE_REGISTERED(TimeJumper);

TypeId
TimeJumper::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::TimeJumper")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<TimeJumper>()
            .AddAttribute("Jump",
                          "Whether to jump over time in which nothing changes: paced, while every "
                          "flow that sends has a rate and keeps to it, which is under schedulers "
                          "that set rates. What coflows take differs by microseconds (see "
                          "doc/jumps.md)",
                          EnumValue(Mode::NO),
                          MakeEnumAccessor<Mode>(&TimeJumper::m_mode),
                          MakeEnumChecker(Mode::NO, "no", Mode::PACED, "paced"))
            .AddAttribute("LookInterval",
                          "Where time is jumped over: simulated time between two looks whether it "
                          "can be",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&TimeJumper::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("SettleTime",
                          "Where time is jumped over: after a rate or a link has changed, or a "
                          "flow has not kept up with its rate, so much time is simulated packet by "
                          "packet; marks have narrowed windows by then, so that it is seen "
                          "whether flows keep up",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&TimeJumper::m_settle),
                          MakeTimeChecker(Time()))
            .AddAttribute("ShortestJump",
                          "Where time is jumped over: less is simulated packet by packet",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&TimeJumper::m_shortest),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

TimeJumper::TimeJumper()
{
}

TimeJumper::~TimeJumper()
{
}

void
TimeJumper::Install(Ptr<Fabric> fabric, Ptr<const TransportProfile> profile)
{
    auto* simulator = WheelSimulatorImpl::Get();
    if (!simulator)
    {
        throw InputError("option --jump: time cannot be jumped over, as the program has chosen a "
                         "simulator of its own; allowed: no SimulatorImplementationType");
    }
    m_channel = DynamicCast<FabricChannel>(fabric->GetHostDevice(0)->GetChannel());
    if (!m_channel)
    {
        throw InputError("option --jump: on the fabric nodes time cannot be jumped over; allowed: "
                         "--fabric=express");
    }
    if (!fabric->GetHosts().Get(0)->GetObject<LeanHost>())
    {
        throw InputError("option --jump: time can be jumped over on lean connections only; "
                         "allowed: --hostStack=auto, with another --congestionOps if need be");
    }
    const auto topology = fabric->GetTopology();
    if (topology->IsSprayingPackets())
    {
        throw InputError("option --jump: time cannot be jumped over where the packets of a flow "
                         "take different paths; allowed: no --packetSpraying");
    }
    m_fabric = fabric;
    m_profile = profile;
    m_segment = profile->GetSegmentSize();
    const auto connections = profile->GetLeanSettings(fabric->GetHosts().Get(0));
    m_answered = connections->delayedAckCount;
    m_slowestAnswer = static_cast<double>(connections->delayedAckTimeout.GetTimeStep());
    m_loads.resize(topology->GetNPorts());
    topology->TraceConnectWithoutContext("PortChange", MakeCallback(&TimeJumper::FollowPort, this));
    m_channel->SetDebtor([this] { SettleAll(); });
    simulator->AllowSkips();
}

void
TimeJumper::Watch(::coflow::HostId host,
                  const Ptr<CoflowSource>& source,
                  const Ptr<CoflowSink>& sink)
{
    m_hosts[source->GetNode()->GetId()] = host;
    source->SetWatcher(*this);
    sink->SetWatcher(*this);
}

void
TimeJumper::DoDispose()
{
    m_look.Cancel();
    if (m_fabric)
    {
        m_fabric->GetTopology()->TraceDisconnectWithoutContext(
            "PortChange",
            MakeCallback(&TimeJumper::FollowPort, this));
        m_channel->SetDebtor(nullptr);
    }
    m_sending.clear();
    m_stopping.clear();
    m_flows.clear();
    m_channel = nullptr;
    m_fabric = nullptr;
    m_profile = nullptr;
    Object::DoDispose();
}

void
TimeJumper::NotifyStarted(SourceFlow& flow)
{
    auto& entry = m_flows[flow.key];
    entry = std::make_unique<EvenFlow>();
    entry->key = flow.key;
    entry->source = &flow;
    entry->src = m_hosts.at(flow.connection->GetNodeId());
    flow.even = entry.get();
    Enter(m_stopping, *entry);
    Sort(*entry);
}

void
TimeJumper::NotifyAllowance(SourceFlow& flow)
{
    if (flow.even)
    {
        Sort(*flow.even);
    }
}

void
TimeJumper::NotifyEnded(SourceFlow& flow)
{
    if (!flow.even)
    {
        return;
    }
    // Less load is no reason to look anew at what ports carry.
    Settle(*flow.even);
    Leave(*flow.even);
    flow.even = nullptr;
    m_flows.erase(flow.key);
}

void
TimeJumper::NotifyRecord(const FlowKey& key, SinkConnection& connection)
{
    const auto flow = m_flows.find(key);
    if (flow != m_flows.end())
    {
        flow->second->sink = &connection;
    }
}

void
TimeJumper::NotifyRecordEnd(const FlowKey& key, SinkConnection& connection)
{
    const auto flow = m_flows.find(key);
    if (flow != m_flows.end() && flow->second->sink == &connection)
    {
        flow->second->sink = nullptr;
    }
}

void
TimeJumper::FollowPort(LinkPort)
{
    SettleAll();
    ++m_epoch;
    NoteChange();
}

void
TimeJumper::Enter(std::vector<EvenFlow*>& list, EvenFlow& flow)
{
    flow.sends = &list == &m_sending;
    flow.place = list.size();
    list.push_back(&flow);
}

void
TimeJumper::Leave(EvenFlow& flow)
{
    constexpr auto NOWHERE = std::numeric_limits<std::size_t>::max();
    if (flow.place == NOWHERE)
    {
        return;
    }
    auto& list = flow.sends ? m_sending : m_stopping;
    list[flow.place] = list.back();
    list[flow.place]->place = flow.place;
    list.pop_back();
    flow.place = NOWHERE;
}

void
TimeJumper::Sort(EvenFlow& flow)
{
    const auto& allowance = flow.source->allowance;
    Leave(flow);
    Enter(allowance.GetKind() == Allowance::Kind::PAUSED ? m_stopping : m_sending, flow);
    flow.bitsPerSecond =
        allowance.GetKind() == Allowance::Kind::RATE ? allowance.GetRate().GetBitRate() : 0;
    NoteChange();
}

void
TimeJumper::NoteChange()
{
    m_lastChange = GetNetworkTimeStep();
    m_checked = false;
    Wake();
}

void
TimeJumper::Wake()
{
    if (!m_lookComes)
    {
        m_lookComes = true;
        // Who looks at all flows, looks less often.
        constexpr int64_t SELDOM = 50;
        const Time interval = m_seldom ? SELDOM * m_interval : m_interval;
        m_look.Schedule(Simulator::NO_CONTEXT, interval, [this] { Look(); });
    }
}

void
TimeJumper::Look()
{
    m_lookComes = false;
    if (m_sending.empty() && m_stopping.empty())
    {
        return; // the next flow has it look again
    }
    const Reason reason = TryToJump();
    ++m_looks[reason];
    m_seldom = reason == CATCHING_UP;
    if (reason == JUMPED || WheelSimulatorImpl::Get()->GetNextWorldEvent() == 0)
    {
        // What the jump ended at may have changed nothing: looks again as soon as that has run.
        m_lookComes = true;
        Simulator::ScheduleNow(&TimeJumper::Look, this);
        return;
    }
    Wake();
}

TimeJumper::Reason
TimeJumper::TryToJump()
{
    auto* simulator = WheelSimulatorImpl::Get();
    if (simulator->IsHeld())
    {
        return HELD;
    }
    if (GetNetworkTimeStep() - m_lastChange < m_settle.GetTimeStep())
    {
        return SETTLING;
    }
    const int64_t untilEvent = simulator->GetNextWorldEvent();
    if (untilEvent < m_shortest.GetTimeStep())
    {
        return NEAR;
    }
    if (!IsFeasible())
    {
        return OVERLOADED;
    }
    int64_t even = 0;
    Reason reason = FindStopping();
    reason = reason == JUMPED ? FindUneven(even) : reason;
    if (reason == BEHIND || reason == RECOVERING)
    {
        m_lastChange = GetNetworkTimeStep();
    }
    if (reason != JUMPED)
    {
        return reason;
    }
    const int64_t steps = std::min(even, untilEvent);
    if (steps == INT64_MAX)
    {
        return NEAR; // nothing sends, and nothing else will happen
    }
    Jump(steps);
    return JUMPED;
}

TimeJumper::Reason
TimeJumper::GetReason(SourceConnection::Sending sending)
{
    switch (sending)
    {
    case SourceConnection::Sending::NOTHING:
    case SourceConnection::Sending::EVENLY:
        return JUMPED;
    case SourceConnection::Sending::OPENING:
        return OPENING;
    case SourceConnection::Sending::STOPPING:
        return STOPPING;
    case SourceConnection::Sending::UNLIMITED:
    case SourceConnection::Sending::SHARED:
        return UNLIMITED;
    case SourceConnection::Sending::ENDING:
        return ENDING;
    case SourceConnection::Sending::CATCHING_UP:
        return CATCHING_UP;
    case SourceConnection::Sending::BEHIND:
        return BEHIND;
    case SourceConnection::Sending::RECOVERING:
        break;
    }
    return RECOVERING;
}

TimeJumper::Reason
TimeJumper::FindStopping()
{
    while (!m_stopping.empty())
    {
        EvenFlow& flow = *m_stopping.back();
        const auto& source = *flow.source;
        const Reason reason =
            source.connection ? GetReason(source.connection->GetSending(source)) : OPENING;
        if (reason != JUMPED)
        {
            return reason;
        }
        Leave(flow); // until it may send again
    }
    return JUMPED;
}

bool
TimeJumper::IsNearlyEven(EvenFlow& flow) const
{
    // A rate that falls leaves TCP with what was written at the old one, which it then sends a few
    // percent faster than the new rate. That may take minutes, and makes no difference to a flow
    // that has much more left.
    constexpr uint64_t LITTLE = 1000;
    const SourceFlow& source = *flow.source;
    const uint32_t unsent = source.connection->GetUnsent();
    if (flow.seenAt < m_lastChange || unsent > flow.unsent)
    {
        flow.seenAt = GetNetworkTimeStep();
        flow.unsent = unsent;
        return false;
    }
    return GetNetworkTimeStep() - flow.seenAt >= m_settle.GetTimeStep() &&
           unsent * LITTLE <= source.bytes - source.written;
}

TimeJumper::Reason
TimeJumper::FindUneven(int64_t& steps)
{
    steps = INT64_MAX;
    bool catchingUp = false;
    const std::size_t n = m_sending.size();
    for (std::size_t i = 0; i < n; ++i)
    {
        // The one that was uneven last is so again, mostly.
        const std::size_t place = m_suspect + i < n ? m_suspect + i : (m_suspect + i) % n;
        EvenFlow& flow = *m_sending[place];
        SourceFlow& source = *flow.source;
        Reason reason =
            source.connection ? GetReason(source.connection->GetSending(source)) : OPENING;
        if (reason == CATCHING_UP)
        {
            if (!IsNearlyEven(flow))
            {
                catchingUp = true; // goes on, so that all such flows are seen at the same time
                continue;
            }
            reason = JUMPED;
        }
        if (reason == JUMPED && !(flow.sink && flow.sink->ReadsEvenly()))
        {
            reason = OPENING;
        }
        if (reason == JUMPED)
        {
            steps = std::min(steps, SourceConnection::GetStepsToLast(source));
            if (steps < m_shortest.GetTimeStep())
            {
                reason = ENDING;
            }
        }
        if (reason != JUMPED)
        {
            m_suspect = place;
            return reason;
        }
    }
    return catchingUp ? CATCHING_UP : JUMPED;
}

JumpTotals
TimeJumper::GetTotals()
{
    SettleAll();
    JumpTotals totals;
    totals.jumps = m_jumps;
    totals.skippedSeconds =
        TimeStep(static_cast<uint64_t>(WheelSimulatorImpl::Get()->GetSkipped())).GetSeconds();
    totals.skippedBytes = m_skippedBytes;
    totals.skippedPacketHops = m_skippedHops;
    totals.largestLoad = m_largestLoad;
    constexpr const char* NAMES[N_REASONS] = {"",
                                              "message_under_way",
                                              "rate_has_changed",
                                              "flow_opens",
                                              "flow_stops",
                                              "flow_without_rate",
                                              "flow_ends",
                                              "flow_catches_up",
                                              "flow_behind_its_rate",
                                              "flow_recovers",
                                              "port_overloaded",
                                              "event_is_near"};
    for (uint32_t reason = HELD; reason < N_REASONS; ++reason)
    {
        totals.looksWithoutJump.emplace_back(NAMES[reason], m_looks[reason]);
    }
    return totals;
}

} // namespace ns3::coflow
