/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_UDP_H
#define COFLOW_CONTROL_UDP_H

#include "ns3/address.h"
#include "ns3/coflow-control-transport.h"
#include "ns3/coflow-datagram-header.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::coflow
{

/// Control messages over UDP, each in a datagram of its own, or in several where it is longer
/// than one. Every datagram is acknowledged, sent again after a fixed time that doubles, and
/// handled once, in the order in which it was first sent. At most WINDOW datagrams are on their
/// way to a peer; there is no congestion control.
///
/// A connection is what UDP itself has not: a datagram HELLO from a port of the opener's own,
/// which tells connections apart, is answered with WELCOME. A peer that is sent data of a
/// connection that it does not know, such as one that has died and come back, answers GOODBYE.
class ControlUdp : public ControlTransport
{
  public:
    /// Most datagrams on their way to a peer.
    static constexpr uint32_t WINDOW = 64;

    /// @param endpoint the owner
    explicit ControlUdp(ControlEndpoint& endpoint);
    ~ControlUdp() override;

    void Listen(uint16_t port) override;
    void Connect(PeerId peer, Ipv4Address address, uint16_t port) override;
    void Disconnect(PeerId peer) override;
    uint32_t Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body) override;
    bool IsBehind(PeerId peer, uint16_t messageType) const override;
    bool HasAll(PeerId peer) const override;
    void Close() override;

  private:
    class Connection;

    /// @param port local port, or 0 for any
    Ptr<Socket> CreateSocket(uint16_t port) const;
    /// Sends a datagram.
    void SendDatagram(const Ptr<Socket>& socket,
                      const Address& to,
                      const DatagramHeader& header,
                      Ptr<const Packet> frame = nullptr) const;
    /// Datagrams have arrived at a port of ours.
    void HandleRead(Ptr<Socket> socket);
    /// A datagram has arrived.
    void HandleDatagram(const Ptr<Socket>& socket, const Address& from, Ptr<Packet> packet);

    /// A port of ours, and one of a peer.
    using Ports = std::pair<Ptr<Socket>, Address>;

    std::vector<Ptr<Socket>> m_listeners; ///< one per port
    /// By peer. A connection that is in one of its functions keeps itself.
    std::map<PeerId, std::shared_ptr<Connection>> m_connections;
    /// The same by what a datagram tells; searched only, as sockets have no order to rely on.
    std::map<Ports, std::weak_ptr<Connection>> m_byPorts;
    bool m_closed{false}; ///< the process has died
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_UDP_H
