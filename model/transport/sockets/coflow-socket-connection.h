/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SOCKET_CONNECTION_H
#define COFLOW_SOCKET_CONNECTION_H

#include "ns3/coflow-connection.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-tx-buffer.h"

namespace ns3::coflow
{

/// A Connection that is a CoflowTcpSocket: ns-3's TCP with packets.
class SocketConnection final : public Connection
{
  public:
    /// @param socket the socket, whose callbacks are this object's from now on
    explicit SocketConnection(const Ptr<CoflowTcpSocket>& socket);
    ~SocketConnection() override;

    SocketConnection(const SocketConnection&) = delete;
    SocketConnection& operator=(const SocketConnection&) = delete;

    void SetUser(ConnectionUser* user) override;
    uint16_t Bind(uint16_t port) override;
    bool Connect(Ipv4Address address, uint16_t port) override;
    void Write(const uint8_t* bytes, uint32_t n, uint32_t zeros) override;
    void Close() override;
    void Abort() override;
    uint32_t GetTxAvailable() const override;
    uint32_t GetUnacknowledged() const override;
    uint32_t GetUnsent() const override;
    uint32_t GetRxAvailable() const override;
    void Read(uint32_t n, uint8_t* to) override;
    bool IsRecovering() const override;
    bool EndBackoff() override;
    bool SendSignal() override;
    void SetGate(SendGate* gate) override;
    void SendSegment() override;

  private:
    void HandleConnected(Ptr<Socket> socket);
    void HandleConnectFailed(Ptr<Socket> socket);
    void HandleClosed(Ptr<Socket> socket);
    void HandleBroken(Ptr<Socket> socket);
    void HandleTxAvailable(Ptr<Socket> socket, uint32_t available);
    void HandleRxAvailable(Ptr<Socket> socket);
    void HandleRetransmission(Ptr<const Packet> packet,
                              const TcpHeader& header,
                              const Address& local,
                              const Address& peer,
                              Ptr<const TcpSocketBase> socket);

    Ptr<CoflowTcpSocket> m_socket;
    Ptr<TcpTxBuffer> m_buffer; ///< its send buffer
    ConnectionUser* m_user{nullptr};
};

} // namespace ns3::coflow

#endif // COFLOW_SOCKET_CONNECTION_H
