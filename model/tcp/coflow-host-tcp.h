/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_TCP_H
#define COFLOW_HOST_TCP_H

#include "ns3/coflow-packet-classifier.h"
#include "ns3/tcp-l4-protocol.h"

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace ns3::coflow
{

class DirectTcpSocket;

/// ns3::TcpL4Protocol, except that segments for a DirectTcpSocket reach it without a search among
/// all endpoints and without a parse of their header, which the socket does itself.
///
/// TcpL4Protocol keeps endpoints and sockets in lists, which it searches from the beginning for
/// every connection that is opened, accepted or closed. So that this does not take longer the more
/// connections a host has, they are with one of many TcpL4Protocols, a few with each.
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

    /// @param tcp any TCP
    /// @return the host's TCP, of which that may be a shelf; null where it is another class
    static HostTcp* Of(const Ptr<TcpL4Protocol>& tcp);

    /// @return a TcpL4Protocol of this host for another connection
    Ptr<TcpL4Protocol> GetShelf();

    /// Takes a port for a connection that chooses none: the next one that no connection has.
    /// @return the port; 0 where there is none
    uint16_t TakePort();

    /// Takes a port as TakePort() does, for a connection that is not a DirectTcpSocket.
    uint16_t ReservePort();

    /// Takes a certain port for a connection that is not a DirectTcpSocket.
    /// @return whether no connection had it
    bool ReservePort(uint16_t port);

    /// Gives a reserved port back.
    void GivePortBack(uint16_t port);

    /// @return segments so far that had to be searched for among the endpoints
    uint64_t GetSearches() const;

  protected:
    void DoDispose() override;

  private:
    static constexpr uint16_t FIRST_PORT = 49152; ///< of those that are taken, as upstream's
    static constexpr uint32_t SHELF_SOCKETS = 32; ///< connections with each TcpL4Protocol

    /// A TcpL4Protocol for some connections, which is there as long as one of them is.
    class Shelf;

    /// A port has a connection less.
    void Release(uint16_t port);

    /// @return the socket that a segment is for, if it is known here
    DirectTcpSocket* Find(const Packet& packet, const Ipv4Header& header) const;

    std::unordered_map<ConnectionName, DirectTcpSocket*, ConnectionNameHash> m_direct;
    std::unordered_map<uint16_t, DirectTcpSocket*> m_listeners; ///< by their ports
    std::unordered_set<Shelf*> m_shelves;                       ///< all that are there
    Ptr<Shelf> m_shelf;                                         ///< where the next connection goes
    uint32_t m_onShelf{0};                                      ///< connections that were put there
    std::unordered_map<uint16_t, uint32_t> m_users;             ///< connections that have a port
    uint16_t m_lastPort{FIRST_PORT};                            ///< that was taken
    uint64_t m_searches{0};                                     ///< segments that were searched for
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_TCP_H
