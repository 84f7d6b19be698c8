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

/// Sends all segments of a connection: what is allowed to leave, when, and with which header. It
/// knows the peer's window.
class LeanSender
{
  public:
    /// @param tcb of the connection
    explicit LeanSender(LeanTcb& tcb);

    /// Sends a segment without data.
    void SendEmpty(uint8_t flags);

    /// Sends an acknowledgement that also says whether there was a mark.
    void SendAcknowledgement();

    /// Sends a byte beyond the closed window, which does not count as sent.
    void SendProbe();

    /// Sends what the window and other limits allow.
    void SendPending();

    /// Sends what is allowed a time step from now, so that several writes make one burst, as they
    /// do in ns-3.
    void SendPendingLater();

    /// Sends one segment with data.
    /// @param sequence its first byte
    /// @param most largest payload
    /// @return bytes of payload
    uint32_t SendData(uint32_t sequence, uint32_t most);

    /// After a partial acknowledgement.
    void RetransmitNext();

    /// With a gate: sends one segment if the window allows it.
    void SendSegment();
    void SetGate(SendGate* gate);

    /// @return whether the gate is all that has something wait
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

    /// @return highest acknowledgement that came
    uint32_t GetHighestAck() const
    {
        return m_highestAck;
    }

  private:
    /// Sends what was to be sent later.
    static void HandlePending(LeanTcb& tcb);

    LeanSegment MakeSegment(uint8_t flags, uint32_t sequence);
    /// Hands a segment to the network.
    /// @param capable whether the network may mark it
    void Transmit(const LeanSegment& segment, bool capable);
    bool IsAllAcknowledged() const;

    LeanTcb& m_tcb;
    IntrusiveTimer<LeanTcb, &LeanSender::HandlePending> m_sendPending;
    SendGate* m_gate{nullptr};
    uint32_t m_leave{0};           ///< bytes that may be sent now, with a gate
    uint32_t m_peerWindow{0};      ///< bytes
    uint32_t m_highestSequence{0}; ///< that came
    uint32_t m_highestAck{0};      ///< that came
    uint8_t m_shift{0};            ///< of the window that the peer tells
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_SENDER_H
