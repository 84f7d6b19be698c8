/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_NETWORK_H
#define COFLOW_HOST_NETWORK_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-types.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

namespace ns3::coflow
{

/// What the ports of a network have done so far, all together.
struct NetworkCounts
{
    uint64_t droppedPackets{0}; ///< packets that queues dropped, or switches for want of a path
    uint64_t markedPackets{0};  ///< packets that were given an ECN mark
    uint64_t packetHops{0};     ///< packets that were put on a wire
};

/// The path between two hosts on which most bytes are under way where it is full and nothing waits.
struct BandwidthDelay
{
    /// Frames that round trips are told of, whatever the size of segments: 1448 bytes of payload
    /// there, and an acknowledgement back.
    static constexpr uint32_t FRAME_BYTES = 1502;
    static constexpr uint32_t BACK_BYTES = 54; ///< the acknowledgement's frame

    DataRate rate{0}; ///< of the slowest port on the path
    Time roundTrip; ///< delays of all links, and the times of a frame at all ports; there and back

    /// @return rate x round trip
    uint64_t GetBytes() const
    {
        return static_cast<uint64_t>(
            std::llround(static_cast<double>(rate.GetBitRate()) / 8 * roundTrip.GetSeconds()));
    }
};

/// The queue of a network's ports.
struct PortQueue
{
    std::string type;             ///< class; "several" where ports differ, empty: none
    std::string markingThreshold; ///< as its attribute; empty: it has none
    uint64_t thresholdBytes{0};   ///< the same, full packets for packets; 0: it does not mark
    std::string maxSize;          ///< as its attribute, of every band; empty: it has none

    bool operator==(const PortQueue&) const = default;
};

/// A network as a scheduler, a transport and applications see it: its hosts, how these are
/// addressed, and how fast their ports are. A Fabric is one, which builds the nodes itself;
/// InstalledNetwork is another, on nodes that a script has made.
///
/// Everything here is known before a run begins, as operators know it, but for
/// GetCurrentUplinkRate(), GetWaitingBytes() and GetPortShare(), which a host may ask of its own
/// port only, and GetCounts(), which is for reports.
class HostNetwork : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return number of hosts; known before the hosts are built
    virtual uint32_t GetNHosts() const = 0;

    /// @return the hosts' nodes in the order of their ids
    virtual const NodeContainer& GetHosts() const = 0;

    /// @param host a host
    /// @return the address at which other hosts reach it
    virtual Ipv4Address GetAddress(HostId host) const = 0;

    /// @param address any address
    /// @return the host that has it, or the number of hosts where there is none
    virtual HostId GetHostWithAddress(Ipv4Address address) const = 0;

    /// @param host a host
    /// @return the rate at which it sends into the network, as it was when the network was built,
    ///         or found by InstalledNetwork
    virtual DataRate GetUplinkRate(HostId host) const = 0;

    /// @param host a host
    /// @return the rate at which the network sends to it, likewise
    virtual DataRate GetDownlinkRate(HostId host) const = 0;

    /// @param host a host
    /// @return the rate at which its port sends now, whether or not its link is up
    virtual DataRate GetCurrentUplinkRate(HostId host) const = 0;

    /// @param host a host
    /// @return bytes that wait in its port now, without the packet on the wire
    virtual uint64_t GetWaitingBytes(HostId host) const = 0;

    /// @param host a host
    /// @return the share of its rate that its port has for coflows now: 0 while its link is down,
    ///         less than 1 while it is slower than GetUplinkRate() says, or where other traffic has
    ///         its part, and more than 1 while it is faster
    virtual double GetPortShare(HostId host) const = 0;

    /// @return largest IPv4 packet that every port carries, in bytes
    virtual uint16_t GetMtu() const = 0;

    /// @return most bytes that may wait at a port, as far as queues have a limit
    virtual uint64_t GetQueueLimit() const = 0;

    /// @return the time that a bit takes to be sent once by every port of the longest path between
    ///         two hosts, in seconds, as if each of them were the slowest of its kind
    virtual double GetSecondsPerBit() const = 0;

    /// @param bytes of a packet on the wire
    /// @param backBytes of the packet that answers it
    /// @return the longest time that the two take between any two hosts where nothing waits
    virtual Time GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const = 0;

    /// @return the path between two hosts of which rate x round trip is largest; known when rates
    ///         and delays are
    virtual BandwidthDelay GetBandwidthDelay() const = 0;

    /// @return the queue of its ports, known when they are there
    virtual PortQueue GetPortQueue() const = 0;

    /// @return by which share of its time a full segment takes longer at a port than at the rate of
    ///         the port's link, as devices round times; below 0: it takes less. Of the port that is
    ///         farthest off
    virtual double GetPacketTimeError() const
    {
        return 0;
    }

    /// @return links and paths inside the network, and the labels by which packets take them; null
    ///         where the network does not go by labels
    virtual std::shared_ptr<const ::coflow::PathMap> GetPaths() const
    {
        return nullptr;
    }

    /// @return what all ports have done; takes time in proportion to their number
    virtual NetworkCounts GetCounts() const = 0;

    /// @return rates of the hosts' ports, in bytes per second
    ::coflow::PortRates GetRates() const;
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_NETWORK_H
