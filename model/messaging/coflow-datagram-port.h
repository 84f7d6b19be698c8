/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DATAGRAM_PORT_H
#define COFLOW_DATAGRAM_PORT_H

#include "ns3/coflow-segment-carrier.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>
#include <unordered_map>

namespace ns3::coflow
{

class LeanHost;

/// A UDP port of a host, for datagrams to and from the same port of other hosts.
///
/// Where both hosts have lean connections, and no trace sink is connected to their devices,
/// datagrams are sent without headers and without ns-3's UDP and IP. They arrive at the same times,
/// with the same bytes on the wire. All other datagrams use a UDP socket.
class DatagramPort
{
  public:
    /// Receives each datagram that arrives.
    using Callback = std::function<void(Ipv4Address from, Ptr<Packet> payload)>;

    /// @param node node of the host
    /// @param port the port
    /// @param callback receives datagrams
    /// @throws ::coflow::InputError where another application uses the port
    DatagramPort(Ptr<Node> node, uint16_t port, Callback callback);
    ~DatagramPort();

    DatagramPort(const DatagramPort&) = delete;
    DatagramPort& operator=(const DatagramPort&) = delete;

    /// Sends a datagram now.
    /// @param to address of another host
    /// @param payload content, which must not change after the call
    void Send(Ipv4Address to, Ptr<Packet> payload);

  private:
    void HandleRead(Ptr<Socket> socket);

    uint16_t m_port;
    Callback m_callback;
    Ptr<Socket> m_socket;
    Ptr<LeanHost> m_lean;                                ///< lean connections; null: none
    std::unordered_map<uint32_t, SegmentRoute> m_routes; ///< routes by address of the other host
};

} // namespace ns3::coflow

#endif // COFLOW_DATAGRAM_PORT_H
