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

/// Number and bytes of control messages of one type. Bytes are bytes of frame and body, without
/// headers of TCP and IP. Retransmissions do not count.
struct ControlCount
{
    uint64_t messages{0}; ///< messages of the type
    uint64_t bytes{0};    ///< bytes of these messages

    /// Adds another count.
    ControlCount& operator+=(const ControlCount& other);
};

/// Counts by the number of the message type. ControlMessage::GetName() returns the name of a type.
using ControlCounts = std::map<uint16_t, ControlCount>;

/// One end of the control plane. It sends and receives control messages over the simulated network.
/// A process of a host, such as a coordinator or a daemon, owns one.
///
/// A peer is *up* while there is a connection to it. A message to a peer that is not up is dropped,
/// and a connection that breaks loses all messages in flight. So in the callback PeerUp, a process
/// sends all information that its peer needs. Between two calls of PeerUp for a peer, every message
/// that Send() accepted is delivered once, complete and in order, or the peer goes down. There is
/// one exception: a later message may replace a message that has not left the host yet
/// (ControlMessage::Renews()). When a connection breaks, the end that has opened the connection
/// opens it again, with a back-off, until Disconnect() or Stop(). At that end, the PeerId stays the
/// same. A peer that connects to a port on which this end listens has a new PeerId every time.
///
/// Attribute Transport:
/// - tcp: one persistent connection per peer, without Nagle's algorithm;
/// - ideal: no network. A message arrives in an event after the attribute MessageDelay (default 0).
///   This transport is for comparisons.
///
/// Both ends of a connection must have the same transport.
class ControlEndpoint : public Object
{
  public:
    /// The id of a peer of one endpoint. An id is never used for another peer, not even after
    /// Stop().
    using PeerId = uint32_t;

    /// How messages travel.
    enum class Transport
    {
        TCP,  ///< over connections of ns-3's TCP
        IDEAL ///< in events, after a fixed delay
    };

    /// Default port of coordinators.
    static constexpr uint16_t DEFAULT_PORT = 6000;

    /// Longest time between two attempts to open a broken connection, in milliseconds.
    static constexpr int64_t LONGEST_RECONNECT_MS = 1000;

    /// Highest port below the ephemeral ports, which TCP chooses itself.
    static constexpr uint16_t LAST_LOCAL_PORT = 49151;

    /// @return the type with its attributes and trace sources
    static TypeId GetTypeId();

    /// @return the checker of attributes with the names of transports
    static Ptr<const AttributeChecker> MakeTransportChecker();

    ControlEndpoint();
    ~ControlEndpoint() override;

    /// @param node the host; to be set once before Start()
    void SetNode(Ptr<Node> node);

    /// @return the host
    Ptr<Node> GetNode() const
    {
        return m_node;
    }

    /// Starts the process. Handlers and callbacks may be set before or after this call.
    /// @throws ::coflow::InputError where attributes contradict each other
    void Start();

    /// Stops the process: connections close, and peers are removed without PeerDown. After another
    /// Start(), the process has to call Listen() and Connect() again. Stop() has no effect while
    /// the process is not running.
    void Stop();

    /// @return whether the process is running
    bool IsRunning() const;

    /// Accepts connections of peers. To be called only while the process is running.
    /// @param port a TCP port
    void Listen(uint16_t port);

    /// Connects to a peer, now or as soon as the peer listens. To be called only while the process
    /// is running.
    /// @param address address of the peer's host
    /// @param port port on which the peer listens
    /// @return the id of the peer. PeerUp is called later, when the peer is up, and never within
    ///         this call
    PeerId Connect(Ipv4Address address, uint16_t port);

    /// Closes the connection with a peer and removes the peer, without PeerDown.
    /// @param peer a peer. The call has no effect where the peer is not known
    void Disconnect(PeerId peer);

    /// Sends a message.
    /// @param peer the receiver
    /// @param message the message
    /// @return whether the peer is up; otherwise the message is dropped
    bool Send(PeerId peer, const ControlMessage& message);

    /// Sets the handler of messages of a type, and replaces an earlier handler. A message without a
    /// handler is counted and dropped.
    /// @tparam M a concrete class of messages
    /// @param handler called with the sender and the message, which is valid
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

    /// @param callback called when a peer comes up, no matter which end has opened the connection
    void SetPeerUpCallback(std::function<void(PeerId)> callback);

    /// @param callback called when a peer is no longer up: the peer has closed the connection, the
    ///        connection has broken, or the peer has sent bytes that do not form a message
    void SetPeerDownCallback(std::function<void(PeerId)> callback);

    /// @param peer a peer
    /// @return whether the peer is up; false where the peer is not known
    bool IsUp(PeerId peer) const;

    /// @tparam Message a type of messages
    /// @param peer a peer
    /// @return whether a message of the type waits on this host to be sent to the peer, or would
    ///         wait if it were sent now. A new message that renews earlier messages then replaces
    ///         the waiting messages
    template <class Message>
    bool HasBacklog(PeerId peer) const
    {
        return HasBacklog(peer, Message::TYPE);
    }

    /// @param peer a peer
    /// @return whether the peer is up, and has received all messages that were sent since it came
    ///         up, as far as this end knows
    bool HasDeliveredAll(PeerId peer) const;

    /// @param peer a peer that is known
    /// @return address of the peer's host
    Ipv4Address GetAddress(PeerId peer) const;

    /// @return messages sent since the beginning of the simulation, over all starts
    const ControlCounts& GetSent() const
    {
        return m_sent;
    }

    /// @return packets that TCP has sent for these messages, with headers, acknowledgements and
    ///         retransmissions
    const WireCount& GetWire() const
    {
        return *m_wire;
    }

    /// @return messages received since the beginning of the simulation, over all starts
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
    /// @param bytes bytes of frame and body
    typedef void (*MessageCallback)(PeerId peer, uint16_t messageType, uint32_t bytes);

    /// A peer went down.
    /// @param address address of the peer's host
    /// @param reason the cause
    typedef void (*PeerDownCallback)(Ipv4Address address, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    bool HasBacklog(PeerId peer, uint16_t messageType) const;

    friend class ControlTransport;

    /// Handles a body, and returns whether it was valid.
    using Handler = std::function<bool(PeerId, Ptr<Packet>)>;

    /// A peer that is known.
    struct Peer
    {
        Ipv4Address address; ///< address of its host
        bool up{false};      ///< there is a connection
    };

    void SetHandler(uint16_t messageType, Handler handler);
    /// Gives a peer its id.
    PeerId AddPeer(Ipv4Address address);
    /// A peer is up.
    void NotifyUp(PeerId peer);
    /// A connection with a peer could not be opened, or has ended.
    void NotifyDown(PeerId peer, const std::string& reason, bool forget);
    /// Handles a message that has arrived, and returns whether it was valid.
    bool Receive(PeerId peer, uint16_t messageType, Ptr<Packet> body);

    Ptr<Node> m_node;                ///< the host
    Transport m_transportKind;       ///< attribute Transport
    Ptr<TransportProfile> m_profile; ///< attribute Profile
    uint8_t m_band;                  ///< attribute Band
    uint64_t m_key;                  ///< attribute Key
    uint8_t m_dscp;                  ///< attribute Dscp
    double m_lossRate;               ///< attribute LossRate
    uint16_t m_firstLocalPort;       ///< attribute FirstLocalPort
    uint16_t m_nextLocalPort{0};     ///< port of the next connection, if m_firstLocalPort is set
    Time m_messageDelay;             ///< attribute MessageDelay
    Time m_reconnectDelay;           ///< attribute ReconnectDelay
    Ptr<UniformRandomVariable> m_lossVariable;     ///< random variable for losses
    std::unique_ptr<ControlTransport> m_transport; ///< transport; null: the process does not run
    PeerId m_nextPeer{1};                          ///< id of the next peer
    std::map<PeerId, Peer> m_peers;                ///< known peers
    std::map<uint16_t, Handler> m_handlers;        ///< handlers by message type
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
