/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_TCP_H
#define COFLOW_CONTROL_TCP_H

#include "ns3/coflow-control-transport.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/event-id.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// Control messages over TCP: one connection per peer that stays open, every message sent as soon
/// as it is there. Packets are lost (attribute LossRate of the endpoint) on their way from IP to
/// the socket, SYNs and ACKs as well as data, and TCP recovers.
class ControlTcp : public ControlTransport
{
  public:
    /// @param endpoint the owner
    explicit ControlTcp(ControlEndpoint& endpoint);
    ~ControlTcp() override;

    void Listen(uint16_t port) override;
    void Connect(PeerId peer, Ipv4Address address, uint16_t port) override;
    void Disconnect(PeerId peer) override;
    uint32_t Send(PeerId peer, uint16_t messageType, Ptr<Packet> body, bool renews) override;
    bool HasAll(PeerId peer) const override;
    void Close() override;

  private:
    class Connection;

    /// @return a socket with the values of the endpoint
    Ptr<CoflowTcpSocket> CreateSocket() const;
    /// TCP accepted a connection.
    void HandleAccept(Ptr<Socket> socket, const Address& from);

    std::vector<Ptr<CoflowTcpSocket>> m_listeners; ///< one per port
    /// By peer. A connection that is in one of its functions keeps itself.
    std::map<PeerId, std::shared_ptr<Connection>> m_connections;
    /// Points to this while the process lives. What TCP has of a connection that is being opened
    /// outlives the listener it came to.
    std::shared_ptr<ControlTcp*> m_self;
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_TCP_H
