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
#include <optional>
#include <unordered_map>

namespace ns3::coflow
{

class HostPorts;

/// The lean connections of a host: who is at which port, and where segments go. They have their
/// ports from the host's HostPorts, as connections of CoflowTcpSockets do.
class LeanHost : public Object, public SegmentReceiver
{
  public:
    /// Told of a connection that was accepted.
    using AcceptCallback = std::function<void(const Ptr<LeanConnection>&)>;
    /// Told of a datagram: what is in it, and who sent it.
    using DatagramCallback = std::function<void(Ptr<Packet>, Ipv4Address)>;

    /// @return the TypeId
    static TypeId GetTypeId();

    LeanHost();
    ~LeanHost() override;

    /// Attaches it to its host; to be called once.
    /// @param channel what takes segments of the host: a SegmentCarrier
    /// @param host the host
    /// @param address its address
    /// @param node its node
    void Attach(const Ptr<Channel>& channel,
                ::coflow::HostId host,
                Ipv4Address address,
                const Ptr<Node>& node);

    /// @param settings of the connection
    /// @return a connection that is closed
    Ptr<LeanConnection> Create(std::shared_ptr<const LeanSettings> settings);

    /// @param peer an address
    /// @return whether its network has a way to a host that has the address now
    bool HasPath(Ipv4Address peer) const;

    /// @param peer address of another host
    /// @return whether a trace sink wants the packets between the two, which lean connections do
    /// not
    ///         have
    bool IsSniffed(Ipv4Address peer) const;

    /// From now on, connections to a port are accepted.
    /// @param port the port
    /// @param settings of those connections
    /// @param accept is told of them
    void Listen(uint16_t port, std::shared_ptr<const LeanSettings> settings, AcceptCallback accept);

    /// Connections to a port are accepted no longer.
    void StopListening(uint16_t port);

    /// From now on, datagrams to a UDP port are taken, if they were sent by SendDatagram(). The
    /// port is the caller's: it has bound a socket to it.
    /// @param port the port
    /// @param callback is told of them; null: they are taken no longer
    void TakeDatagrams(uint16_t port, DatagramCallback callback);

    /// @param peer address of another host
    /// @return whether SendDatagram() leads to it
    bool TakesDatagrams(Ipv4Address peer) const;

    /// Sends a datagram now.
    /// @param payload what is in it; nobody changes it any more
    /// @param connection its name at this host
    /// @param route of the datagrams with that name
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

    // What connections use.

    uint16_t TakePort();
    /// @return whether a port was free, and is taken now
    bool TakePort(uint16_t port);
    /// @param port one that was taken; or 0
    void GivePortBack(uint16_t port);
    /// @return whether there is a way to an address
    /// @throws ::coflow::InputError where it is a host that takes no lean connections
    bool IsReachable(Ipv4Address address) const;
    void Enter(LeanConnection& connection);
    void Leave(LeanConnection& connection);
    /// The first acknowledgement of a connection that was accepted has come.
    /// @param listener number of the listener that its SYN has come to
    void NotifyAccepted(LeanConnection& connection, uint32_t listener);
    /// Sends a segment now.
    /// @param segment the segment
    /// @param connection its name at this host
    /// @param dsField DSCP and ECN of its IPv4 header
    /// @param route of the connection
    void Send(const LeanSegment& segment,
              const ConnectionName& connection,
              uint8_t dsField,
              SegmentRoute& route);

  protected:
    void DoDispose() override;

  private:
    /// Who accepts connections to a port.
    struct Listener
    {
        std::shared_ptr<const LeanSettings> settings;
        AcceptCallback accept;
        uint32_t number; ///< tells it from others that have had the port
    };

    /// @return the other end of a connection of another host; or none
    Ptr<LeanConnection> FindPeer(const LeanSegment& segment, Ipv4Address from) const;
    /// Resets a connection that is not there.
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
    uint32_t m_lastListener{0};                                 ///< number of the last one
    std::unordered_map<uint16_t, DatagramCallback> m_datagrams; ///< by UDP port
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_HOST_H
