/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_SENDER_H
#define COFLOW_LEAN_SENDER_H

#include "ns3/coflow-connection.h"
#include "ns3/coflow-intrusive-timer.h"
#include "ns3/coflow-lean-segment.h"

#include <cstdint>

namespace ns3::coflow
{

struct LeanTcb;

/// Sends all segments of a connection: decides which bytes may be sent and when, and makes the
/// headers. Keeps the window of the peer.
class LeanSender
{
  public:
    /// @param tcb control block of the connection
    explicit LeanSender(LeanTcb& tcb);

    /// Sends a segment without data.
    void SendEmpty(uint8_t flags);

    /// Sends an acknowledgement, with ECE if a CE mark must be echoed.
    void SendAcknowledgement();

    /// Sends a probe of a closed window: one byte, which does not count as sent.
    void SendProbe();

    /// Sends the data that the window and other limits allow.
    void SendPending();

    /// Calls SendPending() after a time step, so that several writes make one burst, as in ns-3.
    void SendPendingLater();

    /// Sends one segment with data.
    /// @param sequence sequence number of its first byte
    /// @param most largest payload
    /// @return bytes of its payload
    uint32_t SendData(uint32_t sequence, uint32_t most);

    /// Retransmits the next segment after a partial acknowledgement.
    void RetransmitNext();

    /// With a gate: sends one segment if the window allows it.
    void SendSegment();
    void SetGate(SendGate* gate);

    /// @return whether only the gate holds back data: all sent bytes are acknowledged
    bool IsHeldBack() const;

    void CancelTimers();

    /// Takes the window of a SYN.
    void TakeSyn(const LeanSegment& syn);

    /// Takes the window of a segment that is no SYN.
    void UpdateWindow(const LeanSegment& segment);

    /// @return bytes that may be sent now
    uint32_t GetAvailableWindow();

    uint32_t GetPeerWindow() const
    {
        return m_peerWindow;
    }

    /// @return highest acknowledgement number that was received
    uint32_t GetHighestAck() const
    {
        return m_highestAck;
    }

  private:
    /// The event of SendPendingLater().
    static void HandlePending(LeanTcb& tcb);

    LeanSegment MakeSegment(uint8_t flags, uint32_t sequence);
    /// Sends a segment to the network.
    /// @param capable whether the segment is ECN-capable
    void Transmit(const LeanSegment& segment, bool capable);
    bool IsAllAcknowledged() const;

    LeanTcb& m_tcb;
    IntrusiveTimer<LeanTcb, &LeanSender::HandlePending> m_sendPending;
    SendGate* m_gate{nullptr};
    uint32_t m_leave{0};           ///< with a gate: bytes that may be sent now
    uint32_t m_peerWindow{0};      ///< window of the peer, in bytes
    uint32_t m_highestSequence{0}; ///< highest number that was received
    uint32_t m_highestAck{0};      ///< highest number that was received
    uint8_t m_shift{0};            ///< window scale of the peer
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_SENDER_H
