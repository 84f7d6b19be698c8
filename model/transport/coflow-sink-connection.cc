/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-sink-connection.h"

#include "ns3/coflow-intrusive-schedule.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/coflow-rate-table.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowSinkConnection");

SinkConnection::SinkConnection(CoflowSink& sink, const Ptr<Connection>& socket, const Address& peer)
    : m_sink(sink),
      m_socket(socket),
      m_peer(peer)
{
    const auto remote = InetSocketAddress::ConvertFrom(peer);
    m_name = {remote.GetIpv4().Get(), sink.m_port, remote.GetPort()};
    m_socket->SetUser(this);
}

SinkConnection::~SinkConnection()
{
    LeaveRecord();
    if (m_sink.m_classifier)
    {
        m_sink.m_classifier->Remove(m_name);
    }
    m_socket->SetUser(nullptr);
}

void
SinkConnection::Close()
{
    // Where TCP holds data out of order, Close() resets the connection and calls HandleClosed().
    if (!m_closed)
    {
        m_closed = true;
        m_socket->Close();
    }
}

void
SinkConnection::HandleRxAvailable()
{
    // Reads all bytes that are in order. Bytes of a rejected connection are read and dropped.
    for (uint32_t left = m_socket->GetRxAvailable(); left > 0;)
    {
        left -= ReadSome(left);
    }
}

void
SinkConnection::Prefetch(std::size_t /* stage */) const
{
    ::coflow::Prefetch(m_flow);
}

uint32_t
SinkConnection::ReadSome(uint32_t n)
{
    if (m_drops)
    {
        m_socket->Read(n, nullptr);
        return n;
    }
    if (m_flow)
    {
        const auto part = static_cast<uint32_t>(std::min<uint64_t>(GetLeft(), n));
        m_socket->Read(part, nullptr);
        TakePayload(part);
        if (GetLeft() == 0)
        {
            EndRecord();
        }
        return part;
    }
    const uint32_t part = std::min(CoflowFlowHeader::SIZE - m_headerFill, n);
    m_socket->Read(part, &m_headerBytes[m_headerFill]);
    m_headerFill += part;
    if (m_headerFill == CoflowFlowHeader::SIZE)
    {
        m_headerFill = 0;
        BeginRecord();
    }
    return part;
}

void
SinkConnection::HandleClosed()
{
    End();
}

void
SinkConnection::HandleBroken()
{
    End();
}

void
SinkConnection::End()
{
    if (m_flow)
    {
        const uint64_t received = m_sink.GetReceivedBytes(m_key);
        NS_LOG_INFO("flow " << m_key.coflowId << "/" << m_key.flowId << " interrupted after "
                            << received << " bytes");
        m_sink.m_flowInterruptedTrace(m_key.coflowId, m_key.flowId, received);
    }
    else if (m_headerFill > 0)
    {
        Reject("the connection ends within a record's header");
    }
    Close();
    m_sink.m_connections.Release(this);
}

void
SinkConnection::HandleSignal(const PacketClass& arrived)
{
    PacketClass request = arrived;
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
SinkConnection::BeginRecord()
{
    const auto header = CoflowFlowHeader::FromBytes(m_headerBytes);
    if (!header.IsValid())
    {
        Reject("what should be a record's header is not one");
        return;
    }
    m_key = {header.GetCoflowId(), header.GetFlowId()};
    auto& flow = m_sink.m_flows[m_key];
    if (m_sink.m_rateTable && flow.row == RateTable::NONE)
    {
        flow.row = m_sink.m_rateTable->Join(m_key, *this);
        m_row = flow.row;
    }
    const uint64_t advanced = m_sink.GetAdvanced(flow);
    const uint64_t received = flow.received + advanced;
    const uint64_t end = header.GetOffset() + header.GetLength();
    if (header.GetOffset() > received)
    {
        Reject("a record leaves a gap in its flow");
        return;
    }
    if (flow.finished ? end > received : header.IsLast() && end < received)
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
    // No flow advances without packets before its record has begun.
    m_position = header.GetOffset() - std::min(header.GetOffset(), advanced);
    m_end = end;
    m_last = header.IsLast();
    if (GetLeft() == 0)
    {
        EndRecord();
    }
}

void
SinkConnection::TakePayload(uint64_t bytes)
{
    m_position += bytes;
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
SinkConnection::TakeRest()
{
    TakePayload(GetLeft());
    EndRecord();
    m_drops = true;
}

void
SinkConnection::EndRecord()
{
    auto flow = m_flow;
    LeaveRecord();
    if (m_last && !flow->finished)
    {
        m_sink.FinishFlow(m_key, *flow);
    }
}

void
SinkConnection::LeaveRecord()
{
    if (m_row != RateTable::NONE)
    {
        auto& flow = m_sink.m_flows[m_key];
        const uint64_t advanced = m_sink.GetAdvanced(flow);
        m_sink.m_totalReceived += advanced - flow.advanced;
        flow.advanced = advanced;
        flow.row = RateTable::NONE;
        m_sink.m_rateTable->LeaveSink(std::exchange(m_row, RateTable::NONE), *this);
    }
    m_flow = nullptr;
}

void
SinkConnection::Reject(const std::string& reason)
{
    NS_LOG_WARN("CoflowSink: " << reason);
    m_drops = true;
    LeaveRecord();
    m_headerFill = 0;
    m_sink.m_violationTrace(m_peer, reason);
    // With unread bytes, TCP would reset the connection in place of closing it.
    m_socket->Read(m_socket->GetRxAvailable(), nullptr);
    Close();
}

} // namespace ns3::coflow
