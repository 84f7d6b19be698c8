/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_RECEIVER_H
#define COFLOW_LEAN_RECEIVER_H

#include "ns3/coflow-intrusive-timer.h"
#include "ns3/coflow-lean-segment.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>

namespace ns3::coflow
{

struct LeanTcb;

/// Receives the data of a connection: sends acknowledgements, which may be delayed; advertises the
/// window; echoes timestamps and CE marks, with Dctcp as in RFC 8257, 3.2.
class LeanReceiver
{
  public:
    /// @param tcb control block of the connection
    explicit LeanReceiver(LeanTcb& tcb);

    /// Gives the congestion control access to the next sequence number of the receive buffer. The
    /// congestion control of the receiver uses this number for acknowledgements of the bytes before
    /// a mark.
    void ShowBuffer();

    /// @return whether the payload of a segment is outside the receive window
    bool IsOutOfRange(const LeanSegment& segment) const;

    /// Processes the ECN field of a segment's IPv4 header.
    void TakeMark(uint8_t ecn, const LeanSegment& segment);

    void TakeTimestamp(const LeanSegment& segment);

    /// @return the newest timestamp that was received
    uint32_t GetSeenTimestamp() const
    {
        return m_seenTimestamp;
    }

    /// Processes the payload of a segment, if any.
    void ReceiveData(const LeanSegment& segment);

    /// Acknowledges the next segment with data, the first of the connection, without delay.
    void AcknowledgeNextAtOnce();

    /// Writes the receiver's fields into a header: acknowledgement number, window, echo of a
    /// timestamp.
    void WriteHeader(LeanSegment& segment);

    /// A segment that acknowledges all received data is sent. Cancels the delayed ACK.
    void NoteAcknowledged(const LeanSegment& segment);

    /// Chooses the window scale of this end. @return the shift
    uint8_t ChooseWindowScale();

    /// Notifies the congestion control of an event. The congestion control may read the receive
    /// buffer.
    void NotifyControl(TcpSocketState::TcpCAEvent_t event);

    void CancelTimer()
    {
        m_delayedAck.Cancel();
    }

  private:
    static void HandleDelayedAck(LeanTcb& tcb);

    LeanTcb& m_tcb;
    IntrusiveTimer<LeanTcb, &LeanReceiver::HandleDelayedAck> m_delayedAck;
    uint32_t m_delayedAcks{0}; ///< number of segments that wait for an ACK
    uint32_t m_toldWindow{0};  ///< last advertised window, in bytes
    uint32_t m_highestAckSent{0};
    uint32_t m_timestampToEcho{0};
    uint32_t m_seenTimestamp{0};
    uint32_t m_seenMark{0}; ///< sequence number of the last segment with a mark
    uint8_t m_shift{0};     ///< window scale of this end
    bool m_marked{false};   ///< with Dctcp: the last segment with data had a CE mark
    /// M_marked has changed, so the next segment with data is acknowledged at once.
    bool m_ackAtOnce{false};
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_RECEIVER_H
