/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-recovery.h"

#include "ns3/coflow-lean-tcb.h"

#include <algorithm>

namespace ns3::coflow
{

void
LeanRecovery::RememberTimeout(Time rto)
{
    const LeanCongestion& congestion = m_tcb.congestion;
    if (congestion.Get() == TcpSocketState::CA_LOSS)
    {
        return; // nothing was acknowledged since the first timeout, whose values stay
    }
    // No byte may be marked as lost, because an undone timeout loses such marks. Without SACK, the
    // acknowledgements of retransmissions would look like duplicate acknowledgements of a loss.
    m_undoable = m_tcb.settings->undoTimeouts && m_tcb.timestamps && m_tcb.sack &&
                 m_tcb.life >= TcpSocket::ESTABLISHED &&
                 IsBefore(m_tcb.out.GetHead(), congestion.GetHighest()) &&
                 congestion.Get() != TcpSocketState::CA_RECOVERY && m_tcb.out.GetLost() == 0 &&
                 m_tcb.out.GetSacked() == 0;
    if (m_undoable)
    {
        const uint32_t window = congestion.GetState().m_cWnd;
        const uint32_t slowStart = congestion.GetState().m_ssThresh;
        const bool reduced = congestion.Get() == TcpSocketState::CA_CWR;
        m_tcb.timers.GetBeforeTimeout() = {LeanTcb::GetTimestampNow(),
                                           reduced ? std::min(window, slowStart) : window,
                                           slowStart,
                                           m_recover,
                                           rto};
    }
}

std::optional<Time>
LeanRecovery::UndoTimeout(const LeanSegment& segment)
{
    const uint32_t head = m_tcb.out.GetHead();
    if (!m_undoable || !IsBefore(head, segment.acknowledgement))
    {
        return std::nullopt;
    }
    m_undoable = false;
    LeanCongestion& congestion = m_tcb.congestion;
    const BeforeTimeout& before = m_tcb.timers.GetBeforeTimeout();
    const bool isOfOriginal = segment.hasTimestamp && IsBefore(segment.echo, before.at);
    if (!isOfOriginal || congestion.Get() != TcpSocketState::CA_LOSS || m_tcb.out.GetSacked() > 0)
    {
        return std::nullopt;
    }
    const uint32_t highest = congestion.GetHighest();
    const uint32_t tail = m_tcb.out.GetTail();
    const uint32_t end = IsBefore(highest, tail) ? highest : tail;
    m_tcb.out.Restore(end - head, m_tcb.settings->segmentBytes);
    congestion.SetNext(highest);
    congestion.Enter(TcpSocketState::CA_OPEN);
    auto& state = congestion.GetState();
    state.m_cWnd = before.window;
    state.m_cWndInfl = before.window;
    state.m_ssThresh = before.slowStart;
    m_recover = before.recover;
    m_recovering = false;
    m_duplicates = 0;
    return before.rto;
}

void
LeanRecovery::EnterLoss()
{
    LeanCongestion& congestion = m_tcb.congestion;
    const uint32_t inFlight = congestion.CountInFlight(m_tcb.out);
    m_duplicates = 0;
    if (!m_tcb.sack)
    {
        m_tcb.out.ForgetDuplicates();
    }
    m_tcb.out.LoseAll(!m_tcb.sack);
    m_recover = congestion.GetHighest();
    m_recovering = true;
    if (congestion.Get() != TcpSocketState::CA_LOSS || !m_tcb.out.IsHeadSentAgain())
    {
        congestion.UpdateThreshold(inFlight);
    }
    m_tcb.receiver.NotifyControl(TcpSocketState::CA_EVENT_LOSS);
    congestion.Enter(TcpSocketState::CA_LOSS);
    auto& state = congestion.GetState();
    state.m_cWnd = m_tcb.settings->segmentBytes;
    state.m_cWndInfl = state.m_cWnd;
}

bool
LeanRecovery::ConfirmReduction(uint32_t sequence)
{
    if (m_tcb.congestion.GetEcn() != TcpSocketState::ECN_ECE_RCVD ||
        !IsBefore(m_reduced, m_echoedMark))
    {
        return false;
    }
    m_tcb.congestion.SetEcn(TcpSocketState::ECN_CWR_SENT);
    m_reduced = sequence;
    return true;
}

void
LeanRecovery::ReceiveAck(const LeanSegment& segment)
{
    LeanCongestion& congestion = m_tcb.congestion;
    LeanScoreboard& out = m_tcb.out;
    const uint32_t full = m_tcb.settings->segmentBytes;
    const auto wait = UndoTimeout(segment);
    uint32_t delivered = 0;
    uint32_t sacked = 0;
    if (segment.nSackBlocks > 0)
    {
        const auto update = out.TakeSack(segment, m_tcb.settings->duplicates);
        sacked = update.sacked;
        delivered = update.delivered;
    }
    const uint32_t acknowledgement = segment.acknowledgement;
    const uint32_t oldHead = out.GetHead();
    if (IsBefore(acknowledgement, oldHead))
    {
        if (segment.payload > 0)
        {
            m_tcb.receiver.ReceiveData(segment);
        }
        return;
    }
    if (IsBefore(oldHead, acknowledgement) && IsBefore(acknowledgement, m_recover) &&
        congestion.Get() == TcpSocketState::CA_RECOVERY)
    {
        const uint32_t segments = (acknowledgement - oldHead) / full;
        for (uint32_t i = 0; i < segments; ++i)
        {
            if (out.IsSentAgainUpTo(acknowledgement - i * full))
            {
                congestion.GetState().m_isRetransDataAcked = true;
            }
        }
    }
    delivered += out.Acknowledge(acknowledgement);
    if (congestion.IsCreated())
    {
        congestion.GetState().m_lastAckedSackedBytes = delivered;
    }
    if (congestion.Get() == TcpSocketState::CA_CWR && IsBefore(m_recover, acknowledgement))
    {
        congestion.GetState().m_congState = TcpSocketState::CA_OPEN;
        congestion.EndRecovery();
        m_tcb.receiver.NotifyControl(TcpSocketState::CA_EVENT_COMPLETE_CWR);
    }
    const bool echoes = segment.Has(LeanSegment::ECE);
    if (IsBefore(oldHead, acknowledgement) && congestion.GetEcn() != TcpSocketState::ECN_DISABLED &&
        echoes)
    {
        if (IsBefore(m_echoedMark, acknowledgement))
        {
            m_echoedMark = acknowledgement;
            congestion.SetEcn(TcpSocketState::ECN_ECE_RCVD);
            if (congestion.Get() != TcpSocketState::CA_CWR)
            {
                EnterReduction(delivered);
            }
        }
    }
    else if (congestion.GetEcn() == TcpSocketState::ECN_ECE_RCVD && !echoes)
    {
        congestion.SetEcn(TcpSocketState::ECN_IDLE);
    }
    congestion.CountInFlight(out);
    ProcessAck(segment, sacked > 0, delivered, oldHead);
    if (congestion.IsCreated())
    {
        congestion.GetState().m_isRetransDataAcked = false;
    }
    if (segment.payload > 0)
    {
        m_tcb.receiver.ReceiveData(segment);
    }
    // The smallest window is a segment (RFC 5681, 3.1). With a smaller window and nothing in
    // flight, a full segment would wait forever.
    if ((m_tcb.life == TcpSocket::ESTABLISHED || m_tcb.life == TcpSocket::CLOSE_WAIT) &&
        congestion.IsCreated() && congestion.GetState().m_cWnd < full)
    {
        congestion.GetState().m_cWnd = full;
    }
    m_tcb.sender.SendPending();
    if (wait && !m_tcb.timers.IsExpired())
    {
        m_tcb.timers.Schedule(*wait);
    }
}

void
LeanRecovery::EnterReduction(uint32_t delivered)
{
    m_tcb.BecomeSender();
    LeanCongestion& congestion = m_tcb.congestion;
    congestion.UpdateThreshold(congestion.CountInFlight(m_tcb.out));
    auto& state = congestion.GetState();
    state.m_cWndInfl = state.m_ssThresh;
    state.m_congState = TcpSocketState::CA_CWR;
    m_recover = congestion.GetHighest();
    congestion.BeginRecovery(m_tcb, m_duplicates, delivered);
}

void
LeanRecovery::EnterRecovery(uint32_t delivered)
{
    LeanCongestion& congestion = m_tcb.congestion;
    const uint32_t full = m_tcb.settings->segmentBytes;
    if (!m_tcb.sack)
    {
        m_tcb.out.AddDuplicate();
        m_tcb.out.LoseHead();
    }
    else if (!m_tcb.out.IsLost(m_tcb.out.GetHead()))
    {
        m_tcb.out.LoseHead();
    }
    m_recover = congestion.GetHighest();
    m_recovering = true;
    congestion.Enter(TcpSocketState::CA_RECOVERY);
    congestion.UpdateThreshold(congestion.CountInFlight(m_tcb.out) + (m_tcb.sack ? 0 : full));
    congestion.BeginRecovery(m_tcb, m_duplicates, delivered);
    m_tcb.sender.SendData(m_tcb.sender.GetHighestAck(), full);
}

void
LeanRecovery::ProcessDuplicate(uint32_t delivered)
{
    LeanCongestion& congestion = m_tcb.congestion;
    if (congestion.Get() == TcpSocketState::CA_LOSS)
    {
        return;
    }
    if (congestion.Get() != TcpSocketState::CA_RECOVERY)
    {
        ++m_duplicates;
    }
    if (congestion.Get() == TcpSocketState::CA_OPEN)
    {
        congestion.Enter(TcpSocketState::CA_DISORDER);
    }
    if (congestion.Get() == TcpSocketState::CA_RECOVERY)
    {
        if (!m_tcb.sack)
        {
            m_tcb.out.AddDuplicate();
        }
        congestion.DoRecovery(delivered, true);
    }
    else if (congestion.Get() == TcpSocketState::CA_DISORDER)
    {
        const uint32_t highestAck = m_tcb.sender.GetHighestAck();
        const bool enough = m_duplicates == m_tcb.settings->duplicates &&
                            (!IsBefore(highestAck, m_recover) || !m_recovering);
        if (enough || m_tcb.out.IsLost(highestAck))
        {
            EnterRecovery(delivered);
        }
        else if (!m_tcb.sack && m_tcb.settings->limitedTransmit)
        {
            m_tcb.out.AddDuplicate();
        }
    }
}

void
LeanRecovery::ProcessAck(const LeanSegment& segment,
                         bool sacked,
                         uint32_t delivered,
                         uint32_t oldHead)
{
    LeanCongestion& congestion = m_tcb.congestion;
    const uint32_t acknowledgement = segment.acknowledgement;
    if (congestion.Get() == TcpSocketState::CA_OPEN)
    {
        m_duplicates = 0;
    }
    else if (congestion.Get() == TcpSocketState::CA_DISORDER && !m_recovering)
    {
        // The next duplicate acknowledgement then begins a recovery.
        m_duplicates = std::min(m_duplicates, m_tcb.settings->duplicates - 1);
    }
    const uint32_t duplicatesBefore = m_duplicates;
    if (congestion.IsCreated())
    {
        congestion.GetState().m_lastAckedSeq = SequenceNumber32(acknowledgement);
    }
    const bool duplicate = m_tcb.sack ? sacked
                                      : acknowledgement == oldHead &&
                                            IsBefore(acknowledgement, congestion.GetHighest()) &&
                                            segment.payload == 0;
    if (duplicate)
    {
        ProcessDuplicate(delivered);
    }
    if (acknowledgement == oldHead && acknowledgement == congestion.GetHighest())
    {
        return;
    }
    // An end that has sent no data gets here by the acknowledgement of its FIN.
    m_tcb.BecomeSender();
    if (acknowledgement == oldHead)
    {
        if (IsBefore(congestion.GetHighest(), acknowledgement))
        {
            congestion.SetNext(acknowledgement);
        }
        else
        {
            congestion.NoteAcknowledged(1);
        }
    }
    else
    {
        ProcessNewAck(acknowledgement, duplicate, delivered, oldHead, duplicatesBefore);
    }
}

void
LeanRecovery::ProcessNewAck(uint32_t acknowledgement,
                            bool duplicate,
                            uint32_t delivered,
                            uint32_t oldHead,
                            uint32_t duplicatesBefore)
{
    LeanCongestion& congestion = m_tcb.congestion;
    const uint32_t segment = m_tcb.settings->segmentBytes;
    uint32_t segments = delivered / segment;
    uint32_t bytes = segments * segment;
    m_unprocessed += delivered % segment;
    if (m_unprocessed >= segment)
    {
        ++segments;
        bytes += segment;
        m_unprocessed -= segment;
    }
    if (!duplicate)
    {
        m_duplicates = 0;
    }
    const auto state = congestion.Get();
    const bool partial = IsBefore(acknowledgement, m_recover);
    if (partial && state == TcpSocketState::CA_RECOVERY)
    {
        if (!m_tcb.sack)
        {
            m_tcb.out.LoseHead();
        }
        if (segments >= 1)
        {
            congestion.DoRecovery(delivered, false);
        }
        if (!m_tcb.out.IsSentAgainUpTo(acknowledgement + segment))
        {
            m_tcb.sender.RetransmitNext();
            const uint32_t inflated = congestion.GetState().m_cWndInfl;
            congestion.GetState().m_cWndInfl = inflated > bytes ? inflated - bytes : 0;
        }
        congestion.NoteAcknowledged(1);
        FinishNewAck(acknowledgement, m_firstPartial);
        m_firstPartial = false;
        return;
    }
    if (partial && state == TcpSocketState::CA_LOSS)
    {
        congestion.NoteAcknowledged(segments);
        congestion.IncreaseWindow(segments);
        FinishNewAck(acknowledgement, true);
        return;
    }
    if (state == TcpSocketState::CA_CWR)
    {
        congestion.NoteAcknowledged(segments);
        if (segments >= 1)
        {
            congestion.DoRecovery(delivered, false);
        }
        FinishNewAck(acknowledgement, true);
        return;
    }
    bool recovered = false;
    if (state == TcpSocketState::CA_OPEN)
    {
        congestion.NoteAcknowledged(segments);
    }
    else if (state == TcpSocketState::CA_DISORDER)
    {
        if (segments >= duplicatesBefore)
        {
            congestion.NoteAcknowledged(segments - duplicatesBefore);
        }
        if (!duplicate)
        {
            congestion.Enter(TcpSocketState::CA_OPEN);
        }
    }
    else if (state == TcpSocketState::CA_RECOVERY)
    {
        m_firstPartial = true;
        segments = (acknowledgement - oldHead) / segment;
        congestion.NoteAcknowledged(segments);
        m_tcb.receiver.NotifyControl(TcpSocketState::CA_EVENT_COMPLETE_CWR);
        congestion.Enter(TcpSocketState::CA_OPEN);
        recovered = true;
        m_duplicates = 0;
    }
    else if (state == TcpSocketState::CA_LOSS)
    {
        m_firstPartial = true;
        segments = (acknowledgement - m_recover) / segment;
        congestion.NoteAcknowledged(segments);
        congestion.Enter(TcpSocketState::CA_OPEN);
    }
    if (!partial)
    {
        m_recovering = false;
    }
    if (recovered)
    {
        FinishNewAck(acknowledgement, true);
        congestion.EndRecovery();
    }
    if (congestion.Get() == TcpSocketState::CA_OPEN)
    {
        congestion.IncreaseWindow(segments);
        auto& tcb = congestion.GetState();
        tcb.m_cWndInfl = tcb.m_cWnd;
        FinishNewAck(acknowledgement, true);
    }
}

void
LeanRecovery::FinishNewAck(uint32_t acknowledgement, bool restartTimer)
{
    m_tcb.timers.NoteAcknowledged(restartTimer);
    if (m_tcb.GetTxAvailable() > 0)
    {
        m_tcb.user->HandleTxAvailable();
    }
    if (IsBefore(m_tcb.congestion.GetNext(), acknowledgement))
    {
        m_tcb.congestion.SetNext(acknowledgement);
    }
    if (m_tcb.out.GetSize() == 0 && m_tcb.life != TcpSocket::FIN_WAIT_1 &&
        m_tcb.life != TcpSocket::CLOSING)
    {
        m_tcb.timers.Cancel();
    }
}

} // namespace ns3::coflow
