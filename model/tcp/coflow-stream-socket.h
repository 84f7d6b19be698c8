/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STREAM_SOCKET_H
#define COFLOW_STREAM_SOCKET_H

#include "ns3/coflow-packet-class.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::coflow
{

class SendGate;

/// Who uses a StreamSocket, and is told what happens to it from within TCP.
class StreamUser
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
    virtual void HandleRoom()
    {
    }

    /// There is something to read, or the peer's end of its stream.
    virtual void HandleReadable()
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

    /// A message has come that was sent by SendByRule().
    virtual void HandleByRule(const std::vector<uint8_t>& /* bytes */)
    {
    }

    /// Something will happen soon: brings to the cache what the user will touch.
    virtual void Prefetch() const
    {
    }

  protected:
    ~StreamUser() = default;
};

/// One end of a TCP connection as CoflowSource and CoflowSink use it, whatever simulates it: a
/// CoflowTcpSocket with packets, or a LeanConnection without. CoflowTcpSocket documents what the
/// calls do.
class StreamSocket : public SimpleRefCount<StreamSocket>
{
  public:
    /// What is touched most is within so many bytes from an end's address.
    static constexpr std::size_t HOT_BYTES = 704;

    virtual ~StreamSocket() = default;

    /// Something will happen to the connection soon: brings to the cache what that will touch.
    /// @param stage as LightEventKind::prefetch has them
    virtual void Prefetch(std::size_t /* stage */) const
    {
    }

    /// @param user who is told from now on; null: nobody is
    virtual void SetUser(StreamUser* user) = 0;

    /// Takes a local port.
    /// @return the port; 0 where none is free
    virtual uint16_t Bind() = 0;

    /// Takes a local port.
    /// @param port the port
    /// @return whether it was free
    virtual bool BindTo(uint16_t port) = 0;

    /// Sends a SYN.
    /// @return false where the network has no such host
    virtual bool Connect(Ipv4Address address, uint16_t port) = 0;

    /// Gives bytes to be sent, for which there is room.
    /// @param bytes the first ones
    /// @param n how many they are
    /// @param zeros how many zeros follow
    virtual void Write(const uint8_t* bytes, uint32_t n, uint32_t zeros) = 0;

    /// Ends the stream, when everything is sent.
    virtual void Close() = 0;

    /// Ends the connection at once, with a RST, and without what was not sent yet. The user is not
    /// told.
    virtual void Abort() = 0;

    /// @return size of the send buffer, bytes
    virtual uint32_t GetCapacity() const = 0;
    /// @return bytes that may be written now
    virtual uint32_t GetRoom() const = 0;
    /// @return bytes written that are not acknowledged
    virtual uint32_t GetUnacknowledged() const = 0;
    /// @return bytes written that were not sent
    virtual uint32_t GetUnsent() const = 0;

    /// @return bytes that may be read
    virtual uint32_t GetReadable() const = 0;
    /// Reads bytes that may be read.
    /// @param n how many
    /// @param to where they are put; null: nowhere
    virtual void Read(uint32_t n, uint8_t* to) = 0;

    /// @return whether time may be jumped over as far as the connection knows: it is open, keeps
    ///         its timers in network time, and nothing is lost
    virtual bool IsUndisturbed() const = 0;

    /// Of the bytes that were written and not sent, the last ones, which are zeros, count as never
    /// written. Only where IsUndisturbed(), and not after Close().
    /// @param zeros how many
    virtual void TakeBack(uint32_t zeros) = 0;

    /// Sends a short message without packets and beside the stream: the peer has it after the time
    /// that the path takes now. Only where time is being jumped over, the network repeats itself,
    /// and nothing that was written is on its way.
    /// @param bytes the message, a few segments at most
    /// @return whether it was sent
    virtual bool SendByRule(std::vector<uint8_t> /* bytes */)
    {
        return false;
    }

    /// @return whether the peer has read all that was written; it need not be acknowledged yet
    virtual bool IsRead() const
    {
        return GetUnacknowledged() == 0;
    }

    /// Ends the connection for both ends at once, without packets, where all that was written is
    /// read; otherwise as Close() does.
    virtual void CloseByRule()
    {
        Close();
    }

    virtual void SetPacing(std::optional<DataRate> rate) = 0;
    virtual bool Kick() = 0;
    virtual bool SendSignal() = 0;
    virtual void SetGate(SendGate* gate) = 0;
    virtual void SendSegment() = 0;
};

} // namespace ns3::coflow

#endif // COFLOW_STREAM_SOCKET_H
