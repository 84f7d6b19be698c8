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

/// Hears what happens to every packet at every port of a Fabric, in the order in which it does.
/// Where there is none, that costs a comparison each time.
class FabricListener
{
  public:
    /// A packet as it is told of.
    struct Seen
    {
        uint64_t uid;                   ///< of the packet; TCP may send several with one uid
        uint32_t bytes;                 ///< size of the IPv4 packet
        const PacketClass& packetClass; ///< what its host said of it
    };

    /// A packet has come to a port to be sent.
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

    /// A switch has dropped a packet for want of a path, or because its time to live was over.
    /// @param packet the packet; valid during the call
    virtual void Lose(const Seen& packet) = 0;

  protected:
    ~FabricListener() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_LISTENER_H
