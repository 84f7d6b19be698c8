/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONNECTION_H
#define COFLOW_CONNECTION_H

#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-prefetchable.h"
#include "ns3/ipv4-address.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>

namespace ns3::coflow
{

/// Decides when a connection may send; see CoflowTcpSocket::SetGate().
class SendGate
{
  public:
    /// The connection has leave for nothing and its window lets it send, so that it probably has
    /// something to send; called from within TCP. It will not ask again before something happens
    /// to the connection.
    virtual void NotifyBlocked() = 0;

    /// The connection has sent a segment, with leave or, after a timeout or duplicate
    /// acknowledgements, without.
    /// @param bytes payload of the segment
    /// @param newBytes how much of that was never sent before
    virtual void NotifySent(uint32_t bytes, uint32_t newBytes) = 0;

  protected:
    ~SendGate() = default;
};

/// Who uses a Connection, and is told what happens to the connection, from within it.
class ConnectionUser : public Prefetchable
{
  public:
    /// The connection is open.
    virtual void HandleConnected()
    {
    }

    /// Nobody answered, or nobody listens.
    virtual void HandleConnectFailed()
    {
    }

    /// The peer has closed its end, or the connection is over.
    virtual void HandleClosed() = 0;

    /// The connection broke.
    virtual void HandleBroken() = 0;

    /// There is room in the send buffer: with every acknowledgement.
    virtual void HandleTxAvailable()
    {
    }

    /// There is something to read, or the peer's end of its stream.
    virtual void HandleRxAvailable()
    {
    }

    /// A packet with a RateSignal has come.
    virtual void HandleSignal(const PacketClass& /* packetClass */)
    {
    }

    /// A segment is sent again.
    /// @param ahead bytes between the first that is not acknowledged and the segment's first
    virtual void HandleSentAgain(uint32_t /* ahead */)
    {
    }

  protected:
    ~ConnectionUser() = default;
};

/// One end of a connection that carries a stream of bytes, as CoflowSource, CoflowSink and control
/// messages use it, whatever simulates it: TCP in a CoflowTcpSocket with packets, or in a
/// LeanConnection without.
///
/// Another transport implements what stands before "TCP's alone". A transport of messages over a
/// network without losses, for example, has no loss to recover from, and takes a message for
/// acknowledged when it is delivered.
class Connection : public SimpleRefCount<Connection>, public Prefetchable
{
  public:
    virtual ~Connection() = default;

    /// @param user who is told from now on; null: nobody is
    virtual void SetUser(ConnectionUser* user) = 0;

    /// Takes a local port.
    /// @param port the port; 0: any that is free
    /// @return the port; 0 where it, or every one, is taken
    virtual uint16_t Bind(uint16_t port) = 0;

    /// Opens the connection.
    /// @return false where the network has no such host
    virtual bool Connect(Ipv4Address address, uint16_t port) = 0;

    /// Gives bytes to be sent, for which there is room.
    /// @param bytes the first ones
    /// @param n how many they are
    /// @param zeros how many zeros follow
    virtual void Write(const uint8_t* bytes, uint32_t n, uint32_t zeros) = 0;

    /// Ends the stream, when everything is sent.
    virtual void Close() = 0;

    /// Ends the connection at once, and without what was not sent yet. The peer is told, the user
    /// is not.
    virtual void Abort() = 0;

    /// @return bytes that may be written now; before the first write, the whole send buffer
    virtual uint32_t GetTxAvailable() const = 0;
    /// @return bytes written that are not acknowledged
    virtual uint32_t GetUnacknowledged() const = 0;
    /// @return bytes written that were not sent
    virtual uint32_t GetUnsent() const = 0;

    /// @return bytes that may be read
    virtual uint32_t GetRxAvailable() const = 0;
    /// Reads bytes that may be read.
    /// @param n how many
    /// @param to where they are put; null: nowhere
    virtual void Read(uint32_t n, uint8_t* to) = 0;

    // TCP's alone. CoflowTcpSocket documents what the calls do. Of another transport, the first
    // three return false; it refuses a gate by InputError where its segments cannot be held back
    // one by one.

    /// @return whether segments are lost or being sent again, or the connection is not open. An
    ///         end that cannot tell says true
    virtual bool IsRecovering() const = 0;

    /// @return whether a back-off was ended
    virtual bool EndBackoff() = 0;

    /// @return whether a segment with a RateSignal has left
    virtual bool SendSignal() = 0;

    virtual void SetGate(SendGate* gate) = 0;
    virtual void SendSegment() = 0;
};

} // namespace ns3::coflow

#endif // COFLOW_CONNECTION_H
