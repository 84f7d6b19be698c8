/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-packet-stream.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"

namespace ns3::coflow
{

PacketStream::PacketStream(const Ptr<CoflowTcpSocket>& socket)
    : m_socket(socket),
      m_buffer(socket->GetTxBuffer())
{
}

PacketStream::~PacketStream()
{
    SetUser(nullptr);
}

void
PacketStream::SetUser(StreamUser* user)
{
    if (user && !m_user)
    {
        m_socket->SetConnectCallback(MakeCallback(&PacketStream::HandleConnected, this),
                                     MakeCallback(&PacketStream::HandleConnectFailed, this));
        m_socket->SetCloseCallbacks(MakeCallback(&PacketStream::HandleClosed, this),
                                    MakeCallback(&PacketStream::HandleBroken, this));
        m_socket->SetSendCallback(MakeCallback(&PacketStream::HandleRoom, this));
        m_socket->SetRecvCallback(MakeCallback(&PacketStream::HandleReadable, this));
        m_socket->SetSignalCallback(
            [this](const PacketClass& packetClass) { m_user->HandleSignal(packetClass); });
        m_socket->TraceConnectWithoutContext(
            "Retransmission",
            MakeCallback(&PacketStream::HandleRetransmission, this));
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
            MakeCallback(&PacketStream::HandleRetransmission, this));
    }
    m_user = user;
}

uint16_t
PacketStream::Bind()
{
    if (m_socket->Bind() != 0)
    {
        return 0;
    }
    Address local;
    m_socket->GetSockName(local);
    return InetSocketAddress::ConvertFrom(local).GetPort();
}

bool
PacketStream::BindTo(uint16_t port)
{
    return m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) == 0;
}

bool
PacketStream::Connect(Ipv4Address address, uint16_t port)
{
    return m_socket->Connect(InetSocketAddress(address, port)) == 0;
}

void
PacketStream::Write(const uint8_t* bytes, uint32_t n, uint32_t zeros)
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
PacketStream::Close()
{
    m_socket->Close();
}

void
PacketStream::Abort()
{
    SetUser(nullptr);
    m_socket->Abort();
}

uint32_t
PacketStream::GetCapacity() const
{
    return m_buffer->MaxBufferSize();
}

uint32_t
PacketStream::GetRoom() const
{
    return m_buffer->Available();
}

uint32_t
PacketStream::GetUnacknowledged() const
{
    return m_buffer->Size();
}

uint32_t
PacketStream::GetUnsent() const
{
    const uint32_t sent = m_buffer->BytesInFlight() + m_buffer->GetSacked() + m_buffer->GetLost() -
                          m_buffer->GetRetransmitsCount();
    return m_buffer->Size() - sent;
}

uint32_t
PacketStream::GetReadable() const
{
    return m_socket->GetRxAvailable();
}

void
PacketStream::Read(uint32_t n, uint8_t* to)
{
    const auto packet = m_socket->Recv(n, 0);
    if (packet && to)
    {
        packet->CopyData(to, n);
    }
}

bool
PacketStream::IsUndisturbed() const
{
    return false; // ns-3's sockets keep their timers in world time
}

void
PacketStream::TakeBack(uint32_t /* zeros */)
{
    NS_ABORT_MSG("A socket with packets is never undisturbed");
}

void
PacketStream::SetPacing(std::optional<DataRate> rate)
{
    m_socket->SetPacing(rate);
}

bool
PacketStream::Kick()
{
    return m_socket->Kick();
}

bool
PacketStream::SendSignal()
{
    return m_socket->SendSignal();
}

void
PacketStream::SetGate(SendGate* gate)
{
    m_socket->SetGate(gate);
}

void
PacketStream::SendSegment()
{
    m_socket->SendSegment();
}

void
PacketStream::HandleConnected(Ptr<Socket> /* socket */)
{
    m_user->HandleConnected();
}

void
PacketStream::HandleConnectFailed(Ptr<Socket> /* socket */)
{
    m_user->HandleConnectFailed();
}

void
PacketStream::HandleClosed(Ptr<Socket> /* socket */)
{
    m_user->HandleClosed();
}

void
PacketStream::HandleBroken(Ptr<Socket> /* socket */)
{
    m_user->HandleBroken();
}

void
PacketStream::HandleRoom(Ptr<Socket> /* socket */, uint32_t /* available */)
{
    m_user->HandleRoom();
}

void
PacketStream::HandleReadable(Ptr<Socket> /* socket */)
{
    m_user->HandleReadable();
}

void
PacketStream::HandleRetransmission(Ptr<const Packet> /* packet */,
                                   const TcpHeader& header,
                                   const Address& /* local */,
                                   const Address& /* peer */,
                                   Ptr<const TcpSocketBase> /* socket */)
{
    m_user->HandleSentAgain(
        static_cast<uint32_t>(header.GetSequenceNumber() - m_buffer->HeadSequence()));
}

} // namespace ns3::coflow
