/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a connection does with acknowledgements: congestion window, recovery from losses.

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// Has ns-3's algorithm of recovery begin. ns-3 after 3.48 also has it know what selective
/// acknowledgements have said.
/// @param recovery the algorithm
/// @param state of the connection
/// @param duplicates acknowledgements that told nothing new
/// @param outstanding bytes that were sent and not acknowledged
/// @param delivered bytes that the last acknowledgement told of
/// @param sacked bytes of outstanding ones that are known to have arrived
/// @param sack whether the ends use selective acknowledgements
template <typename Recovery, typename State>
void
Begin(Recovery& recovery,
      const Ptr<State>& state,
      uint32_t duplicates,
      uint32_t outstanding,
      uint32_t delivered,
      [[maybe_unused]] uint32_t sacked,
      [[maybe_unused]] bool sack)
{
    if constexpr (requires {
                      recovery.EnterRecovery(state, duplicates, outstanding, delivered, sacked);
                      state->m_sackEnabled;
                  })
    {
        state->m_sackEnabled = sack;
        recovery.EnterRecovery(state, duplicates, outstanding, delivered, sacked);
    }
    else
    {
        recovery.EnterRecovery(state, duplicates, outstanding, delivered);
    }
}

} // namespace

std::optional<Time>
LeanConnection::JudgeTimeout(const LeanSegment& segment)
{
    const uint32_t head = m_out.GetHead();
    if (!m_undoable || !IsBefore(head, segment.acknowledgement))
    {
        return std::nullopt;
    }
    m_undoable = false;
    const BeforeTimeout& before = m_seldom->beforeTimeout;
    const bool isOfOriginal = segment.hasTimestamp && IsBefore(segment.echo, before.at);
    if (!isOfOriginal || CongestionState() != TcpSocketState::CA_LOSS || m_out.GetSacked() > 0)
    {
        return std::nullopt;
    }
    const uint32_t end = IsBefore(HighestSent(), m_out.GetTail()) ? HighestSent() : m_out.GetTail();
    m_out.Restore(end - head);
    m_state->m_nextTxSequence = m_state->m_highTxMark;
    Control()->CongestionStateSet(m_state, TcpSocketState::CA_OPEN);
    m_state->m_congState = TcpSocketState::CA_OPEN;
    m_state->m_cWnd = before.window;
    m_state->m_cWndInfl = before.window;
    m_state->m_ssThresh = before.slowStart;
    m_recover = before.recover;
    m_recovering = false;
    m_duplicates = 0;
    return before.rto;
}

void
LeanConnection::ReceiveAck(const LeanSegment& segment)
{
    const auto wait = JudgeTimeout(segment);
    uint32_t delivered = 0;
    uint32_t sacked = 0;
    if (segment.nSackBlocks > 0)
    {
        const auto update = m_out.TakeSack(segment);
        sacked = update.sacked;
        delivered = update.delivered;
    }
    const uint32_t acknowledgement = segment.acknowledgement;
    const uint32_t oldHead = m_out.GetHead();
    if (IsBefore(acknowledgement, oldHead))
    {
        if (segment.payload > 0)
        {
            ReceiveData(segment);
        }
        return;
    }
    if (IsBefore(oldHead, acknowledgement) && IsBefore(acknowledgement, m_recover) &&
        CongestionState() == TcpSocketState::CA_RECOVERY)
    {
        const uint32_t segments = (acknowledgement - oldHead) / m_settings.segmentBytes;
        for (uint32_t i = 0; i < segments; ++i)
        {
            if (m_out.IsSentAgainUpTo(acknowledgement - i * m_settings.segmentBytes))
            {
                m_state->m_isRetransDataAcked = true;
            }
        }
    }
    delivered += m_out.Acknowledge(acknowledgement);
    if (m_state)
    {
        m_state->m_lastAckedSackedBytes = delivered;
    }
    if (CongestionState() == TcpSocketState::CA_CWR && IsBefore(m_recover, acknowledgement))
    {
        m_state->m_congState = TcpSocketState::CA_OPEN;
        m_state->m_cWnd = m_state->m_ssThresh.Get();
        m_recovery->ExitRecovery(m_state);
        TellControl(TcpSocketState::CA_EVENT_COMPLETE_CWR);
    }
    const bool echoes = segment.Has(LeanSegment::ECE);
    if (IsBefore(oldHead, acknowledgement) && EcnState() != TcpSocketState::ECN_DISABLED && echoes)
    {
        if (IsBefore(m_echoedMark, acknowledgement))
        {
            m_echoedMark = acknowledgement;
            SetEcnState(TcpSocketState::ECN_ECE_RCVD);
            if (CongestionState() != TcpSocketState::CA_CWR)
            {
                EnterReduction(delivered);
            }
        }
    }
    else if (EcnState() == TcpSocketState::ECN_ECE_RCVD && !echoes)
    {
        SetEcnState(TcpSocketState::ECN_IDLE);
    }
    CountInFlight();
    ProcessAck(acknowledgement, sacked > 0, delivered, oldHead, segment.payload > 0);
    if (m_state)
    {
        m_state->m_isRetransDataAcked = false;
    }
    if (segment.payload > 0)
    {
        ReceiveData(segment);
    }
    KeepWindowOfASegment();
    SendPending(m_connected);
    if (wait && m_retransmission.IsPending())
    {
        ScheduleTimeout(*wait);
    }
}

void
LeanConnection::KeepWindowOfASegment()
{
    // The smallest window is a segment (RFC 5681, 3.1). What is longer than a smaller one would
    // wait for ever where nothing is in flight.
    if ((m_life == TcpSocket::ESTABLISHED || m_life == TcpSocket::CLOSE_WAIT) && m_state &&
        m_state->m_cWnd < m_settings.segmentBytes)
    {
        m_state->m_cWnd = m_settings.segmentBytes;
    }
}

void
LeanConnection::EnterReduction(uint32_t delivered)
{
    BecomeSender();
    m_state->m_ssThresh = Control()->GetSsThresh(m_state, CountInFlight());
    m_state->m_cWndInfl = m_state->m_ssThresh;
    m_state->m_congState = TcpSocketState::CA_CWR;
    m_recover = HighestSent();
    BeginRecovery(delivered);
}

void
LeanConnection::BeginRecovery(uint32_t delivered)
{
    if (!m_recovery)
    {
        m_recovery = m_settings.recovery->Fork();
    }
    Begin(*m_recovery,
          m_state,
          m_duplicates,
          HighestSent() - m_out.GetHead(),
          delivered,
          m_out.GetSacked(),
          m_sack);
}

void
LeanConnection::EnterRecovery(uint32_t delivered)
{
    if (!m_sack)
    {
        m_out.AddDuplicate();
        m_out.LoseHead();
    }
    else if (!m_out.IsLost(m_out.GetHead()))
    {
        m_out.LoseHead();
    }
    m_recover = HighestSent();
    m_recovering = true;
    Control()->CongestionStateSet(m_state, TcpSocketState::CA_RECOVERY);
    m_state->m_congState = TcpSocketState::CA_RECOVERY;
    const uint32_t inFlight = CountInFlight() + (m_sack ? 0 : m_settings.segmentBytes);
    m_state->m_ssThresh = Control()->GetSsThresh(m_state, inFlight);
    BeginRecovery(delivered);
    SendData(m_highestAck, m_settings.segmentBytes, true);
}

void
LeanConnection::ProcessDuplicate(uint32_t delivered)
{
    if (CongestionState() == TcpSocketState::CA_LOSS)
    {
        return;
    }
    if (CongestionState() != TcpSocketState::CA_RECOVERY)
    {
        ++m_duplicates;
    }
    if (CongestionState() == TcpSocketState::CA_OPEN)
    {
        Control()->CongestionStateSet(m_state, TcpSocketState::CA_DISORDER);
        m_state->m_congState = TcpSocketState::CA_DISORDER;
    }
    if (CongestionState() == TcpSocketState::CA_RECOVERY)
    {
        if (!m_sack)
        {
            m_out.AddDuplicate();
        }
        m_recovery->DoRecovery(m_state, delivered, true);
    }
    else if (CongestionState() == TcpSocketState::CA_DISORDER)
    {
        const bool enough = m_duplicates == m_settings.duplicates &&
                            (!IsBefore(m_highestAck, m_recover) || !m_recovering);
        if (enough || m_out.IsLost(m_highestAck))
        {
            EnterRecovery(delivered);
        }
        else if (!m_sack && m_settings.limitedTransmit)
        {
            m_out.AddDuplicate();
        }
    }
}

void
LeanConnection::ProcessAck(uint32_t acknowledgement,
                           bool sacked,
                           uint32_t delivered,
                           uint32_t oldHead,
                           bool withData)
{
    if (CongestionState() == TcpSocketState::CA_OPEN)
    {
        m_duplicates = 0;
    }
    else if (CongestionState() == TcpSocketState::CA_DISORDER && !m_recovering)
    {
        // So that the next duplicate begins a recovery.
        m_duplicates = std::min(m_duplicates, m_settings.duplicates - 1);
    }
    const uint32_t duplicatesBefore = m_duplicates;
    if (m_state)
    {
        m_state->m_lastAckedSeq = SequenceNumber32(acknowledgement);
    }
    const bool duplicate = m_sack ? sacked
                                  : acknowledgement == oldHead &&
                                        IsBefore(acknowledgement, HighestSent()) && !withData;
    if (duplicate)
    {
        ProcessDuplicate(delivered);
    }
    if (acknowledgement == oldHead && acknowledgement == HighestSent())
    {
        return;
    }
    BecomeSender(); // its own FIN was acknowledged, where it has sent no data
    if (acknowledgement == oldHead)
    {
        if (IsBefore(HighestSent(), acknowledgement))
        {
            m_state->m_nextTxSequence = SequenceNumber32(acknowledgement);
        }
        else
        {
            Control()->PktsAcked(m_state, 1, m_state->m_srtt);
        }
    }
    else
    {
        ProcessNewAck(acknowledgement, duplicate, delivered, oldHead, duplicatesBefore);
    }
    UpdatePacingRate();
}

void
LeanConnection::ProcessNewAck(uint32_t acknowledgement,
                              bool duplicate,
                              uint32_t delivered,
                              uint32_t oldHead,
                              uint32_t duplicatesBefore)
{
    const uint32_t segment = m_settings.segmentBytes;
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
    const auto state = CongestionState();
    const bool partial = IsBefore(acknowledgement, m_recover);
    if (partial && state == TcpSocketState::CA_RECOVERY)
    {
        if (!m_sack)
        {
            m_out.LoseHead();
        }
        if (segments >= 1)
        {
            m_recovery->DoRecovery(m_state, delivered, false);
        }
        if (!m_out.IsSentAgainUpTo(acknowledgement + segment))
        {
            RetransmitNext();
            const uint32_t inflated = m_state->m_cWndInfl;
            m_state->m_cWndInfl = inflated > bytes ? inflated - bytes : 0;
        }
        Control()->PktsAcked(m_state, 1, m_state->m_srtt);
        NewAck(acknowledgement, m_firstPartial);
        m_firstPartial = false;
        return;
    }
    if (partial && state == TcpSocketState::CA_LOSS)
    {
        Control()->PktsAcked(m_state, segments, m_state->m_srtt);
        Control()->IncreaseWindow(m_state, segments);
        NewAck(acknowledgement, true);
        return;
    }
    if (state == TcpSocketState::CA_CWR)
    {
        Control()->PktsAcked(m_state, segments, m_state->m_srtt);
        if (segments >= 1)
        {
            m_recovery->DoRecovery(m_state, delivered, false);
        }
        NewAck(acknowledgement, true);
        return;
    }
    bool recovered = false;
    if (state == TcpSocketState::CA_OPEN)
    {
        Control()->PktsAcked(m_state, segments, m_state->m_srtt);
    }
    else if (state == TcpSocketState::CA_DISORDER)
    {
        if (segments >= duplicatesBefore)
        {
            Control()->PktsAcked(m_state, segments - duplicatesBefore, m_state->m_srtt);
        }
        if (!duplicate)
        {
            Control()->CongestionStateSet(m_state, TcpSocketState::CA_OPEN);
            m_state->m_congState = TcpSocketState::CA_OPEN;
        }
    }
    else if (state == TcpSocketState::CA_RECOVERY)
    {
        m_firstPartial = true;
        segments = (acknowledgement - oldHead) / segment;
        Control()->PktsAcked(m_state, segments, m_state->m_srtt);
        TellControl(TcpSocketState::CA_EVENT_COMPLETE_CWR);
        Control()->CongestionStateSet(m_state, TcpSocketState::CA_OPEN);
        m_state->m_congState = TcpSocketState::CA_OPEN;
        recovered = true;
        m_duplicates = 0;
    }
    else if (state == TcpSocketState::CA_LOSS)
    {
        m_firstPartial = true;
        segments = (acknowledgement - m_recover) / segment;
        Control()->PktsAcked(m_state, segments, m_state->m_srtt);
        Control()->CongestionStateSet(m_state, TcpSocketState::CA_OPEN);
        m_state->m_congState = TcpSocketState::CA_OPEN;
    }
    if (!partial)
    {
        m_recovering = false;
    }
    if (recovered)
    {
        NewAck(acknowledgement, true);
        m_state->m_cWnd = m_state->m_ssThresh.Get();
        m_recovery->ExitRecovery(m_state);
    }
    if (CongestionState() == TcpSocketState::CA_OPEN)
    {
        Control()->IncreaseWindow(m_state, segments);
        m_state->m_cWndInfl = m_state->m_cWnd;
        NewAck(acknowledgement, true);
    }
}

void
LeanConnection::RetransmitNext()
{
    const auto next = m_out.GetNext(false, m_peerWindow);
    const uint32_t first = next ? next->first : m_out.GetHead();
    const uint32_t most = next ? next->end - next->first : m_settings.segmentBytes;
    m_state->m_nextTxSequence = SequenceNumber32(first);
    SendData(first, most, true);
}

void
LeanConnection::NewAck(uint32_t acknowledgement, bool restartTimer)
{
    m_timeoutsInRow = 0;
    m_retriesLeft = m_settings.dataRetries;
    // A timeout stays doubled until a round trip has been measured (RFC 6298, 5.7).
    if (m_samplesAtTimeout != m_rtt.GetNSamples())
    {
        m_rto = Min(restartTimer ? TimeStep(m_rtt.GetTimeout()) : m_rto, m_settings.maxRto);
    }
    if (restartTimer)
    {
        ScheduleTimeout(m_rto);
    }
    if (m_out.GetRoom() > 0)
    {
        TellRoom();
    }
    if (IsBefore(NextSequence(), acknowledgement))
    {
        m_state->m_nextTxSequence = SequenceNumber32(acknowledgement);
    }
    if (m_out.GetSize() == 0 && m_life != TcpSocket::FIN_WAIT_1 && m_life != TcpSocket::CLOSING)
    {
        m_retransmission.Cancel();
    }
}

} // namespace ns3::coflow
