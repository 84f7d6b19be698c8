/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_HOST_H
#define COFLOW_LEAN_HOST_H

#include "ns3/channel.h"
#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-segment-carrier.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

namespace ns3::coflow
{

class HostPorts;

/// The lean connections of a host, by connection name and port. LeanHost demultiplexes the segments
/// for the host. Ports come from the host's HostPorts, as for connections of CoflowTcpSockets.
class LeanHost : public Object, public SegmentReceiver
{
  public:
    /// Called when a connection was accepted.
    using AcceptCallback = std::function<void(const Ptr<LeanConnection>&)>;
    /// Called with the payload and the sender of a datagram.
    using DatagramCallback = std::function<void(Ptr<Packet>, Ipv4Address)>;

    /// @return the TypeId
    static TypeId GetTypeId();

    LeanHost();
    ~LeanHost() override;

    /// Attaches this object to its host. Must be called once.
    /// @param channel a SegmentCarrier, which carries the segments of the host
    /// @param host the host
    /// @param address address of the host
    /// @param node node of the host
    void Attach(const Ptr<Channel>& channel,
                ::coflow::HostId host,
                Ipv4Address address,
                const Ptr<Node>& node);

    /// @param settings settings of the connection
    /// @return a new connection in the state CLOSED
    Ptr<LeanConnection> Create(std::shared_ptr<const LeanSettings> settings);

    /// @param peer an address
    /// @return whether the network has a path to a host with this address now
    bool HasPath(Ipv4Address peer) const;

    /// @param peer address of another host
    /// @return whether a trace sink of one of the two hosts needs packets, which lean connections
    ///         do not have
    bool IsSniffed(Ipv4Address peer) const;

    /// Begins to accept connections to a port.
    /// @param port the port
    /// @param settings settings of these connections
    /// @param accept called for each accepted connection
    void Listen(uint16_t port, std::shared_ptr<const LeanSettings> settings, AcceptCallback accept);

    /// Accepts no more connections to a port.
    void StopListening(uint16_t port);

    /// Begins to receive datagrams of SendDatagram() to a UDP port. The caller must have bound a
    /// socket to the port.
    /// @param port the port
    /// @param callback called for each datagram; null: no more datagrams are received
    void TakeDatagrams(uint16_t port, DatagramCallback callback);

    /// @param peer address of another host
    /// @return whether SendDatagram() can reach this host
    bool TakesDatagrams(Ipv4Address peer) const;

    /// Sends a datagram now.
    /// @param payload payload of the datagram; must not change any more
    /// @param connection name of the connection at this host
    /// @param route route of the datagrams with this name
    void SendDatagram(Ptr<Packet> payload, const ConnectionName& connection, SegmentRoute& route);

    void ReceiveDatagram(Ptr<Packet> payload, const ConnectionName& connection) override;

    void ReceiveSegment(const LeanSegment& segment,
                        Ipv4Address from,
                        uint8_t ecn,
                        const PacketClass& packetClass,
                        uint32_t end) override;

    /// @return the host's address
    Ipv4Address GetAddress() const
    {
        return m_address;
    }

    /// @return id of the host's node
    uint32_t GetContext() const
    {
        return m_context;
    }

    // Functions for connections.

    uint16_t TakePort();
    /// Takes a port. @return whether the port was free
    bool TakePort(uint16_t port);
    /// @param port a port that was taken; 0: no effect
    void GivePortBack(uint16_t port);
    /// @return whether there is a path to an address
    /// @throws ::coflow::InputError if the host at the address takes no lean connections
    bool IsReachable(Ipv4Address address) const;
    void Enter(LeanConnection& connection);
    void Leave(LeanConnection& connection);
    /// The first acknowledgement of a connection that was accepted has come.
    /// @param listener number of the listener that has received the SYN
    void NotifyAccepted(LeanConnection& connection, uint32_t listener);
    /// Sends a segment now.
    /// @param segment the segment
    /// @param connection name of the connection at this host
    /// @param dsField DSCP and ECN of its IPv4 header
    /// @param route route of the connection
    void Send(const LeanSegment& segment,
              const ConnectionName& connection,
              uint8_t dsField,
              SegmentRoute& route);

  protected:
    void DoDispose() override;

  private:
    /// A listener at a port.
    struct Listener
    {
        std::shared_ptr<const LeanSettings> settings;
        AcceptCallback accept;
        uint32_t number; ///< distinguishes listeners that have had the same port
    };

    /// @return the end of the sending host for a segment; null: none
    Ptr<LeanConnection> FindPeer(const LeanSegment& segment, Ipv4Address from) const;
    /// Sends a reset for a segment without a connection (RFC 9293, 3.10.7.1).
    void Refuse(const LeanSegment& segment, Ipv4Address from);

    Ptr<Channel> m_channel; ///< keeps the carrier alive
    SegmentCarrier* m_carrier{nullptr};
    ::coflow::HostId m_host{0};
    uint32_t m_context{UINT32_MAX}; ///< id of the node
    Ipv4Address m_address;
    Ptr<HostPorts> m_ports;
    std::unordered_map<ConnectionName, Ptr<LeanConnection>, ConnectionNameHash>
        m_connections; ///< never iterated
    std::unordered_map<uint16_t, Listener> m_listeners;
    uint32_t m_lastListener{0};                                 ///< number of the last listener
    std::unordered_map<uint16_t, DatagramCallback> m_datagrams; ///< callbacks, by UDP port
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_HOST_H
