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
    // The copy has a name of its own, once it is connected.
}

DirectTcpSocket::~DirectTcpSocket()
{
    if (HostTcp* host = HostTcp::Of(m_tcp))
    {
        if (m_name)
        {
            host->Remove(*m_name, this);
        }
        if (m_listenPort)
        {
            host->RemoveListener(*m_listenPort, this);
        }
    }
}

int
DirectTcpSocket::Bind()
{
    HostTcp* host = GetDirectTcp();
    if (!host || m_endPoint)
    {
        const int result = TcpSocketBase::Bind();
        TakeOver();
        return result;
    }
    const uint16_t port = host->TakePort();
    if (port == 0)
    {
        m_errno = ERROR_ADDRNOTAVAIL;
        return -1;
    }
    const Ptr<TcpSocketBase> self(this);
    host->RemoveSocket(self);
    m_tcp = host->GetShelf();
    m_endPoint = m_tcp->Allocate(nullptr, port);
    m_tcp->AddSocket(self);
    const int result = SetupCallback();
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

int
DirectTcpSocket::Connect(const Address& address)
{
    const int result = TcpSocketBase::Connect(address);
    EnterConnection();
    return result;
}

int
DirectTcpSocket::Listen()
{
    const int result = TcpSocketBase::Listen();
    HostTcp* tcp = GetDirectTcp();
    if (result == 0 && tcp && m_endPoint && !m_listenPort)
    {
        m_listenPort = m_endPoint->GetLocalPort();
        tcp->AddListener(*m_listenPort, this);
    }
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
    if (HostTcp* host = GetDirectTcp())
    {
        m_tcp = host->GetShelf();
    }
    TcpSocketBase::CompleteFork(packet, header, from, to);
    TakeOver();
    EnterConnection();
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

HostTcp*
DirectTcpSocket::GetDirectTcp() const
{
    // Checksums are the base class's to verify, where they are used at all.
    return m_boundnetdevice || Node::ChecksumEnabled() ? nullptr : HostTcp::Of(m_tcp);
}

void
DirectTcpSocket::EnterConnection()
{
    HostTcp* tcp = GetDirectTcp();
    if (tcp && m_endPoint)
    {
        if (m_name)
        {
            tcp->Remove(*m_name, this);
        }
        m_name = {m_endPoint->GetPeerAddress().Get(),
                  m_endPoint->GetLocalPort(),
                  m_endPoint->GetPeerPort()};
        tcp->Add(*m_name, this);
    }
}

bool
DirectTcpSocket::IsListeningAt(Ipv4Address local) const
{
    return m_state == LISTEN && m_endPoint &&
           (m_endPoint->GetLocalAddress() == Ipv4Address::GetAny() || IsAt(local));
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
    // From here on, it is what the base class does.
    if (!IsValidTcpSegment(sequence, headerBytes, packet->GetSize() - headerBytes))
    {
        return;
    }
    TakeMark(header.GetEcn(), sequence, packet->GetSize() - headerBytes);
    DoForwardUp(packet,
                InetSocketAddress(header.GetSource(), port),
                InetSocketAddress(header.GetDestination(), m_endPoint->GetLocalPort()));
}

void
DirectTcpSocket::TakeMark(Ipv4Header::EcnType ecn, SequenceNumber32 sequence, uint32_t /*payload*/)
{
    if (ecn == Ipv4Header::ECN_CE && m_ecnCESeq < sequence)
    {
        m_ecnCESeq = sequence;
        m_tcb->m_ecnState = TcpSocketState::ECN_CE_RCVD;
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_ECN_IS_CE);
    }
    else if (ecn != Ipv4Header::ECN_NotECT && m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED)
    {
        m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_ECN_NO_CE);
    }
}

} // namespace ns3::coflow
