/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FABRIC_LISTENER_H
#define COFLOW_FABRIC_LISTENER_H

#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-topology.h"

#include <cstdint>

namespace ns3::coflow
{

/// Receives a call for every event of every packet at every port of a Fabric, in the order of the
/// events. Without a listener, each event costs one comparison.
class FabricListener
{
  public:
    /// A packet in a call.
    struct Seen
    {
        uint64_t uid;   ///< ns-3's uid of the packet; TCP may send several packets with one uid
        uint32_t bytes; ///< size of the IPv4 packet
        const PacketClass& packetClass; ///< class that its host has given the packet
    };

    /// A port has received a packet that it is to send.
    /// @param port the port
    /// @param packet the packet; valid during the call
    virtual void Receive(LinkPort port, const Seen& packet) = 0;

    /// A port has dropped a packet that it received.
    /// @param port the port
    /// @param packet the packet; valid during the call
    virtual void Drop(LinkPort port, const Seen& packet) = 0;

    /// A packet has arrived at the other end of a port's wire.
    /// @param port the port
    /// @param packet the packet; valid during the call
    virtual void Arrive(LinkPort port, const Seen& packet) = 0;

    /// A switch has dropped a packet, because there is no path, or because the packet's time to
    /// live has expired.
    /// @param packet the packet; valid during the call
    virtual void Lose(const Seen& packet) = 0;

  protected:
    ~FabricListener() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_LISTENER_H
