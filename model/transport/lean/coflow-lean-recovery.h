/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_RECOVERY_H
#define COFLOW_LEAN_RECOVERY_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::coflow
{

struct LeanTcb;

/// Processes acknowledgements: updates the congestion window, detects losses, and recovers from
/// them, as ns-3's TcpSocketBase.
class LeanRecovery
{
  public:
    /// @param tcb control block of the connection
    explicit LeanRecovery(LeanTcb& tcb)
        : m_tcb(tcb)
    {
    }

    /// The values that a timeout changes. They are restored if the timeout was spurious.
    struct BeforeTimeout
    {
        uint32_t at; ///< time of the timeout, as a timestamp in milliseconds
        uint32_t window;
        uint32_t slowStart;
        uint32_t recover;
        Time rto;
    };

    /// Processes a segment with an acknowledgement.
    void ReceiveAck(const LeanSegment& segment);

    /// A segment with new data is sent.
    /// @param sequence sequence number of its first byte
    /// @return whether the segment must have the flag CWR: the window was reduced since the last
    ///         echo of a mark
    bool ConfirmReduction(uint32_t sequence);

    /// A timeout begins.
    /// @param rto retransmission timeout before the timeout
    void RememberTimeout(Time rto);

    /// The last timeout will not be undone.
    void ForgetTimeout()
    {
        m_undoable = false;
    }

    /// A timeout: marks all sent bytes as lost, and begins slow start.
    void EnterLoss();

  private:
    /// Undoes the last timeout if it was spurious: the original segment was not lost.
    /// @param segment an acknowledgement
    /// @return the new delay of the retransmission timer; none: no timeout was undone
    std::optional<Time> UndoTimeout(const LeanSegment& segment);
    void EnterReduction(uint32_t delivered);
    void EnterRecovery(uint32_t delivered);
    void ProcessDuplicate(uint32_t delivered);
    /// @param sacked whether SACK blocks have newly SACKed bytes
    /// @param delivered bytes that the segment newly acknowledges or SACKs
    /// @param oldHead first unacknowledged byte before this segment
    void ProcessAck(const LeanSegment& segment, bool sacked, uint32_t delivered, uint32_t oldHead);
    void ProcessNewAck(uint32_t acknowledgement,
                       bool duplicate,
                       uint32_t delivered,
                       uint32_t oldHead,
                       uint32_t duplicatesBefore);
    void FinishNewAck(uint32_t acknowledgement, bool restartTimer);

    LeanTcb& m_tcb;
    uint32_t m_recover{0};     ///< highest byte sent when the last recovery began
    uint32_t m_duplicates{0};  ///< duplicate acknowledgements in a row
    uint32_t m_unprocessed{0}; ///< acknowledged bytes that are not yet a full segment
    uint32_t m_echoedMark{0};  ///< acknowledgement number of the last echo of a mark
    uint32_t m_reduced{0};     ///< sequence number of the last CWR
    bool m_recovering{false};  ///< m_recover belongs to a recovery that has not ended
    bool m_firstPartial{true}; ///< no partial acknowledgement has come in this recovery
    bool m_undoable{false};    ///< LeanTimers::GetBeforeTimeout() is valid
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_RECOVERY_H
