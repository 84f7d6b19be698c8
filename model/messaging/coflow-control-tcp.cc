/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-tcp.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/coflow-connection.h"
#include "ns3/coflow-control-backlog.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-reserved-port.h"
#include "ns3/coflow-socket-connection.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3::coflow
{

/// One peer of a ControlTcp.
class ControlTcp::Peer final : public std::enable_shared_from_this<ControlTcp::Peer>,
                               private ConnectionUser
{
  public:
    /// @param tcp the owner
    /// @param peer id of the peer
    /// @param remote where the peer listens; none: the peer opens the connection
    Peer(ControlTcp& tcp, PeerId peer, std::optional<Remote> remote)
        : m_tcp(tcp),
          m_peer(peer),
          m_remote(remote)
    {
    }

    /// Releases the connection.
    ~Peer()
    {
        m_openEvent.Cancel();
        Detach();
    }

    /// Opens the connection, or tries again.
    void Open()
    {
        const auto port = m_tcp.TakeLocalPort();
        if (port == 0 && m_place.Join(HostPorts::Of(m_tcp.GetNode()), [this] { Open(); }))
        {
            return;
        }
        Adopt(m_tcp.CreateConnection(m_remote->address));
        if (m_socket->Bind(port) == 0 || !m_socket->Connect(m_remote->address, m_remote->port))
        {
            Fail("no route, or the local port is taken");
        }
    }

    /// Uses a connection that a peer has opened.
    void Adopt(const Ptr<Connection>& socket)
    {
        m_socket = socket;
        m_socket->SetUser(this);
    }

    /// Sends a frame; see ControlTransport::Send().
    uint32_t Send(const Ptr<Packet>& frame, const ControlMessage& message)
    {
        const auto lost = m_unsent.Add(frame, message.GetMessageType(), message.Renews());
        Flush();
        return lost;
    }

    /// @return whether a message of this type waits, or would wait if it were sent now
    bool HasBacklog(uint16_t messageType) const
    {
        return m_unsent.Has(messageType) || m_socket->GetUnacknowledged() > MOST_HELD;
    }

    /// @return whether the peer has acknowledged all messages
    bool HasDeliveredAll() const
    {
        return m_unsent.IsEmpty() && m_socket->GetUnacknowledged() == 0;
    }

    /// Closes the connection finally.
    /// @param abort whether messages that were not sent yet are lost
    void Close(bool abort)
    {
        m_openEvent.Cancel();
        m_place.Leave();
        m_closed = true;
        const auto socket = Detach();
        if (!socket)
        {
            return;
        }
        if (abort)
        {
            socket->Abort();
            return;
        }
        while (!m_unsent.IsEmpty() && m_unsent.Front()->GetSize() <= socket->GetTxAvailable())
        {
            Write(*socket, *m_unsent.Front(), m_unsent.Front()->GetSize());
            m_unsent.PopFront();
        }
        socket->Close();
    }

  private:
    /// Unacknowledged bytes up to which TCP gets one more message that may be renewed. Messages in
    /// TCP's send buffer cannot be replaced, and with many losses, TCP needs a long time to send
    /// them.
    static constexpr uint32_t MOST_HELD = 65536;

    /// @return whether this end opens the connection
    bool IsOutgoing() const
    {
        return m_remote.has_value();
    }

    /// Releases the connection, which calls no function of this object any more.
    /// @return the connection; null: none
    Ptr<Connection> Detach()
    {
        auto socket = m_socket;
        m_socket = nullptr;
        if (socket)
        {
            socket->SetUser(nullptr);
        }
        return socket;
    }

    void HandleConnected() override
    {
        const auto self = shared_from_this();
        m_failures = 0;
        m_tcp.NotifyUp(m_peer);
    }

    void HandleConnectFailed() override
    {
        Fail("the host does not answer, or no process listens there");
    }

    void HandleBroken() override
    {
        Fail("the connection broke");
    }

    void HandleClosed() override
    {
        const auto self = shared_from_this();
        const auto socket = m_socket;
        HandleRxAvailable();
        if (m_socket == socket)
        {
            Fail("the peer closed the connection");
        }
    }

    void HandleTxAvailable() override
    {
        Flush();
    }

    void HandleRxAvailable() override
    {
        const auto self = shared_from_this();
        const auto socket = m_socket;
        while (m_socket == socket && socket->GetRxAvailable() > 0)
        {
            const uint32_t n = socket->GetRxAvailable();
            m_received.resize(m_received.size() + n);
            socket->Read(n, &m_received[m_received.size() - n]);
            TakeFrames(*socket);
        }
    }

    /// Handles the complete messages in m_received.
    void TakeFrames(const Connection& socket)
    {
        std::size_t taken = 0;
        while (PeekPointer(m_socket) == &socket)
        {
            const auto left = static_cast<uint32_t>(m_received.size() - taken);
            if (left < ControlHeader::SIZE)
            {
                break;
            }
            ControlHeader header;
            ns3::Create<Packet>(&m_received[taken], ControlHeader::SIZE)->RemoveHeader(header);
            if (!header.IsValid())
            {
                Fail("the peer sent what is not a frame");
                return;
            }
            const uint32_t size = ControlHeader::SIZE + header.GetLength();
            if (left < size)
            {
                break;
            }
            auto body = header.GetLength() == 0
                            ? ns3::Create<Packet>()
                            : ns3::Create<Packet>(&m_received[taken + ControlHeader::SIZE],
                                                  header.GetLength());
            taken += size;
            const bool valid = m_tcp.Receive(m_peer, header.GetMessageType(), body);
            if (!valid && PeekPointer(m_socket) == &socket)
            {
                Fail("the peer sent what is not a message");
                return;
            }
        }
        if (PeekPointer(m_socket) == &socket)
        {
            m_received.erase(m_received.begin(),
                             m_received.begin() + static_cast<std::ptrdiff_t>(taken));
        }
    }

    /// Writes the first bytes of a frame to a connection that has space for the bytes.
    static void Write(Connection& socket, const Packet& frame, uint32_t bytes)
    {
        std::vector<uint8_t> copy(bytes);
        frame.CopyData(copy.data(), bytes);
        socket.Write(copy.data(), bytes, 0);
    }

    /// Writes waiting frames to the connection, as many as the connection accepts.
    void Flush()
    {
        if (m_flushing)
        {
            // TCP may call HandleTxAvailable() within Write().
            return;
        }
        m_flushing = true;
        while (m_socket && !m_unsent.IsEmpty())
        {
            const auto frame = m_unsent.Front();
            const uint32_t available = m_socket->GetTxAvailable();
            if (available == 0 ||
                (m_unsent.MayFrontBeRenewed() && m_socket->GetUnacknowledged() > MOST_HELD))
            {
                break; // TCP calls HandleTxAvailable() after an acknowledgement
            }
            if (frame->GetSize() <= available)
            {
                Write(*m_socket, *frame, frame->GetSize());
                m_unsent.PopFront();
            }
            else
            {
                Write(*m_socket, *frame, available);
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
        m_received.clear();
        if (!IsOutgoing())
        {
            m_closed = true;
            m_tcp.m_connections.erase(m_peer);
        }
        m_tcp.NotifyDown(m_peer, reason, !IsOutgoing());
        if (!m_closed)
        {
            m_openEvent =
                Simulator::Schedule(m_tcp.GetReconnectDelay(++m_failures), &Peer::Open, this);
        }
    }

    ControlTcp& m_tcp;                    ///< owner
    const PeerId m_peer;                  ///< id of the peer
    bool m_closed{false};                 ///< the connection was closed finally
    const std::optional<Remote> m_remote; ///< where the peer listens, if this end connects
    Ptr<Connection> m_socket;             ///< TCP connection; null between two attempts
    uint32_t m_failures{0};               ///< failed attempts since the connection was up
    EventId m_openEvent;                  ///< event of the next attempt
    HostPorts::Place m_place;             ///< place in the queue for a local port
    bool m_flushing{false};               ///< Flush() is on the call stack
    ControlBacklog m_unsent;              ///< frames that were not written to the connection yet
    std::vector<uint8_t> m_received;      ///< received bytes of incomplete messages
};

ControlTcp::ControlTcp(ControlEndpoint& endpoint)
    : ControlTransport(endpoint),
      m_self(std::make_shared<ControlTcp*>(this))
{
}

ControlTcp::~ControlTcp() = default;

Ptr<CoflowTcpSocket>
ControlTcp::CreateSocket() const
{
    auto socket = GetProfile().CreateSocket(GetNode());
    socket->CountWire(GetWire());
    socket->SetAttribute("TcpNoDelay", BooleanValue(true));
    socket->SetIpTos(GetTos());
    if (GetLossRate() > 0)
    {
        socket->SetLoss(GetLossVariable(), GetLossRate());
    }
    return socket;
}

Ptr<LeanHost>
ControlTcp::GetLeanHost(Ipv4Address peer) const
{
    if (!GetProfile().UsesLeanConnections())
    {
        return nullptr;
    }
    const auto lean = GetProfile().GetLeanHost(GetNode(), peer);
    return lean && lean->HasPath(peer) ? lean : nullptr; // the peer may be on another network
}

std::shared_ptr<const LeanSettings>
ControlTcp::GetLeanSettings()
{
    if (!m_leanSettings)
    {
        auto settings = std::make_shared<LeanSettings>(*GetProfile().GetLeanSettings(GetNode()));
        settings->noDelay = true;
        settings->inhibitsJumps = true;
        settings->wire = GetWire();
        settings->tos = GetTos();
        if (GetLossRate() > 0)
        {
            settings->lossVariable = GetLossVariable();
            settings->lossProbability = GetLossRate();
        }
        m_leanSettings = settings;
    }
    return m_leanSettings;
}

Ptr<Connection>
ControlTcp::CreateConnection(Ipv4Address peer)
{
    if (const auto lean = GetLeanHost(peer))
    {
        return lean->Create(GetLeanSettings());
    }
    return ns3::Create<SocketConnection>(CreateSocket());
}

void
ControlTcp::Listen(uint16_t port)
{
    NS_ABORT_MSG_IF(m_port != 0, "A control endpoint listens at one port");
    m_port = port;
    Classify(ConnectionName::FromPort(ConnectionName::TCP, port));
    const auto lean = GetNode()->GetObject<LeanHost>();
    if (!lean || !GetProfile().UsesLeanConnections())
    {
        ListenForPackets();
        return;
    }
    lean->Listen(port, GetLeanSettings(), [this](const Ptr<LeanConnection>& connection) {
        Accept(connection, Ipv4Address(connection->GetName().remoteAddress));
    });
    m_reserved = std::make_unique<ReservedPort>(GetNode(), port, [this] { ListenForPackets(); });
    if (!m_reserved->IsReserved())
    {
        ThrowPortTaken();
    }
}

void
ControlTcp::ThrowPortTaken() const
{
    throw ::coflow::InputError(
        "TCP port " + std::to_string(m_port) + " of node " + std::to_string(GetNode()->GetId()) +
        " is taken; allowed: a port for control messages (--coordinatorPort) that no other "
        "application has, such as flows (--port)");
}

void
ControlTcp::ListenForPackets()
{
    m_listener = CreateSocket();
    if (m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) != 0)
    {
        ThrowPortTaken();
    }
    m_listener->Listen();
    // TCP copies the callback into every socket that it makes for a SYN. If the process has stopped
    // by the last ACK of the handshake, the socket is reset. Otherwise, the other end would assume
    // that the process is running.
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
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  Callback<void, Ptr<Socket>, const Address&>(accept));
}

void
ControlTcp::HandleAccept(Ptr<Socket> socket, const Address& from)
{
    socket->SetIpTos(GetTos());
    Accept(ns3::Create<SocketConnection>(DynamicCast<CoflowTcpSocket>(socket)),
           InetSocketAddress::ConvertFrom(from).GetIpv4());
}

void
ControlTcp::Accept(const Ptr<Connection>& socket, Ipv4Address from)
{
    const auto peer = AddPeer(from);
    const auto connection = std::make_shared<Peer>(*this, peer, std::nullopt);
    m_connections[peer] = connection;
    connection->Adopt(socket);
    NotifyUp(peer);
}

void
ControlTcp::Connect(PeerId peer, Ipv4Address address, uint16_t port)
{
    Classify(ConnectionName::ToPort(ConnectionName::TCP, port));
    const auto connection = std::make_shared<Peer>(*this, peer, Remote{address, port});
    m_connections[peer] = connection;
    // Nothing can be sent before the simulation runs, so the connection is opened in an event.
    Simulator::ScheduleWithContext(GetNode()->GetId(),
                                   Time(),
                                   [weak = std::weak_ptr<Peer>(connection)] {
                                       if (const auto open = weak.lock())
                                       {
                                           open->Open();
                                       }
                                   });
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
ControlTcp::Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body)
{
    body->AddHeader(ControlHeader(message.GetMessageType(), body->GetSize()));
    return m_connections.at(peer)->Send(body, message);
}

bool
ControlTcp::HasBacklog(PeerId peer, uint16_t messageType) const
{
    return m_connections.at(peer)->HasBacklog(messageType);
}

bool
ControlTcp::HasDeliveredAll(PeerId peer) const
{
    return m_connections.at(peer)->HasDeliveredAll();
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
    if (m_listener)
    {
        m_listener->Abort();
        m_listener = nullptr;
    }
    m_reserved = nullptr;
    if (const auto lean = GetNode()->GetObject<LeanHost>(); lean && m_port != 0)
    {
        lean->StopListening(m_port);
    }
    m_port = 0;
}

} // namespace ns3::coflow
