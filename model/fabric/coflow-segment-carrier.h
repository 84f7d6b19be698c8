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

/// Takes the segments and datagrams that arrive at a host without a packet around them.
class SegmentReceiver
{
  public:
    /// A segment has arrived.
    /// @param segment the segment
    /// @param from address of the sending host
    /// @param ecn ECN field of its IPv4 header
    /// @param packetClass what its host said of it
    /// @param end number of the end of a connection that it probably is for; 0: unknown
    virtual void ReceiveSegment(const LeanSegment& segment,
                                Ipv4Address from,
                                uint8_t ecn,
                                const PacketClass& packetClass,
                                uint32_t end) = 0;

    /// A UDP datagram has arrived.
    /// @param payload what is in it
    /// @param connection its name at the receiving host
    virtual void ReceiveDatagram(Ptr<Packet> payload, const ConnectionName& connection) = 0;

  protected:
    ~SegmentReceiver() = default;
};

/// What a SegmentCarrier remembers of a connection from one segment to the next, so that it need
/// not ask again for what is as before. A sender keeps it for each of its connections, and sets the
/// end.
struct SegmentRoute
{
    uint32_t end{0}; ///< number of the receiving end, to find it soon; 0: unknown

    // The carrier's own.
    uint32_t epoch{0};                           ///< state of the topology that path was made for
    std::array<LinkPort, MAX_PATH_PORTS> path{}; ///< complete, if known
    uint8_t hops{0};                             ///< number of its ports; 0: it is not known
    uint32_t classVersion{0};                    ///< of the classifier, when it was asked; 0: never
    uint32_t label{0};                           ///< that path was made for; 0: none
    uint64_t flowHash{0};
    const PacketClass* packetClass{nullptr}; ///< the classifier's answer
};

/// Hears of every TCP segment that a host sends, before its port has decided about it.
class SegmentListener
{
  public:
    /// @param host the sending host
    /// @param destination address of the other host
    /// @param segment the segment
    /// @param ecn ECN field of its IPv4 header
    /// @param packetClass what the host says of it
    virtual void Sent(::coflow::HostId host,
                      Ipv4Address destination,
                      const LeanSegment& segment,
                      uint8_t ecn,
                      const PacketClass& packetClass) = 0;

  protected:
    ~SegmentListener() = default;
};

/// A network that carries segments of lean connections, and datagrams, among the packets of all
/// others.
class SegmentCarrier
{
  public:
    /// @param host a host
    /// @param receiver takes its segments; null: they are dropped
    virtual void SetReceiver(::coflow::HostId host, SegmentReceiver* receiver) = 0;

    /// @param address an address
    /// @return the receiver of the host that has it; or null
    virtual SegmentReceiver* GetReceiver(Ipv4Address address) const = 0;

    /// A host sends a segment, which is lost where there is no way.
    /// @param host the host
    /// @param segment the segment
    /// @param connection its name at the host
    /// @param dsField DSCP and ECN of its IPv4 header
    /// @param route of the connection
    virtual void SendSegment(::coflow::HostId host,
                             const LeanSegment& segment,
                             const ConnectionName& connection,
                             uint8_t dsField,
                             SegmentRoute& route) = 0;

    /// A host sends a UDP datagram, which is lost where there is no way.
    /// @param host the host
    /// @param payload its content, without headers; not changed any more
    /// @param connection its name at the host
    /// @param route of the datagrams with that name
    virtual void SendDatagram(::coflow::HostId host,
                              Ptr<Packet> payload,
                              const ConnectionName& connection,
                              SegmentRoute& route) = 0;

    /// A segment for an end of a connection will arrive soon.
    /// @param end its number
    /// @param stage as IntrusiveEventKind::prefetch has them
    using Prefetch = void (*)(uint32_t end, std::size_t stage);

    /// @param prefetch brings to the cache what the end will touch; may be called for any number
    ///        that a route had
    virtual void SetPrefetch(Prefetch prefetch) = 0;

    /// @param from a host
    /// @param address an address
    /// @return whether there is a way from the host to another that has the address
    virtual bool HasPath(::coflow::HostId from, Ipv4Address address) const = 0;

    /// @param host a host
    /// @return whether a trace sink wants the packets of its device
    virtual bool IsSniffed(::coflow::HostId host) const = 0;

    /// @param address a host's
    /// @return the host
    virtual ::coflow::HostId GetHost(Ipv4Address address) const = 0;

  protected:
    ~SegmentCarrier() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_SEGMENT_CARRIER_H
