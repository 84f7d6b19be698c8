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

/// What a port has done so far. Bytes are those of IPv4 packets, without the frame around them.
/// At any time, for every port: received packets = packets + droppedPackets + queuedPackets,
/// and the same of bytes.
struct PortStatistics
{
    uint64_t receivedPackets{0}; ///< packets handed to the port to be sent
    uint64_t receivedBytes{0};   ///< bytes handed to the port to be sent
    uint64_t packets{0};         ///< packets taken out of the queue to be put on the wire
    uint64_t bytes{0};           ///< bytes taken out of the queue to be put on the wire
    uint64_t droppedPackets{0};  ///< packets dropped by the queue
    uint64_t droppedBytes{0};    ///< bytes dropped by the queue
    uint64_t markedPackets{0};   ///< packets that were given an ECN mark here
    uint64_t queuedPackets{0};   ///< packets that wait in the queue now
    uint64_t queuedBytes{0};     ///< bytes that wait in the queue now
    uint64_t maxQueueBytes{0};   ///< most bytes that ever waited in the queue
    double meanQueueBytes{0};    ///< time-weighted mean of the waiting bytes over the time
                                 ///< that was simulated, packet by packet, since time 0
};

/// Sums over a whole fabric: where its packets are.
/// At any time: injected = delivered + dropped + queued.
struct FabricTotals
{
    uint64_t injectedPackets{0};  ///< packets that hosts handed to their uplinks
    uint64_t deliveredPackets{0}; ///< packets that arrived at the device of a host
    uint64_t droppedPackets{0};   ///< packets dropped by queues, or for want of a path
    uint64_t queuedPackets{0};    ///< packets in queues and on wires
    uint64_t droppedBytes{0};     ///< bytes dropped by queues
    uint64_t markedPackets{0};    ///< ECN marks given
    uint64_t packetHops{0};       ///< packets put on the wire, summed over all ports
};

/// A network of hosts with full ns-3 stacks, run over a Topology.
///
/// Life: create, set attributes, Build() once, then install applications on GetHosts().
/// Hosts are addressed 10.0.0.1, 10.0.0.2, ... in the order of their ids.
class Fabric : public HostNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param topology what the network looks like
    void SetTopology(Ptr<Topology> topology)
    {
        m_topology = topology;
    }

    /// @return what the network looks like
    Ptr<Topology> GetTopology() const
    {
        return m_topology;
    }

    /// Builds the topology, then hosts, links and switches; to be called once.
    /// Throws ::coflow::InputError where an attribute has a value that cannot be.
    void Build();

    const NodeContainer& GetHosts() const override
    {
        return m_hosts;
    }

    Ipv4Address GetAddress(HostId host) const override;
    HostId GetHostWithAddress(Ipv4Address address) const override;
    DataRate GetCurrentUplinkRate(HostId host) const override;
    uint64_t GetWaitingBytes(HostId host) const override;
    /// As its link is in the topology and its IPv4 interface says now; after Build().
    double GetPortShare(HostId host) const override;
    NetworkCounts GetCounts() const override;

    // These are known when the topology is built. Rates are the topology's until Build(), and from
    // then on as they were at Build().
    uint32_t GetNHosts() const override;
    DataRate GetUplinkRate(HostId host) const override;
    DataRate GetDownlinkRate(HostId host) const override;
    double GetSecondsPerBit() const override;
    Time GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const override;
    BandwidthDelay GetBandwidthDelay() const override;
    std::shared_ptr<const ::coflow::PathMap> GetPaths() const override;

    /// @param host a host
    /// @return its address
    static Ipv4Address GetHostAddress(HostId host)
    {
        return Ipv4Address(FIRST_ADDRESS + host);
    }

    /// @param address any address
    /// @param hosts number of hosts
    /// @return the host that has the address, or hosts where there is none
    static HostId GetHostByAddress(Ipv4Address address, uint32_t hosts)
    {
        // Addresses below the first become large numbers.
        return std::min(address.Get() - FIRST_ADDRESS, hosts);
    }

    /// @param host a host
    /// @return the device by which it is attached to the fabric
    virtual Ptr<NetDevice> GetHostDevice(HostId host) const = 0;

    /// @param port a port of the topology
    /// @return what the port has done so far
    virtual PortStatistics GetPortStatistics(LinkPort port) const = 0;

    /// @param port a port of the topology
    /// @return packets that its queue has dropped so far, by reason: constants of its queue disc,
    ///         such as FifoQueueDisc::FULL_DROP and PortDiscipline::REFUSED_DROP
    virtual std::map<std::string, uint64_t> GetDrops(LinkPort port) const = 0;

    /// @param port a port of the topology
    /// @return bytes of the packets that wait in its queue now, without the one on the wire
    virtual uint64_t GetQueuedBytes(LinkPort port) const = 0;

    /// @param port a port of the topology
    /// @return what it has done so far, by band; empty where its queue has no bands
    virtual std::vector<BandStatistics> GetBandStatistics(LinkPort port) const = 0;

    /// Reports every packet to a listener; to be called once, after Build().
    /// @param listener the listener, which has to live until the simulation is destroyed
    virtual void SetListener(FabricListener& listener) = 0;

    /// @return sums over all ports; takes time in proportion to their number
    FabricTotals GetTotals() const;

    /// @return how often a port put a packet on a wire; takes time as GetTotals()
    uint64_t GetPacketHops() const;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    // To be asked after Build().
    uint64_t GetQueueLimit() const override
    {
        return m_queueLimit;
    }

    PortQueue GetPortQueue() const override;

  protected:
    /// @return makes the queue of one port, as the attribute QueueDisc says
    const ObjectFactory& GetQueueDiscFactory() const
    {
        return m_queueDiscFactory;
    }

    void DoDispose() override;

  private:
    static constexpr uint32_t FIRST_ADDRESS = 0x0a000001; ///< 10.0.0.1

    /// Builds everything for the topology, which has been built.
    /// @param hosts where the hosts' nodes are put
    virtual void DoBuild(NodeContainer& hosts) = 0;

    /// @return packets that have arrived at the other end of a port's wire
    /// @param port a port of the topology
    virtual uint64_t GetArrivedPackets(LinkPort port) const = 0;

    /// @return packets that a switch dropped before any port's queue, for want of a path
    virtual uint64_t GetUnroutedPackets() const = 0;

    /// @param port an uplink or downlink of a host
    /// @return its rate at Build(), or in the topology before
    DataRate GetHostPortRate(LinkPort port) const;

    void ParseQueueDisc();

    /// Refuses a queue into which no full packet fits, and notes what the limit is.
    void CheckQueueLimit();

    Ptr<Topology> m_topology;
    uint16_t m_mtu;          ///< attribute Mtu
    std::string m_queueDisc; ///< attribute QueueDisc
    ObjectFactory m_queueDiscFactory;
    uint64_t m_queueLimit{0}; ///< bytes that may wait at a port; 0: unlimited
    NodeContainer m_hosts;
    mutable std::optional<BandwidthDelay> m_bandwidthDelay; ///< when it was asked for first
    std::vector<DataRate> m_hostPortRates; ///< by LinkPort, those of hosts' links, at Build()
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_H
