/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-tcp.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/coflow-control-backlog.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

/// One peer of a ControlTcp.
class ControlTcp::Connection : public std::enable_shared_from_this<ControlTcp::Connection>
{
  public:
    /// @param tcp the owner
    /// @param peer name of the peer
    /// @param remote where it listens; none if it opens the connection
    Connection(ControlTcp& tcp, PeerId peer, const Address& remote)
        : m_tcp(tcp),
          m_peer(peer),
          m_remote(remote)
    {
    }

    /// Lets go of the socket.
    ~Connection()
    {
        m_openEvent.Cancel();
        Detach();
    }

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Opens the connection, or tries again.
    void Open()
    {
        Attach(m_tcp.CreateSocket());
        const auto port = m_tcp.TakeLocalPort();
        const bool bound =
            port == 0 || m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) == 0;
        if (!bound || m_socket->Connect(m_remote) != 0)
        {
            Fail("no route, or no free local port");
        }
    }

    /// Uses a connection that a peer has opened.
    void Adopt(Ptr<Socket> socket)
    {
        Attach(DynamicCast<CoflowTcpSocket>(socket));
        m_socket->SetIpTos(m_tcp.GetTos());
    }

    /// Sends a frame; see ControlTransport::Send().
    uint32_t Send(Ptr<Packet> frame, uint16_t messageType, bool renews)
    {
        const auto lost = m_unsent.Add({frame}, messageType, renews);
        Flush();
        return lost;
    }

    /// @return whether everything is acknowledged
    bool HasAll() const
    {
        return m_unsent.IsEmpty() && GetHeld() == 0;
    }

    /// Closes the connection, for good.
    /// @param abort whether what was not sent yet is lost
    void Close(bool abort)
    {
        m_openEvent.Cancel();
        m_closed = true;
        auto socket = Detach();
        if (!socket)
        {
            return;
        }
        if (abort)
        {
            socket->Abort();
            return;
        }
        while (!m_unsent.IsEmpty() && socket->Send(m_unsent.Front(), 0) >= 0)
        {
            m_unsent.PopFront();
        }
        socket->Close();
    }

  private:
    /// Bytes that TCP may hold when it is given one more message that may be renewed. Where many
    /// packets are lost it takes TCP long to send as much, and what TCP holds cannot be replaced.
    static constexpr uint32_t MOST_HELD = 65536;

    /// @return bytes that TCP has and that are not acknowledged
    uint32_t GetHeld() const
    {
        return m_sendBuffer - m_socket->GetTxAvailable();
    }

    /// @return whether this end opens the connection
    bool IsOutgoing() const
    {
        return !m_remote.IsInvalid();
    }

    void Attach(Ptr<CoflowTcpSocket> socket)
    {
        m_socket = socket;
        UintegerValue buffer;
        m_socket->GetAttribute("SndBufSize", buffer);
        m_sendBuffer = static_cast<uint32_t>(buffer.Get());
        m_socket->SetConnectCallback(MakeCallback(&Connection::HandleConnected, this),
                                     MakeCallback(&Connection::HandleConnectFailed, this));
        m_socket->SetCloseCallbacks(MakeCallback(&Connection::HandleClose, this),
                                    MakeCallback(&Connection::HandleError, this));
        m_socket->SetRecvCallback(MakeCallback(&Connection::HandleRead, this));
        m_socket->SetSendCallback(MakeCallback(&Connection::HandleSend, this));
    }

    /// Lets go of the socket, which does not call back any more.
    Ptr<CoflowTcpSocket> Detach()
    {
        auto socket = m_socket;
        m_socket = nullptr;
        if (socket)
        {
            socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                       MakeNullCallback<void, Ptr<Socket>>());
            socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                      MakeNullCallback<void, Ptr<Socket>>());
            socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
            socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        }
        return socket;
    }

    void HandleConnected(Ptr<Socket> /* socket */)
    {
        const auto self = shared_from_this();
        m_failures = 0;
        m_tcp.NotifyUp(m_peer);
    }

    void HandleConnectFailed(Ptr<Socket> /* socket */)
    {
        Fail("the host does not answer, or nobody listens");
    }

    void HandleError(Ptr<Socket> /* socket */)
    {
        Fail("the connection broke");
    }

    void HandleClose(Ptr<Socket> socket)
    {
        const auto self = shared_from_this();
        HandleRead(socket);
        if (m_socket == socket)
        {
            Fail("the peer closed the connection");
        }
    }

    void HandleSend(Ptr<Socket> /* socket */, uint32_t /* available */)
    {
        Flush();
    }

    void HandleRead(Ptr<Socket> socket)
    {
        const auto self = shared_from_this();
        while (m_socket == socket)
        {
            auto packet = socket->Recv();
            if (!packet || packet->GetSize() == 0)
            {
                return;
            }
            m_received = m_received ? m_received : ns3::Create<Packet>();
            m_received->AddAtEnd(packet);
            TakeFrames(socket);
        }
    }

    /// Takes the messages that are complete.
    void TakeFrames(const Ptr<Socket>& socket)
    {
        while (m_socket == socket && m_received && m_received->GetSize() >= ControlHeader::SIZE)
        {
            ControlHeader header;
            m_received->PeekHeader(header);
            if (!header.IsValid() || !header.IsLast())
            {
                Fail("the peer sent what is not a frame");
                return;
            }
            const uint32_t size = ControlHeader::SIZE + header.GetLength();
            if (m_received->GetSize() < size)
            {
                return;
            }
            auto body = m_received->CreateFragment(ControlHeader::SIZE, header.GetLength());
            m_received->RemoveAtStart(size);
            if (m_received->GetSize() == 0)
            {
                m_received = nullptr;
            }
            const bool valid = m_tcp.Receive(m_peer, header.GetMessageType(), body);
            if (!valid && m_socket == socket)
            {
                Fail("the peer sent what is not a message");
            }
        }
    }

    /// Gives TCP what it takes.
    void Flush()
    {
        if (m_flushing)
        {
            // TCP calls back from within Send().
            return;
        }
        m_flushing = true;
        while (m_socket && !m_unsent.IsEmpty())
        {
            const auto frame = m_unsent.Front();
            const uint32_t available = m_socket->GetTxAvailable();
            if (available == 0 || (m_unsent.MayFrontBeRenewed() && GetHeld() > MOST_HELD))
            {
                break; // TCP calls when something is acknowledged
            }
            if (frame->GetSize() <= available)
            {
                m_socket->Send(frame, 0);
                m_unsent.PopFront();
            }
            else
            {
                m_socket->Send(frame->CreateFragment(0, available), 0);
                m_unsent.TrimFront(available);
            }
        }
        m_flushing = false;
    }

    /// The connection could not be opened, or broke.
    void Fail(const char* reason)
    {
        const auto self = shared_from_this();
        if (auto socket = Detach())
        {
            socket->Abort();
        }
        m_unsent.Clear();
        m_received = nullptr;
        if (!IsOutgoing())
        {
            m_closed = true;
            m_tcp.m_connections.erase(m_peer);
        }
        m_tcp.NotifyDown(m_peer, reason, !IsOutgoing());
        if (!m_closed)
        {
            m_openEvent =
                Simulator::Schedule(m_tcp.GetReconnectDelay(++m_failures), &Connection::Open, this);
        }
    }

    ControlTcp& m_tcp;             ///< owner
    const PeerId m_peer;           ///< name of the peer
    bool m_closed{false};          ///< for good
    const Address m_remote;        ///< where the peer listens, if this end opens the connection
    Ptr<CoflowTcpSocket> m_socket; ///< TCP; none between two attempts
    uint32_t m_sendBuffer{0};      ///< bytes of data that it has room for
    uint32_t m_failures{0};        ///< since the connection was up
    EventId m_openEvent;           ///< opens it anew
    bool m_flushing{false};        ///< in Flush()
    ControlBacklog m_unsent;       ///< what TCP had no room for
    Ptr<Packet> m_received;        ///< bytes of messages that are not complete; or none
};

ControlTcp::ControlTcp(ControlEndpoint& endpoint)
    : ControlTransport(endpoint),
      m_self(std::make_shared<ControlTcp*>(this))
{
}

ControlTcp::~ControlTcp()
{
}

Ptr<CoflowTcpSocket>
ControlTcp::CreateSocket() const
{
    auto socket = GetProfile().CreateSocket(GetNode());
    socket->SetAttribute("TcpNoDelay", BooleanValue(true));
    socket->SetIpTos(GetTos());
    if (GetLossRate() > 0)
    {
        socket->SetLoss(GetLossVariable(), GetLossRate());
    }
    return socket;
}

void
ControlTcp::Listen(uint16_t port)
{
    Classify(ConnectionName::FromPort(ConnectionName::TCP, port));
    auto socket = CreateSocket();
    if (socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) != 0)
    {
        throw ::coflow::InputError("TCP port " + std::to_string(port) + " of node " +
                                   std::to_string(GetNode()->GetId()) +
                                   " is taken; allowed: a port for control messages "
                                   "(--coordinatorPort) that nobody else has, such as flows "
                                   "(--port)");
    }
    socket->Listen();
    // TCP copies the callback into every socket that it makes for a SYN. Whose process has died by
    // the time of the last acknowledgement is reset, or the other end would take it for alive.
    const auto accept = [weak = std::weak_ptr<ControlTcp*>(m_self)](Ptr<Socket> accepted,
                                                                    const Address& from) {
        if (const auto self = weak.lock())
        {
            (*self)->HandleAccept(accepted, from);
            return;
        }
        Simulator::ScheduleNow(
            [socket = DynamicCast<CoflowTcpSocket>(accepted)] { socket->Abort(); });
    };
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              Callback<void, Ptr<Socket>, const Address&>(accept));
    m_listeners.push_back(socket);
}

void
ControlTcp::HandleAccept(Ptr<Socket> socket, const Address& from)
{
    const auto peer = AddPeer(InetSocketAddress::ConvertFrom(from).GetIpv4());
    const auto connection = std::make_shared<Connection>(*this, peer, Address());
    m_connections[peer] = connection;
    connection->Adopt(socket);
    NotifyUp(peer);
}

void
ControlTcp::Connect(PeerId peer, Ipv4Address address, uint16_t port)
{
    Classify(ConnectionName::ToPort(ConnectionName::TCP, port));
    const auto connection =
        std::make_shared<Connection>(*this, peer, InetSocketAddress(address, port));
    m_connections[peer] = connection;
    OpenInEvent(connection);
}

void
ControlTcp::Disconnect(PeerId peer)
{
    const auto found = m_connections.extract(peer);
    if (!found.empty())
    {
        found.mapped()->Close(false);
    }
}

uint32_t
ControlTcp::Send(PeerId peer, uint16_t messageType, Ptr<Packet> body, bool renews)
{
    body->AddHeader(ControlHeader(messageType, body->GetSize()));
    return m_connections.at(peer)->Send(body, messageType, renews);
}

bool
ControlTcp::HasAll(PeerId peer) const
{
    return m_connections.at(peer)->HasAll();
}

void
ControlTcp::Close()
{
    m_self.reset();
    for (auto& [peer, connection] : m_connections)
    {
        connection->Close(true);
    }
    m_connections.clear();
    for (auto& listener : m_listeners)
    {
        listener->Abort();
    }
    m_listeners.clear();
}

} // namespace ns3::coflow
