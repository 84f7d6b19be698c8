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

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::coflow
{

class TransportProfile;

/// The transport of messages of a ControlEndpoint, while its process is running. The endpoint has
/// the peers and the handlers of messages. The transport converts messages to frames and back.
///
/// When a process stops, one of the transport's functions may still be on the call stack. So the
/// transport is not destroyed at once. It is closed, and a closed transport does nothing.
class ControlTransport
{
  public:
    using PeerId = ControlEndpoint::PeerId;

    /// @param endpoint the owner, with its attributes
    /// @return a transport of the kind in the attribute Transport
    static std::unique_ptr<ControlTransport> Create(ControlEndpoint& endpoint);

    /// Releases the sockets, without a callback.
    virtual ~ControlTransport() = default;

    ControlTransport(const ControlTransport&) = delete;
    ControlTransport& operator=(const ControlTransport&) = delete;

    /// Accepts connections of peers.
    virtual void Listen(uint16_t port) = 0;

    /// Connects to a peer, and connects again when the connection breaks.
    virtual void Connect(PeerId peer, Ipv4Address address, uint16_t port) = 0;

    /// Closes a connection, and notifies the other end.
    virtual void Disconnect(PeerId peer) = 0;

    /// Sends a message to a peer that is up.
    /// @param peer the receiver
    /// @param message the message
    /// @param body the serialized body of the message
    /// @return bytes of the frame of an earlier message that this message replaces; 0: none
    virtual uint32_t Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body) = 0;

    /// @param peer a peer that is up
    /// @param messageType number of a message type
    /// @return whether a message of this type waits for the connection, or would wait if it were
    ///         sent now
    virtual bool HasBacklog(PeerId peer, uint16_t messageType) const = 0;

    /// @return whether a peer that is up has acknowledged all messages
    virtual bool HasDeliveredAll(PeerId peer) const = 0;

    /// Closes all connections, because the process stops. Only the destructor is called after this.
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

    /// @return random variable for losses
    Ptr<UniformRandomVariable> GetLossVariable() const
    {
        return m_endpoint.m_lossVariable;
    }

    /// @return probability of the loss of an arriving packet
    double GetLossRate() const
    {
        return m_endpoint.m_lossRate;
    }

    /// @return counters of packets that TCP sends
    std::shared_ptr<WireCount> GetWire() const
    {
        return m_endpoint.m_wire;
    }

    /// @return delay of a message without a network
    Time GetMessageDelay() const
    {
        return m_endpoint.m_messageDelay;
    }

    /// @param failures number of failed attempts to connect in a row, at least 1
    /// @return time until the next attempt
    Time GetReconnectDelay(uint32_t failures) const;

    /// @return local port of the next connection; 0: any
    uint16_t TakeLocalPort();

    /// A peer has connected.
    /// @return id of the peer
    PeerId AddPeer(Ipv4Address address);
    /// A peer is up.
    void NotifyUp(PeerId peer);
    /// A peer is no longer up, or could not be connected.
    /// @param peer the peer
    /// @param reason the cause
    /// @param forget whether the peer is removed
    void NotifyDown(PeerId peer, const std::string& reason, bool forget);
    /// A message has arrived.
    /// @return false where the body is not valid
    bool Receive(PeerId peer, uint16_t messageType, Ptr<Packet> body);

  private:
    ControlEndpoint& m_endpoint; ///< owner
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_TRANSPORT_H
