/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-direct-tcp-socket.h"

#include "ns3/coflow-host-tcp.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-interface.h"
#include "ns3/node.h"
#include "ns3/tcp-congestion-ops.h"

#include <array>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(DirectTcpSocket);

TypeId
DirectTcpSocket::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::DirectTcpSocket")
                            .SetParent<TcpSocketBase>()
                            .SetGroupName("Coflow")
                            .AddConstructor<DirectTcpSocket>();
    return tid;
}

DirectTcpSocket::DirectTcpSocket()
{
}

DirectTcpSocket::DirectTcpSocket(const DirectTcpSocket& other)
    : TcpSocketBase(other)
{
}

DirectTcpSocket::~DirectTcpSocket()
{
    if (m_name)
    {
        DynamicCast<HostTcp>(m_tcp)->Remove(*m_name, this);
    }
}

int
DirectTcpSocket::Bind()
{
    const int result = TcpSocketBase::Bind();
    TakeOver();
    return result;
}

int
DirectTcpSocket::Bind(const Address& address)
{
    const int result = TcpSocketBase::Bind(address);
    TakeOver();
    return result;
}

Ptr<TcpSocketBase>
DirectTcpSocket::Fork()
{
    return CopyObject<DirectTcpSocket>(this);
}

void
DirectTcpSocket::CompleteFork(Ptr<Packet> packet,
                              const TcpHeader& header,
                              const Address& from,
                              const Address& to)
{
    TcpSocketBase::CompleteFork(packet, header, from, to);
    TakeOver();
}

void
DirectTcpSocket::TakeOver()
{
    if (m_endPoint)
    {
        m_endPoint->SetRxCallback(
            MakeCallback(&DirectTcpSocket::Receive, Ptr<DirectTcpSocket>(this)));
    }
}

bool
DirectTcpSocket::IsAt(Ipv4Address local) const
{
    return m_endPoint && m_endPoint->GetLocalAddress() == local;
}

void
DirectTcpSocket::Receive(Ptr<Packet> packet,
                         Ipv4Header header,
                         uint16_t port,
                         Ptr<Ipv4Interface> /* interface */)
{
    constexpr uint32_t LEAST_BYTES = 20; // of a header
    std::array<uint8_t, LEAST_BYTES> b{};
    packet->CopyData(b.data(), b.size());
    const SequenceNumber32 sequence(uint32_t{b[4]} << 24 | uint32_t{b[5]} << 16 |
                                    uint32_t{b[6]} << 8 | b[7]);
    const uint32_t headerBytes = 4 * (b[12] >> 4);
    if (!m_name && m_state == ESTABLISHED && !m_boundnetdevice)
    {
        // Checksums are the base class's to verify, where they are used at all.
        const auto tcp = DynamicCast<HostTcp>(m_tcp);
        if (tcp && !Node::ChecksumEnabled())
        {
            m_name = {header.GetSource().Get(), m_endPoint->GetLocalPort(), port};
            tcp->Add(*m_name, this);
        }
    }

    // From here on, it is what the base class does.
    if (!IsValidTcpSegment(sequence, headerBytes, packet->GetSize() - headerBytes))
    {
        return;
    }
    if (header.GetEcn() == Ipv4Header::ECN_CE && m_ecnCESeq < sequence)
    {
        m_ecnCESeq = sequence;
        m_tcb->m_ecnState = TcpSocketState::ECN_CE_RCVD;
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_ECN_IS_CE);
    }
    else if (header.GetEcn() != Ipv4Header::ECN_NotECT &&
             m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED)
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_ECN_NO_CE);
    }
    DoForwardUp(packet,
                InetSocketAddress(header.GetSource(), port),
                InetSocketAddress(header.GetDestination(), m_endPoint->GetLocalPort()));
}

} // namespace ns3::coflow
