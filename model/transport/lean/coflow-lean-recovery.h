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

/// What a connection does with acknowledgements: the congestion window follows them, and losses are
/// found and recovered from, as in ns-3's TcpSocketBase.
class LeanRecovery
{
  public:
    /// @param tcb of the connection
    explicit LeanRecovery(LeanTcb& tcb)
        : m_tcb(tcb)
    {
    }

    /// What a timeout changes, to be as before should nothing have been lost.
    struct BeforeTimeout
    {
        uint32_t at; ///< as timestamps have it
        uint32_t window;
        uint32_t slowStart;
        uint32_t recover;
        Time rto;
    };

    /// A segment with an acknowledgement has come.
    void ReceiveAck(const LeanSegment& segment);

    /// A segment with new data is sent.
    /// @param sequence its first byte
    /// @return whether the segment says that the window was reduced since the last echo of a mark
    bool ConfirmReduction(uint32_t sequence);

    /// A timeout begins.
    /// @param rto what it was
    void RememberTimeout(Time rto);

    /// The last timeout is not undone.
    void ForgetTimeout()
    {
        m_undoable = false;
    }

    /// A timeout: all that was sent is lost.
    void EnterLoss();

  private:
    /// Undoes the last timeout, if it was of something that was not lost.
    /// @param segment an acknowledgement
    /// @return what the retransmission timer is then to wait
    std::optional<Time> UndoTimeout(const LeanSegment& segment);
    void EnterReduction(uint32_t delivered);
    void EnterRecovery(uint32_t delivered);
    void ProcessDuplicate(uint32_t delivered);
    /// @param sacked whether SACK blocks have told something new
    /// @param delivered bytes that have arrived, as the segment tells
    /// @param oldHead first byte that was not acknowledged before
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
    uint32_t m_unprocessed{0}; ///< acknowledged bytes that make no full segment yet
    uint32_t m_echoedMark{0};  ///< acknowledgement that told of the last mark
    uint32_t m_reduced{0};     ///< sequence number of the last CWR
    bool m_recovering{false};  ///< m_recover is of a recovery that is not over
    bool m_firstPartial{true}; ///< no partial acknowledgement has come in this recovery
    bool m_undoable{false};    ///< LeanTimers::GetBeforeTimeout() counts
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_RECOVERY_H
