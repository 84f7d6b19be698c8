/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-sink-connection.h"

#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowSinkConnection");

SinkConnection::SinkConnection(CoflowSink& sink, Ptr<Socket> socket, const Address& peer)
    : m_sink(sink),
      m_socket(DynamicCast<CoflowTcpSocket>(socket)),
      m_peer(peer)
{
    const auto remote = InetSocketAddress::ConvertFrom(peer);
    m_name = {remote.GetIpv4().Get(), sink.m_port, remote.GetPort()};
    m_socket->SetRecvCallback(MakeCallback(&SinkConnection::HandleRead, this));
    m_socket->SetCloseCallbacks(MakeCallback(&SinkConnection::HandleClose, this),
                                MakeCallback(&SinkConnection::HandleError, this));
    m_socket->SetSignalCallback([this](const PacketClass& request) { Echo(request); });
}

SinkConnection::~SinkConnection()
{
    m_wait.Cancel();
    const auto carried = m_sink.m_carriers.find(m_key);
    if (carried != m_sink.m_carriers.end() && carried->second == this)
    {
        m_sink.m_carriers.erase(carried);
    }
    if (m_sink.m_classifier)
    {
        m_sink.m_classifier->Remove(m_name);
    }
    m_socket->SetSignalCallback({});
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeNullCallback<void, Ptr<Socket>>());
}

void
SinkConnection::Close()
{
    // Where TCP holds data out of order, Close() resets the connection and calls HandleClose().
    if (!m_closed)
    {
        m_closed = true;
        m_socket->Close();
    }
}

void
SinkConnection::HandleRead(Ptr<Socket> socket)
{
    if (m_sink.m_limited && !m_rejected)
    {
        ReadAsAllowed();
        return;
    }
    // One call returns everything that is in order; an empty packet stands for the peer's FIN.
    auto packet = socket->Recv();
    if (!packet || m_rejected)
    {
        return;
    }
    if (packet->GetSize() < m_remaining)
    {
        TakePayload(packet->GetSize());
    }
    else if (packet->GetSize() > 0)
    {
        ParseRecords(packet);
    }
}

void
SinkConnection::UpdateAllowance()
{
    if (!m_flow)
    {
        return;
    }
    m_allowance = m_sink.GetAllowance(m_key);
    if (m_allowance.GetKind() == Allowance::Kind::RATE)
    {
        m_bucket.Configure(Simulator::Now(),
                           m_allowance.GetRate().GetBitRate(),
                           m_allowance.GetBurstBytes(m_sink.m_profile->GetSegmentSize()));
    }
    // In an event: who says so may be further up, in a callback of this very connection.
    m_wait.Cancel();
    m_wait = Simulator::ScheduleNow(&SinkConnection::ReadAsAllowed, this);
}

uint32_t
SinkConnection::GetLeave()
{
    const uint32_t there = m_socket->GetRxAvailable();
    const auto useful = static_cast<uint32_t>(std::min<uint64_t>(m_remaining, there));
    if (useful == 0 || m_allowance.GetKind() == Allowance::Kind::UNLIMITED)
    {
        return useful;
    }
    if (m_allowance.GetKind() == Allowance::Kind::PAUSED)
    {
        return 0;
    }
    const auto tokens = m_bucket.GetTokens(Simulator::Now());
    // Two segments at a time, as the peer is told of a wider window then.
    const auto wanted = std::min(useful, 2 * m_sink.m_profile->GetSegmentSize());
    if (tokens < wanted)
    {
        m_wait.Cancel();
        m_wait = Simulator::Schedule(m_bucket.GetTimeUntil(wanted),
                                     &SinkConnection::ReadAsAllowed,
                                     this);
        return 0;
    }
    return static_cast<uint32_t>(std::min<uint64_t>(useful, tokens));
}

void
SinkConnection::ReadAsAllowed()
{
    while (!m_rejected && m_socket->GetRxAvailable() > 0)
    {
        // A header says whose the bytes behind it are, and is read at once.
        const uint32_t most = m_flow ? GetLeave() : CoflowFlowHeader::SIZE - m_headerFill;
        if (most == 0)
        {
            return;
        }
        const auto packet = m_socket->ReadAtMost(most);
        if (!packet || packet->GetSize() == 0)
        {
            break;
        }
        if (m_flow && m_allowance.GetKind() == Allowance::Kind::RATE)
        {
            m_bucket.Take(packet->GetSize());
        }
        const bool begins = !m_flow;
        ParseRecords(packet);
        if (begins && m_flow)
        {
            m_sink.m_carriers[m_key] = this;
            UpdateAllowance();
        }
    }
    if (m_ended)
    {
        End();
    }
}

void
SinkConnection::HandleClose(Ptr<Socket> /* socket */)
{
    if (m_sink.m_limited && m_socket->GetRxAvailable() > 0)
    {
        m_ended = true;
        return;
    }
    End();
}

void
SinkConnection::HandleError(Ptr<Socket> socket)
{
    if (m_sink.m_limited)
    {
        // The sender resumes behind the last byte that was acknowledged, read or not.
        m_ended = false;
        m_allowance = Allowance::Unlimited();
        m_wait.Cancel();
        HandleRead(socket);
    }
    End();
}

void
SinkConnection::End()
{
    if (m_flow)
    {
        NS_LOG_INFO("flow " << m_key.coflowId << "/" << m_key.flowId << " interrupted after "
                            << m_flow->received << " bytes");
        m_sink.m_flowInterruptedTrace(m_key.coflowId, m_key.flowId, m_flow->received);
    }
    else if (m_headerFill > 0)
    {
        Reject("the connection ends within a record's header");
    }
    Close();
    m_sink.Release(this);
}

void
SinkConnection::Echo(PacketClass request)
{
    if (request.priority.signal != RateSignal::REQUEST || !m_sink.m_classifier)
    {
        return;
    }
    request.priority.signal = RateSignal::ECHO;
    m_sink.m_classifier->Set(m_name, request);
    m_socket->SendSignal();
    if (m_named)
    {
        m_sink.m_classifier->SetAcknowledging(m_name, m_key);
    }
    else
    {
        m_sink.m_classifier->Remove(m_name);
    }
}

void
SinkConnection::ParseRecords(Ptr<const Packet> packet)
{
    const uint32_t size = packet->GetSize();
    uint32_t done = 0;
    while (done < size && !m_rejected)
    {
        if (m_flow)
        {
            const auto part = static_cast<uint32_t>(std::min<uint64_t>(m_remaining, size - done));
            TakePayload(part);
            done += part;
            if (m_remaining == 0)
            {
                EndRecord();
            }
            continue;
        }
        const auto part = std::min(CoflowFlowHeader::SIZE - m_headerFill, size - done);
        packet->CreateFragment(done, part)->CopyData(&m_headerBytes[m_headerFill], part);
        m_headerFill += part;
        done += part;
        if (m_headerFill == CoflowFlowHeader::SIZE)
        {
            m_headerFill = 0;
            BeginRecord();
        }
    }
}

void
SinkConnection::BeginRecord()
{
    CoflowFlowHeader header;
    Create<Packet>(m_headerBytes.data(), CoflowFlowHeader::SIZE)->PeekHeader(header);
    if (!header.IsValid())
    {
        Reject("what should be a record's header is not one");
        return;
    }
    m_key = {header.GetCoflowId(), header.GetFlowId()};
    auto& flow = m_sink.m_flows[m_key];
    const uint64_t end = header.GetOffset() + header.GetLength();
    if (header.GetOffset() > flow.received)
    {
        Reject("a record leaves a gap in its flow");
        return;
    }
    if (flow.finished ? end > flow.received : header.IsLast() && end < flow.received)
    {
        Reject("a record contradicts the size of its flow");
        return;
    }
    if (m_sink.m_classifier)
    {
        m_sink.m_classifier->SetAcknowledging(m_name, m_key);
        m_named = true;
    }
    m_flow = &flow;
    m_position = header.GetOffset();
    m_remaining = header.GetLength();
    m_last = header.IsLast();
    if (m_remaining == 0)
    {
        EndRecord();
    }
}

void
SinkConnection::TakePayload(uint64_t bytes)
{
    m_position += bytes;
    m_remaining -= bytes;
    // A flow that resumes on another connection may repeat bytes.
    if (m_position > m_flow->received)
    {
        if (m_flow->received == 0)
        {
            m_flow->firstByte = Simulator::Now();
        }
        m_sink.m_totalReceived += m_position - m_flow->received;
        m_flow->received = m_position;
        m_flow->latest = Simulator::Now();
    }
}

void
SinkConnection::EndRecord()
{
    auto flow = m_flow;
    m_flow = nullptr;
    if (m_last && !flow->finished)
    {
        m_sink.FinishFlow(m_key, *flow);
    }
}

void
SinkConnection::Reject(const std::string& reason)
{
    NS_LOG_WARN("CoflowSink: " << reason);
    m_rejected = true;
    m_flow = nullptr;
    m_headerFill = 0;
    m_remaining = 0;
    m_sink.m_violationTrace(m_peer, reason);
    Close();
}

} // namespace ns3::coflow
