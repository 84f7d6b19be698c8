/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_TCP_H
#define COFLOW_CONTROL_TCP_H

#include "ns3/coflow-control-transport.h"
#include "ns3/coflow-tcp-socket.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ns3::coflow
{

class LeanHost;
class ReservedPort;
struct LeanSettings;
class Connection;

/// Control messages over TCP, with one persistent connection per peer. Every message is sent at
/// once. Connections are lean where the profile allows lean connections, except connections of a
/// host with itself. Both kinds send the same segments. Packets are lost (attribute LossRate of the
/// endpoint) between IP and the socket, including SYNs and ACKs, and TCP recovers.
class ControlTcp : public ControlTransport
{
  public:
    /// @param endpoint the owner
    explicit ControlTcp(ControlEndpoint& endpoint);
    ~ControlTcp() override;

    void Listen(uint16_t port) override;
    void Connect(PeerId peer, Ipv4Address address, uint16_t port) override;
    void Disconnect(PeerId peer) override;
    uint32_t Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body) override;
    bool HasBacklog(PeerId peer, uint16_t messageType) const override;
    bool HasDeliveredAll(PeerId peer) const override;
    void Close() override;

  private:
    class Peer;

    /// The address and port at which a peer listens.
    struct Remote
    {
        Ipv4Address address;
        uint16_t port;
    };

    /// @return lean connections of the host; null: a connection with the peer is not lean
    Ptr<LeanHost> GetLeanHost(Ipv4Address peer) const;
    /// @return common settings of lean connections, with the values of the endpoint
    std::shared_ptr<const LeanSettings> GetLeanSettings();
    /// @return a new connection for a peer, not open yet
    Ptr<Connection> CreateConnection(Ipv4Address peer);
    /// @return a new socket with the values of the endpoint
    Ptr<CoflowTcpSocket> CreateSocket() const;
    /// Starts to listen for connections with packets.
    void ListenForPackets();
    [[noreturn]] void ThrowPortTaken() const;
    /// TCP has accepted a connection.
    void HandleAccept(Ptr<Socket> socket, const Address& from);
    /// A peer has opened a connection.
    void Accept(const Ptr<Connection>& socket, Ipv4Address from);

    uint16_t m_port{0};                       ///< port at which the process listens; 0: none
    Ptr<CoflowTcpSocket> m_listener;          ///< socket that listens for connections with packets
    std::unique_ptr<ReservedPort> m_reserved; ///< port of m_listener before it listens; null: none
    std::shared_ptr<const LeanSettings> m_leanSettings;
    /// Connections by peer. A connection has a reference to itself while one of its functions runs.
    std::map<PeerId, std::shared_ptr<Peer>> m_connections;
    /// Points to this object while the process is running. TCP's state of a connection that is
    /// being opened exists longer than the listener.
    std::shared_ptr<ControlTcp*> m_self;
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_TCP_H
