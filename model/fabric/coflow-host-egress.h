/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_EGRESS_H
#define COFLOW_HOST_EGRESS_H

#include "ns3/coflow-packet-classifier.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::coflow
{

/// The layer between IPv4 and the traffic control of a host of the fabric nodes. It gives every
/// packet that the host sends a class, in a PacketClassTag and in the DS field, before any queue
/// disc receives the packet.
///
/// The host's Ipv4Interface uses this layer as its TrafficControlLayer. The layer is not aggregated
/// to the node, and passes all packets to the node's own TrafficControlLayer.
class HostEgress : public TrafficControlLayer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Installs this layer at an interface of a host.
    /// @param node a host with an IPv4 stack
    /// @param interface number of the host's interface to the fabric
    static void Install(Ptr<Node> node, uint32_t interface);

    void Send(Ptr<NetDevice> device, Ptr<QueueDiscItem> item) override;

    /// Receives a packet of the host to itself, which passes no device.
    void Receive(Ptr<NetDevice> device,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from,
                 const Address& to,
                 NetDevice::PacketType packetType) override;

  private:
    Ptr<TrafficControlLayer> m_next; ///< TrafficControlLayer of the node
    Ptr<PacketClassifier> m_classifier;
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_EGRESS_H
