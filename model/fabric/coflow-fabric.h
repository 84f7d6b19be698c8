/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FABRIC_H
#define COFLOW_FABRIC_H

#include "ns3/coflow-band-counters.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-topology.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::coflow
{

class FabricListener;

/// Counters of a port since time 0. Bytes are bytes of IPv4 packets, without the frame around them.
/// At any time, for every port: receivedPackets = packets + droppedPackets + queuedPackets. The
/// same holds for bytes.
struct PortStatistics
{
    uint64_t receivedPackets{0}; ///< packets given to the port to be sent
    uint64_t receivedBytes{0};   ///< bytes given to the port to be sent
    uint64_t packets{0};         ///< packets taken out of the queue to be sent
    uint64_t bytes{0};           ///< bytes taken out of the queue to be sent
    uint64_t droppedPackets{0};  ///< packets dropped by the queue
    uint64_t droppedBytes{0};    ///< bytes dropped by the queue
    uint64_t markedPackets{0};   ///< packets that the port has given an ECN mark
    uint64_t queuedPackets{0};   ///< packets that wait in the queue now
    uint64_t queuedBytes{0};     ///< bytes that wait in the queue now
    uint64_t maxQueueBytes{0};   ///< most bytes that ever waited in the queue
    double meanQueueBytes{0};    ///< time-weighted mean of the bytes in the queue since time 0,
                                 ///< without the time that jumps skip
};

/// Sums over all ports of a fabric. At any time: injected = delivered + dropped + queued packets.
struct FabricTotals
{
    uint64_t injectedPackets{0};  ///< packets that hosts have given to their uplinks
    uint64_t deliveredPackets{0}; ///< packets that arrived at the device of a host
    uint64_t droppedPackets{0};   ///< packets dropped by queues, or because there is no path
    uint64_t queuedPackets{0};    ///< packets in queues and on wires
    uint64_t droppedBytes{0};     ///< bytes dropped by queues
    uint64_t markedPackets{0};    ///< ECN marks given
    uint64_t packetHops{0};       ///< packets sent, summed over all ports
};

/// A simulated network with the shape of a Topology. Its hosts have ns-3's Internet stack.
///
/// The order of use is: create the fabric, set its attributes, call Build() once, then install
/// applications on GetHosts(). Hosts have the addresses 10.0.0.1, 10.0.0.2, ... in the order of
/// their ids.
class Fabric : public HostNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param topology the topology
    void SetTopology(Ptr<Topology> topology)
    {
        m_topology = topology;
    }

    /// @return the topology
    Ptr<Topology> GetTopology() const
    {
        return m_topology;
    }

    /// Builds the topology, then hosts, links and switches; to be called once. Throws
    /// ::coflow::InputError where an attribute has a value that is not allowed.
    void Build();

    const NodeContainer& GetHosts() const override
    {
        return m_hosts;
    }

    Ipv4Address GetAddress(HostId host) const override;
    HostId GetHostWithAddress(Ipv4Address address) const override;
    DataRate GetCurrentUplinkRate(HostId host) const override;
    uint64_t GetWaitingBytes(HostId host) const override;
    /// See HostNetwork::GetPortShare(). The share follows from the link in the topology and the
    /// host's IPv4 interface. To be called after Build().
    double GetPortShare(HostId host) const override;
    NetworkCounts GetCounts() const override;

    // The next functions may be called when the topology is built. Before Build(), rates are rates
    // of the topology. After Build(), rates stay as they were at Build().
    uint32_t GetNHosts() const override;
    DataRate GetUplinkRate(HostId host) const override;
    DataRate GetDownlinkRate(HostId host) const override;
    double GetSecondsPerBit() const override;
    Time GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const override;
    BandwidthDelay GetBandwidthDelay() const override;
    std::shared_ptr<const ::coflow::PathMap> GetPaths() const override;

    /// @param host a host
    /// @return the host's address
    static Ipv4Address GetHostAddress(HostId host)
    {
        return Ipv4Address(FIRST_ADDRESS + host);
    }

    /// @param address any address
    /// @param hosts number of hosts
    /// @return the host with the address, or the parameter hosts where no host has it
    static HostId GetHostByAddress(Ipv4Address address, uint32_t hosts)
    {
        // Addresses below the first become large numbers.
        return std::min(address.Get() - FIRST_ADDRESS, hosts);
    }

    /// @param host a host
    /// @return the device of the host in the fabric
    virtual Ptr<NetDevice> GetHostDevice(HostId host) const = 0;

    /// @param port a port of the topology
    /// @return the port's counters
    virtual PortStatistics GetPortStatistics(LinkPort port) const = 0;

    /// @param port a port of the topology
    /// @return packets that the port's queue has dropped, by reason. Reasons are constants of the
    ///         queue disc, such as FifoQueueDisc::FULL_DROP and PortDiscipline::REFUSED_DROP
    virtual std::map<std::string, uint64_t> GetDrops(LinkPort port) const = 0;

    /// @param port a port of the topology
    /// @return bytes of the packets that wait in the port's queue now, without the packet on the
    ///         wire
    virtual uint64_t GetQueuedBytes(LinkPort port) const = 0;

    /// @param port a port of the topology
    /// @return the port's counters by band; empty where the queue has no bands
    virtual std::vector<BandStatistics> GetBandStatistics(LinkPort port) const = 0;

    /// Reports every packet to a listener; to be called once, after Build().
    /// @param listener the listener, which must exist until the simulation is destroyed
    virtual void SetListener(FabricListener& listener) = 0;

    /// @return sums of counters over all ports. The call takes time in proportion to the number of
    ///         ports
    FabricTotals GetTotals() const;

    /// @return packets sent, summed over all ports. The call takes time in proportion to the number
    ///         of ports
    uint64_t GetPacketHops() const;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    // The next two functions are to be called after Build().
    uint64_t GetQueueLimit() const override
    {
        return m_queueLimit;
    }

    PortQueue GetPortQueue() const override;

  protected:
    /// @return the factory of a port's queue disc, from the attribute QueueDisc
    const ObjectFactory& GetQueueDiscFactory() const
    {
        return m_queueDiscFactory;
    }

    void DoDispose() override;

  private:
    static constexpr uint32_t FIRST_ADDRESS = 0x0a000001; ///< 10.0.0.1

    /// Builds hosts, links and switches for the topology, which is built already.
    /// @param hosts container, which the hosts' nodes are added to
    virtual void DoBuild(NodeContainer& hosts) = 0;

    /// @return packets that have arrived at the other end of a port's wire
    /// @param port a port of the topology
    virtual uint64_t GetArrivedPackets(LinkPort port) const = 0;

    /// @return packets that switches have dropped because there is no path
    virtual uint64_t GetUnroutedPackets() const = 0;

    /// @param port an uplink or downlink of a host
    /// @return the port's rate at Build(), or its rate in the topology before Build()
    DataRate GetHostPortRate(LinkPort port) const;

    void ParseQueueDisc();

    /// Refuses a queue that is too short for a full packet, and stores the limit.
    void CheckQueueLimit();

    Ptr<Topology> m_topology;
    uint16_t m_mtu;          ///< attribute Mtu
    std::string m_queueDisc; ///< attribute QueueDisc
    ObjectFactory m_queueDiscFactory;
    uint64_t m_queueLimit{0}; ///< bytes that may wait at a port; 0: unlimited
    NodeContainer m_hosts;
    mutable std::optional<BandwidthDelay> m_bandwidthDelay; ///< computed at the first call
    std::vector<DataRate> m_hostPortRates; ///< rates of the hosts' links at Build(), by LinkPort
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_H
