/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bare-flows.h"

#include "ns3/coflow-light-schedule.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/coflow-sink-connection.h"
#include "ns3/coflow-source-connection.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// @return DSCP and ECN of a segment
uint8_t
FindDsField(const LeanSettings& settings)
{
    const bool capable = settings.ecn != TcpSocketState::Off;
    return static_cast<uint8_t>(settings.tos | (capable ? settings.state->m_ectCodePoint : 0));
}

/// A flow that has so many segments left, at most, does not begin to send bare ones.
constexpr uint64_t TOO_FEW_SEGMENTS = 2;

/// How often a flow whose last bytes are due looks whether they have left by rule.
const Time LOOK_FOR_END = MicroSeconds(20);

/// For how long it does. There may be no jump for long, and then no rule ends flows.
const Time LONGEST_WAIT_FOR_END = MilliSeconds(1);

} // namespace

void
EvenFlow::Send()
{
    owner.Send(*this);
}

void
EvenFlow::Prefetch(std::size_t stage) const
{
    if (stage == 0)
    {
        ::coflow::Prefetch(&bare, offsetof(BareFlow, arrived));
        owner.PrefetchUplink(src);
    }
}

BareFlows::BareFlows(FabricChannel& channel,
                     const LeanSettings& settings,
                     std::function<bool(EvenFlow&)> mayGoOn)
    : m_channel(channel),
      m_mayGoOn(std::move(mayGoOn)),
      m_segmentBytes(settings.segmentBytes),
      m_answeredAtOnce(settings.delayedAckCount),
      m_slowestAnswer(static_cast<double>(settings.delayedAckTimeout.GetTimeStep())),
      m_minRto(settings.minRto),
      m_dsField(FindDsField(settings)),
      m_places(1)
{
    m_channel.SetBareUser(this);
}

BareFlows::~BareFlows()
{
    m_channel.SetBareUser(nullptr);
}

void
BareFlows::Enter(EvenFlow& flow, ::coflow::HostId dst)
{
    uint32_t place = 0;
    if (m_free.empty())
    {
        place = static_cast<uint32_t>(m_places.size());
        m_places.emplace_back();
    }
    else
    {
        place = m_free.back();
        m_free.pop_back();
    }
    m_places[place].flow = &flow;
    BareFlow& bare = flow.bare;
    bare.number = BARE_SEGMENT | (m_places[place].uses & USES_MASK) << PLACE_BITS | place;
    bare.dst = dst;
    bare.name = flow.source->connection->GetName();
    bare.peerName = {Fabric::GetHostAddress(flow.src).Get(),
                     bare.name.remotePort,
                     bare.name.localPort};
    bare.data.end = bare.number;
    bare.answers.end = bare.number;
}

EvenFlow*
BareFlows::Find(uint32_t end) const
{
    const Place& place = m_places[end & PLACE_MASK];
    return place.flow && place.flow->bare.number == end ? place.flow : nullptr;
}

bool
BareFlows::HasEnough(const SourceFlow& flow) const
{
    return flow.bytes - flow.written > TOO_FEW_SEGMENTS * m_segmentBytes;
}

bool
BareFlows::Begin(EvenFlow& flow, ::coflow::HostId dst)
{
    BareFlow& bare = flow.bare;
    SourceFlow& source = *flow.source;
    if (!HasEnough(source) || m_places.size() > PLACE_MASK)
    {
        return false;
    }
    bare.left = source.bytes - source.written;
    if (bare.number == 0)
    {
        Enter(flow, dst);
    }
    if (bare.data.label != source.label)
    {
        bare.data.label = source.label;
        bare.data.hops = 0; // the path of before is another one
    }
    const auto bitsPerSecond = static_cast<double>(source.allowance.GetRate().GetBitRate());
    bare.sends = true;
    bare.interval = m_segmentBytes * 8e9 / bitsPerSecond;
    // What the bucket has beyond a segment makes the next one due sooner.
    const double missing = m_segmentBytes - source.bucket.GetLevel(GetNetworkTime());
    const auto now = static_cast<double>(GetNetworkTimeStep());
    bare.due = now + missing / m_segmentBytes * bare.interval;
    missing > 0 ? Wait(flow) : Send(flow);
    return true;
}

bool
BareFlows::Follow(EvenFlow& flow, const Allowance& allowance)
{
    BareFlow& bare = flow.bare;
    SourceFlow& source = *flow.source;
    const double saved = GetSaved(bare);
    if (saved < 1 || bare.left <= TOO_FEW_SEGMENTS * m_segmentBytes)
    {
        return false;
    }
    const Allowance before = std::exchange(source.allowance, allowance);
    if (allowance.IsMoreThan(before) && source.connection->GetQuantum(source) != m_segmentBytes)
    {
        source.allowance = before;
        return false;
    }
    const uint64_t rate = allowance.GetRate().GetBitRate();
    source.bucket.Configure(GetNetworkTime(), rate, allowance.GetBurstBytes(m_segmentBytes));
    bare.interval = m_segmentBytes * 8e9 / static_cast<double>(rate);
    const double missing = m_segmentBytes - saved;
    bare.due = static_cast<double>(GetNetworkTimeStep()) + missing / m_segmentBytes * bare.interval;
    Wait(flow);
    return true;
}

double
BareFlows::GetSaved(const BareFlow& bare) const
{
    const auto now = static_cast<double>(GetNetworkTimeStep());
    const double waits = std::clamp((bare.due - now) / bare.interval, 0.0, 1.0);
    return m_segmentBytes * (1 - waits);
}

void
BareFlows::Wait(EvenFlow& flow)
{
    // A last write that is smaller is due sooner.
    const BareFlow& bare = flow.bare;
    const double missing = std::max<double>(0, m_segmentBytes - static_cast<double>(bare.left));
    const double due = bare.due - missing / m_segmentBytes * bare.interval;
    const double wait = std::ceil(due - static_cast<double>(GetNetworkTimeStep()));
    flow.timer.Schedule(TimeStep(static_cast<uint64_t>(std::max(1.0, wait))));
}

void
BareFlows::Send(EvenFlow& flow)
{
    BareFlow& bare = flow.bare;
    if (!bare.sends)
    {
        return;
    }
    // Where acknowledgements come late, a window might matter.
    const bool areLate =
        bare.sent - bare.answered > uint64_t{m_answeredAtOnce + 1} * m_segmentBytes;
    if (areLate || !m_mayGoOn(flow))
    {
        flow.wasEven = false;
        End(flow);
        return;
    }
    if (bare.left <= m_segmentBytes)
    {
        const auto waited = static_cast<double>(GetNetworkTimeStep()) - bare.due;
        if (flow.endPlace != EvenFlow::NOWHERE &&
            waited < static_cast<double>(LONGEST_WAIT_FOR_END.GetTimeStep()))
        {
            flow.timer.Schedule(LOOK_FOR_END);
        }
        else
        {
            End(flow);
        }
        return;
    }
    bare.left -= m_segmentBytes;
    bare.sent += m_segmentBytes;
    ++m_sent;
    bare.due += bare.interval;
    Wait(flow);
    SendSegment(flow);
}

PacketClass
BareFlows::GetClass(const EvenFlow& flow, bool isAnswer) const
{
    // A port that keeps packets in order does not look at it.
    if (!m_channel.IsObserved())
    {
        return {};
    }
    return {flow.key,
            isAnswer ? m_channel.GetAcknowledgementPriority(flow.bare.dst) : flow.source->priority};
}

void
BareFlows::SendSegment(EvenFlow& flow)
{
    BareFlow& bare = flow.bare;
    LeanSegmentHead segment;
    segment.sequence = static_cast<uint32_t>(bare.sent);
    segment.payload = static_cast<uint16_t>(m_segmentBytes);
    segment.sourcePort = bare.name.localPort;
    segment.destinationPort = bare.name.remotePort;
    segment.flags = LeanSegmentHead::ACK;
    segment.hasTimestamp = true;
    m_channel.SendBare(flow.src, segment, bare.name, m_dsField, GetClass(flow, false), bare.data);
}

void
BareFlows::SendAnswer(EvenFlow& flow)
{
    BareFlow& bare = flow.bare;
    bare.answeredByPeer = bare.arrived;
    LeanSegmentHead segment;
    segment.acknowledgement = static_cast<uint32_t>(bare.arrived);
    segment.sourcePort = bare.peerName.localPort;
    segment.destinationPort = bare.peerName.remotePort;
    segment.flags = LeanSegmentHead::ACK;
    segment.hasTimestamp = true;
    m_channel
        .SendBare(bare.dst, segment, bare.peerName, m_dsField, GetClass(flow, true), bare.answers);
}

void
BareFlows::ReceiveBare(const LeanSegmentHead& segment, uint32_t end)
{
    EvenFlow* flow = Find(end);
    if (!flow)
    {
        return;
    }
    ++m_arrived;
    if (segment.payload > 0)
    {
        HandleData(*flow, segment.payload);
    }
    else
    {
        HandleAnswer(*flow, segment.acknowledgement);
    }
}

void
BareFlows::HandleData(EvenFlow& flow, uint32_t payload)
{
    BareFlow& bare = flow.bare;
    if (!flow.sink)
    {
        return; // the receiving end has closed, and the sending end will begin again
    }
    bare.arrived += payload;
    const uint64_t waiting = bare.arrived - bare.answeredByPeer;
    const bool slowly = bare.interval > m_slowestAnswer;
    if (slowly || !bare.sends || waiting >= uint64_t{m_answeredAtOnce} * m_segmentBytes)
    {
        SendAnswer(flow);
    }
    if (!bare.sends)
    {
        Credit(flow);
    }
}

void
BareFlows::HandleAnswer(EvenFlow& flow, uint32_t acknowledgement)
{
    // Modulo 2^32, as TCP counts.
    const auto news =
        static_cast<int32_t>(acknowledgement - static_cast<uint32_t>(flow.bare.answered));
    if (news <= 0)
    {
        return;
    }
    flow.bare.answered += static_cast<uint32_t>(news);
    if (!flow.bare.sends)
    {
        Credit(flow);
    }
}

void
BareFlows::End(EvenFlow& flow)
{
    BareFlow& bare = flow.bare;
    if (!bare.sends)
    {
        return;
    }
    bare.sends = false;
    flow.timer.Cancel();
    if (bare.arrived != bare.answeredByPeer)
    {
        SendAnswer(flow); // no segment will come that would bring it
    }
    Credit(flow);
    if (flow.source->connection)
    {
        flow.source->connection->Resume(*flow.source, GetSaved(bare));
    }
}

void
BareFlows::Credit(EvenFlow& flow)
{
    BareFlow& bare = flow.bare;
    const Ptr<EvenFlow> self(&flow); // its last byte may be acknowledged by this
    const uint64_t skipped = std::exchange(bare.skipped, 0);
    const uint64_t sent = skipped + bare.sent - std::exchange(bare.creditedSent, bare.sent);
    const uint64_t answered =
        skipped + bare.answered - std::exchange(bare.creditedAnswered, bare.answered);
    const uint64_t arrived =
        skipped + bare.arrived - std::exchange(bare.creditedArrived, bare.arrived);
    if (flow.sink && arrived > 0)
    {
        flow.sink->Skip(arrived);
    }
    if (flow.source && flow.source->connection && (sent > 0 || answered > 0))
    {
        flow.source->connection->SkipWritten(*flow.source, sent);
        flow.source->connection->SkipAcknowledged(*flow.source, answered);
    }
}

void
BareFlows::Forget(EvenFlow& flow)
{
    BareFlow& bare = flow.bare;
    bare.sends = false;
    bare.resumes = false;
    flow.timer.Cancel();
    bare.again.Cancel();
    bare.lost = 0;
    bare.hasLostAnswer = false;
    if (bare.number == 0)
    {
        return;
    }
    const uint32_t place = std::exchange(bare.number, 0) & PLACE_MASK;
    m_places[place].flow = nullptr;
    ++m_places[place].uses;
    m_free.push_back(place);
    bare.data = SegmentRoute();
    bare.answers = SegmentRoute();
    bare.sent = bare.answered = bare.arrived = bare.answeredByPeer = 0;
    bare.creditedSent = bare.creditedAnswered = bare.creditedArrived = 0;
}

void
BareFlows::Skip(EvenFlow& flow, uint64_t bytes)
{
    flow.bare.skipped += bytes;
    flow.bare.left -= bytes;
}

int64_t
BareFlows::GetStepsToLast(const EvenFlow& flow) const
{
    // The bucket has a whole segment when the next one is due; the last write may be smaller.
    const BareFlow& bare = flow.bare;
    const auto now = static_cast<double>(GetNetworkTimeStep());
    const double beyond = static_cast<double>(bare.left) - m_segmentBytes;
    const double steps = bare.due - now + beyond / m_segmentBytes * bare.interval;
    return std::max<int64_t>(0, static_cast<int64_t>(steps));
}

uint64_t
BareFlows::TakeLast(EvenFlow& flow)
{
    BareFlow& bare = flow.bare;
    bare.arrived = bare.answered = bare.sent;
    Credit(flow);
    Forget(flow);
    return std::exchange(bare.left, 0);
}

void
BareFlows::LoseBare(const LeanSegmentHead& segment, uint32_t end)
{
    EvenFlow* flow = Find(end);
    if (!flow)
    {
        return;
    }
    ++m_lost;
    if (segment.payload > 0)
    {
        ++flow->bare.lost;
    }
    else
    {
        flow->bare.hasLostAnswer = true;
    }
    SendAgainLater(*flow);
    // TCP decides what a loss does to the flow's next segments.
    flow->wasEven = false;
    End(*flow);
}

void
BareFlows::SendAgainLater(EvenFlow& flow)
{
    if (!flow.bare.again.IsPending())
    {
        flow.bare.again.Schedule(Simulator::NO_CONTEXT, m_minRto, [this, &flow] {
            SendAgain(flow);
        });
    }
}

void
BareFlows::SendAgain(EvenFlow& flow)
{
    const Ptr<EvenFlow> self(&flow);
    if (std::exchange(flow.bare.hasLostAnswer, false))
    {
        SendAnswer(flow);
    }
    for (uint32_t lost = std::exchange(flow.bare.lost, 0); lost > 0; --lost)
    {
        SendSegment(flow);
    }
}

void
BareFlows::PrefetchBare(uint32_t end, std::size_t stage) const
{
    const Place& place = m_places[end & PLACE_MASK];
    if (stage == 0)
    {
        ::coflow::Prefetch(&place);
    }
    else if (stage == 1 && place.flow)
    {
        const BareFlow& bare = place.flow->bare;
        ::coflow::Prefetch(&bare, offsetof(BareFlow, name));
        ::coflow::Prefetch(&bare.arrived,
                           offsetof(BareFlow, creditedSent) - offsetof(BareFlow, arrived));
    }
}

} // namespace ns3::coflow
