/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRANSPORT_PROFILE_H
#define COFLOW_TRANSPORT_PROFILE_H

#include "ns3/coflow-connection.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::coflow
{

class LeanHost;

/// TCP's parameters for a data centre. ns-3's own defaults are for a wide-area network (536-byte
/// segments, 200 ms delayed ACKs, 1 s minimum timeout, four minutes of TIME_WAIT, a connection
/// aborted after six timeouts in a row).
///
/// The profile changes no global value. It sets every value at a node or socket, so that one
/// simulation may have several profiles. Sockets that a listening socket accepts inherit all
/// values.
class TransportProfile : public Object
{
  public:
    /// Bytes of IPv4 header, TCP header and the timestamp option (padded) around a segment.
    static constexpr uint32_t HEADER_BYTES = 52;

    /// Bytes of a frame around an IPv4 packet: the two bytes of PPP.
    static constexpr uint32_t FRAME_BYTES = 2;

    /// Bytes that a segment has on a link besides its payload.
    static constexpr uint32_t OVERHEAD_BYTES = HEADER_BYTES + FRAME_BYTES;

    /// @return the type with its attributes
    static TypeId GetTypeId();

    TransportProfile();
    ~TransportProfile() override;

    /// Makes the nodes' TCP create all sockets with this profile's congestion control. Throws
    /// ::coflow::InputError where the attribute CongestionOps is no congestion control, or where a
    /// buffer is too small for a full segment.
    /// @param nodes nodes with an Internet stack
    void Install(const NodeContainer& nodes) const;

    /// Sets this profile's values on a TCP socket that is neither bound nor connected.
    /// @param socket a socket from a node where the profile is installed, or whose congestion
    ///        control is already this profile's
    void Configure(Ptr<Socket> socket) const;

    /// @param node a node with an Internet stack; the profile need not be installed there
    /// @return a TCP socket with this profile's congestion control and values
    Ptr<CoflowTcpSocket> CreateSocket(Ptr<Node> node) const;

    /// @return whether connections are lean on a network that supports lean connections
    bool UsesLeanConnections() const;

    /// @param node a node where the profile is installed
    /// @param peer the host at the other end
    /// @return the node's lean connections where a connection to the peer is to be lean; otherwise
    ///         null
    Ptr<LeanHost> GetLeanHost(Ptr<Node> node, Ipv4Address peer) const;

    /// @param node a node where the profile is installed
    /// @param peer the host at the other end
    /// @return a closed connection of the kind in the attribute HostStack. With `auto`, the
    ///         connection has packets where a trace sink is connected to the device of either host
    Ptr<Connection> CreateConnection(Ptr<Node> node, Ipv4Address peer) const;

    /// @param node a node where the profile is installed
    /// @return settings that all lean connections share. They have the values of the attributes at
    ///         the first call
    std::shared_ptr<const LeanSettings> GetLeanSettings(Ptr<Node> node) const;

    /// @param node a host
    /// @return settings of lean connections that a sink accepts; the same object for all sinks, so
    ///         that it stays in the cache
    std::shared_ptr<const LeanSettings> GetLeanSettingsOfSinks(Ptr<Node> node) const;

    /// Number of SYN-ACKs after which a sink gives up a connection. A sink must not give up a
    /// connection while the other end still tries to open it. Otherwise ns-3's TCP ignores later
    /// packets of the other end, and the other end tries without end. With the default ConnTimeout,
    /// this number of SYN-ACKs takes three hours.
    static constexpr uint32_t MOST_SYNS_OF_SINKS = 20;

    /// Adapts timers to a slow network, so that no segment takes longer than its timer. Values that
    /// differ from the defaults stay. Throws ::coflow::InputError where MaxRto was given and is
    /// shorter than the time that a segment takes. Throws it also where a connection is given up
    /// before a SYN can be answered.
    /// @param segment sum of the transmission times of a full segment on the longest path and of
    ///        its acknowledgement on the way back, with empty queues and without propagation
    ///        delays
    /// @param queues time in which all bytes that may wait in the queues of that path are sent
    /// @param handshake round-trip time of a SYN and its answer on that path, with empty queues
    void FollowNetwork(Time segment, Time queues, Time handshake);

    /// @return the smallest MTU in bytes that carries a segment unfragmented
    uint32_t GetRequiredMtu() const;

    /// @return whether the congestion control needs ECN marks of ports
    bool UsesEcn() const;

    /// @return TCP payload bytes of a full segment
    uint32_t GetSegmentSize() const;

  private:
    /// The implementation of connections.
    enum class HostStack
    {
        AUTO, ///< LEAN where that is possible
        NS3,  ///< ns-3's sockets
        LEAN  ///< LeanConnection
    };

    /// Installs lean connections at a node.
    /// @return whether the network of the node carries the segments of lean connections
    static bool InstallLeanHost(Ptr<Node> node);

    /// A full segment has to fit into both buffers.
    void CheckBuffers() const;

    /// A handshake has to be over before a connection is given up.
    void CheckHandshake(Time handshake) const;

    /// @return whether an attribute has its default value
    bool IsDefault(const std::string& attribute) const;

    HostStack m_hostStack;     ///< implementation of connections
    TypeId m_congestionOps;    ///< congestion control
    uint32_t m_segmentSize;    ///< payload bytes of a full segment
    uint32_t m_initialWindow;  ///< segments
    Time m_minRto;             ///< smallest retransmission timeout
    Time m_maxRto;             ///< largest retransmission timeout
    Time m_clockGranularity;   ///< smallest variation term of the retransmission timeout
    Time m_initialRtt;         ///< RTT estimate before the first sample
    Time m_connTimeout;        ///< first retransmission timeout of a SYN
    uint32_t m_connCount;      ///< SYNs per connection attempt
    uint32_t m_dataRetries;    ///< timeouts in a row before a connection is aborted
    uint32_t m_delAckCount;    ///< segments per ACK
    Time m_delAckTimeout;      ///< longest delay of an ACK
    Time m_persistTimeout;     ///< first interval of zero-window probes
    uint32_t m_sendBuffer;     ///< bytes
    uint32_t m_receiveBuffer;  ///< bytes
    Time m_maxSegmentLifetime; ///< half of the time a closed connection waits
    bool m_sack;               ///< selective acknowledgements
    bool m_timestamps;         ///< timestamp option
    bool m_undoTimeouts;       ///< undo timeouts after which an original segment is acknowledged
    uint32_t m_slowStart;      ///< first slow-start threshold in bytes
    bool m_fastRetransmit;     ///< duplicate acknowledgements report losses
    uint32_t m_probeAfter;     ///< timeouts in a row; 0: never
    bool m_ecn;                ///< explicit congestion notification

    mutable std::shared_ptr<const LeanSettings> m_leanSettings;     ///< or none yet
    mutable std::shared_ptr<const LeanSettings> m_leanSinkSettings; ///< or none yet
};

} // namespace ns3::coflow

#endif // COFLOW_TRANSPORT_PROFILE_H
