/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-time-jumper.h"

#include "ns3/boolean.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-flow-header.h"
#include "ns3/coflow-intrusive-schedule.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/coflow-wire-times.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

using ::coflow::InputError;

NS_LOG_COMPONENT_DEFINE("CoflowTimeJumper");

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
                          "Whether to jump over time in which every sending flow has a rate and "
                          "keeps to it. Needs a scheduler that gives rates, ratePhase=spread, and "
                          "bypassBytes=0 if coflows would bypass it (see doc/concepts/jumps.md)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TimeJumper::m_isOn),
                          MakeBooleanChecker())
            .AddAttribute("LookInterval",
                          "With Jump: packet time between two checks whether a jump is possible",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&TimeJumper::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("SettleTime",
                          "With Jump: time without jumps after a rate or a link has changed, or a "
                          "flow has not kept up with its rate. By then marks have narrowed "
                          "windows, and the simulator can see whether flows keep up. It is raised "
                          "to eight times the longest base round trip",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&TimeJumper::m_settle),
                          MakeTimeChecker(Time()))
            .AddAttribute("FewestSegments",
                          "With Jump: no jumps while a flow of fewer segments than this may send. "
                          "A jump may move the end of a flow by up to the time of one segment at "
                          "the flow's rate (see doc/concepts/jumps.md)",
                          UintegerValue(100),
                          MakeUintegerAccessor(&TimeJumper::m_fewest),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

TimeJumper::TimeJumper() = default;

TimeJumper::~TimeJumper() = default;

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
                         "allowed: --hostStack=auto, with another --congestionOps or without "
                         "ns3::TcpSocketState::EnablePacing if need be");
    }
    const auto topology = fabric->GetTopology();
    if (topology->IsSprayingPackets())
    {
        throw InputError("option --jump: time cannot be jumped over where the packets of a flow "
                         "take different paths; allowed: no --packetSpraying");
    }
    if (topology->GetFlowletTimeout().IsStrictlyPositive())
    {
        throw InputError("option --jump: time cannot be jumped over where the flowlets of a flow "
                         "take different paths; allowed: --flowletTimeout=0s");
    }
    m_fabric = fabric;
    m_segment = profile->GetSegmentSize();
    // While its window grows, a flow may keep up with its rate at one check and not after it.
    const auto roundTrip = fabric->GetLongestRoundTrip(m_segment + TransportProfile::OVERHEAD_BYTES,
                                                       TransportProfile::OVERHEAD_BYTES);
    m_settle = std::max(m_settle, 8 * roundTrip);
    const auto connections = profile->GetLeanSettings(fabric->GetHosts().Get(0));
    m_segmentsPerAck = connections->delayedAckCount;
    m_delayedAckTimeout = static_cast<double>(connections->delayedAckTimeout.GetTimeStep());
    const bool isEcnCapable = connections->ecn != TcpSocketState::Off;
    const auto dsField = static_cast<uint8_t>(
        connections->tos | (isEcnCapable ? connections->state->m_ectCodePoint : 0));
    m_loads = std::make_unique<PortLoads>(*m_channel, *topology, m_segment, dsField);
    m_rateTable = Create<RateTable>();
    m_rateTable->SetListener(this);
    topology->TraceConnectWithoutContext("PortChange", MakeCallback(&TimeJumper::FollowPort, this));
    simulator->AllowJumps();
}

void
TimeJumper::Watch(::coflow::HostId host,
                  const Ptr<CoflowSource>& source,
                  const Ptr<CoflowSink>& sink)
{
    if (!source->SpreadsRates())
    {
        throw InputError("option --jump: flows that write in step keep up with their rates only "
                         "now and then, which a jump takes for always; allowed: "
                         "--ratePhase=spread");
    }
    m_hosts[source->GetNode()->GetId()] = host;
    source->SetRateTable(m_rateTable);
    sink->SetRateTable(m_rateTable);
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
        m_rateTable->SetListener(nullptr);
    }
    m_flows.clear();
    m_ends.clear();
    m_rateTable = nullptr;
    m_loads = nullptr;
    m_channel = nullptr;
    m_fabric = nullptr;
    Object::DoDispose();
}

void
TimeJumper::NotifyChanged(uint32_t row)
{
    if (row >= m_flows.size())
    {
        m_flows.resize(m_rateTable->GetSize());
    }
    NoteChange();
}

bool
TimeJumper::EndsWithoutPackets(uint32_t row)
{
    const End end{Simulator::Now().GetTimeStep(), row, m_rateTable->Get(row).flows};
    // Before the first jump, and while a port is overloaded, flows end in packets.
    return m_jumps > 0 && m_load <= 1 && row < m_flows.size() && m_flows[row].isLoaded &&
           EndFlow(end);
}

void
TimeJumper::NotifyEnded(uint32_t row)
{
    if (row < m_flows.size())
    {
        if (m_flows[row].isLoaded)
        {
            m_loads->Remove(m_flows[row].load);
        }
        // If no port was overloaded, less load cannot change the result.
        m_checked = m_checked && m_load <= 1;
        m_flows[row] = Flow();
    }
    if (m_asleepSince >= 0)
    {
        Wake(); // it may have been the one that all looks ended at
    }
}

void
TimeJumper::FollowPort(LinkPort)
{
    ++m_epoch;
    NoteChange();
}

void
TimeJumper::NoteChange()
{
    m_lastChange = GetPacketTimeStep();
    m_checked = false;
    m_verified = false;
    Wake();
}

void
TimeJumper::Wake()
{
    if (m_lookComes)
    {
        return;
    }
    m_lookComes = true;
    int64_t wait = m_interval.GetTimeStep();
    if (m_asleepSince >= 0)
    {
        // The time of the next check, if checks had gone on.
        const int64_t slept = GetPacketTimeStep() - std::exchange(m_asleepSince, -1);
        wait -= slept % wait;
    }
    m_look.Schedule(Simulator::NO_CONTEXT, TimeStep(static_cast<uint64_t>(wait)), [this] {
        Check();
    });
}

bool
TimeJumper::Lasts(Reason reason)
{
    return reason == Reason::UNLIMITED || reason == Reason::SHORT || reason == Reason::OVERLOADED;
}

void
TimeJumper::Check()
{
    m_lookComes = false;
    m_account.Close();
    const Reason reason = m_rateTable->IsEmpty() ? Reason::JUMPED : TryToJump();
    m_account.Open(reason);
    m_account.CountLook(reason);
    if (reason == Reason::JUMPED && (m_rateTable->IsEmpty() || m_ends.empty()))
    {
        return; // no flow sends; the next one that does has it look again
    }
    if (Lasts(reason))
    {
        m_asleepSince = GetPacketTimeStep();
        return;
    }
    if (reason == Reason::JUMPED || WheelSimulatorImpl::Get()->GetTimeToNs3Event() == 0)
    {
        // The event at which the jump ended may change nothing. The next check follows the event.
        m_lookComes = true;
        Simulator::ScheduleNow(&TimeJumper::Check, this);
        return;
    }
    Wake();
}

TimeJumper::Reason
TimeJumper::TryToJump()
{
    auto* simulator = WheelSimulatorImpl::Get();
    if (m_verified && !EndFlows())
    {
        m_verified = false;
    }
    if (simulator->IsInhibited())
    {
        return Reason::HELD;
    }
    if (!IsVerified())
    {
        const Reason reason = Verify();
        if (reason != Reason::JUMPED)
        {
            return reason;
        }
    }
    if (!EndFlows())
    {
        m_verified = false; // the next look sees whether the flow has ended
        return Reason::ENDING;
    }
    const int64_t untilEvent = simulator->GetTimeToNs3Event();
    const int64_t untilEnd =
        m_ends.empty() ? INT64_MAX : m_ends.front().time - Simulator::Now().GetTimeStep();
    Jump(std::min(untilEnd, untilEvent));
    return Reason::JUMPED;
}

bool
TimeJumper::IsVerified() const
{
    // The result holds until a flow changes. While packets move, a flow may fall behind, so the
    // result expires after the time that a change has to settle.
    return m_verified && GetPacketTimeStep() - m_lastVerified <= m_settle.GetTimeStep();
}

TimeJumper::Reason
TimeJumper::Verify()
{
    const int64_t now = GetPacketTimeStep();
    if (now - m_lastChange < m_settle.GetTimeStep())
    {
        return Reason::SETTLING;
    }
    if (!IsFeasible())
    {
        return Reason::OVERLOADED;
    }
    const Reason reason = FindReason();
    if (reason == Reason::BEHIND || reason == Reason::RECOVERING)
    {
        m_lastChange = now;
    }
    m_verified = reason == Reason::JUMPED;
    m_lastVerified = now;
    return reason;
}

TimeJumper::Reason
TimeJumper::FindReason()
{
    m_ends.clear();
    const uint32_t n = m_rateTable->GetSize();
    m_flows.resize(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        // Mostly, the flow that prevented the last jump also prevents this jump.
        const uint32_t row = (m_suspect + i) % n;
        const Reason reason = m_rateTable->Get(row).flow ? FindReason(row) : Reason::JUMPED;
        if (reason != Reason::JUMPED)
        {
            m_suspect = row;
            return reason;
        }
    }
    std::ranges::make_heap(m_ends, IsLater);
    return Reason::JUMPED;
}

bool
TimeJumper::IsShort(const SourceFlow& flow) const
{
    return flow.bytes < uint64_t{m_fewest} * m_segment;
}

TimeJumper::Reason
TimeJumper::FindReason(uint32_t row)
{
    const auto& [source, sink, node, flows, ends, latest] = m_rateTable->Get(row);
    using Sending = SourceConnection::Sending;
    if (source->rest > 0)
    {
        return Reason::JUMPED; // it ends without packets
    }
    const bool isPaused = source->rateLimit.GetKind() == RateLimit::Kind::PAUSED;
    if (!isPaused && IsShort(*source))
    {
        return Reason::SHORT;
    }
    if (!source->connection)
    {
        return Reason::OPENING;
    }
    switch (source->connection->GetSending(*source))
    {
    case Sending::NOTHING:
        return Reason::JUMPED;
    case Sending::OPENING:
        return Reason::OPENING;
    case Sending::STOPPING:
        return Reason::STOPPING;
    case Sending::UNLIMITED:
        return Reason::UNLIMITED;
    case Sending::ENDING:
        return Reason::ENDING;
    case Sending::BEHIND:
        return Reason::BEHIND;
    case Sending::RECOVERING:
        return Reason::RECOVERING;
    case Sending::AT_RATE:
        break;
    }
    if (!sink || !sink->ReadsNewBytes())
    {
        return Reason::OPENING;
    }
    const int64_t left = GetTimeToLast(*source);
    m_ends.push_back({Simulator::Now().GetTimeStep() + left, row, flows});
    return Reason::JUMPED;
}

bool
TimeJumper::IsLater(const End& a, const End& b)
{
    return a.time != b.time ? a.time > b.time : a.row > b.row;
}

bool
TimeJumper::IsFeasible()
{
    if (!m_checked)
    {
        m_checked = true;
        m_loads->Clear();
        m_flows.resize(m_rateTable->GetSize());
        for (uint32_t row = 0; row < m_rateTable->GetSize(); ++row)
        {
            UpdateLoad(row);
        }
        m_load = m_loads->GetLargest();
        m_largestLoad = std::max(m_largestLoad, m_load);
    }
    return m_load <= 1;
}

void
TimeJumper::UpdateLoad(uint32_t number)
{
    const auto& row = m_rateTable->Get(number);
    Flow& flow = m_flows[number];
    flow.isLoaded = row.flow && row.flow->connection && m_rateTable->GetRate(number) > 0;
    if (!flow.isLoaded)
    {
        return;
    }
    FindPaths(row, flow);
    auto& load = flow.load;
    load.payload = m_rateTable->GetRate(number);
    load.path.band = row.flow->priority.band;
    const bool isSlow = m_segment / load.payload > m_delayedAckTimeout;
    load.acksPerByte = 1.0 / (isSlow ? m_segment : m_segment * m_segmentsPerAck);
    m_loads->Add(load);
}

void
TimeJumper::FindPaths(const RateTable::Row& row, Flow& flow)
{
    const auto& name = row.flow->connection->GetName();
    if (flow.epoch == m_epoch && flow.port == name.localPort && flow.label == row.flow->label)
    {
        return;
    }
    flow.epoch = m_epoch;
    flow.port = name.localPort;
    flow.label = row.flow->label;
    const auto& topology = *m_fabric->GetTopology();
    const ::coflow::HostId src = m_hosts.at(row.node);
    const ::coflow::HostId dst = m_channel->GetHost(row.flow->dst);
    FlowTuple tuple;
    tuple.srcAddress = Fabric::GetHostAddress(src).Get();
    tuple.dstAddress = name.remoteAddress;
    tuple.srcPort = name.localPort;
    tuple.dstPort = name.remotePort;
    tuple.protocol = ConnectionName::TCP;
    const uint64_t hash = flow.label != 0 ? GetLabelHash(flow.label) : GetFlowHash(tuple);
    auto& [path, ackPath, payload, acksPerByte] = flow.load;
    path.n = topology.Path(src, dst, hash, path.ports);
    std::swap(tuple.srcAddress, tuple.dstAddress);
    std::swap(tuple.srcPort, tuple.dstPort);
    ackPath.n = topology.Path(dst, src, GetFlowHash(tuple), ackPath.ports);
    ackPath.band = m_channel->GetAcknowledgementPriority(dst).band;
}

void
TimeJumper::Jump(int64_t duration)
{
    if (duration == 0 || duration == INT64_MAX)
    {
        return; // something else happens at the same time, or nothing will
    }
    NS_LOG_INFO("jumps over " << duration << " ns");
    ++m_jumps;
    WheelSimulatorImpl::Get()->JumpOver(duration);
    m_rateTable->Advance(duration);
    m_loads->Advance(duration);
}

bool
TimeJumper::EndFlows()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    while (!m_ends.empty() && m_ends.front().time <= now)
    {
        const End end = m_ends.front();
        std::ranges::pop_heap(m_ends, IsLater);
        m_ends.pop_back();
        if (!IsThere(end) || m_rateTable->Get(end.row).flow->rest > 0)
        {
            continue; // it has ended, or ends without packets
        }
        if (!EndFlow(end))
        {
            // The rest may be less than the write that the flow waits for.
            m_rateTable->Get(end.row).flow->connection->UpdateRateLimit();
            return false;
        }
    }
    return true;
}

bool
TimeJumper::EndFlow(const End& end)
{
    const auto& row = m_rateTable->Get(end.row);
    SourceFlow& source = *row.flow;
    Flow& flow = m_flows[end.row];
    // A flow ends in packets if it has lost its rate, if a link of its path has failed, or if its
    // last write has several segments.
    if (m_rateTable->GetRate(end.row) == 0 || IsShort(source) || source.quantum > m_segment ||
        !row.sink || !row.sink->ReadsNewBytes() || flow.load.path.n == 0 ||
        flow.load.ackPath.n == 0)
    {
        return false;
    }
    const uint64_t bytes = source.connection->TakeRest();
    if (bytes == 0)
    {
        return false;
    }
    // Jumps do not keep the boundaries of segments.
    const uint32_t size = GetLastPayload(source) + TransportProfile::HEADER_BYTES;
    m_loads->Remove(flow.load);
    flow.isLoaded = false;
    m_loads->Count(flow.load, bytes);
    ++m_endsWithoutPackets;
    // While a message is under way, this check may be later than the end of the flow.
    const Time leaves = TimeStep(static_cast<uint64_t>(end.time));
    const Time arrives = leaves + GetDelay(flow.load.path, size);
    const ::coflow::HostId dst = m_channel->GetHost(source.dst);
    Simulator::ScheduleWithContext(m_fabric->GetHosts().Get(dst)->GetId(),
                                   std::max(Time(), arrives - Simulator::Now()),
                                   &TimeJumper::Arrive,
                                   Ptr<TimeJumper>(this),
                                   end);
    return true;
}

void
TimeJumper::Arrive(const End& end)
{
    // A cancelled flow, and a flow with a broken connection, end in another way.
    if (!IsThere(end) || m_rateTable->Get(end.row).flow->rest == 0 ||
        !m_rateTable->Get(end.row).sink)
    {
        return;
    }
    const auto& row = m_rateTable->Get(end.row);
    row.sink->TakeRest();
    Simulator::ScheduleWithContext(
        row.node,
        GetDelay(m_flows[end.row].load.ackPath, TransportProfile::HEADER_BYTES),
        &TimeJumper::Acknowledge,
        Ptr<TimeJumper>(this),
        end);
}

void
TimeJumper::Acknowledge(const End& end)
{
    if (IsThere(end) && m_rateTable->Get(end.row).flow->rest > 0)
    {
        m_rateTable->Get(end.row).flow->connection->AcknowledgeRest();
    }
}

bool
TimeJumper::IsThere(const End& end) const
{
    return m_rateTable && m_rateTable->Get(end.row).flows == end.flows &&
           m_rateTable->Get(end.row).flow;
}

int64_t
TimeJumper::GetTimeToLast(SourceFlow& flow)
{
    // One byte less than all. Jumps advance flows by fractions of bytes, and a flow that has sent
    // its last byte in a jump would never write this byte.
    const uint64_t most = flow.GetLeft() - 1;
    const Time wait = flow.bucket.GetTimeUntil(GetPacketTime(), most);
    return std::max<int64_t>(0, wait.GetTimeStep() - 1);
}

uint32_t
TimeJumper::GetLastPayload(const SourceFlow& flow) const
{
    const uint64_t stream = flow.bytes + CoflowFlowHeader::SIZE;
    return static_cast<uint32_t>((stream - 1) % m_segment) + 1;
}

Time
TimeJumper::GetDelay(const PortPath& path, uint32_t bytes) const
{
    const auto& topology = *m_fabric->GetTopology();
    Time delay;
    for (uint32_t i = 0; i < path.n; ++i)
    {
        // Packet time stands still, so a packet meets the bytes that wait in the queue now.
        const auto& link = topology.GetPort(path.ports[i]);
        const uint64_t ahead = m_channel->GetPorts().GetQueuedBytes(path.ports[i]);
        const WireTime time(link.rate.GetBitRate(), bytes + TransportProfile::FRAME_BYTES + ahead);
        delay += link.delay + TimeStep(static_cast<uint64_t>(time.RoundUp()));
    }
    return delay;
}

JumpTotals
TimeJumper::GetTotals()
{
    m_account.Close();
    JumpTotals totals;
    totals.jumps = m_jumps;
    totals.skippedSeconds =
        TimeStep(static_cast<uint64_t>(WheelSimulatorImpl::Get()->GetSkipped())).GetSeconds();
    totals.skippedBytes = m_loads->GetPayload();
    totals.skippedPacketHops = m_loads->GetPacketHops();
    const uint64_t all = m_fabric->GetPacketHops();
    totals.skippedPercent =
        all > 0 ? 100 * static_cast<double>(totals.skippedPacketHops) / static_cast<double>(all)
                : 0;
    totals.endsWithoutPackets = m_endsWithoutPackets;
    totals.largestLoad = m_largestLoad;
    totals.simulated = m_account.Get();
    return totals;
}

} // namespace ns3::coflow
