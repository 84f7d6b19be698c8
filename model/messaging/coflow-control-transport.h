/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_TRANSPORT_H
#define COFLOW_CONTROL_TRANSPORT_H

#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::coflow
{

class TransportProfile;

/// How the messages of a ControlEndpoint travel, while its process runs. The endpoint knows the
/// peers and what to do with messages; its transport makes frames of messages, and back.
///
/// A transport whose process has died may still be in one of its own functions, further down the
/// stack. So it is not destroyed at once but closed, and in that state does nothing.
class ControlTransport
{
  public:
    using PeerId = ControlEndpoint::PeerId;

    /// @param endpoint the owner, with its attributes
    /// @return what the attribute Transport says
    static std::unique_ptr<ControlTransport> Create(ControlEndpoint& endpoint);

    /// Lets go of the sockets, without a callback.
    virtual ~ControlTransport() = default;

    ControlTransport(const ControlTransport&) = delete;
    ControlTransport& operator=(const ControlTransport&) = delete;

    /// Lets peers connect.
    virtual void Listen(uint16_t port) = 0;

    /// Begins to connect, and to do so anew whenever the connection breaks.
    virtual void Connect(PeerId peer, Ipv4Address address, uint16_t port) = 0;

    /// Closes a connection for good, and tells the other end.
    virtual void Disconnect(PeerId peer) = 0;

    /// Sends a message to a peer that is up.
    /// @param peer whom to
    /// @param message the message
    /// @param body what it says, serialized
    /// @return bytes of the frame of an earlier message that does not leave, as this one takes its
    ///         place; 0: none
    virtual uint32_t Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body) = 0;

    /// @param peer a peer that is up
    /// @param messageType number of a type of messages
    /// @return whether one of them waits for the connection, or would wait if it were sent now
    virtual bool HasBacklog(PeerId peer, uint16_t messageType) const = 0;

    /// @return whether a peer that is up has acknowledged everything
    virtual bool HasDeliveredAll(PeerId peer) const = 0;

    /// The process dies: closes everything. Nothing is called after this but the destructor.
    virtual void Close() = 0;

  protected:
    /// @param endpoint the owner
    explicit ControlTransport(ControlEndpoint& endpoint);

    /// @return the host
    Ptr<Node> GetNode() const
    {
        return m_endpoint.m_node;
    }

    /// @return parameters of TCP
    const TransportProfile& GetProfile() const;
    /// @return DSCP and the two zero bits below it
    uint8_t GetTos() const;
    /// Gives the packets of a service the band and key of the endpoint, on a host of a fabric.
    /// @param service all connections of this host from or to a port
    void Classify(const ConnectionName& service) const;

    /// @return what decides about losses
    Ptr<UniformRandomVariable> GetLossVariable() const
    {
        return m_endpoint.m_lossVariable;
    }

    /// @return probability that a packet that arrives is lost
    double GetLossRate() const
    {
        return m_endpoint.m_lossRate;
    }

    /// @return counts what TCP sends
    std::shared_ptr<WireCount> GetWire() const
    {
        return m_endpoint.m_wire;
    }

    /// @return time that a message takes where there is no network
    Time GetMessageDelay() const
    {
        return m_endpoint.m_messageDelay;
    }

    /// @param failures attempts to connect that have failed in a row, at least 1
    /// @return time to wait before the next one
    Time GetReconnectDelay(uint32_t failures) const;

    /// @return local port of the next connection that is opened; 0: any
    uint16_t TakeLocalPort();

    /// Opens a connection in an event, as nothing can be sent before the simulation runs; no effect
    /// if the connection is gone by then.
    template <class Connection>
    void OpenInEvent(const std::shared_ptr<Connection>& connection) const
    {
        Simulator::ScheduleWithContext(GetNode()->GetId(),
                                       Time(),
                                       [weak = std::weak_ptr<Connection>(connection)] {
                                           if (const auto open = weak.lock())
                                           {
                                               open->Open();
                                           }
                                       });
    }

    /// A peer connects.
    /// @return its name
    PeerId AddPeer(Ipv4Address address);
    /// Messages reach a peer.
    void NotifyUp(PeerId peer);
    /// Messages reach a peer no longer, or could not be made to.
    /// @param peer the peer
    /// @param reason why
    /// @param forget whether it is gone for good
    void NotifyDown(PeerId peer, const std::string& reason, bool forget);
    /// A message has arrived.
    /// @return false where its body is not one
    bool Receive(PeerId peer, uint16_t messageType, Ptr<Packet> body);

  private:
    ControlEndpoint& m_endpoint; ///< owner
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_TRANSPORT_H
