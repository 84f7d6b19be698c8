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

/// A UDP port of a host, by which it exchanges datagrams with the same port of other hosts.
///
/// Where both hosts have lean connections, and no trace sink listens to their devices, datagrams go
/// without headers and without the hosts' UDP and IP, which do nothing to them: they arrive at the
/// same times with the same bytes on the wire. All others go through a UDP socket.
class DatagramPort
{
  public:
    /// Told of each datagram that arrives.
    using Callback = std::function<void(Ipv4Address from, Ptr<Packet> payload)>;

    /// @param node the host's
    /// @param port the port
    /// @param callback is told of datagrams
    /// @throws ::coflow::InputError where another application has the port
    DatagramPort(Ptr<Node> node, uint16_t port, Callback callback);
    ~DatagramPort();

    DatagramPort(const DatagramPort&) = delete;
    DatagramPort& operator=(const DatagramPort&) = delete;

    /// Sends a datagram now.
    /// @param to address of another host
    /// @param payload what is in it; not to be changed any more
    void Send(Ipv4Address to, Ptr<Packet> payload);

  private:
    void HandleRead(Ptr<Socket> socket);

    uint16_t m_port;
    Callback m_callback;
    Ptr<Socket> m_socket;
    Ptr<LeanHost> m_lean;                                ///< or none
    std::unordered_map<uint32_t, SegmentRoute> m_routes; ///< by address of the other host
};

} // namespace ns3::coflow

#endif // COFLOW_DATAGRAM_PORT_H
