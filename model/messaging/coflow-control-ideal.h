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

/// Control messages without a network: a message arrives in an event of its receiver's node when
/// the sender's MessageDelay is over, and so does the news that a peer is there or has died. With
/// the delay of 0 that is the time at which it was sent.
///
/// No network can do that. It is there to compare with a scheduler that knows and commands
/// everything at once, such as the fluid engine's, or after a known time.
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

    /// Tries to find who listens.
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
    /// Tells the other end, and forgets it.
    void Cut(Link& link) const;

    Ptr<Ports> m_ports;                              ///< of the node
    std::map<PeerId, std::shared_ptr<Link>> m_links; ///< by peer
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_IDEAL_H
