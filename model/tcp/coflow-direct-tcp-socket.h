/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DIRECT_TCP_SOCKET_H
#define COFLOW_DIRECT_TCP_SOCKET_H

#include "ns3/coflow-packet-classifier.h"
#include "ns3/tcp-socket-base.h"

#include <optional>

namespace ns3::coflow
{

class HostTcp;

/// ns-3's TCP, segment for segment, which parses the header of an arriving segment once. Upstream
/// it is parsed three times, creating an object for each option each time: the largest single cost
/// of a simulation over a FabricChannel. On a host whose TCP is HostTcp, segments come directly.
class DirectTcpSocket : public TcpSocketBase
{
  public:
    // TcpSocketBase hides the overloads without flags.
    using Socket::Recv;
    using Socket::Send;

    /// @return the TypeId
    static TypeId GetTypeId();

    DirectTcpSocket();
    /// A copy, for a connection that a listening socket accepts.
    DirectTcpSocket(const DirectTcpSocket& other);
    ~DirectTcpSocket() override;

    int Bind() override;
    int Bind(const Address& address) override;
    int Connect(const Address& address) override;
    int Listen() override;

    /// A segment for this socket has arrived: TcpSocketBase::ForwardUp() with one parse less.
    /// @param packet TCP header first
    /// @param header its IPv4 header
    /// @param port the sender's port
    /// @param interface where it came from
    void Receive(Ptr<Packet> packet,
                 Ipv4Header header,
                 uint16_t port,
                 Ptr<Ipv4Interface> interface);

    /// @param local an address of this host
    /// @return whether segments to it are for this socket, which is still open
    bool IsAt(Ipv4Address local) const;

    /// @param local an address of this host
    /// @return whether this socket listens for connections to it
    bool IsListeningAt(Ipv4Address local) const;

  protected:
    Ptr<TcpSocketBase> Fork() override;
    void CompleteFork(Ptr<Packet> packet,
                      const TcpHeader& header,
                      const Address& from,
                      const Address& to) override;

    /// Notes whether an arriving segment was marked, before anything else is done with it.
    /// @param ecn bits of its IPv4 header
    /// @param sequence its first byte
    /// @param payload its bytes
    virtual void TakeMark(Ipv4Header::EcnType ecn, SequenceNumber32 sequence, uint32_t payload);

  private:
    /// Has the endpoint call Receive().
    void TakeOver();

    /// @return the host's TCP, if that may give this socket its segments directly
    HostTcp* GetDirectTcp() const;

    /// From now on, the segments of this connection come directly.
    void EnterConnection();

    std::optional<ConnectionName> m_name; ///< by which HostTcp knows this connection, if it does
    std::optional<uint16_t> m_listenPort; ///< by which it knows this listening socket, if it does
};

} // namespace ns3::coflow

#endif // COFLOW_DIRECT_TCP_SOCKET_H
