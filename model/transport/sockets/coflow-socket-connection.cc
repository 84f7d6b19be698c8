/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-socket-connection.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"

namespace ns3::coflow
{

SocketConnection::SocketConnection(const Ptr<CoflowTcpSocket>& socket)
    : m_socket(socket),
      m_buffer(socket->GetTxBuffer())
{
}

SocketConnection::~SocketConnection()
{
    SetUser(nullptr);
}

void
SocketConnection::SetUser(ConnectionUser* user)
{
    if (user && !m_user)
    {
        m_socket->SetConnectCallback(MakeCallback(&SocketConnection::HandleConnected, this),
                                     MakeCallback(&SocketConnection::HandleConnectFailed, this));
        m_socket->SetCloseCallbacks(MakeCallback(&SocketConnection::HandleClosed, this),
                                    MakeCallback(&SocketConnection::HandleBroken, this));
        m_socket->SetSendCallback(MakeCallback(&SocketConnection::HandleTxAvailable, this));
        m_socket->SetRecvCallback(MakeCallback(&SocketConnection::HandleRxAvailable, this));
        m_socket->SetSignalCallback(
            [this](const PacketClass& packetClass) { m_user->HandleSignal(packetClass); });
        m_socket->TraceConnectWithoutContext(
            "Retransmission",
            MakeCallback(&SocketConnection::HandleRetransmission, this));
    }
    else if (!user && m_user)
    {
        m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                     MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                    MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetSignalCallback({});
        m_socket->TraceDisconnectWithoutContext(
            "Retransmission",
            MakeCallback(&SocketConnection::HandleRetransmission, this));
    }
    m_user = user;
}

uint16_t
SocketConnection::Bind(uint16_t port)
{
    const int result = port == 0 ? m_socket->Bind()
                                 : m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    if (result != 0)
    {
        return 0;
    }
    Address local;
    m_socket->GetSockName(local);
    return InetSocketAddress::ConvertFrom(local).GetPort();
}

bool
SocketConnection::Connect(Ipv4Address address, uint16_t port)
{
    return m_socket->Connect(InetSocketAddress(address, port)) == 0;
}

void
SocketConnection::Write(const uint8_t* bytes, uint32_t n, uint32_t zeros)
{
    // Zero-filled payload is virtual: it takes no memory.
    const auto packet = n > 0 ? Create<Packet>(bytes, n) : Create<Packet>(zeros);
    if (n > 0 && zeros > 0)
    {
        packet->AddAtEnd(Create<Packet>(zeros));
    }
    const int accepted = m_socket->Send(packet, 0);
    NS_ABORT_MSG_IF(accepted < 0, "TCP refuses data although its send buffer has room");
}

void
SocketConnection::Close()
{
    m_socket->Close();
}

void
SocketConnection::Abort()
{
    SetUser(nullptr);
    m_socket->Abort();
}

uint32_t
SocketConnection::GetTxAvailable() const
{
    return m_buffer->Available();
}

uint32_t
SocketConnection::GetUnacknowledged() const
{
    return m_buffer->Size();
}

uint32_t
SocketConnection::GetUnsent() const
{
    const uint32_t sent = m_buffer->BytesInFlight() + m_buffer->GetSacked() + m_buffer->GetLost() -
                          m_buffer->GetRetransmitsCount();
    return m_buffer->Size() - sent;
}

uint32_t
SocketConnection::GetRxAvailable() const
{
    return m_socket->GetRxAvailable();
}

void
SocketConnection::Read(uint32_t n, uint8_t* to)
{
    const auto packet = m_socket->Recv(n, 0);
    if (packet && to)
    {
        packet->CopyData(to, n);
    }
}

bool
SocketConnection::IsRecovering() const
{
    return true; // unknown for ns-3's sockets
}

bool
SocketConnection::EndBackoff()
{
    return m_socket->EndBackoff();
}

bool
SocketConnection::SendSignal()
{
    return m_socket->SendSignal();
}

void
SocketConnection::SetGate(SendGate* gate)
{
    m_socket->SetGate(gate);
}

void
SocketConnection::SendSegment()
{
    m_socket->SendSegment();
}

void
SocketConnection::HandleConnected(Ptr<Socket> /* socket */)
{
    m_user->HandleConnected();
}

void
SocketConnection::HandleConnectFailed(Ptr<Socket> /* socket */)
{
    m_user->HandleConnectFailed();
}

void
SocketConnection::HandleClosed(Ptr<Socket> /* socket */)
{
    m_user->HandleClosed();
}

void
SocketConnection::HandleBroken(Ptr<Socket> /* socket */)
{
    m_user->HandleBroken();
}

void
SocketConnection::HandleTxAvailable(Ptr<Socket> /* socket */, uint32_t /* available */)
{
    m_user->HandleTxAvailable();
}

void
SocketConnection::HandleRxAvailable(Ptr<Socket> /* socket */)
{
    m_user->HandleRxAvailable();
}

void
SocketConnection::HandleRetransmission(Ptr<const Packet> /* packet */,
                                       const TcpHeader& header,
                                       const Address& /* local */,
                                       const Address& /* peer */,
                                       Ptr<const TcpSocketBase> /* socket */)
{
    m_user->HandleSentAgain(
        static_cast<uint32_t>(header.GetSequenceNumber() - m_buffer->HeadSequence()));
}

} // namespace ns3::coflow
