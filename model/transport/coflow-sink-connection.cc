/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-sink-connection.h"

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
                                MakeCallback(&SinkConnection::HandleClose, this));
    m_socket->SetSignalCallback([this](const PacketClass& request) { Echo(request); });
}

SinkConnection::~SinkConnection()
{
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
SinkConnection::HandleClose(Ptr<Socket> /* socket */)
{
    if (m_flow)
    {
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
