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

/// Receives the data of a connection: acknowledgements, which may be delayed; the window; echoes of
/// timestamps and of marks, with Dctcp those of RFC 8257, 3.2.
class LeanReceiver
{
  public:
    /// @param tcb of the connection
    explicit LeanReceiver(LeanTcb& tcb);

    /// Has the congestion control see and change the next byte of the receive buffer: its receiver
    /// answers for what came before a mark.
    void ShowBuffer();

    /// @return whether payload is beyond what may come
    bool IsOutOfRange(const LeanSegment& segment) const;

    /// Takes the ECN field of a segment's IPv4 header.
    void TakeMark(uint8_t ecn, const LeanSegment& segment);

    void TakeTimestamp(const LeanSegment& segment);

    /// @return the timestamp that came last, and is not older than others
    uint32_t GetSeenTimestamp() const
    {
        return m_seenTimestamp;
    }

    /// Takes a segment that may have payload.
    void ReceiveData(const LeanSegment& segment);

    /// The next segment with data, the first of the connection, is acknowledged at once.
    void AcknowledgeNextAtOnce();

    /// Writes what the receiver tells into a header: acknowledgement, window, echo of a timestamp.
    void WriteHeader(LeanSegment& segment);

    /// What has arrived is acknowledged by a segment that is sent.
    void NoteAcknowledged(const LeanSegment& segment);

    /// @return the shift of windows that this end tells from now on
    uint8_t ChooseWindowScale();

    /// Tells the congestion control of something; it may look at the receive buffer.
    void NotifyControl(TcpSocketState::TcpCAEvent_t event);

    void CancelTimer()
    {
        m_delayedAck.Cancel();
    }

  private:
    static void HandleDelayedAck(LeanTcb& tcb);

    LeanTcb& m_tcb;
    IntrusiveTimer<LeanTcb, &LeanReceiver::HandleDelayedAck> m_delayedAck;
    uint32_t m_delayedAcks{0}; ///< segments that wait for an ACK
    uint32_t m_toldWindow{0};  ///< bytes, as told last
    uint32_t m_highestAckSent{0};
    uint32_t m_timestampToEcho{0};
    uint32_t m_seenTimestamp{0};
    uint32_t m_seenMark{0};  ///< sequence number of the last mark that came
    uint8_t m_shift{0};      ///< of the window that this end tells
    bool m_marked{false};    ///< with Dctcp: the last segment with data was marked
    bool m_ackAtOnce{false}; ///< that one differs from the one before
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_RECEIVER_H
