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

/// Counters of a network since time 0, summed over all ports.
struct NetworkCounts
{
    uint64_t droppedPackets{0}; ///< packets dropped by queues, or because there is no path
    uint64_t markedPackets{0};  ///< packets that were given an ECN mark
    uint64_t packetHops{0};     ///< packets sent, summed over all ports
};

/// The path between two hosts with the largest bandwidth-delay product.
struct BandwidthDelay
{
    /// Size of the frame one way, for round-trip times: 1448 bytes of payload with headers. The
    /// size does not depend on the segment size.
    static constexpr uint32_t FRAME_BYTES = 1502;
    static constexpr uint32_t BACK_BYTES = 54; ///< size of the frame back, an acknowledgement

    DataRate rate{0}; ///< rate of the slowest port on the path
    Time roundTrip;   ///< delays of all links and transmission times of a frame at all ports, both
                      ///< ways

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
    std::string type;             ///< class; "several": ports differ; empty: no queue
    std::string markingThreshold; ///< attribute MarkingThreshold; empty: no such attribute
    /// The marking threshold in bytes, where each packet counts as a full packet. 0: no marks.
    uint64_t thresholdBytes{0};
    std::string maxSize; ///< attribute MaxSize, per band; empty: no such attribute

    bool operator==(const PortQueue&) const = default;
};

/// The interface of a network for schedulers, transport and applications: hosts, their addresses,
/// and the rates of their ports. A Fabric is a network that builds its nodes itself. An
/// InstalledNetwork is a network on nodes that a script has made.
///
/// Four functions return present values: GetCurrentUplinkRate(), GetWaitingBytes(), GetPortShare()
/// and GetCounts(). A host may call the first three for its own port only. Only reports use
/// GetCounts(). All other values are known before a run begins.
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
    /// @return the address that other hosts use for the host
    virtual Ipv4Address GetAddress(HostId host) const = 0;

    /// @param address any address
    /// @return the host with the address, or the number of hosts where no host has it
    virtual HostId GetHostWithAddress(Ipv4Address address) const = 0;

    /// @param host a host
    /// @return the rate of the host's port into the network, at the time at which the network was
    ///         built. For an InstalledNetwork, the time is the time of its construction
    virtual DataRate GetUplinkRate(HostId host) const = 0;

    /// @param host a host
    /// @return the rate of the network's port to the host, at the same time as in GetUplinkRate()
    virtual DataRate GetDownlinkRate(HostId host) const = 0;

    /// @param host a host
    /// @return the present rate of the host's port into the network, even while its link is down
    virtual DataRate GetCurrentUplinkRate(HostId host) const = 0;

    /// @param host a host
    /// @return bytes that wait in the host's port now, without the packet on the wire
    virtual uint64_t GetWaitingBytes(HostId host) const = 0;

    /// @param host a host
    /// @return the present share of GetUplinkRate() that coflows may use at the host's port: 0
    ///         while the link is down. The share is less than 1 while the port is slower than
    ///         GetUplinkRate(), or while other traffic has a share. It is more than 1 while the
    ///         port is faster
    virtual double GetPortShare(HostId host) const = 0;

    /// @return size of the largest IPv4 packet that all ports carry, in bytes
    virtual uint16_t GetMtu() const = 0;

    /// @return largest number of bytes that may wait at a port; 0: unlimited
    virtual uint64_t GetQueueLimit() const = 0;

    /// @return the sum of the transmission times of one bit at all ports of the longest path
    ///         between two hosts, in seconds. For each port, the sum has the rate of the slowest
    ///         port of the same kind
    virtual double GetSecondsPerBit() const = 0;

    /// @param bytes size of a packet on the wire
    /// @param backBytes size of the packet that comes back
    /// @return the longest round-trip time of the two packets between any two hosts, with empty
    ///         queues
    virtual Time GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const = 0;

    /// @return the path between two hosts with the largest rate x round trip; known when rates and
    ///         delays are known
    virtual BandwidthDelay GetBandwidthDelay() const = 0;

    /// @return the queue of the network's ports; known when the ports exist
    virtual PortQueue GetPortQueue() const = 0;

    /// @return the relative error of the transmission time of a full segment, at the port with the
    ///         largest error. Devices round times to ns-3's time steps, which causes the error.
    ///         Below 0: the time is too short
    virtual double GetPacketTimeError() const
    {
        return 0;
    }

    /// @return links and paths inside the network, and the labels by which packets choose paths;
    ///         null where the network does not use labels
    virtual std::shared_ptr<const ::coflow::PathMap> GetPaths() const
    {
        return nullptr;
    }

    /// @return counters, summed over all ports. The call takes time in proportion to the number of
    ///         ports
    virtual NetworkCounts GetCounts() const = 0;

    /// @return rates of the hosts' ports, in bytes per second
    ::coflow::PortRates GetRates() const;
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_NETWORK_H
