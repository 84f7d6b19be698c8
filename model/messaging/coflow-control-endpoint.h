/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_ENDPOINT_H
#define COFLOW_CONTROL_ENDPOINT_H

#include "ns3/attribute.h"
#include "ns3/coflow-control-header.h"
#include "ns3/coflow-control-message.h"
#include "ns3/coflow-wire-count.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ns3::coflow
{

class ControlTransport;
class TransportProfile;

/// Messages and bytes of one type of control message. Bytes are those of frame and body, without
/// the headers of TCP and IP; a retransmission does not count again.
struct ControlCount
{
    uint64_t messages{0}; ///< of the type
    uint64_t bytes{0};    ///< of these messages

    /// Adds another count.
    ControlCount& operator+=(const ControlCount& other);
};

/// Counts by the number of the type of message; ControlMessage::GetName() gives its name.
using ControlCounts = std::map<uint16_t, ControlCount>;

/// One end of the control plane: sends and receives control messages over the simulated network.
/// A process of a host, such as a coordinator or a daemon, owns one.
///
/// A peer is *up* while messages reach it, that is, while there is a connection. A message to a
/// peer that is not up is dropped, and a connection that breaks takes along whatever was under
/// way, so the place to begin is the callback PeerUp: there a process says all that its peer must
/// know. Between two PeerUp of a peer, every message that Send() took is delivered once, whole
/// and in order, or the peer goes down; excepted are those whose place a later one takes before
/// they have left the host (ControlMessage::Renews()). A connection that this end opened and that
/// breaks is opened anew, with a back-off, until Disconnect() or Stop(); it keeps its PeerId. A
/// peer that connects to a port on which this end listens has a new PeerId every time.
///
/// Attribute Transport:
/// - tcp: one persistent connection per peer, without Nagle's algorithm;
/// - ideal: no network at all; a message arrives in an event after MessageDelay, which is 0 unless
///   it is set. An ablation that puts nothing on the network.
///
/// Both ends of a connection must have the same transport.
class ControlEndpoint : public Object
{
  public:
    /// Names a peer of one endpoint. Never used again for another one, not even after Stop().
    using PeerId = uint32_t;

    /// How messages travel.
    enum class Transport
    {
        TCP,  ///< over connections of ns-3's TCP
        IDEAL ///< by events, after a fixed delay
    };

    /// Default port of coordinators.
    static constexpr uint16_t DEFAULT_PORT = 6000;

    /// Longest time between two attempts to open a broken connection, in milliseconds.
    static constexpr int64_t LONGEST_RECONNECT_MS = 1000;

    /// Last port below those that TCP chooses itself.
    static constexpr uint16_t LAST_LOCAL_PORT = 49151;

    /// @return the type with its attributes and trace sources
    static TypeId GetTypeId();

    /// @return how messages may travel, by name: for attributes that say it
    static Ptr<const AttributeChecker> MakeTransportChecker();

    ControlEndpoint();
    ~ControlEndpoint() override;

    /// @param node the host; to be set once, before Start()
    void SetNode(Ptr<Node> node);

    /// @return the host
    Ptr<Node> GetNode() const
    {
        return m_node;
    }

    /// The process begins. Handlers and callbacks may be set before or after.
    /// Throws ::coflow::InputError where attributes contradict each other.
    void Start();

    /// The process dies: connections close, peers are forgotten without PeerDown. It may be
    /// started again, and then has to listen and to connect anew. No effect if it is not running.
    void Stop();

    /// @return whether the process runs
    bool IsRunning() const;

    /// Lets peers connect. Only while the process runs.
    /// @param port a TCP port
    void Listen(uint16_t port);

    /// Connects, now or as soon as the peer listens. Only while the process runs.
    /// @param address of the peer's host
    /// @param port on which the peer listens
    /// @return names the peer from now on; PeerUp tells when it is up, never within this call
    PeerId Connect(Ipv4Address address, uint16_t port);

    /// Closes the connection with a peer and forgets it, without PeerDown.
    /// @param peer a peer; no effect if it is not known
    void Disconnect(PeerId peer);

    /// Sends a message.
    /// @param peer whom to
    /// @param message what
    /// @return whether the peer is up; otherwise the message was dropped
    bool Send(PeerId peer, const ControlMessage& message);

    /// Says what to do with messages of a type; replaces what was said before. A message without
    /// a handler is counted and dropped.
    /// @tparam M a concrete class of messages
    /// @param handler is given the sender and the message, which is valid
    template <class M>
    void On(std::function<void(PeerId, const M&)> handler)
    {
        SetHandler(M::TYPE, [handler](PeerId peer, Ptr<Packet> body) {
            M message;
            body->RemoveHeader(message);
            const bool valid = message.IsValid();
            if (valid)
            {
                handler(peer, message);
            }
            return valid;
        });
    }

    /// @param callback is called when a peer is up, whoever connected
    void SetPeerUpCallback(std::function<void(PeerId)> callback);

    /// @param callback is called when a peer is up no longer: it closed the connection, the
    ///        connection broke, or the peer sent what is not a message
    void SetPeerDownCallback(std::function<void(PeerId)> callback);

    /// @param peer a peer
    /// @return whether messages reach it; false if it is not known
    bool IsUp(PeerId peer) const;

    /// @tparam Message a type of messages
    /// @param peer a peer
    /// @return whether one of them waits to leave for the peer, or would wait if it were sent now:
    ///         one that renews others then takes their place
    template <class Message>
    bool HasBacklog(PeerId peer) const
    {
        return HasBacklog(peer, Message::TYPE);
    }

    /// @param peer a peer
    /// @return whether it is up and every message that was sent to it since then has arrived, as
    /// far
    ///         as this end knows
    bool HasDeliveredAll(PeerId peer) const;

    /// @param peer a peer that is known
    /// @return address of its host
    Ipv4Address GetAddress(PeerId peer) const;

    /// @return what was sent since the beginning of the simulation, over all starts
    const ControlCounts& GetSent() const
    {
        return m_sent;
    }

    /// @return what TCP has sent for that: headers, acknowledgements and what is sent again besides
    const WireCount& GetWire() const
    {
        return *m_wire;
    }

    /// @return what was received since the beginning of the simulation, over all starts
    const ControlCounts& GetReceived() const
    {
        return m_received;
    }

    /// @param stream first random stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// A message was sent or has arrived.
    /// @param peer the peer
    /// @param messageType number of the type
    /// @param bytes of frame and body
    typedef void (*MessageCallback)(PeerId peer, uint16_t messageType, uint32_t bytes);

    /// A peer went down.
    /// @param address of its host
    /// @param reason what happened
    typedef void (*PeerDownCallback)(Ipv4Address address, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    bool HasBacklog(PeerId peer, uint16_t messageType) const;

    friend class ControlTransport;

    /// Takes a body, and tells whether it was valid.
    using Handler = std::function<bool(PeerId, Ptr<Packet>)>;

    /// A peer that is known.
    struct Peer
    {
        Ipv4Address address; ///< of its host
        bool up{false};      ///< messages reach it
    };

    void SetHandler(uint16_t messageType, Handler handler);
    /// Gives a peer its name.
    PeerId AddPeer(Ipv4Address address);
    /// A peer is up.
    void NotifyUp(PeerId peer);
    /// A peer is not up, or not any longer.
    void NotifyDown(PeerId peer, const std::string& reason, bool forget);
    /// A message has arrived; tells whether it was valid.
    bool Receive(PeerId peer, uint16_t messageType, Ptr<Packet> body);

    Ptr<Node> m_node;                              ///< the host
    Transport m_transportKind;                     ///< attribute Transport
    Ptr<TransportProfile> m_profile;               ///< attribute Profile
    uint8_t m_band;                                ///< attribute Band
    uint64_t m_key;                                ///< attribute Key
    uint8_t m_dscp;                                ///< attribute Dscp
    double m_lossRate;                             ///< attribute LossRate
    uint16_t m_firstLocalPort;                     ///< attribute FirstLocalPort
    uint16_t m_nextLocalPort{0};                   ///< if that is set: of the next connection
    Time m_messageDelay;                           ///< attribute MessageDelay
    Time m_reconnectDelay;                         ///< attribute ReconnectDelay
    Ptr<UniformRandomVariable> m_lossVariable;     ///< decides about losses
    std::unique_ptr<ControlTransport> m_transport; ///< while it runs
    PeerId m_nextPeer{1};                          ///< next one to be given out
    std::map<PeerId, Peer> m_peers;                ///< those that are known
    std::map<uint16_t, Handler> m_handlers;        ///< by type of message
    std::function<void(PeerId)> m_peerUp;          ///< SetPeerUpCallback()
    std::function<void(PeerId)> m_peerDown;        ///< SetPeerDownCallback()
    ControlCounts m_sent;                          ///< GetSent()
    std::shared_ptr<WireCount> m_wire;             ///< GetWire()
    ControlCounts m_received;                      ///< GetReceived()

    TracedCallback<PeerId, uint16_t, uint32_t> m_sentTrace;
    TracedCallback<PeerId, uint16_t, uint32_t> m_receivedTrace;
    TracedCallback<Ipv4Address, const std::string&> m_peerDownTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_ENDPOINT_H
