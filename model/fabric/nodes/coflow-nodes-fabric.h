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

/// The fabric `nodes`: device-level, everything is an ns-3 object: a node per switch, a
/// PointToPoint device and a queue disc per port, IPv4 and TrafficControl at every node. Whatever
/// works on ns-3 nodes works here: pcap, NetAnim, any queue disc.
///
/// A port holds, besides the packets in its queue disc, the one on the wire (see DeviceSlot).
/// Switches have no addresses, no ARP, ICMP, UDP or TCP, and do not answer.
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
    /// @return the device that sends for it
    Ptr<PointToPointNetDevice> GetPortDevice(LinkPort port) const
    {
        return m_devices.at(port);
    }

    /// @param port a port of the topology
    /// @return its root queue disc
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
    /// What the callbacks of a port's device and queue disc write to. They own it, so that the
    /// nodes may outlive the fabric; it owns nothing.
    struct Port : public SimpleRefCount<Port>
    {
        /// A switch's device hands its packets to IPv4 here, past the searches of Node and
        /// TrafficControlLayer for a handler.
        bool ReceiveAtSwitch(Ptr<NetDevice> device,
                             Ptr<const Packet> packet,
                             uint16_t protocol,
                             const Address& from);
        /// Counts an arrival at a host's device.
        void CountArrival(Ptr<const Packet> packet);
        /// Follows the occupancy of the queue disc.
        void SetQueueBytes(uint32_t oldBytes, uint32_t newBytes);
        // The queue disc has taken a packet, refused it, or given it up.
        void TraceEnqueue(Ptr<const QueueDiscItem> item);
        void TraceRefusal(Ptr<const QueueDiscItem> item, const char* reason);
        void TraceDrop(Ptr<const QueueDiscItem> item, const char* reason);
        /// Counts an arrival at this port's device, which the port at the other end has sent.
        /// @param bytes size of the IPv4 packet
        void Arrive(const Packet& packet, uint32_t bytes);

        Ipv4L3Protocol* ipv4{nullptr};     ///< of the switch; null at a host
        uint64_t arrivedPackets{0};        ///< packets that arrived at this port's device
        QueueOccupancy occupancy;          ///< of the queue disc
        LinkPort port{0};                  ///< which port this is
        FabricListener* listener{nullptr}; ///< or none
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
        FabricListener* listener{nullptr}; ///< or none
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
    /// Refuses a rate at which the device rounds times of packets too far.
    void CheckPacketTimes(LinkPort port);
    /// Tells a port's queue disc the rate of its wire.
    void UpdateRate(LinkPort port);
    void FollowPort(LinkPort port);
    void StopFollowing();

    NodeContainer m_nodes;
    std::vector<Ptr<PointToPointNetDevice>> m_devices; ///< by port
    std::vector<Ptr<QueueDisc>> m_queueDiscs;          ///< by port
    std::vector<Ptr<Port>> m_ports;                    ///< by port
    Ptr<DropCounter> m_drops;
    double m_packetTimeError{0}; ///< see GetPacketTimeError()
};

} // namespace ns3::coflow

#endif // COFLOW_NODES_FABRIC_H
