/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_IDEAL_H
#define COFLOW_CONTROL_IDEAL_H

#include "ns3/coflow-control-transport.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <memory>

namespace ns3::coflow
{

/// Control messages without a network: a message arrives in an event of its receiver's node after
/// the sender's MessageDelay. Notifications that a peer is up or down have the same delay. With the
/// delay 0, a message arrives at the time at which it was sent.
///
/// No network has this behaviour. The class is for comparisons with a scheduler that has global
/// knowledge and control without delay, as in the fluid engine, or after a fixed delay.
class ControlIdeal : public ControlTransport
{
  public:
    /// @param endpoint the owner
    explicit ControlIdeal(ControlEndpoint& endpoint);
    ~ControlIdeal() override;

    void Listen(uint16_t port) override;
    void Connect(PeerId peer, Ipv4Address address, uint16_t port) override;
    void Disconnect(PeerId peer) override;
    uint32_t Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body) override;
    bool HasBacklog(PeerId peer, uint16_t messageType) const override;
    bool HasDeliveredAll(PeerId peer) const override;
    void Close() override;

  private:
    class Ports;
    struct Link;

    /// Tries to find a listening peer.
    void Open(std::shared_ptr<Link> link);
    /// @return the node that has an address; null: none
    static Ptr<Node> FindNode(Ipv4Address address);
    /// A peer has connected.
    void HandleConnected(std::shared_ptr<Link> link);
    /// A message has arrived.
    void HandleMessage(std::shared_ptr<Link> link, uint16_t messageType, Ptr<Packet> body);
    /// The other end has closed.
    void HandleClosed(std::shared_ptr<Link> link);
    /// Waits before another attempt to connect.
    void TryAgain(std::shared_ptr<Link> link, const char* reason);
    /// Notifies the other end, and removes the link.
    void Cut(Link& link) const;

    Ptr<Ports> m_ports;                              ///< listeners of the node
    std::map<PeerId, std::shared_ptr<Link>> m_links; ///< this end of connections, by peer
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_IDEAL_H
