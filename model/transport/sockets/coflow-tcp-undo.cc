/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a CoflowTcpSocket undoes a timeout of what was parked and not lost: Eifel (RFC 3522 and
// 4015). It is a feature that ns-3 has not, and no repair: without it, ns-3 does what RFC 6298 asks
// for.

#include "ns3/coflow-tcp-socket.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/tcp-tx-item.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

void
CoflowTcpSocket::RememberTimeout()
{
    const auto state = m_tcb->m_congState.Get();
    if (state == TcpSocketState::CA_LOSS)
    {
        return; // nothing was acknowledged since the first, which counts
    }
    m_beforeTimeout.reset();
    // Nothing may be known to be lost: what is known is forgotten with a timeout undone. Without
    // SACK, the acknowledgements of what is sent again would look like those of a loss.
    if (m_undoTimeouts && m_timestampEnabled && m_sackEnabled && m_state >= ESTABLISHED &&
        !IsAllAcknowledged() && state != TcpSocketState::CA_RECOVERY &&
        m_txBuffer->GetLost() == 0 && m_txBuffer->GetSacked() == 0)
    {
        const uint32_t window = m_tcb->m_cWnd;
        const uint32_t threshold = m_tcb->m_ssThresh;
        m_beforeTimeout = {TcpOptionTS::NowToTsValue(),
                           state == TcpSocketState::CA_CWR ? std::min(window, threshold) : window,
                           threshold,
                           m_recover,
                           Min(m_rto, GetMaxRto() / 2)};
    }
}

std::optional<Time>
CoflowTcpSocket::JudgeTimeout(const TcpHeader& header)
{
    const SequenceNumber32 head = m_txBuffer->HeadSequence();
    if (!m_beforeTimeout || header.GetAckNumber() <= head)
    {
        return std::nullopt;
    }
    const BeforeTimeout before = *std::exchange(m_beforeTimeout, std::nullopt);
    const auto stamp = DynamicCast<const TcpOptionTS>(header.GetOption(TcpOption::TS));
    const bool isOfOriginal = stamp && static_cast<int32_t>(stamp->GetEcho() - before.at) < 0;
    if (!isOfOriginal || m_tcb->m_congState != TcpSocketState::CA_LOSS ||
        m_txBuffer->GetSacked() > 0)
    {
        return std::nullopt;
    }
    // Puts everything back to what was not sent, and then takes it for sent.
    const uint32_t sent = std::min(m_tcb->m_highTxMark.Get(), m_txBuffer->TailSequence()) - head;
    m_txBuffer->ResetSentList();
    for (uint32_t bytes = 0; bytes < sent;)
    {
        const uint32_t segment = std::min(m_tcb->m_segmentSize, sent - bytes);
        bytes += m_txBuffer->CopyFromSequence(segment, head + bytes)->GetSeqSize();
    }
    m_tcb->m_nextTxSequence = m_tcb->m_highTxMark;
    m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_OPEN);
    m_tcb->m_congState = TcpSocketState::CA_OPEN;
    m_tcb->m_cWnd = before.congestion;
    m_tcb->m_cWndInfl = before.congestion;
    m_tcb->m_ssThresh = before.slowStart;
    m_recover = before.recover;
    m_recoverActive = false;
    m_dupAckCount = 0;
    return before.rto;
}

} // namespace ns3::coflow
