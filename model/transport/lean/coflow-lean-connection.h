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
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::coflow
{

class LeanHost;

/// One end of a TCP connection of which an application sees and a network carries the same as of a
/// CoflowTcpSocket, without packets: segments are structures, bytes are counted. Congestion
/// control and recovery are ns-3's objects.
///
/// This is what applications and the host call, and the state machine of RFC 9293, 3.3.2. The rest
/// is done by the parts in LeanTcb.
class LeanConnection final : public Connection, private LeanTcb, public ::coflow::InArena
{
  public:
    /// @param ofHost where it is
    /// @param ofSettings of it and others
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

    void TakeBack(uint32_t zeros) override;

    bool EndBackoff() override
    {
        return timers.EndBackoff();
    }

    bool SendSignal() override;

    void SetPacing(std::optional<DataRate> rate) override
    {
        sender.SetPacing(rate);
    }

    void SetGate(SendGate* gate) override
    {
        sender.SetGate(gate);
    }

    void SendSegment() override
    {
        sender.SendSegment();
    }

    /// A SYN has come, which this end answers; its host has made this end for it.
    /// @param from the other end's address
    /// @param listener number of the listener that the SYN has come to
    void Accept(const LeanSegment& syn, Ipv4Address from, uint32_t listener);

    /// Each of two ends reads what the other one writes.
    static void ShareStreams(LeanConnection& one, LeanConnection& other)
    {
        one.m_streamIn = other.m_streamOut;
        other.m_streamIn = one.m_streamOut;
        one.route.end = other.m_end;
        other.route.end = one.m_end;
    }

    /// Says whether its host knows it by its name.
    void SetEntered(bool entered)
    {
        m_entered = entered;
    }

    /// @return whether a host knows it by a name
    bool IsEnteredAt(const LeanHost& at, const ConnectionName& by) const
    {
        return m_entered && PeekPointer(host) == &at && name == by;
    }

    /// Something will happen to the connection soon: brings to the cache what that will touch.
    /// @param stage as IntrusiveEventKind::prefetch has them
    void Prefetch(std::size_t stage) const override;

    /// A segment for this end has arrived.
    /// @param segment the segment
    /// @param ecn the ECN field of its IPv4 header
    /// @param packetClass what its host said of it
    void Receive(const LeanSegment& segment, uint8_t ecn, const PacketClass& packetClass);

    /// @return name of the connection at its host
    const ConnectionName& GetName() const
    {
        return name;
    }

    // What parts of the connection call.

    /// All that the peer has sent was received, and its FIN.
    void DoPeerClose();
    /// The connection is over.
    void CloseAndNotify();
    /// The host forgets the connection: nothing is sent or comes any more.
    void Leave();

  private:
    friend struct LeanTcb;

    /// @return the other end; null where it is not there
    LeanConnection* GetPeer() const;
    /// @return what it has written, which the other end reads
    LeanStream& GetStreamOut();
    void NotifyClosed();
    void Reset();
    /// Ends the connection, by a reset where the peer has not done so.
    /// @param flags of a segment that the state does not allow; 0: there is none
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

    const uint32_t m_end;        ///< its number among LeanEnds
    Ptr<LeanStream> m_streamOut; ///< GetStreamOut(); null: it has written nothing yet
    Ptr<LeanStream> m_streamIn;  ///< the other end's m_streamOut
    uint32_t m_listener{0};      ///< number of who has accepted it; 0: nobody
    uint16_t m_ownPort{0};       ///< port that it has for itself; 0: none
    bool m_entered{false};       ///< the host finds it by its name
    bool m_toldClosed{false};
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_CONNECTION_H
