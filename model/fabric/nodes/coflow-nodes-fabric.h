/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NODES_FABRIC_H
#define COFLOW_NODES_FABRIC_H

#include "ns3/coflow-fabric-listener.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-queue-occupancy.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-disc.h"

#include <vector>

namespace ns3::coflow
{

class PortRoutes;

/// The fabric `nodes`, which simulates ns-3 devices: a node per switch, a PointToPoint device and a
/// queue disc per port, IPv4 and TrafficControl at every node. Tools for ns-3 nodes work on this
/// fabric: pcap, NetAnim, any queue disc.
///
/// A port holds the packets in its queue disc and the packet on the wire (see DeviceSlot). Switches
/// have no addresses, no ARP, ICMP, UDP or TCP, and send no packets of their own.
class NodesFabric : public Fabric
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    NodesFabric();
    ~NodesFabric() override;

    /// @return hosts and switches, in the order of the topology's vertices
    const NodeContainer& GetNodes() const
    {
        return m_nodes;
    }

    /// @param port a port of the topology
    /// @return the device of the port
    Ptr<PointToPointNetDevice> GetPortDevice(LinkPort port) const
    {
        return m_devices.at(port);
    }

    /// @param port a port of the topology
    /// @return the root queue disc of the port
    Ptr<QueueDisc> GetQueueDisc(LinkPort port) const
    {
        return m_queueDiscs.at(port);
    }

    Ptr<NetDevice> GetHostDevice(HostId host) const override;
    PortStatistics GetPortStatistics(LinkPort port) const override;
    std::map<std::string, uint64_t> GetDrops(LinkPort port) const override;
    uint64_t GetQueuedBytes(LinkPort port) const override;
    std::vector<BandStatistics> GetBandStatistics(LinkPort port) const override;
    void SetListener(FabricListener& listener) override;

    double GetPacketTimeError() const override
    {
        return m_packetTimeError;
    }

  protected:
    void DoDispose() override;

  private:
    /// State that the callbacks of a port's device and queue disc write to. The callbacks own the
    /// state, so that the nodes may exist longer than the fabric.
    struct Port : public SimpleRefCount<Port>
    {
        /// Passes the packets of a switch's device to IPv4, without the search for a handler by
        /// Node and TrafficControlLayer.
        bool ReceiveAtSwitch(Ptr<NetDevice> device,
                             Ptr<const Packet> packet,
                             uint16_t protocol,
                             const Address& from);
        /// Counts an arrival at a host's device.
        void CountArrival(Ptr<const Packet> packet);
        /// Updates the occupancy of the queue disc.
        void SetQueueBytes(uint32_t oldBytes, uint32_t newBytes);
        // The queue disc has enqueued, refused or dropped a packet.
        void TraceEnqueue(Ptr<const QueueDiscItem> item);
        void TraceRefusal(Ptr<const QueueDiscItem> item, const char* reason);
        void TraceDrop(Ptr<const QueueDiscItem> item, const char* reason);
        /// Counts the arrival of a packet at this port's device.
        /// @param bytes size of the IPv4 packet
        void Arrive(const Packet& packet, uint32_t bytes);

        Ipv4L3Protocol* ipv4{nullptr};     ///< IPv4 of the switch; null at a host
        uint64_t arrivedPackets{0};        ///< packets that arrived at this port's device
        QueueOccupancy occupancy;          ///< occupancy of the queue disc
        LinkPort port{0};                  ///< number of the port
        FabricListener* listener{nullptr}; ///< listener; null: none
    };

    /// Packets that the switches' IPv4 has dropped.
    struct DropCounter : public SimpleRefCount<DropCounter>
    {
        /// Sink of Ipv4L3Protocol's trace source Drop.
        void Count(const Ipv4Header& header,
                   Ptr<const Packet> packet,
                   Ipv4L3Protocol::DropReason reason,
                   Ptr<Ipv4> ipv4,
                   uint32_t interface);

        uint64_t packets{0};               ///< number of packets
        FabricListener* listener{nullptr}; ///< listener; null: none
    };

    void DoBuild(NodeContainer& hosts) override;
    uint64_t GetArrivedPackets(LinkPort port) const override;

    uint64_t GetUnroutedPackets() const override
    {
        return m_drops->packets;
    }

    void BuildSwitch(Ptr<Node> node, VertexId vertex, Ptr<PortRoutes> routes);
    void BuildDevice(LinkPort port);
    void ConnectDevice(LinkPort port, Ptr<PortRoutes> routes);
    /// Refuses a rate at which the device's rounding of times is too large.
    void CheckPacketTimes(LinkPort port);
    /// Sets the rate of the wire at a port's queue disc.
    void UpdateRate(LinkPort port);
    void FollowPort(LinkPort port);
    void StopFollowing();

    NodeContainer m_nodes;
    std::vector<Ptr<PointToPointNetDevice>> m_devices; ///< devices, by port
    std::vector<Ptr<QueueDisc>> m_queueDiscs;          ///< root queue discs, by port
    std::vector<Ptr<Port>> m_ports;                    ///< state of each port, by port
    Ptr<DropCounter> m_drops;
    double m_packetTimeError{0}; ///< see GetPacketTimeError()
};

} // namespace ns3::coflow

#endif // COFLOW_NODES_FABRIC_H
