/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_CONNECTION_H
#define COFLOW_LEAN_CONNECTION_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-connection.h"
#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-lean-stream.h"
#include "ns3/coflow-lean-tcb.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/ipv4-address.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ns3::coflow
{

class LeanHost;

/// One end of a TCP connection without packets. For applications and for the network it behaves as
/// a CoflowTcpSocket does. Segments are structures. Bytes are counted. Congestion control and
/// recovery are ns-3's objects.
///
/// This class has the functions that applications and the host call, and the state machine of RFC
/// 9293, 3.3.2. The parts in LeanTcb do the rest.
class LeanConnection final : public Connection, private LeanTcb, public ::coflow::InArena
{
  public:
    /// @param ofHost host of the connection
    /// @param ofSettings settings, shared with other connections
    LeanConnection(LeanHost& ofHost, std::shared_ptr<const LeanSettings> ofSettings);
    ~LeanConnection() override;

    using Connection::Ref;
    using Connection::Unref;

    void SetUser(ConnectionUser* to) override
    {
        LeanTcb::SetUser(to);
    }

    uint16_t Bind(uint16_t port) override;
    bool Connect(Ipv4Address address, uint16_t port) override;
    void Write(const uint8_t* bytes, uint32_t n, uint32_t zeros) override;
    void Close() override;
    void Abort() override;

    uint32_t GetTxAvailable() const override
    {
        return LeanTcb::GetTxAvailable();
    }

    uint32_t GetUnacknowledged() const override
    {
        return out.GetSize();
    }

    uint32_t GetUnsent() const override
    {
        return out.GetSize() - out.GetSentSize();
    }

    uint32_t GetRxAvailable() const override
    {
        return in.GetRxAvailable();
    }

    void Read(uint32_t n, uint8_t* to) override;
    bool IsRecovering() const override;

    bool EndBackoff() override
    {
        return timers.EndBackoff();
    }

    bool SendSignal() override;

    void SetGate(SendGate* gate) override
    {
        sender.SetGate(gate);
    }

    void SendSegment() override
    {
        sender.SendSegment();
    }

    /// Answers a SYN. The host has created this end for the SYN.
    /// @param syn the SYN
    /// @param from address of the other end
    /// @param listener number of the listener for which the SYN has come
    void Accept(const LeanSegment& syn, Ipv4Address from, uint32_t listener);

    /// Connects the byte streams of two ends: each end reads the bytes that the other end writes.
    /// @param one an end
    /// @param other the other end
    static void ShareStreams(LeanConnection& one, LeanConnection& other)
    {
        one.m_streamIn = other.m_streamOut;
        other.m_streamIn = one.m_streamOut;
        one.route.end = other.m_end;
        other.route.end = one.m_end;
    }

    /// Sets whether the host's table has the connection.
    /// @param entered whether it does
    void SetEntered(bool entered)
    {
        m_entered = entered;
    }

    /// @param at a host
    /// @param by a name
    /// @return whether the table of this host has the connection under this name
    bool IsEnteredAt(const LeanHost& at, const ConnectionName& by) const
    {
        return m_entered && PeekPointer(host) == &at && name == by;
    }

    /// An event will touch the connection soon. Brings the memory that the event will touch to the
    /// cache.
    /// @param stage stage of IntrusiveEventKind::prefetch
    void Prefetch(std::size_t stage) const override;

    /// A segment for this end has arrived.
    /// @param segment the segment
    /// @param ecn the ECN field of its IPv4 header
    /// @param packetClass class of the packet, from the sending host
    void Receive(const LeanSegment& segment, uint8_t ecn, const PacketClass& packetClass);

    /// @return name of the connection at its host
    const ConnectionName& GetName() const
    {
        return name;
    }

    // Functions for the parts of the connection.

    /// All data of the peer and its FIN were received.
    void DoPeerClose();
    /// The connection has ended.
    void CloseAndNotify();
    /// Removes the connection from its host. No segment is sent or received any more.
    void Leave();

  private:
    friend struct LeanTcb;

    /// @return the other end; null: it does not exist
    LeanConnection* GetPeer() const;
    /// @return stream of the written bytes, which the other end reads
    LeanStream& GetStreamOut();
    void NotifyClosed();
    void Reset();
    /// Ends the connection. Sends a reset, unless the peer has sent one.
    /// @param flags flags of a segment that the state does not allow; 0: there is none
    void Break(uint8_t flags);
    void EnterTimeWait();
    void AnswerSyn(const LeanSegment& syn);
    void Process(const LeanSegment& segment);
    void ProcessEstablished(const LeanSegment& segment);
    void ProcessSynSent(const LeanSegment& segment);
    void ProcessSynReceived(const LeanSegment& segment);
    void ProcessWait(const LeanSegment& segment);
    void ProcessClosing(const LeanSegment& segment);
    void ProcessLastAck(const LeanSegment& segment);
    void PeerClose(const LeanSegment& segment);

    const uint32_t m_end;        ///< number of this end in LeanEnds
    Ptr<LeanStream> m_streamOut; ///< stream of written bytes; null: nothing was written yet
    Ptr<LeanStream> m_streamIn;  ///< m_streamOut of the other end
    uint32_t m_listener{0};   ///< number of the listener that has accepted the connection; 0: none
    uint16_t m_ownPort{0};    ///< port that only this connection uses; 0: none
    bool m_entered{false};    ///< the host's table has the connection
    bool m_toldClosed{false}; ///< the user was notified of the end
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_CONNECTION_H
