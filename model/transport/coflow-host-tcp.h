/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_TCP_H
#define COFLOW_HOST_TCP_H

#include "ns3/coflow-packet-classifier.h"
#include "ns3/tcp-l4-protocol.h"

#include <unordered_map>

namespace ns3::coflow
{

class DirectTcpSocket;

/// ns3::TcpL4Protocol, except that segments for a connected DirectTcpSocket reach it without a
/// search among all endpoints and without a parse of their header, which the socket does itself.
class HostTcp : public TcpL4Protocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    HostTcp();
    ~HostTcp() override;

    using TcpL4Protocol::Receive;
    IpL4Protocol::RxStatus Receive(Ptr<Packet> packet,
                                   const Ipv4Header& header,
                                   Ptr<Ipv4Interface> interface) override;

    /// From now on, a socket's segments go to it directly.
    /// @param name name of its connection
    /// @param socket the socket, which takes itself out before it is gone
    void Add(const ConnectionName& name, DirectTcpSocket* socket);

    /// Takes a socket out; no effect where it is not in.
    void Remove(const ConnectionName& name, const DirectTcpSocket* socket);

    /// From now on, segments to a port that are for no socket above go to a listening one.
    /// @param port its port
    /// @param socket the socket, which takes itself out before it is gone
    void AddListener(uint16_t port, DirectTcpSocket* socket);

    /// Takes a listening socket out; no effect where it is not in.
    void RemoveListener(uint16_t port, const DirectTcpSocket* socket);

  private:
    /// @return the socket that a segment is for, if it is known here
    DirectTcpSocket* Find(const Packet& packet, const Ipv4Header& header) const;

    std::unordered_map<ConnectionName, DirectTcpSocket*, ConnectionNameHash> m_direct;
    std::unordered_map<uint16_t, DirectTcpSocket*> m_listeners; ///< by their ports
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_TCP_H
