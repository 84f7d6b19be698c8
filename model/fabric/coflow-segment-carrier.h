/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SEGMENT_CARRIER_H
#define COFLOW_SEGMENT_CARRIER_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-types.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>

namespace ns3::coflow
{

/// Receives the segments and datagrams that arrive at a host without an ns-3 packet.
class SegmentReceiver
{
  public:
    /// A segment has arrived.
    /// @param segment the segment
    /// @param from address of the sending host
    /// @param ecn ECN field of its IPv4 header
    /// @param packetClass class that the sending host has given the segment
    /// @param end number of the end of the connection, which may be wrong; 0: unknown
    virtual void ReceiveSegment(const LeanSegment& segment,
                                Ipv4Address from,
                                uint8_t ecn,
                                const PacketClass& packetClass,
                                uint32_t end) = 0;

    /// A UDP datagram has arrived.
    /// @param payload content of the datagram
    /// @param connection name of the connection at the receiving host
    virtual void ReceiveDatagram(Ptr<Packet> payload, const ConnectionName& connection) = 0;

  protected:
    ~SegmentReceiver() = default;
};

/// State of a connection that a SegmentCarrier keeps from one segment to the next, so that it need
/// not look up path and class again. A sender has one SegmentRoute per connection, and sets the
/// number of the end.
struct SegmentRoute
{
    uint32_t end{0}; ///< number of the receiving end, to find it fast; 0: unknown

    // Set by the carrier.
    uint32_t epoch{0};                           ///< state of the topology when the path was found
    std::array<LinkPort, MAX_PATH_PORTS> path{}; ///< all ports of the path, if known
    uint8_t hops{0};                             ///< number of ports on the path; 0: not known
    uint32_t classVersion{0}; ///< version of the classifier for packetClass; 0: none
    uint32_t label{0};        ///< label of the path; 0: none
    uint64_t flowHash{0};
    const PacketClass* packetClass{nullptr}; ///< class of the connection's packets
};

/// Receives a call for every TCP segment that a host sends, before the host's port queues or drops
/// the segment.
class SegmentListener
{
  public:
    /// @param host the sending host
    /// @param destination address of the other host
    /// @param segment the segment
    /// @param ecn ECN field of its IPv4 header
    /// @param packetClass class that the host has given the segment
    virtual void Sent(::coflow::HostId host,
                      Ipv4Address destination,
                      const LeanSegment& segment,
                      uint8_t ecn,
                      const PacketClass& packetClass) = 0;

  protected:
    ~SegmentListener() = default;
};

/// A network that carries segments of lean connections, and datagrams, together with ns-3's
/// packets.
class SegmentCarrier
{
  public:
    /// @param host a host
    /// @param receiver the receiver of the host's segments; null: the segments are dropped
    virtual void SetReceiver(::coflow::HostId host, SegmentReceiver* receiver) = 0;

    /// @param address an address
    /// @return the receiver of the host with the address; null: there is none
    virtual SegmentReceiver* GetReceiver(Ipv4Address address) const = 0;

    /// A host sends a segment. The segment is lost where there is no path.
    /// @param host the host
    /// @param segment the segment
    /// @param connection name of the connection at the host
    /// @param dsField DSCP and ECN of the segment's IPv4 header
    /// @param route route of the connection
    virtual void SendSegment(::coflow::HostId host,
                             const LeanSegment& segment,
                             const ConnectionName& connection,
                             uint8_t dsField,
                             SegmentRoute& route) = 0;

    /// A host sends a UDP datagram. The datagram is lost where there is no path.
    /// @param host the host
    /// @param payload content without headers, which must not change after the call
    /// @param connection name of the connection at the host
    /// @param route route of the datagrams with this name
    virtual void SendDatagram(::coflow::HostId host,
                              Ptr<Packet> payload,
                              const ConnectionName& connection,
                              SegmentRoute& route) = 0;

    /// A segment for an end of a connection will arrive soon.
    /// @param end number of the end
    /// @param stage stage of IntrusiveEventKind::prefetch
    using Prefetch = void (*)(uint32_t end, std::size_t stage);

    /// @param prefetch brings to the cache the memory that the end will touch. It may be called for
    ///        any number that a route has had
    virtual void SetPrefetch(Prefetch prefetch) = 0;

    /// @param from a host
    /// @param address an address
    /// @return whether there is a path from the host to another host with the address
    virtual bool HasPath(::coflow::HostId from, Ipv4Address address) const = 0;

    /// @param host a host
    /// @return whether a trace sink is connected to the packets of the host's device
    virtual bool IsSniffed(::coflow::HostId host) const = 0;

    /// @param address address of a host
    /// @return the host
    virtual ::coflow::HostId GetHost(Ipv4Address address) const = 0;

  protected:
    ~SegmentCarrier() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_SEGMENT_CARRIER_H
