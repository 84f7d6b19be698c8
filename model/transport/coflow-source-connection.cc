/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-source-connection.h"

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-flow-header.h"
#include "ns3/coflow-intrusive-schedule.h"
#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowSourceConnection");

namespace
{

/// Fastest writes of a flow that TCP has delayed, in percent of its rate.
constexpr uint64_t CATCH_UP_PERCENT = 105;

} // namespace

SourceConnection::SourceConnection(CoflowSource& source, SourceFlow& flow)
    : m_source(source),
      m_flow(&flow),
      m_dst(flow.dst)
{
    flow.connection = this;
    UpdateRateLimit();
}

SourceConnection::~SourceConnection()
{
    m_reopenEvent.Cancel();
    if (m_flow)
    {
        m_flow->timer.Cancel();
        m_flow->connection = nullptr;
    }
    DropSocket();
}

void
SourceConnection::Open()
{
    if (!m_socket)
    {
        if (m_place.Join(HostPorts::Of(m_source.GetNode()), [this] { Open(); }))
        {
            return;
        }
        CreateSocket();
        // The SYN, too, has the priority of the flow, or the scheduler's priority for SYNs.
        Classify();
        if (m_priority && m_flow->openingPriority)
        {
            *m_priority = *m_flow->openingPriority;
        }
    }
    if (!m_socket->Connect(m_dst, m_source.m_port))
    {
        // The socket is kept for the next attempt. The failure is reported outside of StartFlow().
        m_reopenEvent = Simulator::ScheduleNow(&SourceConnection::HandleNoRoute, this);
        return;
    }
    m_flow->row.Touch();
}

void
SourceConnection::CreateSocket()
{
    m_socket = m_source.m_profile->CreateConnection(m_source.GetNode(), m_dst);
    m_unsentLimit = std::min(m_source.m_unsentLimit, m_socket->GetTxAvailable() / 2);
    m_unsentLimit = std::max(m_unsentLimit, 2 * m_source.m_profile->GetSegmentSize());
    m_written = 0;
    m_name = {m_dst.Get(), m_socket->Bind(0), m_source.m_port};
    m_socket->SetUser(this);
    if (m_source.m_nic)
    {
        m_gated = m_flow->key;
        m_source.m_nic->Attach(*m_gated, m_socket);
    }
}

void
SourceConnection::Classify()
{
    if (m_source.m_classifier)
    {
        m_priority = &m_source.m_classifier->Set(m_name, {m_flow->key, m_flow->priority});
        m_source.m_classifier->SetLabel(m_name, m_flow->label);
    }
}

bool
SourceConnection::SendSignal(const PacketClass& packetClass)
{
    if (!m_connected || !m_source.m_classifier)
    {
        return false;
    }
    const PacketClass* known = m_source.m_classifier->Find(m_name);
    const PacketClass before = known ? *known : PacketClass();
    m_source.m_classifier->Set(m_name, packetClass);
    const bool sent = m_socket->SendSignal();
    m_priority = &m_source.m_classifier->Set(m_name, before);
    return sent;
}

void
SourceConnection::UpdatePriority()
{
    if (m_socket)
    {
        Classify();
    }
}

void
SourceConnection::LeaveNic()
{
    if (m_gated)
    {
        m_source.m_nic->Detach(*m_gated);
        m_gated.reset();
    }
}

void
SourceConnection::FollowRule()
{
    if (m_flow->priorityRule)
    {
        m_flow->priority =
            m_flow->priorityRule(m_flow->bytes - m_flow->acknowledged - m_flow->row.GetAdvanced());
        if (m_priority)
        {
            *m_priority = m_flow->priority;
        }
    }
}

void
SourceConnection::DropSocket()
{
    m_connected = false;
    if (!m_socket)
    {
        return;
    }
    if (m_source.m_classifier)
    {
        m_source.m_classifier->Remove(m_name);
        m_priority = nullptr;
    }
    LeaveNic();
    m_socket->SetUser(nullptr);
    m_socket = nullptr;
}

void
SourceConnection::Close()
{
    auto socket = m_socket;
    DropSocket();
    if (socket)
    {
        socket->Close();
    }
}

void
SourceConnection::RemoveFlow()
{
    m_reopenEvent.Cancel();
    m_place.Leave();
    m_flow->timer.Cancel();
    m_flow->connection = nullptr;
    m_flow = nullptr;
    // No application waits for the unsent bytes, and the flow may get another connection.
    LeaveNic();
    // ns-3's TCP may never send the FIN of a socket that is closed while it retransmits, so the
    // connection stays until all written bytes are acknowledged.
    if (!m_connected || m_socket->GetUnacknowledged() == 0)
    {
        m_source.m_connections.Release(this);
    }
}

uint64_t
SourceConnection::GetPhase() const
{
    // A random number of the flow, which does not depend on other random numbers.
    const uint64_t name = MixBits(m_flow->key.coflowId) + m_flow->key.flowId;
    const uint64_t drawn = MixBits(MixBits(name) + RngSeedManager::GetRun());
    return drawn % m_flow->quantum;
}

void
SourceConnection::UpdateRateLimit()
{
    auto& flow = *m_flow;
    flow.timer.Cancel();
    const auto now = GetPacketTime();
    switch (flow.rateLimit.GetKind())
    {
    case RateLimit::Kind::RATE: {
        const bool isFirst = flow.quantum == 0;
        const uint64_t rate = flow.rateLimit.GetRate().GetBitRate();
        flow.quantum = ComputeQuantum();
        flow.bucket.Configure(now,
                              rate,
                              flow.rateLimit.GetBurstBytes(m_source.m_profile->GetSegmentSize()));
        flow.peak.Configure(now, rate * CATCH_UP_PERCENT / 100, flow.quantum);
        if (isFirst)
        {
            flow.peak.Give(flow.quantum);
            flow.bucket.Give(m_source.m_spreadRates ? GetPhase() : 0);
        }
        break;
    }
    case RateLimit::Kind::PAUSED:
        flow.bucket.Configure(now, 0, UINT32_MAX);
        flow.peak.Give(flow.quantum);
        break;
    case RateLimit::Kind::UNLIMITED:
        flow.bucket.Configure(now, 0, 0);
        break;
    }
    UpdateRow();
    Write();
}

void
SourceConnection::UpdateRow()
{
    const auto& rateLimit = m_flow->rateLimit;
    const bool hasRate = rateLimit.GetKind() == RateLimit::Kind::RATE && m_flow->GetLeft() > 0;
    m_flow->row.SetRate(hasRate ? rateLimit.GetRate().GetBitRate() : 0);
}

void
SourceConnection::EndBackoff()
{
    if (m_connected)
    {
        m_socket->EndBackoff();
    }
}

bool
SourceConnection::CanWrite() const
{
    return m_flow->GetLeft() > 0 && m_flow->rateLimit.GetKind() != RateLimit::Kind::PAUSED &&
           !m_flow->timer.IsPending();
}

void
SourceConnection::HandleConnected()
{
    m_connected = true;
    if (m_flow)
    {
        FollowRule();
        m_source.m_flowConnectedTrace(m_flow->key.coflowId, m_flow->key.flowId);
        Write(); // the flow may be cancelled by now
    }
}

void
SourceConnection::HandleConnectFailed()
{
    Fail("the host does not answer");
}

void
SourceConnection::HandleClosed()
{
    Fail("the host refused or closed the connection");
}

void
SourceConnection::HandleBroken()
{
    Fail("the connection broke");
}

void
SourceConnection::HandleTxAvailable()
{
    UpdateAcknowledged();
    Write();
}

void
SourceConnection::HandleSignal(const PacketClass& packetClass)
{
    m_source.m_rateEchoTrace(packetClass);
}

void
SourceConnection::HandleSentAgain(uint32_t ahead)
{
    // The FIN follows the written bytes.
    if (m_flow && GetAcknowledged() + ahead < m_written)
    {
        ++m_flow->retransmissions;
        m_source.m_retransmissionTrace(m_flow->key.coflowId, m_flow->key.flowId);
    }
}

void
SourceConnection::HandleNoRoute()
{
    TryAgain("no route to the host");
}

void
SourceConnection::Fail(const std::string& reason)
{
    if (!m_flow)
    {
        m_source.m_connections.Release(this);
        return;
    }
    Close();
    // Bytes that are not acknowledged are written again. The sink counts no byte twice.
    m_flow->written = m_flow->acknowledged;
    m_flow->rest = 0;
    UpdateRow();
    m_flow->row.Touch();
    m_flow->timer.Cancel();
    TryAgain(reason);
}

void
SourceConnection::TryAgain(const std::string& reason)
{
    NS_LOG_WARN("CoflowSource on node " << m_source.GetNode()->GetId() << ": connection to "
                                        << m_dst << ": " << reason);
    m_reopenEvent = Simulator::Schedule(m_source.m_reconnectDelay, &SourceConnection::Open, this);
    m_source.m_connectionFailedTrace(m_dst, reason);
}

uint64_t
SourceConnection::GetAcknowledged() const
{
    return m_written - m_socket->GetUnacknowledged();
}

void
SourceConnection::Finish()
{
    auto& flow = *std::exchange(m_flow, nullptr);
    flow.connection = nullptr;
    m_source.FinishFlow(flow);
}

void
SourceConnection::UpdateAcknowledged()
{
    const uint64_t acknowledged = GetAcknowledged();
    if (m_flow && acknowledged > CoflowFlowHeader::SIZE)
    {
        const uint64_t position = m_offset + acknowledged - CoflowFlowHeader::SIZE;
        const uint64_t most = m_flow->bytes - m_flow->row.GetAdvanced();
        m_flow->acknowledged = std::min(most, position);
        FollowRule();
        if (m_flow->acknowledged == most)
        {
            Finish();
        }
    }
    if (!m_flow && m_socket->GetUnacknowledged() == 0)
    {
        m_source.m_connections.Release(this);
    }
}

uint32_t
SourceConnection::GetRoom() const
{
    // TCP cuts a segment from a large packet at less cost than it joins small packets. So writes
    // are large: the next write comes when TCP has sent half of the limit. Unsent bytes of a flow
    // with a rate leave as a burst when the window opens, so TCP has at most two writes of them.
    const uint32_t unsent = m_socket->GetUnsent();
    const uint32_t available = m_socket->GetTxAvailable();
    const bool hasRate = m_flow->rateLimit.GetKind() == RateLimit::Kind::RATE;
    const uint64_t most =
        std::min<uint64_t>(hasRate ? m_flow->quantum : UINT32_MAX, m_unsentLimit / 2);
    if (unsent > most || available < m_unsentLimit / 4)
    {
        return 0;
    }
    return std::min(m_unsentLimit - unsent, available);
}

uint64_t
SourceConnection::ComputeQuantum() const
{
    const RateLimit& limit = m_flow->rateLimit;
    const uint32_t segment = m_source.m_profile->GetSegmentSize();
    const auto perInterval =
        static_cast<uint64_t>(static_cast<double>(limit.GetRate().GetBitRate()) / 8 *
                              m_source.m_rateInterval.GetSeconds());
    return std::clamp<uint64_t>(perInterval, segment, limit.GetBurstBytes(segment));
}

uint64_t
SourceConnection::GetGrant(uint32_t room)
{
    auto& flow = *m_flow;
    const uint64_t left = flow.GetLeft();
    const uint32_t header = m_written == 0 ? CoflowFlowHeader::SIZE : 0;
    const uint64_t most = room - header;
    if (flow.rateLimit.GetKind() == RateLimit::Kind::UNLIMITED)
    {
        return std::min(left, most);
    }
    // A flow with a rate writes whole segments, all that it earns in an interval at once.
    uint64_t grant = std::min(flow.quantum, most);
    const uint64_t excess = (m_written + header + grant) % m_source.m_profile->GetSegmentSize();
    if (excess >= grant && grant < left)
    {
        return 0; // TCP has no room for a whole segment
    }
    grant = std::min(left, excess < grant ? grant - excess : grant);
    const Time now = GetPacketTime();
    const Time wait =
        std::max(flow.bucket.GetTimeUntil(now, grant), flow.peak.GetTimeUntil(now, grant));
    if (wait.IsZero())
    {
        return grant;
    }
    flow.timer.Schedule(m_source.GetNode()->GetId(), wait, [this] { Write(); });
    return 0;
}

void
SourceConnection::Prefetch(std::size_t /* stage */) const
{
    ::coflow::Prefetch(m_flow, sizeof(SourceFlow));
}

SourceConnection::Sending
SourceConnection::GetSending(SourceFlow& flow) const
{
    if (!m_connected)
    {
        return Sending::OPENING;
    }
    switch (flow.rateLimit.GetKind())
    {
    case RateLimit::Kind::PAUSED:
        return m_socket->GetUnacknowledged() == 0 ? Sending::NOTHING : Sending::STOPPING;
    case RateLimit::Kind::UNLIMITED:
        return Sending::UNLIMITED;
    case RateLimit::Kind::RATE:
        break;
    }
    if (flow.GetLeft() == 0)
    {
        return Sending::ENDING;
    }
    if (m_socket->IsRecovering())
    {
        return Sending::RECOVERING;
    }
    // A flow that keeps up waits for its rate: not for TCP, and not for `peak` in order to catch
    // up.
    const bool keepsUp = flow.timer.IsPending() && m_socket->GetUnsent() <= flow.quantum &&
                         flow.bucket.GetTokens(GetPacketTime()) < flow.quantum;
    return keepsUp ? Sending::AT_RATE : Sending::BEHIND;
}

uint64_t
SourceConnection::TakeRest()
{
    auto& flow = *m_flow;
    if (flow.GetLeft() == 0 || !m_connected || m_socket->GetUnsent() > 0 ||
        m_socket->IsRecovering())
    {
        return 0;
    }
    flow.timer.Cancel();
    flow.rest = flow.GetLeft();
    flow.written += flow.rest;
    UpdateRow();
    return flow.rest;
}

void
SourceConnection::AcknowledgeRest()
{
    m_flow->acknowledged = m_flow->bytes - m_flow->row.GetAdvanced();
    FollowRule();
    Finish();
    if (m_socket->GetUnacknowledged() == 0)
    {
        m_source.m_connections.Release(this);
    }
}

void
SourceConnection::Write()
{
    if (!m_connected || m_writing)
    {
        return;
    }
    m_writing = true;
    while (m_flow && CanWrite())
    {
        const uint32_t room = GetRoom();
        const uint64_t grant = room > 0 ? GetGrant(room) : 0;
        const bool isLast = grant == m_flow->GetLeft() && m_written > 0;
        if (grant == 0 || (isLast && m_flow->row.EndsWithoutPackets()))
        {
            break;
        }
        WritePayload(grant);
    }
    m_writing = false;
}

void
SourceConnection::WritePayload(uint64_t payload)
{
    auto& flow = *m_flow;
    std::array<uint8_t, CoflowFlowHeader::SIZE> header{};
    uint32_t headerBytes = 0;
    if (m_written == 0)
    {
        const CoflowFlowHeader record(flow.key.coflowId,
                                      flow.key.flowId,
                                      flow.written + flow.row.GetAdvanced(),
                                      flow.GetLeft(),
                                      true);
        header = record.GetBytes();
        headerBytes = CoflowFlowHeader::SIZE;
        m_offset = flow.written;
    }
    if (flow.rateLimit.GetKind() == RateLimit::Kind::RATE)
    {
        flow.bucket.Take(payload);
        flow.peak.Take(payload);
    }
    m_written += headerBytes + payload;
    flow.written += payload;
    m_socket->Write(header.data(), headerBytes, static_cast<uint32_t>(payload));
    if (flow.GetLeft() == 0)
    {
        UpdateRow();
        // TCP sends its FIN with the last segment.
        m_socket->Close();
    }
}

} // namespace ns3::coflow
